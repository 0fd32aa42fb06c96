// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fuzz target: any bytes as a block of ruts, and laid over a true one. It must be refused and
/// change nothing, or be exactly what is saved again.
#include <stdlib.h>
#include <string.h>

#include <rille/ground.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_block(RiRuts *r, const void *block, size_t size)
{
    const uint64_t before = ri_ruts_hash(r);
    if (ri_ruts_load_state(r, block, size) != RI_OK) {
        if (ri_ruts_hash(r) != before)
            abort();
        return;
    }
    if (ri_ruts_state_size(r) != size)
        abort();
    char *again = malloc(size);
    if (!again)
        abort();
    ri_ruts_save_state(r, again);
    if (memcmp(again, block, size) != 0)
        abort();
    free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    RiContext *ctx;
    RiRuts *r;
    if (ri_context_create(NULL, &ctx) != RI_OK || ri_ruts_create(ctx, NULL, &r) != RI_OK)
        abort();
    for (int k = 0; k < 3; k++)
        if (ri_ruts_set(r, 100 * k - 90, -70 * k, &(RiRut){.depth = 0.01F, .passes = 1}) != RI_OK)
            abort();
    ri_ruts_commit(r);
    try_block(r, data, size);
    const size_t n = ri_ruts_state_size(r);
    char *block = malloc(n);
    if (!block)
        abort();
    ri_ruts_save_state(r, block);
    for (size_t i = 0; i + 4 <= size; i += 4) // three bytes of place, one of value
        block[(data[i] + 256U * data[i + 1] + 65536U * data[i + 2]) % n] = (char)data[i + 3];
    try_block(r, block, n);
    free(block);
    ri_ruts_destroy(r);
    ri_context_destroy(ctx);
    return 0;
}
