// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fuzz target: terrain descriptions without a path, so that no file is read, and the same bytes as
/// a table of soils. What is accepted must answer every question. Synthesis and baking are left
/// out: their time depends on numbers in the text.
#include <stdlib.h>
#include <string.h>

#include <rille/terrain_file.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool has_word(const uint8_t *data, size_t size, const char *word)
{
    const size_t n = strlen(word);
    for (size_t i = 0; i + n <= size; i++)
        if (memcmp(data + i, word, n) == 0)
            return true;
    return false;
}

static void ask(const RiTerrain *t)
{
    RiSurface s;
    RiHeight h;
    RiTerrainHit hit;
    (void)ri_terrain_info(t);
    ri_terrain_query(t, ri_vec3(0.3, -0.7, 1.0), &s);
    if (s.material < 0 || s.material >= ri_terrain_material_count(t))
        abort();
    (void)ri_terrain_height(t, 0.1, 0.2, &h);
    (void)ri_terrain_ray(t, ri_vec3(0.0, 0.0, 5.0), ri_vec3(0.1, 0.0, -1.0), 100.0, &hit);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    RiContext *ctx;
    RiTerrainFile *file;
    RiSoils *soils;
    if (has_word(data, size, "make") || has_word(data, size, "bake") || has_word(data, size, "detail"))
        return 0;
    if (ri_context_create(NULL, &ctx) != RI_OK || ri_soils_create(ctx, &soils) != RI_OK)
        abort();
    const RiStatus status = ri_terrain_file_parse(ctx, NULL, (const char *)data, size, NULL, &file);
    if ((status == RI_OK) != (file != NULL) || (status != RI_OK && !ri_context_message(ctx)[0]))
        abort();
    if (file)
        ask(ri_terrain_file_terrain(file));
    if (ri_soils_parse(ctx, soils, "fuzz.csv", (const char *)data, size) != RI_OK && !ri_context_message(ctx)[0])
        abort();
    ri_terrain_file_destroy(file);
    ri_soils_destroy(soils);
    ri_context_destroy(ctx);
    return 0;
}
