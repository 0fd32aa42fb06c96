// SPDX-License-Identifier: Apache-2.0
/// \file
/// XML-RPC as ROS 1 uses it: HTTP requests and answers, values as a flat list.
///
///     bytes --(ri_rpc_http_scan: a whole message?)--> body --(ri_rpc_parse)--> RiRpc: method, values
///     RiText <--(ri_rpc_string, ri_rpc_int, ...)-- what goes out
///
/// The reader accepts what ROS sends: strings, whole numbers, truth values, real numbers, arrays,
/// structs (read over), in any nesting to RI_RPC_DEPTH. Fuzz target: fuzz/fuzz_xmlrpc.c.
#ifndef RI_LINK_ROS_XMLRPC_H
#define RI_LINK_ROS_XMLRPC_H

#include <stdbool.h>
#include <stddef.h>

#include "link/text.h"

enum { RI_RPC_VALUES = 4096, RI_RPC_DEPTH = 16, RI_RPC_NAME = 256, RI_RPC_HTTP_MOST = 4 << 20 };

typedef enum RiRpcKind { RI_RPC_STRING, RI_RPC_INT, RI_RPC_BOOL, RI_RPC_DOUBLE, RI_RPC_ARRAY, RI_RPC_OTHER } RiRpcKind;

typedef struct RiRpcValue {
    RiRpcKind kind;
    const char *text; ///< as it is in the message, entities and all; of an array what is between its tags
    size_t size;
    int next;  ///< the value after this one and its parts
    int count; ///< of an array
} RiRpcValue;

/// A call or an answer. Values follow each other as in the text; those of an array come behind it.
typedef struct RiRpc {
    char method[RI_RPC_NAME]; ///< "" of an answer
    bool fault;
    RiRpcValue values[RI_RPC_VALUES];
    int count;
} RiRpc;

/// False: not XML-RPC, or beyond the limits.
bool ri_rpc_parse(RiRpc *x, const char *text, size_t size);
/// Parameter number `index` of a call or an answer; NULL.
const RiRpcValue *ri_rpc_param(const RiRpc *x, int index);
/// Element of an array; NULL.
const RiRpcValue *ri_rpc_item(const RiRpc *x, const RiRpcValue *array, int index);
/// A string with its entities resolved. False: not a string, or too long.
bool ri_rpc_get_string(const RiRpcValue *v, char *out, size_t room);
bool ri_rpc_get_int(const RiRpcValue *v, long *out);

// Writing: each is one <value>.
void ri_rpc_string(RiText *t, const char *text);
void ri_rpc_int(RiText *t, long x);
void ri_rpc_begin_array(RiText *t);
void ri_rpc_end_array(RiText *t);
/// A whole call with parameters that are strings, and one more value that is XML already (NULL:
/// none).
void ri_rpc_call(RiText *t, const char *method, const char *const *params, int count, const char *last);
/// A whole answer [code, message, value] as HTTP; `value` is XML.
void ri_rpc_http_answer(RiText *t, int code, const char *message, const char *value);
/// A whole HTTP request with a body.
void ri_rpc_http_request(RiText *t, const char *host, int port, const char *body, size_t size);

typedef enum RiRpcState { RI_RPC_HTTP_MORE, RI_RPC_HTTP_WHOLE, RI_RPC_HTTP_BAD } RiRpcState;
/// Whether a message is complete; then where its body is. `end`: the other side has closed.
RiRpcState ri_rpc_http_scan(const char *bytes, size_t size, bool end, size_t *out_body, size_t *out_size);

/// "http://host:port/". False: not of this form.
bool ri_rpc_http_address(const char *uri, char *host, size_t room, int *out_port);

#endif
