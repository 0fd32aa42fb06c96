// SPDX-License-Identifier: Apache-2.0
/// \file
/// CRC-32 as in MCAP, zip and PNG: polynomial 0xEDB88320, bits reversed.
#ifndef RI_IO_RECORD_CRC_H
#define RI_IO_RECORD_CRC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct RiCrc {
    uint32_t table[16][256]; ///< [k]: of one byte that is followed by k zeros
    uint64_t fold[2][2];     ///< moves a remainder by 64 and by 16 bytes: of its first 8 bytes, of its last 8
    bool folds;              ///< the processor multiplies without carries
} RiCrc;

void ri_crc_init(RiCrc *crc);
/// Checksum of more bytes after those whose checksum is `value` (0 for none).
uint32_t ri_crc_add(const RiCrc *crc, uint32_t value, const void *data, size_t size);

#endif
