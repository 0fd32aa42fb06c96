// SPDX-License-Identifier: Apache-2.0
/// \file
/// Headers of TCPROS connections: "key=value" fields, each with its length in front.
/// Fuzz target: fuzz/fuzz_tcpros.c.
#ifndef RI_LINK_ROS_TCPROS_H
#define RI_LINK_ROS_TCPROS_H

#include <stdbool.h>
#include <stdint.h>

#include "link/text.h"

enum { RI_TCPROS_MOST = 1 << 20, RI_TCPROS_MESSAGE = 256 << 20 }; ///< longest header, longest message [bytes]

/// Appends a field.
void ri_tcpros_put(RiText *t, const char *key, const char *value);
/// Length of a block of little endian bytes.
uint32_t ri_tcpros_length(const uint8_t bytes[4]);
/// Whether all fields fit into the header (without its own length in front) and have a key.
bool ri_tcpros_check(const uint8_t *header, size_t size);
/// Copies the value of a key. False: not there, too long, or with a 0 inside.
bool ri_tcpros_get(const uint8_t *header, size_t size, const char *key, char *out, size_t room);

#endif
