// SPDX-License-Identifier: Apache-2.0
/// \file
/// Terrain descriptions: a terrain, its soil and its memory as text.
///
///     terrains/NAME.yaml + settings --(ri_terrain_file_load)--> RiTerrainFile { terrain, soil map, soils, ruts }
///     soils/*.csv --(ri_soils_load)--> RiSoils
///
/// The format is described in docs/terrain.md. Every message names file, line and key and suggests
/// the nearest known word.
///
/// Threads and ownership: a description owns everything it has made; what it gives is borrowed,
/// immutable, and lives as long as it does.
#ifndef RILLE_TERRAIN_FILE_H
#define RILLE_TERRAIN_FILE_H

#include <stdio.h>

#include <rille/ground.h>
#include <rille/robot.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RiTerrainFile RiTerrainFile;

typedef struct RiTerrainOptions {
    const RiSetting *settings; ///< parameters of the description; an unknown one is an error
    int setting_count;
    const char *const *paths; ///< folders searched for data files (rasters, meshes) after the description's own
    int path_count;
    const char *soils; ///< folder of soils.csv and materials.csv; NULL: "../soils" as seen from the description
    const char *cache; ///< folder in which baked grids are kept; NULL: none are
    RiProgressFn progress;
    void *user;       ///< of `progress`
    RiReport *report; ///< may be NULL
} RiTerrainOptions;
/// The defaults that its fields name.
RiTerrainOptions ri_terrain_options_default(void);

/// Loads a description and makes everything it describes. `options` may be NULL.
RI_MUST_CHECK RiStatus ri_terrain_file_load(RiContext *ctx, const char *path, const RiTerrainOptions *options,
                                            RiTerrainFile **out_file);
/// From memory; `path` is used in messages and to find files (NULL: no files are read).
RI_MUST_CHECK RiStatus ri_terrain_file_parse(RiContext *ctx, const char *path, const char *text, size_t size,
                                             const RiTerrainOptions *options, RiTerrainFile **out_file);
/// Destroys it; NULL does nothing.
void ri_terrain_file_destroy(RiTerrainFile *file);

/// Name of the description; may be "". Borrowed.
const char *ri_terrain_file_name(const RiTerrainFile *file);
/// One sentence; may be "". Borrowed.
const char *ri_terrain_file_doc(const RiTerrainFile *file);
/// With materials from the soil map, if there is one.
const RiTerrain *ri_terrain_file_terrain(const RiTerrainFile *file);
/// The map of soils; NULL if the description has no soil. Borrowed.
const RiSoilMap *ri_terrain_file_soil_map(const RiTerrainFile *file);
/// The library of soils; NULL if the description has no soil. Borrowed.
const RiSoils *ri_terrain_file_soils(const RiTerrainFile *file);
/// Options of ruts; NULL if the ground has no memory.
const RiRutsDef *ri_terrain_file_ruts(const RiTerrainFile *file);

/// A parameter of a description, as settings may change it.
typedef struct RiTerrainParameter {
    const char *name;
    double value;     ///< in `unit`
    const char *unit; ///< declared, else the one the value is written with, else SI; "" for plain numbers
    const char *doc;  ///< may be ""
} RiTerrainParameter;
/// Number of parameters of the description.
int ri_terrain_file_parameter_count(const RiTerrainFile *file);
/// Parameter by index; its strings are borrowed.
RiTerrainParameter ri_terrain_file_parameter(const RiTerrainFile *file, int index);

/// Writes a part as descriptions of kind `shapes` have it, in one line without its end; numbers
/// keep their bits, whatever the locale.
void ri_terrain_write_part(FILE *out, const RiGroundPart *part);

/// Adds the soils of a table (columns: soils/soils.csv) to a library. Messages name file, line and
/// field.
RI_MUST_CHECK RiStatus ri_soils_load(RiContext *ctx, RiSoils *soils, const char *path);
/// The same from memory; `path` is used in messages.
RI_MUST_CHECK RiStatus ri_soils_parse(RiContext *ctx, RiSoils *soils, const char *path, const char *text, size_t size);
/// Adds all tables of a soils folder: soils.csv, fitted.csv, materials.csv.
RI_MUST_CHECK RiStatus ri_soils_load_folder(RiContext *ctx, RiSoils *soils, const char *folder);

#ifdef __cplusplus
}
#endif
#endif
