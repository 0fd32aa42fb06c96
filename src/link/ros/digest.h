// SPDX-License-Identifier: Apache-2.0
/// \file
/// The two digests that name message types: SHA-256 (ROS 2 type hashes, FIPS 180-4) and MD5 (ROS 1
/// definitions, RFC 1321).
#ifndef RI_LINK_ROS_DIGEST_H
#define RI_LINK_ROS_DIGEST_H

#include <stddef.h>
#include <stdint.h>

enum { RI_SHA256_HEX = 65, RI_MD5_HEX = 33 }; ///< characters, end included

/// Digests as lower-case hexadecimal text.
void ri_sha256_hex(const void *data, size_t size, char out[RI_SHA256_HEX]);
void ri_md5_hex(const void *data, size_t size, char out[RI_MD5_HEX]);

#endif
