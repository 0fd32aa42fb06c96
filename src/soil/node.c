// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which of the node kernels this processor can run.
#include "soil/node.h"

#include "base/processor.h"

const RiNodeKernels *ri_node_kernels_find(const char *name)
{
    RiIsa isa;
    if (!ri_isa_find(name, &isa))
        return NULL;
#if defined(__x86_64__)
    static const RiNodeKernels *const kernels[RI_ISA_COUNT] = {&ri_node_kernels_generic, &ri_node_kernels_avx2,
                                                               &ri_node_kernels_avx512};
    return kernels[isa];
#else
    return &ri_node_kernels_generic;
#endif
}
