// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which instruction sets this processor has, for the kernels that are compiled once per set
/// (cmake/RilleKernels.cmake).
///
/// The environment variable RILLE_KERNELS (generic, avx2 or avx512) sets a limit. All kernels give
/// the same bits: the variable serves tests and measurements. It is read once, when first asked
/// for.
#ifndef RI_BASE_PROCESSOR_H
#define RI_BASE_PROCESSOR_H

#include <stdbool.h>

typedef enum RiIsa { RI_ISA_GENERIC, RI_ISA_AVX2, RI_ISA_AVX512, RI_ISA_COUNT } RiIsa;

/// The best set that the processor has and RILLE_KERNELS allows.
RiIsa ri_isa_best(void);
/// The set of a name; NULL: the best. False for an unknown name, and for a set that the processor
/// does not have. The limit of RILLE_KERNELS is for NULL alone.
bool ri_isa_find(const char *name, RiIsa *out_isa);

#endif
