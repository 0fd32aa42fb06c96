// SPDX-License-Identifier: Apache-2.0
/// \file
/// SHA-256 and MD5. Both pad the message to whole blocks of 64 bytes with its length in bits at the
/// end, and mix block by block. Test: tests/link/test_ros_types.c (vectors of the standards).
#include "link/ros/digest.h"

#include <string.h>

typedef void (*BlockFn)(uint32_t *h, const uint8_t *block);

/// Mixes the whole message, padded; `big`: the length is written with its highest byte first.
static void digest(const uint8_t *data, size_t size, BlockFn mix, int big, uint32_t *h)
{
    uint8_t tail[128] = {0};
    const size_t whole = size / 64 * 64, rest = size - whole, room = rest < 56 ? 64 : 128;
    const uint64_t bits = (uint64_t)size * 8;
    for (size_t i = 0; i < whole; i += 64)
        mix(h, data + i);
    if (rest)
        memcpy(tail, data + whole, rest);
    tail[rest] = 0x80;
    for (int i = 0; i < 8; i++)
        tail[room - 8 + (size_t)i] = (uint8_t)(bits >> (big ? 56 - 8 * i : 8 * i));
    for (size_t i = 0; i < room; i += 64)
        mix(h, tail + i);
}

static uint32_t turn_right(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

static void put_hex(uint32_t byte, char *out)
{
    static const char digits[] = "0123456789abcdef";
    out[0] = digits[byte >> 4 & 15];
    out[1] = digits[byte & 15];
}

static void mix_sha256(uint32_t *h, const uint8_t *block)
{
    static const uint32_t k[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
               block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        const uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (turn_right(a, 7) ^ turn_right(a, 18) ^ a >> 3) + w[i - 7] +
               (turn_right(b, 17) ^ turn_right(b, 19) ^ b >> 10);
    }
    memcpy(s, h, sizeof s);
    for (int i = 0; i < 64; i++) {
        const uint32_t a = s[0], e = s[4];
        const uint32_t t1 = s[7] + (turn_right(e, 6) ^ turn_right(e, 11) ^ turn_right(e, 25)) +
                            ((e & s[5]) ^ (~e & s[6])) + k[i] + w[i];
        const uint32_t t2 =
            (turn_right(a, 2) ^ turn_right(a, 13) ^ turn_right(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[0] = t1 + t2;
        s[4] += t1;
    }
    for (int i = 0; i < 8; i++)
        h[i] += s[i];
}

void ri_sha256_hex(const void *data, size_t size, char out[RI_SHA256_HEX])
{
    uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    digest(data, size, mix_sha256, 1, h);
    for (int i = 0; i < 32; i++)
        put_hex(h[i / 4] >> (24 - 8 * (i % 4)), out + 2 * i);
    out[64] = '\0';
}

static void mix_md5(uint32_t *h, const uint8_t *block)
{
    static const uint8_t turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    static const uint32_t k[64] = {
        0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
        0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
        0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
        0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
        0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
        0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
        0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
        0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};
    uint32_t w[16], a = h[0], b = h[1], c = h[2], d = h[3];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] | (uint32_t)block[4 * i + 1] << 8 | (uint32_t)block[4 * i + 2] << 16 |
               (uint32_t)block[4 * i + 3] << 24;
    for (int i = 0; i < 64; i++) {
        const int round = i / 16, n = turns[round][i % 4];
        const uint32_t f = round == 0   ? (b & c) | (~b & d)
                           : round == 1 ? (d & b) | (~d & c)
                           : round == 2 ? b ^ c ^ d
                                        : c ^ (b | ~d);
        const int g = round == 0 ? i : round == 1 ? (5 * i + 1) % 16 : round == 2 ? (3 * i + 5) % 16 : 7 * i % 16;
        const uint32_t x = a + f + k[i] + w[g];
        a = d;
        d = c;
        c = b;
        b += turn_right(x, 32 - n);
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
}

void ri_md5_hex(const void *data, size_t size, char out[RI_MD5_HEX])
{
    uint32_t h[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    digest(data, size, mix_md5, 0, h);
    for (int i = 0; i < 16; i++)
        put_hex(h[i / 4] >> (8 * (i % 4)), out + 2 * i);
    out[32] = '\0';
}
