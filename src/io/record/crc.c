// SPDX-License-Identifier: Apache-2.0
/// \file
/// CRC-32 is the remainder of the data, taken as a polynomial over two elements, by P of degree 32.
///
/// A remainder is linear. By tables, sixteen bytes at a time: the remainder of each byte, moved to
/// the end, is looked up on its own. By carry-less products [gopal2009]: 16 bytes A that stand D
/// bits before 16 others B may be replaced by what has the same remainder where B is,
///
///     A x^D = A_first x^(D+64) + A_last x^D
///           = A_first (x^(D+64) mod P) + A_last (x^D mod P)      mod P
///
/// so that 64 bytes become one step of four such products, and the last 16 bytes go through the
/// tables. Reversed bits make the product of two 64-bit numbers come out one bit too low and the
/// 32-bit power is 32 bits too high: hence x^(D+32) and x^(D-32), shifted by one.
#include "io/record/crc.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define POLYNOMIAL 0xEDB88320u

enum { WIDE = 64, STEP = 16 }; // bytes

/// x^n mod P, bits reversed, shifted by one.
static uint64_t power(int n)
{
    uint32_t c = 0x80000000u;
    for (int i = 0; i < n; i++)
        c = (c >> 1) ^ (c & 1 ? POLYNOMIAL : 0);
    return (uint64_t)c << 1;
}

void ri_crc_init(RiCrc *crc)
{
    static const int distance[2] = {8 * WIDE, 8 * STEP};
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int bit = 0; bit < 8; bit++)
            c = (c >> 1) ^ (c & 1 ? POLYNOMIAL : 0);
        crc->table[0][i] = c;
    }
    for (int k = 1; k < 16; k++)
        for (int i = 0; i < 256; i++) {
            const uint32_t c = crc->table[k - 1][i];
            crc->table[k][i] = (c >> 8) ^ crc->table[0][c & 255];
        }
    for (int k = 0; k < 2; k++) {
        crc->fold[k][0] = power(distance[k] + 32);
        crc->fold[k][1] = power(distance[k] - 32);
    }
#if defined(__x86_64__)
    __builtin_cpu_init();
    crc->folds = __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
#else
    crc->folds = false;
#endif
}

/// More bytes by tables; `c` is the checksum with its bits inverted.
static uint32_t by_tables(const RiCrc *crc, uint32_t c, const uint8_t *p, size_t size)
{
    for (; size >= STEP; size -= STEP, p += STEP) {
        uint32_t next = 0;
        for (int i = 0; i < STEP; i++) {
            const uint32_t carried = i < 4 ? (c >> (8 * i)) & 255 : 0;
            next ^= crc->table[15 - i][p[i] ^ carried];
        }
        c = next;
    }
    for (; size > 0; size--, p++)
        c = (c >> 8) ^ crc->table[0][(c ^ *p) & 255];
    return c;
}

#if defined(__x86_64__)
#define FOLDING __attribute__((target("pclmul,sse4.1")))

/// What has the remainder of `a` where `b` is, and `b` itself.
FOLDING static inline __m128i fold(__m128i a, __m128i k, __m128i b)
{
    const __m128i first = _mm_clmulepi64_si128(a, k, 0x00), last = _mm_clmulepi64_si128(a, k, 0x11);
    return _mm_xor_si128(_mm_xor_si128(first, last), b);
}

static inline __m128i load(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

/// As by_tables, for at least WIDE bytes.
FOLDING static uint32_t by_products(const RiCrc *crc, uint32_t c, const uint8_t *p, size_t size)
{
    const __m128i wide = load((const uint8_t *)crc->fold[0]), step = load((const uint8_t *)crc->fold[1]);
    __m128i a[4];
    uint8_t left[STEP];
    for (int i = 0; i < 4; i++)
        a[i] = load(p + STEP * i);
    a[0] = _mm_xor_si128(a[0], _mm_cvtsi32_si128((int)c));
    for (p += WIDE, size -= WIDE; size >= WIDE; p += WIDE, size -= WIDE)
        for (int i = 0; i < 4; i++)
            a[i] = fold(a[i], wide, load(p + STEP * i));
    for (int i = 1; i < 4; i++)
        a[0] = fold(a[0], step, a[i]);
    _mm_storeu_si128((__m128i *)(void *)left, a[0]);
    return by_tables(crc, by_tables(crc, 0, left, sizeof left), p, size);
}
#endif

uint32_t ri_crc_add(const RiCrc *crc, uint32_t value, const void *data, size_t size)
{
#if defined(__x86_64__)
    if (crc->folds && size >= WIDE)
        return ~by_products(crc, ~value, data, size);
#endif
    return ~by_tables(crc, ~value, data, size);
}
