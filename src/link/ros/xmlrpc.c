// SPDX-License-Identifier: Apache-2.0
/// \file
/// XML-RPC and its HTTP. The reader works in place on text that need not end with 0 and copies
/// nothing but names.
#include "link/ros/xmlrpc.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// --- reading -------------------------------------------------------------------------------------

typedef struct Cursor {
    const char *at, *end;
} Cursor;

static void skip_space(Cursor *c)
{
    while (c->at < c->end && isspace((unsigned char)*c->at))
        c->at++;
}

static bool is_at(const Cursor *c, const char *text)
{
    const size_t n = strlen(text);
    return (size_t)(c->end - c->at) >= n && memcmp(c->at, text, n) == 0;
}

/// Takes a tag like "<value>" after spaces.
static bool take(Cursor *c, const char *tag)
{
    skip_space(c);
    if (!is_at(c, tag))
        return false;
    c->at += strlen(tag);
    return true;
}

/// The text up to a tag, which is taken too.
static bool take_until(Cursor *c, const char *tag, const char **text, size_t *size)
{
    *text = c->at;
    for (; c->at < c->end; c->at++)
        if (*c->at == '<' && is_at(c, tag)) {
            *size = (size_t)(c->at - *text);
            c->at += strlen(tag);
            return true;
        }
    return false;
}

static const struct {
    const char *open, *close;
    RiRpcKind kind;
} scalars[] = {{"<string>", "</string>", RI_RPC_STRING},
               {"<int>", "</int>", RI_RPC_INT},
               {"<i4>", "</i4>", RI_RPC_INT},
               {"<boolean>", "</boolean>", RI_RPC_BOOL},
               {"<double>", "</double>", RI_RPC_DOUBLE},
               {"<base64>", "</base64>", RI_RPC_OTHER},
               {"<struct>", "</struct>", RI_RPC_OTHER}};
enum { SCALARS = sizeof scalars / sizeof *scalars };

static bool take_value(RiRpc *x, Cursor *c, int depth);

static bool take_array(RiRpc *x, Cursor *c, int index, int depth)
{
    x->values[index].kind = RI_RPC_ARRAY;
    if (take(c, "<data/>") || take(c, "<data />"))
        return take(c, "</array>");
    if (!take(c, "<data>"))
        return false;
    x->values[index].text = c->at;
    for (; !take(c, "</data>"); x->values[index].count++) {
        if (!take_value(x, c, depth + 1))
            return false;
        x->values[index].size = (size_t)(c->at - x->values[index].text);
    }
    return take(c, "</array>");
}

/// What is between <value> and </value>.
static bool take_content(RiRpc *x, Cursor *c, int index, int depth)
{
    RiRpcValue *v = &x->values[index];
    const Cursor bare = *c;
    if (take(c, "<string/>") || take(c, "<string />"))
        return true; // empty
    for (int i = 0; i < SCALARS; i++)
        if (take(c, scalars[i].open)) {
            v->kind = scalars[i].kind;
            return take_until(c, scalars[i].close, &v->text, &v->size);
        }
    if (take(c, "<array>"))
        return take_array(x, c, index, depth);
    *c = bare; // text without a tag is a string
    v->text = c->at;
    while (c->at < c->end && *c->at != '<')
        c->at++;
    v->size = (size_t)(c->at - v->text);
    return true;
}

static bool take_value(RiRpc *x, Cursor *c, int depth)
{
    if (depth > RI_RPC_DEPTH || x->count == RI_RPC_VALUES)
        return false;
    const int index = x->count++;
    x->values[index] = (RiRpcValue){.kind = RI_RPC_STRING, .text = ""};
    bool good = take(c, "<value/>") || take(c, "<value />");
    if (!good)
        good = take(c, "<value>") && take_content(x, c, index, depth) && take(c, "</value>");
    x->values[index].next = x->count;
    return good;
}

static bool take_params(RiRpc *x, Cursor *c)
{
    if (take(c, "<params/>") || take(c, "<params />"))
        return true;
    if (!take(c, "<params>"))
        return true; // a call without any
    while (!take(c, "</params>"))
        if (!take(c, "<param>") || !take_value(x, c, 0) || !take(c, "</param>"))
            return false;
    return true;
}

