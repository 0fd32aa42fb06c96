// SPDX-License-Identifier: Apache-2.0
/// \file
/// Robots from files: URDF, templates, and the choice between them.
///
///     FILE.urdf, FILE.xacro --(ri_urdf_load)-----> RiSpec
///     FILE.yaml             --(ri_template_load)-> RiSpec
///
/// Every message names file and line. The loaders never read outside the files named by the input
/// (meshes are located, not read; see mesh.h), refuse DTDs, and bound depth, size and expansion.
#ifndef RILLE_ROBOT_H
#define RILLE_ROBOT_H

#include <rille/report.h>
#include <rille/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A setting from outside: `name` is a template parameter ("modules") and `value` an expression
/// ("4", "2*0.1"), or `name` is a <xacro:arg> and `value` its text.
typedef struct RiSetting {
    const char *name;
    const char *value;
} RiSetting;

typedef struct RiLoadOptions {
    const RiSetting *settings; ///< template parameters or xacro arguments; an unknown one is an error
    int setting_count;
    const char *const *
        package_paths; ///< searched for package://NAME/... and $(find NAME), before ROS_PACKAGE_PATH and AMENT_PREFIX_PATH: each may hold NAME or be NAME
    int package_path_count;
    bool no_derive;   ///< URDF: no wheels from round shapes where the robot declares none
    RiReport *report; ///< receives findings; may be NULL
} RiLoadOptions;

/// The defaults that its fields name.
RiLoadOptions ri_load_options_default(void);

/// Loads by file name: .yaml and .yml are templates, .urdf, .xacro and .xml URDF. `options` may be
/// NULL.
RI_MUST_CHECK RiStatus ri_robot_load(RiContext *ctx, const char *path, const RiLoadOptions *options, RiSpec **out_spec);

/// URDF or xacro, told apart by content: a xacro source (xmlns:xacro, <xacro:...>) is expanded
/// first.
RI_MUST_CHECK RiStatus ri_urdf_load(RiContext *ctx, const char *path, const RiLoadOptions *options, RiSpec **out_spec);
/// `path` is used in messages and to resolve relative mesh paths.
RI_MUST_CHECK RiStatus ri_urdf_parse(RiContext *ctx, const char *path, const char *text, size_t size,
                                     const RiLoadOptions *options, RiSpec **out_spec);

/// Reads a robot template (YAML). RI_ERR_FORMAT names file, line and field. `options` may be NULL.
RI_MUST_CHECK RiStatus ri_template_load(RiContext *ctx, const char *path, const RiLoadOptions *options,
                                        RiSpec **out_spec);
/// The same from a text; `path` is used in messages and to find files.
RI_MUST_CHECK RiStatus ri_template_parse(RiContext *ctx, const char *path, const char *text, size_t size,
                                         const RiLoadOptions *options, RiSpec **out_spec);

/// Loads `replacement` in place of the robot in `built_in` (EELS-DARTS 2.1.5). Fails with
/// RI_ERR_MODEL and the list of differences if the two are not structurally similar; the
/// differences are in options->report too.
RI_MUST_CHECK RiStatus ri_robot_replace(RiContext *ctx, const char *built_in, const char *replacement,
                                        const RiLoadOptions *options, RiSpec **out_spec);

#ifdef __cplusplus
}
#endif
#endif
