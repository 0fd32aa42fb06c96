// SPDX-License-Identifier: Apache-2.0
#include "io/cone_read.h"

RiStatus ri_cone_file_fclib(RiContext *ctx, const char *path, const char *data, size_t size, RiConeFile **out_file)
{
    (void)data;
    (void)size;
    *out_file = NULL;
    return ri_error(ctx, RI_ERR_UNSUPPORTED, "%s: HDF5", path);
}
