// SPDX-License-Identifier: Apache-2.0
/// \file
/// CRC-32: the published check value, and tables and carry-less products against one bit at a time.
#include "io/record/crc.h"

#include "base/rng.h"
#include "check.h"

enum { MOST = 700, TRIES = 3000 };

static uint32_t bit_by_bit(uint32_t value, const uint8_t *p, size_t size)
{
    uint32_t c = ~value;
    for (size_t i = 0; i < size; i++) {
        c ^= p[i];
        for (int bit = 0; bit < 8; bit++)
            c = (c >> 1) ^ (c & 1 ? 0xEDB88320u : 0);
    }
    return ~c;
}

TEST(the_published_check_value_comes_out)
{
    RiCrc crc;
    ri_crc_init(&crc);
    CHECK(ri_crc_add(&crc, 0, "123456789", 9) == 0xCBF43926u);
}

TEST(all_ways_agree_for_any_size_place_and_start)
{
    uint8_t data[MOST + 64];
    RiCrc crc, tables;
    RiRng rng = ri_rng_stream(7, "crc");
    ri_crc_init(&crc);
    tables = crc;
    tables.folds = false;
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(ri_rng_next(&rng) >> 9);
    for (int i = 0; i < TRIES; i++) {
        const size_t at = ri_rng_next(&rng) % 64, size = i < MOST ? (size_t)i : ri_rng_next(&rng) % MOST;
        const uint32_t start = i % 3 ? (uint32_t)ri_rng_next(&rng) : 0, want = bit_by_bit(start, data + at, size);
        CHECK(ri_crc_add(&crc, start, data + at, size) == want);
        CHECK(ri_crc_add(&tables, start, data + at, size) == want);
        const size_t half = size ? ri_rng_next(&rng) % size : 0; // in two parts
        CHECK(ri_crc_add(&crc, ri_crc_add(&crc, start, data + at, half), data + at + half, size - half) == want);
    }
}

TEST_MAIN(CASE(the_published_check_value_comes_out), CASE(all_ways_agree_for_any_size_place_and_start))
