// SPDX-License-Identifier: Apache-2.0
/// \file
/// YAML documents as a tree that knows its lines.
///
///     text --(ri_yaml_parse: libyaml events, limits)--> RiYaml { root node } --(getters)--> values, or file:line:column
///
/// The subset: one document of mappings, sequences and scalars. Anchors, aliases and tags are
/// refused (they expand without bound or change types behind the reader's back), and so are keys
/// that are not plain text and keys given twice. Scalars keep their text; what it means is decided
/// by the getter that asks.
///
/// Threads and ownership: a document is read by any number of threads; all nodes and texts live as
/// long as it does.
#ifndef RI_IO_YAML_H
#define RI_IO_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include <rille/context.h>

typedef enum RiYamlKind { RI_YAML_SCALAR, RI_YAML_SEQUENCE, RI_YAML_MAPPING } RiYamlKind;

typedef struct RiYaml RiYaml;

/// A node. Children are a list: for (const RiYamlNode *c = node->first; c; c = c->next).
typedef struct RiYamlNode {
    const RiYaml *document;
    const char *key;  ///< if the parent is a mapping, else NULL
    const char *text; ///< of a scalar; "" for the others
    struct RiYamlNode *first, *next;
    int count;                ///< children
    int line, column;         ///< of the value, from 1
    int key_line, key_column; ///< of the key, from 1; 0 without one
    unsigned char kind;       ///< RiYamlKind
    bool quoted;              ///< a scalar in quotes or a block scalar
} RiYamlNode;

/// What a document may have at most; see ri_yaml_limits_default().
typedef struct RiYamlLimits {
    int depth;   ///< of nesting: 64
    int nodes;   ///< 2 million
    size_t size; ///< [bytes]: 64 MiB
} RiYamlLimits;

RiYamlLimits ri_yaml_limits_default(void);

/// Reads a document. `file` is used in messages (NULL: "<text>") and copied; `limits` may be NULL.
/// An empty text has an empty scalar as its root. RI_ERR_FORMAT or RI_ERR_LIMIT with
/// file:line:column.
RI_MUST_CHECK RiStatus ri_yaml_parse(RiContext *ctx, const char *file, const char *text, size_t size,
                                     const RiYamlLimits *limits, RiYaml **out_document);
/// Reads a file.
RI_MUST_CHECK RiStatus ri_yaml_load(RiContext *ctx, const char *path, const RiYamlLimits *limits,
                                    RiYaml **out_document);
void ri_yaml_destroy(RiYaml *document);

const RiYamlNode *ri_yaml_root(const RiYaml *document);
/// The name used in messages; never NULL.
const char *ri_yaml_file(const RiYaml *document);

/// The value of a key in a mapping; NULL if there is none or `map` is NULL or not a mapping.
const RiYamlNode *ri_yaml_get(const RiYamlNode *map, const char *key);
/// Element of a sequence, from 0; NULL beyond its end.
const RiYamlNode *ri_yaml_at(const RiYamlNode *sequence, int index);

/// Records "file:line:column: key 'x': ..." (without the key for elements and roots) and returns
/// `status`.
RiStatus ri_yaml_error(const RiYamlNode *node, RiStatus status, const char *format, ...) RI_PRINTF(3, 4);
/// The same about the key of a node: "file:line:column: ..." of where the key is.
RiStatus ri_yaml_error_key(const RiYamlNode *node, RiStatus status, const char *format, ...) RI_PRINTF(3, 4);
/// The same about a place inside a scalar: `offset` bytes into its text.
RiStatus ri_yaml_error_at(const RiYamlNode *node, int offset, RiStatus status, const char *format, ...) RI_PRINTF(4, 5);

/// "scalar", "sequence", "mapping".
const char *ri_yaml_kind_name(RiYamlKind kind);

// What follows fails with RI_ERR_FORMAT and a message that names the place, the key, the value and
// what is allowed.

/// Checks that a node is of a kind.
RI_MUST_CHECK RiStatus ri_yaml_expect(const RiYamlNode *node, RiYamlKind kind);
/// The value of a key that must be there and be of a kind.
RI_MUST_CHECK RiStatus ri_yaml_require(const RiYamlNode *map, const char *key, RiYamlKind kind,
                                       const RiYamlNode **out_node);
/// Refuses keys of a mapping that are not in the list; suggests the nearest one.
RI_MUST_CHECK RiStatus ri_yaml_check_keys(const RiYamlNode *map, const char *const *allowed, int count);

/// Values of nodes. A number may carry a unit that must fit `unit` ("m", "kg*m^2"; "" for a plain
/// number; NULL for any); the value is SI. An integer has no fraction and no unit. A truth value is
/// true or false.
RI_MUST_CHECK RiStatus ri_yaml_string(const RiYamlNode *node, const char **out_text);
RI_MUST_CHECK RiStatus ri_yaml_number(const RiYamlNode *node, const char *unit, double *out_value);
RI_MUST_CHECK RiStatus ri_yaml_int(const RiYamlNode *node, int least, int most, int *out_value);
RI_MUST_CHECK RiStatus ri_yaml_bool(const RiYamlNode *node, bool *out_value);
/// A sequence of exactly `count` numbers.
RI_MUST_CHECK RiStatus ri_yaml_numbers(const RiYamlNode *node, const char *unit, double *out_values, int count);
/// One of `count` words; the index goes to *out_index. A wrong word is answered by the nearest or
/// by all of them.
RI_MUST_CHECK RiStatus ri_yaml_choice(const RiYamlNode *node, const char *const *words, int count, int *out_index);
/// The same for a text that has been made from the node (by interpolation).
RI_MUST_CHECK RiStatus ri_yaml_choice_text(const RiYamlNode *node, const char *text, const char *const *words,
                                           int count, int *out_index);

/// Values of optional keys: *out stays as it is if `map` has no such key.
RI_MUST_CHECK RiStatus ri_yaml_get_string(const RiYamlNode *map, const char *key, const char **out_text);
RI_MUST_CHECK RiStatus ri_yaml_get_number(const RiYamlNode *map, const char *key, const char *unit, double *out_value);
RI_MUST_CHECK RiStatus ri_yaml_get_int(const RiYamlNode *map, const char *key, int least, int most, int *out_value);
RI_MUST_CHECK RiStatus ri_yaml_get_bool(const RiYamlNode *map, const char *key, bool *out_value);

#endif
