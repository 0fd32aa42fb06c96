// SPDX-License-Identifier: Apache-2.0
/// \file
/// modelDescription.xml of an FMU, read: what it is, what it can, its variables.
#ifndef RI_IO_FMU_DESCRIPTION_H
#define RI_IO_FMU_DESCRIPTION_H

#include <stdbool.h>

#include "base/memory.h"
#include "io/fmu/fmi.h"

typedef enum FmuKind { FMU_REAL, FMU_INTEGER, FMU_BOOLEAN, FMU_OTHER } FmuKind;
/// What a variable is in memory. FMI 2.0 has Float64 (Real), Int32 (Integer, Enumeration) and Boolean.
typedef enum FmuWord {
    FMU_FLOAT64,
    FMU_FLOAT32,
    FMU_INT8,
    FMU_UINT8,
    FMU_INT16,
    FMU_UINT16,
    FMU_INT32,
    FMU_UINT32,
    FMU_INT64,
    FMU_UINT64,
    FMU_BOOL,
    FMU_WORDS
} FmuWord;
typedef enum FmuCausality { FMU_LOCAL, FMU_INPUT, FMU_OUTPUT, FMU_PARAMETER, FMU_INDEPENDENT } FmuCausality;

typedef struct FmuVariable {
    const char *name, *doc;
    const char *unit; ///< SI, as our expressions read it; "" without
    FmuKind kind;
    FmuWord word;
    FmuCausality causality;
    FmiReference reference;
    bool tunable;          ///< a parameter that may change during a run
    const double *start;   ///< [size] SI
    int size;              ///< elements of an array, row by row; 1
    int dimensions;        ///< 0: not an array
    int shape[3];          ///< [dimensions]
    double low, high;      ///< SI
    double factor, offset; ///< SI = factor * x + offset
    int line;
} FmuVariable;

typedef struct FmuDescription {
    RiArena arena;
    int version; ///< 2 or 3
    const char *name, *guid, *identifier, *doc;
    bool can_save; ///< its state can be got, set and serialised
    double step;   ///< that it can only make multiples of [s]; 0: any
    FmuVariable *variables;
    int count;
    int left_out;         ///< inputs and outputs that are not numbers: texts, bytes, clocks
    const char *one_left; ///< name of the first of them
} FmuDescription;

enum { FMU_VARIABLES = 100000, FMU_ELEMENTS = 1024, FMU_DIMENSIONS = 3 };

/// Reads the text; `path` is used in messages: "path:line: what". *out is safe to free on error.
RI_MUST_CHECK RiStatus ri_fmu_describe(RiContext *ctx, const char *path, const char *text, size_t size,
                                       FmuDescription *out);
void ri_fmu_description_free(FmuDescription *d);

#endif
