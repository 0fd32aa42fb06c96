// SPDX-License-Identifier: Apache-2.0
/// \file
/// The strict JSON reader.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <rille/json.h>
#include <rille/text.h>

typedef struct Reader {
    RiJson *j;
    const unsigned char *text;
    int at, size, depth;
} Reader;

static bool refuse(Reader *r, const char *why)
{
    if (!r->j->why) {
        r->j->why = why;
        r->j->at = r->at;
    }
    return false;
}

static int peek(const Reader *r)
{
    return r->at < r->size ? r->text[r->at] : -1;
}

static void skip_space(Reader *r)
{
    while (peek(r) == ' ' || peek(r) == '\t' || peek(r) == '\n' || peek(r) == '\r')
        r->at++;
}

/// A new token, or -1 if there are too many.
static int add_token(Reader *r, RiJsonType type)
{
    if (r->j->count == RI_JSON_TOKENS) {
        refuse(r, "too many values");
        return -1;
    }
    r->j->tokens[r->j->count] = (RiJsonToken){.type = type, .start = r->at};
    return r->j->count++;
}

static bool close_token(Reader *r, int token)
{
    r->j->tokens[token].end = r->at;
    r->j->tokens[token].next = r->j->count;
    return true;
}

// --- strings -------------------------------------------------------------------------------------

static int hex_digit(int c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/// Four hexadecimal digits at `s`, -1 if they are not.
static int hex4(const unsigned char *s, int left)
{
    int code = 0;
    for (int i = 0; i < 4; i++) {
        const int d = i < left ? hex_digit(s[i]) : -1;
        if (d < 0)
            return -1;
        code = 16 * code + d;
    }
    return code;
}

/// Moves over what follows a backslash.
static bool skip_escape(Reader *r)
{
    const int c = peek(r);
    if (c != 'u') {
        if (c < 0 || !strchr("\"\\/bfnrt", c))
            return refuse(r, "an unknown escape in a string");
        r->at++;
        return true;
    }
    const int code = hex4(r->text + r->at + 1, r->size - r->at - 1);
    if (code < 0 || (code >= 0xdc00 && code < 0xe000))
        return refuse(r, "a malformed \\u escape");
    r->at += 5;
    if (code < 0xd800 || code >= 0xdc00)
        return true;
    const bool pair = r->size - r->at >= 6 && r->text[r->at] == '\\' && r->text[r->at + 1] == 'u';
    const int low = pair ? hex4(r->text + r->at + 2, 4) : -1;
    if (low < 0xdc00 || low >= 0xe000)
        return refuse(r, "half a surrogate pair");
    r->at += 6;
    return true;
}

/// Moves over one UTF-8 character that represents itself.
static bool skip_character(Reader *r)
{
    const unsigned char *s = r->text + r->at;
    const int left = r->size - r->at;
    int n = s[0] < 0x80 ? 1 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0x20)
        return refuse(r, "a control character in a string");
    if (n > left || (n > 1 && (s[0] < 0xc2 || s[0] > 0xf4)))
        return refuse(r, "a string is not UTF-8");
    for (int i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return refuse(r, "a string is not UTF-8");
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xed && s[1] >= 0xa0) ||
        (s[0] == 0xf4 && s[1] >= 0x90))
        return refuse(r, "a string is not UTF-8");
    r->at += n;
    return true;
}

static bool read_string(Reader *r)
{
    r->at++; // the quote
    const int token = add_token(r, RI_JSON_STRING);
    if (token < 0)
        return false;
    while (peek(r) != '"') {
        if (peek(r) < 0)
            return refuse(r, "a string without end");
        if (peek(r) != '\\') {
            if (!skip_character(r))
                return false;
            continue;
        }
        r->at++;
        if (!skip_escape(r))
            return false;
    }
    close_token(r, token);
    r->at++;
    return true;
}

// --- numbers and words ---------------------------------------------------------------------------

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool skip_digits(Reader *r)
{
    if (!is_digit(peek(r)))
        return refuse(r, "a malformed number");
    while (is_digit(peek(r)))
        r->at++;
    return true;
}

static bool read_number(Reader *r)
{
    const int token = add_token(r, RI_JSON_NUMBER);
    if (token < 0)
        return false;
    r->at += peek(r) == '-';
    if (peek(r) == '0')
        r->at++;
    else if (!skip_digits(r))
        return false;
    if (peek(r) == '.') {
        r->at++;
        if (!skip_digits(r))
            return false;
    }
    if (peek(r) == 'e' || peek(r) == 'E') {
        r->at++;
        r->at += peek(r) == '+' || peek(r) == '-';
        if (!skip_digits(r))
            return false;
    }
    return close_token(r, token);
}

static bool read_word(Reader *r)
{
    static const char *const words[] = {"true", "false", "null"};
    for (int i = 0; i < 3; i++) {
        const int n = (int)strlen(words[i]);
        if (r->size - r->at < n || memcmp(r->text + r->at, words[i], (size_t)n) != 0)
            continue;
        const int token = add_token(r, (RiJsonType)(RI_JSON_TRUE + i));
        if (token < 0)
            return false;
        r->at += n;
        return close_token(r, token);
    }
    return refuse(r, "not a value");
}

// --- objects and arrays --------------------------------------------------------------------------

