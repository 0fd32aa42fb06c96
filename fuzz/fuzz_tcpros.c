// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fuzz target of TCPROS headers: any bytes are fields that fit, or refused; no value is read from
/// beyond them.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "link/ros/tcpros.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const keys[] = {"topic", "md5sum", "type", "callerid", "error", ""};
    char value[32];
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        return 0;
    memcpy(copy, data, size);
    ri_tcpros_check(copy, size);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (ri_tcpros_get(copy, size, keys[i], value, sizeof value) && !memchr(value, '\0', sizeof value))
            abort();
    free(copy);
    return 0;
}