bool ri_rpc_parse(RiRpc *x, const char *text, size_t size)
{
    Cursor c = {text, text + size};
    const char *name;
    size_t length;
    x->method[0] = '\0';
    x->fault = false;
    x->count = 0;
    skip_space(&c);
    if (is_at(&c, "<?xml")) {
        while (c.at < c.end && *c.at != '>')
            c.at++;
        c.at += c.at < c.end;
    }
    if (take(&c, "<methodResponse>")) {
        if (take(&c, "<fault>")) {
            x->fault = true;
            return take_value(x, &c, 0) && take(&c, "</fault>") && take(&c, "</methodResponse>");
        }
        return take_params(x, &c) && take(&c, "</methodResponse>");
    }
    if (!take(&c, "<methodCall>") || !take(&c, "<methodName>") || !take_until(&c, "</methodName>", &name, &length) ||
        length >= sizeof x->method)
        return false;
    memcpy(x->method, name, length);
    x->method[length] = '\0';
    return take_params(x, &c) && take(&c, "</methodCall>");
}

const RiRpcValue *ri_rpc_param(const RiRpc *x, int index)
{
    int at = 0;
    for (; index > 0 && at < x->count; index--)
        at = x->values[at].next;
    return at < x->count ? &x->values[at] : NULL;
}

const RiRpcValue *ri_rpc_item(const RiRpc *x, const RiRpcValue *array, int index)
{
    if (!array || array->kind != RI_RPC_ARRAY || index < 0 || index >= array->count)
        return NULL;
    int at = (int)(array - x->values) + 1;
    for (; index > 0; index--)
        at = x->values[at].next;
    return &x->values[at];
}

/// One character of an entity; its length in the text, 0: not an entity.
static size_t read_entity(const char *at, size_t size, char *out)
{
    static const struct {
        const char *text;
        char character;
    } known[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const size_t n = strlen(known[i].text);
        if (size >= n && memcmp(at, known[i].text, n) == 0) {
            *out = known[i].character;
            return n;
        }
    }
    return 0;
}

bool ri_rpc_get_string(const RiRpcValue *v, char *out, size_t room)
{
    size_t n = 0;
    out[0] = '\0';
    if (!v || v->kind != RI_RPC_STRING)
        return false;
    for (size_t i = 0; i < v->size;) {
        char character = v->text[i];
        const size_t entity = character == '&' ? read_entity(v->text + i, v->size - i, &character) : 0;
        if (character == '\0' || n + 1 >= room) {
            out[0] = '\0';
            return false;
        }
        out[n++] = character;
        i += entity ? entity : 1;
    }
    out[n] = '\0';
    return true;
}

bool ri_rpc_get_int(const RiRpcValue *v, long *out)
{
    char text[32], *end;
    if (!v || v->kind != RI_RPC_INT || v->size == 0 || v->size >= sizeof text)
        return false;
    memcpy(text, v->text, v->size);
    text[v->size] = '\0';
    *out = strtol(text, &end, 10);
    return *end == '\0' && *out >= -2147483647L && *out <= 2147483647L;
}

// --- writing -------------------------------------------------------------------------------------

static void put_escaped(RiText *t, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            ri_text_add(t, "&lt;");
        else if (*text == '>')
            ri_text_add(t, "&gt;");
        else if (*text == '&')
            ri_text_add(t, "&amp;");
        else
            ri_text_put(t, text, 1);
    }
}

void ri_rpc_string(RiText *t, const char *text)
{
    ri_text_add(t, "<value><string>");
    put_escaped(t, text);
    ri_text_add(t, "</string></value>");
}

void ri_rpc_int(RiText *t, long x)
{
    ri_text_format(t, "<value><i4>%ld</i4></value>", x);
}

void ri_rpc_begin_array(RiText *t)
{
    ri_text_add(t, "<value><array><data>");
}

void ri_rpc_end_array(RiText *t)
{
    ri_text_add(t, "</data></array></value>");
}

