// SPDX-License-Identifier: Apache-2.0
/// \file
/// Writes JSON to a stream as it comes: commas, indentation and escapes are looked after, brackets
/// are the caller's.
///
///     Json j = {.out = stdout};
///     json_open(&j, NULL, '{');  json_number(&j, "mass", m);  json_close(&j, '}');
///
/// `key` is NULL inside arrays. Numbers are written so that reading them gives the same bits
/// (%.17g); JSON has no NaN and no infinity, they become null.
#ifndef RILLE_APP_JSON_H
#define RILLE_APP_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include <rille/math.h>

typedef struct Json {
    FILE *out;
    int depth;
    bool filled[32]; ///< whether the bracket at each depth has an item already
} Json;

void json_open(Json *j, const char *key, char bracket); ///< '{' or '['
void json_close(Json *j, char bracket);                 ///< '}' or ']'; ends the line after the outermost

void json_string(Json *j, const char *key, const char *value); ///< NULL becomes null
void json_number(Json *j, const char *key, double value);
void json_int(Json *j, const char *key, long long value);
void json_bool(Json *j, const char *key, bool value);
void json_numbers(Json *j, const char *key, const double *values, int count); ///< an array on one line
void json_vec3(Json *j, const char *key, RiVec3 value);

#endif
