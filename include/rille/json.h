// SPDX-License-Identifier: Apache-2.0
/// \file
/// A strict JSON reader for small messages of strangers: RFC 8259 and nothing else, bounded depth
/// and number of values, no allocation. The text is checked as a whole before anything is taken
/// from it.
#ifndef RILLE_JSON_H
#define RILLE_JSON_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RI_JSON_TOKENS = 1024, RI_JSON_DEPTH = 12 };

typedef enum RiJsonType {
    RI_JSON_OBJECT,
    RI_JSON_ARRAY,
    RI_JSON_STRING,
    RI_JSON_NUMBER,
    RI_JSON_TRUE,
    RI_JSON_FALSE,
    RI_JSON_NULL
} RiJsonType;

/// A value; in objects keys and values alternate.
typedef struct RiJsonToken {
    RiJsonType type;
    int start, end; ///< bytes, without the quotes of a string
    int next;       ///< index of the token after this value and all it contains
    int count;      ///< of elements or members
} RiJsonToken;

typedef struct RiJson {
    const char *text;
    int count;
    const char *why; ///< of a refusal
    int at;          ///< byte of the refusal
    RiJsonToken tokens[RI_JSON_TOKENS];
} RiJson;

/// Reads a whole text. False: `why` and `at` say what is wrong.
bool ri_json_parse(RiJson *j, const char *text, size_t size);
/// Index of a member's value in the object at `object`, -1 if there is none. Of two members with
/// one name the first is used.
int ri_json_member(const RiJson *j, int object, const char *name);
/// The string at `token` into `out`; false if it is no string, does not fit, or contains a zero.
bool ri_json_string(const RiJson *j, int token, char *out, size_t size);
/// The finite number at `token`.
bool ri_json_number(const RiJson *j, int token, double *out);
/// A boolean of a token; false if it is none.
bool ri_json_bool(const RiJson *j, int token, bool *out);
/// Exactly `count` finite numbers.
bool ri_json_numbers(const RiJson *j, int token, int count, double *out);

#ifdef __cplusplus
}
#endif
#endif
