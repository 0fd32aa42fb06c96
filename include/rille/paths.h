// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where robots, scenes, soils and terrains are.
///
///     environment, program's folder, source tree --(ri_paths_default)--> RiPaths --(ri_paths_use)--> RiSceneOptions
///     "mer_sand" --(ri_paths_find_scene)--> .../scenes/mer_sand.yaml
///
/// The command `rille`, the Python module and any program that asks find the same files.
///
/// Threads and ownership: RiPaths is a plain value. The environment is read by ri_paths_default
/// alone.
#ifndef RILLE_PATHS_H
#define RILLE_PATHS_H

#include <stdbool.h>

#include <rille/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RI_PATH_SIZE = 4096 }; ///< of a path with its end

/// Folders; "" where there is none.
typedef struct RiPaths {
    char robots[RI_PATH_SIZE], scenes[RI_PATH_SIZE], terrains[RI_PATH_SIZE], soils[RI_PATH_SIZE];
    char cameras[RI_PATH_SIZE], campaigns[RI_PATH_SIZE];
    char data[RI_PATH_SIZE];  ///< files that are not part of the project, as maps: RILLE_DATA
    char cache[RI_PATH_SIZE]; ///< baked grids: $XDG_CACHE_HOME/rille, else ~/.cache/rille
    const char *folders[3];   ///< for ri_paths_use
} RiPaths;

/// Finds the folders. For each kind, the first that exists: the one named by the environment
/// (RILLE_ROBOTS, RILLE_SCENES, RILLE_TERRAINS, RILLE_SOILS, RILLE_CAMERAS, RILLE_CAMPAIGNS, taken
/// as it is), `root`/KIND (`root` may be NULL), share/rille/KIND beside the running program's
/// folder or above it, the source tree of this library, where the library would have been
/// installed.
void ri_paths_default(const char *root, RiPaths *out_paths);

/// One kind ("robots", "scenes", ...), as ri_paths_default finds it; "" if there is none.
void ri_paths_folder(const char *kind, const char *root, char out_folder[RI_PATH_SIZE]);

/// Lets a scene be found and built with these folders: robot_paths, terrain_paths, soils and cache
/// of the options then point into `paths`, which must stay where it is until the scene is loaded.
void ri_paths_use(RiPaths *paths, RiSceneOptions *options);

/// Turns a word into the path of a scene: one without '/' and '.' is a scene of the scenes folder,
/// everything else a path as it is. RI_ERR_NOT_FOUND, with a suggestion, if there is no such scene.
RI_MUST_CHECK RiStatus ri_paths_find_scene(RiContext *ctx, const RiPaths *paths, const char *word,
                                           char out_path[RI_PATH_SIZE]);

#ifdef __cplusplus
}
#endif
#endif
