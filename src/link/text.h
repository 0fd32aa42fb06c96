// SPDX-License-Identifier: Apache-2.0
/// \file
/// Memory of a view, and text that grows: JSON is written into it.
#ifndef RI_LINK_TEXT_H
#define RI_LINK_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include <rille/context.h>
#include <rille/math.h>

/// Bytes that grow. A failed growth sets `failed`; everything put after that is lost, and the flag
/// stays.
typedef struct RiText {
    const RiAllocator *memory;
    char *at; ///< terminated once something was put
    size_t size, capacity;
    bool failed;
} RiText;

void ri_text_init(RiText *t, const RiAllocator *memory);
void ri_text_free(RiText *t);
void ri_text_put(RiText *t, const void *data, size_t size);
void ri_text_add(RiText *t, const char *text);
void ri_text_format(RiText *t, const char *format, ...) RI_PRINTF(2, 3);

/// A JSON string with quotes; bytes that are not UTF-8 become the replacement character.
void ri_text_string(RiText *t, const char *text);
/// A JSON number in the "C" locale, `digits` significant ones (17: the same bits when read); null
/// if not finite.
void ri_text_number(RiText *t, double value, int digits);
/// An array of numbers.
void ri_text_numbers(RiText *t, const double *values, int count, int digits);
void ri_text_vec3(RiText *t, RiVec3 v);

/// malloc, realloc, free.
RiAllocator ri_plain_memory(void);

#endif