void ri_rpc_call(RiText *t, const char *method, const char *const *params, int count, const char *last)
{
    ri_text_format(t, "<?xml version=\"1.0\"?><methodCall><methodName>%s</methodName><params>", method);
    for (int i = 0; i < count; i++) {
        ri_text_add(t, "<param>");
        ri_rpc_string(t, params[i]);
        ri_text_add(t, "</param>");
    }
    if (last) { // may be longer than a formatted line
        ri_text_add(t, "<param>");
        ri_text_add(t, last);
        ri_text_add(t, "</param>");
    }
    ri_text_add(t, "</params></methodCall>");
}

void ri_rpc_http_answer(RiText *t, int code, const char *message, const char *value)
{
    const RiAllocator memory = ri_plain_memory();
    RiText body;
    ri_text_init(&body, &memory);
    ri_text_add(&body, "<?xml version=\"1.0\"?><methodResponse><params><param>");
    ri_rpc_begin_array(&body);
    ri_rpc_int(&body, code);
    ri_rpc_string(&body, message);
    ri_text_add(&body, value);
    ri_rpc_end_array(&body);
    ri_text_add(&body, "</param></params></methodResponse>");
    ri_text_format(t, "HTTP/1.0 200 OK\r\nServer: rille\r\nContent-Type: text/xml\r\nContent-Length: %zu\r\n\r\n",
                   body.size);
    if (!body.failed)
        ri_text_put(t, body.at, body.size);
    t->failed |= body.failed;
    ri_text_free(&body);
}

void ri_rpc_http_request(RiText *t, const char *host, int port, const char *body, size_t size)
{
    ri_text_format(t, "POST /RPC2 HTTP/1.0\r\nHost: %s:%d\r\nContent-Type: text/xml\r\nContent-Length: %zu\r\n\r\n",
                   host, port, size);
    ri_text_put(t, body, size);
}

// --- HTTP ----------------------------------------------------------------------------------------

/// Value of the header Content-Length; -1: none, -2: not a number that is allowed.
static long content_length(const char *head, size_t size)
{
    static const char key[] = "content-length:";
    for (size_t i = 0; i + sizeof key <= size; i++) {
        if ((i > 0 && head[i - 1] != '\n') || strncasecmp(head + i, key, sizeof key - 1) != 0)
            continue;
        long n = 0;
        size_t at = i + sizeof key - 1, digits = 0;
        while (at < size && head[at] == ' ')
            at++;
        for (; at < size && isdigit((unsigned char)head[at]); at++, digits++)
            if ((n = 10 * n + (head[at] - '0')) > RI_RPC_HTTP_MOST)
                return -2;
        return digits ? n : -2;
    }
    return -1;
}

RiRpcState ri_rpc_http_scan(const char *bytes, size_t size, bool end, size_t *out_body, size_t *out_size)
{
    enum { HEAD_MOST = 16384 };
    size_t at = 0;
    while (at + 4 <= size && memcmp(bytes + at, "\r\n\r\n", 4) != 0)
        at++;
    if (at + 4 > size)
        return end || size > HEAD_MOST ? RI_RPC_HTTP_BAD : RI_RPC_HTTP_MORE;
    const size_t body = at + 4;
    const long length = content_length(bytes, body);
    if (length == -2 || size - body > RI_RPC_HTTP_MOST)
        return RI_RPC_HTTP_BAD;
    if (length >= 0 && size - body < (size_t)length)
        return end ? RI_RPC_HTTP_BAD : RI_RPC_HTTP_MORE;
    if (length < 0 && !end)
        return RI_RPC_HTTP_MORE;
    *out_body = body;
    *out_size = length >= 0 ? (size_t)length : size - body;
    return RI_RPC_HTTP_WHOLE;
}

bool ri_rpc_http_address(const char *uri, char *host, size_t room, int *out_port)
{
    const char *at = strncmp(uri, "http://", 7) == 0 ? uri + 7 : NULL, *colon = at ? strrchr(at, ':') : NULL;
    if (!colon || colon == at || (size_t)(colon - at) >= room)
        return false;
    memcpy(host, at, (size_t)(colon - at));
    host[colon - at] = '\0';
    char *end;
    const long port = strtol(colon + 1, &end, 10);
    *out_port = (int)port;
    return port > 0 && port < 65536 && (*end == '\0' || strcmp(end, "/") == 0) && !strpbrk(host, "/ @");
}
