// SPDX-License-Identifier: Apache-2.0
/// \file
/// A C++ program that calls the library: names must be those of C.
#include <rille/rille.h>

#include <cmath>
#include <cstring>

int main()
{
    RiContext *ctx = nullptr;
    if (ri_context_create(nullptr, &ctx) != RI_OK)
        return 1;
    RiSpec *spec = nullptr;
    const bool created = ri_spec_create(ctx, "robot", &spec) == RI_OK && std::strcmp(spec->name, "robot") == 0;
    ri_spec_destroy(spec);
    ri_context_destroy(ctx);
    const bool adds = std::abs(ri_norm(ri_add(ri_vec3(1, 2, 0), ri_vec3(2, 2, 0))) - 5.0) < 1e-15;
    return created && adds && std::strncmp(ri_version(), "0.", 2) == 0 ? 0 : 1;
}
