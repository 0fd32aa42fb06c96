// SPDX-License-Identifier: Apache-2.0
/// \file
/// Instruction sets of this processor.
#include "base/processor.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[RI_ISA_COUNT] = {"generic", "avx2", "avx512"};

/// avx2 and avx512 are x86-64-v3 and -v4 in what the kernels use of them.
static RiIsa probe(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
    const bool v4 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512cd");
    return v3 && v4 ? RI_ISA_AVX512 : v3 ? RI_ISA_AVX2 : RI_ISA_GENERIC;
#else
    return RI_ISA_GENERIC;
#endif
}

static int find(const char *name)
{
    for (int i = 0; name && i < RI_ISA_COUNT; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    return -1;
}

RiIsa ri_isa_best(void)
{
    static atomic_int known = -1; // the same for every thread: who finds it first does not matter
    int isa = atomic_load_explicit(&known, memory_order_relaxed);
    if (isa < 0) {
        const int limit = find(getenv("RILLE_KERNELS")), has = (int)probe();
        isa = limit >= 0 && limit < has ? limit : has;
        atomic_store_explicit(&known, isa, memory_order_relaxed);
    }
    return (RiIsa)isa;
}

bool ri_isa_find(const char *name, RiIsa *out_isa)
{
    const int isa = name ? find(name) : (int)ri_isa_best();
    *out_isa = isa < 0 ? RI_ISA_GENERIC : (RiIsa)isa;
    return !name || (isa >= 0 && isa <= (int)probe());
}
