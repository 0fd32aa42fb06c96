// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fuzz target of the viewer's requests: any bytes become a request within its limits, or are
/// refused with a reason.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "link/command.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static RiJson j;
    RiViewCommand c;
    char why[RI_WHY];
    char *copy = malloc(size ? size : 1); // so that reading beyond the end is seen
    if (!copy)
        return 0;
    memcpy(copy, data, size);
    if (ri_command_parse(&j, copy, size, &c, why)) {
        if ((unsigned)c.op >= RI_VIEW_OP_COUNT || c.run < 0 || c.run >= RI_VIEW_RUNS || !isfinite(c.number) ||
            !memchr(c.name, '\0', sizeof c.name) || !memchr(c.text, '\0', sizeof c.text) || isnan(c.from) ||
            isnan(c.to))
            abort();
    } else if (!why[0] || !memchr(why, '\0', sizeof why)) {
        abort();
    }
    for (int i = 0; i < j.count; i++)
        if (!j.why && (j.tokens[i].next <= i || j.tokens[i].next > j.count || j.tokens[i].end > (int)size))
            abort();
    free(copy);
    return 0;
}
