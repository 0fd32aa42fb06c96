// SPDX-License-Identifier: Apache-2.0
/// \file
/// Terrain descriptions, inside: what the parts of the loader share.
///
///     document, parameters, life cycle     terrain_yaml.c
///       -> a terrain of each kind          terrain_yaml_kinds.c, terrain_yaml_shapes.c
///       -> soil map, ruts                  terrain_yaml_soil.c
#ifndef RI_IO_TERRAIN_YAML_H
#define RI_IO_TERRAIN_YAML_H

#include <stdio.h>

#include <rille/terrain_file.h>

#include "io/robot/template.h"

enum { RI_TERRAIN_PARTS = 100000, RI_TERRAIN_DEPTH = 8, RI_TERRAIN_LIBRARIES = 64 };

struct RiTerrainFile {
    RiContext *ctx;
    RiTemplate t; ///< document, parameters, arena
    RiTerrainOptions options;
    const char *name, *doc;
    const char *other_soil; ///< the setting `soil`: a name or a file, in place of the base soil; NULL
    RiTerrain **owned;      ///< in order of their making: a later one may use earlier ones
    int owned_count, owned_room;
    RiTerrain *terrain;
    RiSoils *soils;
    RiSoilMap *map;
    bool has_ruts;
    RiRutsDef ruts;
    void *libraries[RI_TERRAIN_LIBRARIES]; ///< of laws of soils
    int library_count;
    int depth;        ///< of terrains within terrains being read
    uint64_t content; ///< hash of what the terrain read last was made from besides its description; 0: not known
};

/// A kind of terrain: what its mapping may have besides what all have, and how it is read.
typedef struct RiTerrainKind {
    const char *name;
    const char *keys[20];
    RiStatus (*read)(RiTerrainFile *f, const RiYamlNode *map, RiTerrain **out);
} RiTerrainKind;

// terrain_yaml.c

/// Optional numbers, words and texts of a mapping; *value stays as it is without the key. A number
/// lies in [low, high].
RI_MUST_CHECK RiStatus ri_terrain_number(RiTerrainFile *f, const RiYamlNode *map, const char *key, const char *unit,
                                         double low, double high, double *value);
RI_MUST_CHECK RiStatus ri_terrain_vector(RiTerrainFile *f, const RiYamlNode *map, const char *key, const char *unit,
                                         RiVec3 *value);
RI_MUST_CHECK RiStatus ri_terrain_word(RiTerrainFile *f, const RiYamlNode *map, const char *key,
                                       const char *const *words, int count, int *value);
RI_MUST_CHECK RiStatus ri_terrain_truth(RiTerrainFile *f, const RiYamlNode *map, const char *key, bool *value);
RI_MUST_CHECK RiStatus ri_terrain_text(RiTerrainFile *f, const RiYamlNode *map, const char *key, const char **value);
RI_MUST_CHECK RiStatus ri_terrain_seed(RiTerrainFile *f, const RiYamlNode *map, unsigned long long *value);
/// Fails if a key is missing.
RI_MUST_CHECK RiStatus ri_terrain_need(const RiYamlNode *map, const char *key);
/// A size in bytes: a plain number, or "256 MB", "1 GiB".
RI_MUST_CHECK RiStatus ri_terrain_bytes(RiTerrainFile *f, const RiYamlNode *map, const char *key, size_t *value);
/// The file that a key names, looked for beside the description and in the folders of the options.
RI_MUST_CHECK RiStatus ri_terrain_find_file(RiTerrainFile *f, const RiYamlNode *map, const char *key,
                                            const char **out_path);
/// Puts the place of a node before the sentence of a call that failed.
RI_MUST_CHECK RiStatus ri_terrain_wrap(RiTerrainFile *f, const RiYamlNode *node, RiStatus status);
/// Takes a terrain over; it is destroyed if there is no room to note it.
RI_MUST_CHECK RiStatus ri_terrain_own(RiTerrainFile *f, RiTerrain *terrain);

// terrain_yaml_kinds.c

/// Reads a terrain of any kind, baked if it asks for that. `whole`: the description itself, which
/// may have soil and ruts.
RI_MUST_CHECK RiStatus ri_terrain_read(RiTerrainFile *f, const RiYamlNode *map, bool whole, RiTerrain **out);

// terrain_yaml_plugin.c
RI_MUST_CHECK RiStatus ri_terrain_read_plugin(RiTerrainFile *f, const RiYamlNode *map, RiTerrain **out);
/// The law of a soil from a shared object, which stays open as long as the file does.
RI_MUST_CHECK RiStatus ri_terrain_read_law(RiTerrainFile *f, const RiYamlNode *map, RiSoil *soil);
void ri_terrain_close_libraries(RiTerrainFile *f);

// terrain_yaml_shapes.c
RI_MUST_CHECK RiStatus ri_terrain_read_shapes(RiTerrainFile *f, const RiYamlNode *map, RiTerrain **out);

// terrain_yaml_soil.c

/// Reads `soil` and `ruts`; covers the terrain.
RI_MUST_CHECK RiStatus ri_terrain_read_soil(RiTerrainFile *f, const RiYamlNode *root);
RI_MUST_CHECK RiStatus ri_terrain_read_ruts(RiTerrainFile *f, const RiYamlNode *root);

#endif
