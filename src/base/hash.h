// SPDX-License-Identifier: Apache-2.0
/// \file
/// A 64-bit hash of bytes, eight at a time; not for hostile keys.
#ifndef RI_BASE_HASH_H
#define RI_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t ri_hash_mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9E3779B97F4A7C15ULL;
    return h ^ (h >> 29);
}

/// Continues hash `h` (start with 0) over `size` bytes.
static inline uint64_t ri_hash(uint64_t h, const void *data, size_t size)
{
    const unsigned char *p = data;
    h = ri_hash_mix(h, size);
    for (; size >= 8; p += 8, size -= 8) {
        uint64_t x;
        memcpy(&x, p, 8);
        h = ri_hash_mix(h, x);
    }
    uint64_t rest = 0;
    if (size > 0) // data may be NULL then
        memcpy(&rest, p, size);
    return ri_hash_mix(h, rest);
}

static inline uint64_t ri_hash_text(uint64_t h, const char *text)
{
    return text ? ri_hash(h, text, strlen(text)) : ri_hash_mix(h, 0);
}

#endif
