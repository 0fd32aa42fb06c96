// SPDX-License-Identifier: Apache-2.0
/// \file
/// Scenes as FMUs for other tools: FMI 2.0 and 3.0, co-simulation.
///
///     scene + inputs, outputs, parameters --(ri_fmu_export)--> x.fmu: description, library, every file that the scene reads
///
/// An FMU holds the library of this build and the shared libraries that it needs but for the C
/// library, so it runs on any Linux of the same machine and an equal or newer C library. Its step
/// computes the bits that `rille run` computes.
///
/// FMUs of other makers are devices of a scene: `library: controller.fmu` (docs/fmi.md).
///
/// Threads and ownership: nothing is kept.
#ifndef RILLE_FMU_H
#define RILLE_FMU_H

#include <rille/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RiFmuOptions {
    int version;                   ///< of FMI: 2 or 3; default 2
    const char *const *inputs;     ///< names or globs of writable values
    const char *const *outputs;    ///< names or globs
    const char *const *parameters; ///< names or globs of writable values
    int input_count, output_count, parameter_count;
    const char *library; ///< the program's FMU library, rille-fmu.so
} RiFmuOptions;
/// The defaults that its fields name.
RiFmuOptions ri_fmu_options_default(void);

/// Loads and builds the scene and writes it as an FMU. RI_ERR_NOT_FOUND for a name or glob that no
/// value has, RI_ERR_ARGUMENT for an input that cannot be written or a value that has two roles.
RI_MUST_CHECK RiStatus ri_fmu_export(RiContext *ctx, const char *scene, const RiSceneOptions *options,
                                     const RiFmuOptions *fmu, const char *path);

#ifdef __cplusplus
}
#endif
#endif
