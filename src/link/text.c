// SPDX-License-Identifier: Apache-2.0
/// \file
/// Text that grows, and JSON values in it.
#include "link/text.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *plain_resize(void *user, void *block, size_t size)
{
    (void)user;
    return realloc(block, size ? size : 1);
}

static void plain_release(void *user, void *block)
{
    (void)user;
    free(block);
}

RiAllocator ri_plain_memory(void)
{
    return (RiAllocator){plain_resize, plain_release, NULL};
}

void ri_text_init(RiText *t, const RiAllocator *memory)
{
    *t = (RiText){.memory = memory};
}

void ri_text_free(RiText *t)
{
    if (t->memory)
        t->memory->release(t->memory->user, t->at);
    ri_text_init(t, t->memory);
}

/// Room for `extra` bytes and the end mark.
static bool reserve(RiText *t, size_t extra)
{
    if (t->failed || extra < t->capacity - t->size)
        return !t->failed;
    size_t capacity = t->capacity ? t->capacity : 256;
    while (capacity - t->size <= extra && capacity <= SIZE_MAX / 2)
        capacity *= 2;
    char *at = capacity - t->size > extra ? t->memory->resize(t->memory->user, t->at, capacity) : NULL;
    t->failed = !at;
    if (t->failed)
        return false;
    t->at = at;
    t->capacity = capacity;
    return true;
}

void ri_text_put(RiText *t, const void *data, size_t size)
{
    if (!reserve(t, size))
        return;
    if (size > 0)
        memcpy(t->at + t->size, data, size);
    t->size += size;
    t->at[t->size] = '\0';
}

void ri_text_add(RiText *t, const char *text)
{
    ri_text_put(t, text, strlen(text));
}

void ri_text_format(RiText *t, const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    ri_text_put(t, line, n < 0 ? 0 : (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

// --- JSON ----------------------------------------------------------------------------------------

/// Length of the UTF-8 sequence at `s`, 0 if it is not one (overlong forms, surrogates and stray
/// bytes included).
static int sequence_length(const unsigned char *s)
{
    if (s[0] < 0x80)
        return 1;
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return 0;
    const int n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    for (int i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    const bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    const bool outside = (s[0] == 0xed && s[1] >= 0xa0) || (s[0] == 0xf4 && s[1] >= 0x90);
    return overlong || outside ? 0 : n;
}

void ri_text_string(RiText *t, const char *text)
{
    ri_text_put(t, "\"", 1);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        const int n = sequence_length(s);
        if (n == 0)
            ri_text_add(t, "\\ufffd");
        else if (*s == '"' || *s == '\\')
            ri_text_format(t, "\\%c", *s);
        else if (*s < 0x20 || *s == 0x7f)
            ri_text_format(t, "\\u%04x", *s);
        else
            ri_text_put(t, s, (size_t)n);
        s += n ? n : 1;
    }
    ri_text_put(t, "\"", 1);
}

void ri_text_number(RiText *t, double value, int digits)
{
    if (!isfinite(value)) {
        ri_text_add(t, "null");
        return;
    }
    char number[40];
    int n = snprintf(number, sizeof number, "%.*g", digits, value);
    // A host program may have chosen a locale whose decimal mark is not a point (and may be several
    // bytes long).
    char *mark = number + strspn(number, "-0123456789");
    const size_t odd = *mark == '.' || *mark == 'e' ? 0 : strcspn(mark, "0123456789");
    if (odd > 0) {
        *mark = '.';
        memmove(mark + 1, mark + odd, strlen(mark + odd) + 1);
        n -= (int)odd - 1;
    }
    ri_text_put(t, number, (size_t)n);
}

void ri_text_numbers(RiText *t, const double *values, int count, int digits)
{
    ri_text_put(t, "[", 1);
    for (int i = 0; i < count; i++) {
        if (i)
            ri_text_put(t, ",", 1);
        ri_text_number(t, values[i], digits);
    }
    ri_text_put(t, "]", 1);
}

void ri_text_vec3(RiText *t, RiVec3 v)
{
    ri_text_numbers(t, (const double[]){v.x, v.y, v.z}, 3, 9);
}