static bool read_value(Reader *r);

static bool read_member(Reader *r)
{
    if (peek(r) != '"')
        return refuse(r, "a member's name is missing");
    if (!read_string(r))
        return false;
    skip_space(r);
    if (peek(r) != ':')
        return refuse(r, "':' is missing");
    r->at++;
    skip_space(r);
    return read_value(r);
}

static bool read_list(Reader *r, bool object)
{
    const int token = add_token(r, object ? RI_JSON_OBJECT : RI_JSON_ARRAY), end = object ? '}' : ']';
    if (token < 0)
        return false;
    if (++r->depth > RI_JSON_DEPTH)
        return refuse(r, "nested too deeply");
    r->at++;
    skip_space(r);
    while (peek(r) != end) {
        if (r->j->tokens[token].count > 0) {
            if (peek(r) != ',')
                return refuse(r, "',' or the end of a list is missing");
            r->at++;
            skip_space(r);
        }
        if (!(object ? read_member(r) : read_value(r)))
            return false;
        r->j->tokens[token].count++;
        skip_space(r);
    }
    r->at++;
    r->depth--;
    return close_token(r, token);
}

static bool read_value(Reader *r)
{
    const int c = peek(r);
    if (c == '{' || c == '[')
        return read_list(r, c == '{');
    if (c == '"')
        return read_string(r);
    return c == '-' || is_digit(c) ? read_number(r) : read_word(r);
}

bool ri_json_parse(RiJson *j, const char *text, size_t size)
{
    enum { LONGEST = 1 << 24 };
    j->text = text;
    j->count = j->at = 0;
    j->why = NULL;
    Reader r = {.j = j, .text = (const unsigned char *)text, .size = size < LONGEST ? (int)size : LONGEST};
    if (size >= LONGEST)
        return refuse(&r, "too long");
    skip_space(&r);
    if (!read_value(&r))
        return false;
    skip_space(&r);
    return r.at == r.size || refuse(&r, "something follows the end");
}

// --- taking values -------------------------------------------------------------------------------

static bool is_type(const RiJson *j, int token, RiJsonType type)
{
    return token >= 0 && token < j->count && j->tokens[token].type == type;
}

/// Writes a code point as UTF-8 and returns its bytes.
static int put_utf8(char *at, unsigned code)
{
    if (code < 0x80) {
        at[0] = (char)code;
        return 1;
    }
    const int n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (int i = n - 1; i > 0; i--, code >>= 6)
        at[i] = (char)(0x80 | (code & 63));
    at[0] = (char)(lead[n] | code);
    return n;
}

/// The character at `*at`, escapes resolved; moves on.
static int take_character(const unsigned char **at, char out[4])
{
    const unsigned char *s = *at;
    if (*s != '\\') {
        out[0] = (char)*s;
        *at = s + 1;
        return 1;
    }
    if (s[1] != 'u') {
        static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
        const char *k = strchr(from, s[1]);
        out[0] = k ? to[k - from] : (char)s[1];
        *at = s + 2;
        return 1;
    }
    unsigned code = (unsigned)hex4(s + 2, 4);
    *at = s + 6;
    if (code >= 0xd800 && code < 0xdc00) {
        code = 0x10000 + ((code - 0xd800) << 10) + ((unsigned)hex4(s + 8, 4) - 0xdc00);
        *at = s + 12;
    }
    return put_utf8(out, code);
}

bool ri_json_string(const RiJson *j, int token, char *out, size_t size)
{
    if (!is_type(j, token, RI_JSON_STRING))
        return false;
    const unsigned char *s = (const unsigned char *)j->text + j->tokens[token].start;
    const unsigned char *end = (const unsigned char *)j->text + j->tokens[token].end;
    size_t used = 0;
    while (s < end) {
        char piece[4];
        const size_t n = (size_t)take_character(&s, piece);
        if (piece[0] == '\0' || used + n >= size)
            return false;
        memcpy(out + used, piece, n);
        used += n;
    }
    out[used] = '\0';
    return true;
}

int ri_json_member(const RiJson *j, int object, const char *name)
{
    char key[64];
    if (!is_type(j, object, RI_JSON_OBJECT))
        return -1;
    for (int i = 0, k = object + 1; i < j->tokens[object].count; i++, k = j->tokens[k + 1].next)
        if (ri_json_string(j, k, key, sizeof key) && strcmp(key, name) == 0)
            return k + 1;
    return -1;
}

bool ri_json_number(const RiJson *j, int token, double *out)
{
    if (!is_type(j, token, RI_JSON_NUMBER))
        return false;
    const RiJsonToken *t = &j->tokens[token];
    return ri_number_parse(j->text + t->start, (size_t)(t->end - t->start), out);
}

bool ri_json_bool(const RiJson *j, int token, bool *out)
{
    *out = is_type(j, token, RI_JSON_TRUE);
    return *out || is_type(j, token, RI_JSON_FALSE);
}

bool ri_json_numbers(const RiJson *j, int token, int count, double *out)
{
    if (!is_type(j, token, RI_JSON_ARRAY) || j->tokens[token].count != count)
        return false;
    for (int i = 0, k = token + 1; i < count; i++, k = j->tokens[k].next)
        if (!ri_json_number(j, k, &out[i]))
            return false;
    return true;
}
