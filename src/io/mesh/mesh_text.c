// SPDX-License-Identifier: Apache-2.0
/// \file
/// Lines, words and numbers of a text mesh.
///
/// Numbers take a short way when it is exact: an integer below 2^53 times or divided by a power of
/// ten up to 10^22 has two exact operands, so that one IEEE operation rounds correctly
/// [clinger1990]. Others go through ri_number_parse. Test: tests/io/test_mesh.c,
/// text_numbers_are_correctly_rounded.
#include "io/mesh/mesh_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

void ri_mesh_text_init(RiMeshText *text, RiContext *ctx, const char *file, const char *data, size_t size)
{
    const size_t mark = size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; // UTF-8 byte order mark
    const char *start = data + mark;
    *text = (RiMeshText){.ctx = ctx, .file = file, .next = start, .stop = start, .end = data + size};
}

/// Does the line that ends at `stop` end with a backslash (before CR, if any)?
static int is_continued(const char *start, const char *stop)
{
    if (stop > start && stop[-1] == '\r')
        stop--;
    return stop > start && stop[-1] == '\\';
}

int ri_mesh_text_line(RiMeshText *text)
{
    if (text->line && text->stop < text->end)
        text->stop++; // over the LF
    const char *start = text->stop;
    if (start == text->end)
        return 0;
    text->next = start;
    for (const char *from = start;; from = text->stop + 1) {
        const char *lf = memchr(from, '\n', (size_t)(text->end - from));
        text->stop = lf ? lf : text->end;
        text->line++;
        if (!text->continues || text->end - text->stop < 2 || !is_continued(start, text->stop))
            return 1;
    }
}

static int is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

RiWord ri_mesh_text_word(RiMeshText *text)
{
    const char *p = text->next;
    while (p < text->stop && (is_space(*p) || (text->continues && *p == '\\')))
        p++;
    const char *start = p;
    while (p < text->stop && !is_space(*p) && !(text->continues && *p == '\\'))
        p++;
    text->next = p;
    return (RiWord){start, (size_t)(p - start)};
}

RiWord ri_mesh_text_word_anywhere(RiMeshText *text)
{
    RiWord word = ri_mesh_text_word(text);
    while (word.size == 0 && ri_mesh_text_line(text))
        word = ri_mesh_text_word(text);
    return word;
}

RiStatus ri_mesh_text_point(RiMeshText *text, const char *what, double xyz[3])
{
    for (int i = 0; i < 3; i++) {
        const RiWord word = ri_mesh_text_word(text);
        if (word.size == 0)
            return ri_mesh_text_error(text, "%s has %d numbers, 3 are needed", what, i);
        if (!ri_word_double(word, &xyz[i]))
            return ri_mesh_text_error(text, "%s: '%s' is not a finite number", what, ri_word_shown(word).text);
    }
    return RI_OK;
}

RiStatus ri_mesh_text_error(const RiMeshText *text, const char *format, ...)
{
    char what[512];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return ri_error(text->ctx, RI_ERR_FORMAT, "%s:%d: %s", text->file, text->line, what);
}

int ri_word_is(RiWord word, const char *lower)
{
    if (strlen(lower) != word.size)
        return 0;
    for (size_t i = 0; i < word.size; i++) {
        const char c = word.text[i];
        if ((c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) != lower[i])
            return 0;
    }
    return 1;
}

RiShown ri_word_shown(RiWord word)
{
    RiShown shown;
    const size_t room = sizeof shown.text - 4;
    const size_t n = word.size < room ? word.size : room;
    for (size_t i = 0; i < n; i++)
        shown.text[i] = word.text[i] >= ' ' && word.text[i] <= '~' ? word.text[i] : '?';
    strcpy(shown.text + n, word.size > n ? "..." : "");
    return shown;
}

/// A decimal number taken apart: value = (-1)^negative * digits * 10^exponent, if not too long.
typedef struct Decimal {
    uint64_t digits;
    int digit_count; ///< significant ones
    int exponent;
    int negative;
} Decimal;

/// Reads digits into d; each of them lowers the exponent by `lower`. Returns the first other byte.
static const char *read_digits(Decimal *d, const char *p, const char *end, int lower)
{
    for (; p < end && *p >= '0' && *p <= '9'; p++) {
        if (d->digit_count < 19)
            d->digits = 10 * d->digits + (uint64_t)(*p - '0');
        d->digit_count += d->digits > 0;
        d->exponent -= lower;
    }
    return p;
}

/// Reads "e-12" and adds it to the exponent. NULL if there are no digits.
static const char *read_exponent(Decimal *d, const char *p, const char *end)
{
    p++;
    const int negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    const char *start = p;
    int value = 0;
    for (; p < end && *p >= '0' && *p <= '9'; p++)
        value = value < 100000 ? 10 * value + (*p - '0') : value;
    d->exponent += negative ? -value : value;
    return p > start ? p : NULL;
}

/// Checks the syntax [+-] digits [. digits] [e [+-] digits] and takes the number apart.
static int read_decimal(RiWord word, Decimal *d)
{
    const char *p = word.text, *end = p + word.size;
    *d = (Decimal){.negative = p < end && *p == '-'};
    p += p < end && (*p == '-' || *p == '+');
    const char *start = p;
    p = read_digits(d, p, end, 0);
    ptrdiff_t digits = p - start;
    if (p < end && *p == '.') {
        start = p + 1;
        p = read_digits(d, start, end, 1);
        digits += p - start;
    }
    if (digits == 0)
        return 0;
    if (p < end && (*p == 'e' || *p == 'E'))
        p = read_exponent(d, p, end);
    return p == end;
}

/// The long way, for numbers with many digits or large exponents.
static double general_double(RiWord word)
{
    double value;
    return ri_number_parse(word.text, word.size, &value) ? value : (double)NAN;
}

int ri_word_double(RiWord word, double *out_value)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    Decimal d;
    if (!read_decimal(word, &d))
        return 0;
    if (d.digit_count > 19 || d.digits > (uint64_t)1 << 53 || d.exponent < -22 || d.exponent > 22) {
        *out_value = general_double(word);
        return isfinite(*out_value);
    }
    const double m = (double)d.digits;
    const double value = d.exponent < 0 ? m / power[-d.exponent] : m * power[d.exponent];
    *out_value = d.negative ? -value : value;
    return 1;
}

int ri_word_integer(RiWord word, long long *out_value)
{
    const char *p = word.text, *end = p + word.size;
    const int negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    if (p == end || end - p > 18)
        return 0;
    long long value = 0;
    for (; p < end; p++) {
        if (*p < '0' || *p > '9')
            return 0;
        value = 10 * value + (*p - '0');
    }
    *out_value = negative ? -value : value;
    return 1;
}
