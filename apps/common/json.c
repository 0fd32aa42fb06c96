// SPDX-License-Identifier: Apache-2.0
/// \file
/// The JSON writer.
#include "json.h"

#include <math.h>

/// Length of the UTF-8 sequence at `s`, 0 if it is not one (overlong forms, surrogates and stray
/// bytes included).
static int sequence_length(const unsigned char *s)
{
    if (s[0] < 0x80)
        return 1;
    const int n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return 0;
    for (int i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    const bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    const bool outside = (s[0] == 0xed && s[1] >= 0xa0) || (s[0] == 0xf4 && s[1] >= 0x90);
    return overlong || outside ? 0 : n;
}

/// A string with quotes; bytes that are not UTF-8 (they occur in file names) become the replacement
/// character.
static void put_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        const int n = sequence_length(s);
        if (n == 0)
            fputs("\\ufffd", out);
        else if (*s == '"' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else if (*s < 0x20 || *s == 0x7f)
            fprintf(out, "\\u%04x", *s);
        else
            fwrite(s, 1, (size_t)n, out);
        s += n ? n : 1;
    }
    fputc('"', out);
}

static void put_number(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, "%.17g", value);
    else
        fputs("null", out);
}

/// What comes before every value: comma, new line, key.
static void begin(Json *j, const char *key)
{
    if (j->depth > 0) {
        fputs(j->filled[j->depth] ? ",\n" : "\n", j->out);
        j->filled[j->depth] = true;
        fprintf(j->out, "%*s", 2 * j->depth, "");
    }
    if (key) {
        put_string(j->out, key);
        fputs(": ", j->out);
    }
}

void json_open(Json *j, const char *key, char bracket)
{
    begin(j, key);
    fputc(bracket, j->out);
    j->filled[++j->depth] = false;
}

void json_close(Json *j, char bracket)
{
    const bool filled = j->filled[j->depth--];
    if (filled)
        fprintf(j->out, "\n%*s", 2 * j->depth, "");
    fputc(bracket, j->out);
    if (j->depth == 0)
        fputc('\n', j->out);
}

void json_string(Json *j, const char *key, const char *value)
{
    begin(j, key);
    if (value)
        put_string(j->out, value);
    else
        fputs("null", j->out);
}

void json_number(Json *j, const char *key, double value)
{
    begin(j, key);
    put_number(j->out, value);
}

void json_int(Json *j, const char *key, long long value)
{
    begin(j, key);
    fprintf(j->out, "%lld", value);
}

void json_bool(Json *j, const char *key, bool value)
{
    begin(j, key);
    fputs(value ? "true" : "false", j->out);
}

void json_numbers(Json *j, const char *key, const double *values, int count)
{
    begin(j, key);
    fputc('[', j->out);
    for (int i = 0; i < count; i++) {
        if (i)
            fputs(", ", j->out);
        put_number(j->out, values[i]);
    }
    fputc(']', j->out);
}

void json_vec3(Json *j, const char *key, RiVec3 value)
{
    json_numbers(j, key, (const double[]){value.x, value.y, value.z}, 3);
}
