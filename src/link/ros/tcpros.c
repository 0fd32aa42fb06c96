// SPDX-License-Identifier: Apache-2.0
/// \file
/// Headers of TCPROS.
#include "link/ros/tcpros.h"

#include <string.h>

void ri_tcpros_put(RiText *t, const char *key, const char *value)
{
    const size_t size = strlen(key) + 1 + strlen(value);
    const uint8_t length[4] = {(uint8_t)size, (uint8_t)(size >> 8), (uint8_t)(size >> 16), (uint8_t)(size >> 24)};
    ri_text_put(t, length, 4);
    ri_text_add(t, key);
    ri_text_add(t, "=");
    ri_text_add(t, value);
}

uint32_t ri_tcpros_length(const uint8_t b[4])
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/// The next field; NULL at the end, or where the lengths do not fit.
static const uint8_t *next_field(const uint8_t *header, size_t size, size_t *at, size_t *out_size)
{
    if (size - *at < 4)
        return NULL;
    const uint32_t length = ri_tcpros_length(header + *at);
    if (length > size - *at - 4)
        return NULL;
    const uint8_t *field = header + *at + 4;
    *at += 4 + length;
    *out_size = length;
    return field;
}

bool ri_tcpros_check(const uint8_t *header, size_t size)
{
    size_t at = 0, length;
    for (const uint8_t *f = next_field(header, size, &at, &length); f; f = next_field(header, size, &at, &length)) {
        const uint8_t *equals = memchr(f, '=', length);
        if (!equals || equals == f)
            return false;
    }
    return at == size;
}

bool ri_tcpros_get(const uint8_t *header, size_t size, const char *key, char *out, size_t room)
{
    const size_t n = strlen(key);
    size_t at = 0, length;
    out[0] = '\0';
    for (const uint8_t *f = next_field(header, size, &at, &length); f; f = next_field(header, size, &at, &length)) {
        if (length <= n || memcmp(f, key, n) != 0 || f[n] != '=')
            continue;
        const size_t value = length - n - 1;
        if (value >= room || memchr(f + n + 1, 0, value))
            return false;
        memcpy(out, f + n + 1, value);
        out[value] = '\0';
        return true;
    }
    return false;
}
