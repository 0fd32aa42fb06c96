// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which of the node kernels this processor can run.
#include "soil/node.h"

#include <stdbool.h>
#include <string.h>

const RiNodeKernels *ri_node_kernels_find(const char *name)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool v4 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512cd");
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
    if (v4 && (!name || strcmp(name, "avx512") == 0))
        return &ri_node_kernels_avx512;
    if (v3 && (!name || strcmp(name, "avx2") == 0))
        return &ri_node_kernels_avx2;
#endif
    return !name || strcmp(name, "generic") == 0 ? &ri_node_kernels_generic : NULL;
}
