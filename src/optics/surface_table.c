// SPDX-License-Identifier: Apache-2.0
/// \file
/// Surfaces by name, with the source of their figures. Bands are near 650, 550 and 450 nm.
///
/// "assumed" marks figures that no measurement we could read supports: bands that a source does not
/// give are drawn from the neighbouring ones, and materials of robots are typical values.
#include <math.h>
#include <string.h>

#include "optics/surface_kinds.h"

#define DEG (RI_PI / 180.0)

#define MOON(r, g, b)                                                                                                  \
    {                                                                                                                  \
        .kind = RI_SURFACE_HAPKE, .albedo = {r, g, b}, .hapke = {0.25449723005295,                                     \
                                                                 0.57899808883667,                                     \
                                                                 2.1340200901031,                                      \
                                                                 0.06234934926033,                                     \
                                                                 23.6566 * DEG,                                        \
                                                                 1.0,                                                  \
                                                                 RI_HAPKE_H2002,                                       \
                                                                 0.0,                                                  \
                                                                 0.0},                                                 \
        .texture = {                                                                                                   \
            0.12,                                                                                                      \
            0.20,                                                                                                      \
            5,                                                                                                         \
            1u                                                                                                         \
        }                                                                                                              \
    }
#define MARS(r, g, b, rough, amplitude)                                                                                \
    {                                                                                                                  \
        .kind = RI_SURFACE_HAPKE, .albedo = {r, g, b},                                                                 \
        .hapke = {0.17, 0.62, 0.52, 0.52, (rough)*DEG, 1.0, RI_HAPKE_H1993, 0.0, 0.0}, .texture = {                    \
            amplitude,                                                                                                 \
            0.12,                                                                                                      \
            5,                                                                                                         \
            2u                                                                                                         \
        }                                                                                                              \
    }
#define SOIL(r, g, b, amplitude)                                                                                       \
    {                                                                                                                  \
        .kind = RI_SURFACE_HAPKE, .albedo = {r, g, b},                                                                 \
        .hapke = {0.187, 0.6365, 1.0, 0.083, 13.3 * DEG, 1.0, RI_HAPKE_H2002, 0.0, 0.0}, .texture = {                  \
            amplitude,                                                                                                 \
            0.10,                                                                                                      \
            5,                                                                                                         \
            3u                                                                                                         \
        }                                                                                                              \
    }
#define MATT(r, g, b)                                                                                                  \
    {                                                                                                                  \
        .kind = RI_SURFACE_LAMBERT, .albedo = { r, g, b }                                                              \
    }
#define ROCK(r, g, b)                                                                                                  \
    {                                                                                                                  \
        .kind = RI_SURFACE_LAMBERT, .albedo = {r, g, b}, .texture = { 0.25, 0.15, 5, 4u }                              \
    }
#define METAL(r, g, b, rough)                                                                                          \
    {                                                                                                                  \
        .kind = RI_SURFACE_METAL, .albedo = {r, g, b}, .roughness = rough                                              \
    }
#define ICE(r, g, b, rough)                                                                                            \
    {                                                                                                                  \
        .kind = RI_SURFACE_ICE, .albedo = {r, g, b}, .roughness = rough, .index = 1.31, .asymmetry = 0.85,             \
        .texture = {                                                                                                   \
            0.002,                                                                                                     \
            0.3,                                                                                                       \
            4,                                                                                                         \
            5u                                                                                                         \
        }                                                                                                              \
    }

#define SATO     "[sato2014] Tranquility Base cell, 566 and 689 nm; blue by the slope between them, assumed"
#define FERNANDO "[fernando2013] as quoted by Ames Stereo Pipeline, red band; green, blue and roughness assumed"
#define POMMEROL "[pommerol2013] JSC Mars-1 analogue; colour and texture assumed"
#define WARREN   "absorption of ice [warren2008], bubbles assumed; g of bubbles 0.85"
#define TYPICAL  "typical value, assumed"

static const RiSurfaceRow rows[] = {
    {"moon", MOON(0.227, 0.188, 0.134), SATO},
    {"moon_highlands",
     {.kind = RI_SURFACE_HAPKE,
      .albedo = {0.42, 0.38, 0.32},
      .hapke = {0.23, 0.685, 1.7, 0.08, 23.4 * DEG, 1.0, RI_HAPKE_H2002, 0.0, 0.0},
      .texture = {0.10, 0.20, 5, 1u}},
     "[sato2014] regional means at 643 nm; green and blue assumed"},
    {"mars_soil", MARS(0.68, 0.48, 0.30, 12.0, 0.12), FERNANDO},
    {"mars_sand", MARS(0.55, 0.42, 0.29, 8.0, 0.05), FERNANDO},
    {"mars_rock", ROCK(0.20, 0.15, 0.11), TYPICAL},
    {"soil", SOIL(0.526, 0.45, 0.36, 0.12), POMMEROL},
    {"sand", SOIL(0.75, 0.66, 0.52, 0.05), POMMEROL},
    {"clay", SOIL(0.45, 0.36, 0.28, 0.12), POMMEROL},
    {"grey_soil", SOIL(0.45, 0.45, 0.45, 0.12), POMMEROL},
    {"rock", ROCK(0.22, 0.20, 0.18), TYPICAL},
    {"concrete", ROCK(0.40, 0.39, 0.37), TYPICAL},
    {"asphalt", ROCK(0.09, 0.09, 0.09), TYPICAL},
    {"wood", ROCK(0.45, 0.31, 0.19), TYPICAL},
    {"ice", ICE(0.985, 0.997, 0.9993, 0.15), WARREN},
    {"glacier_ice", ICE(0.935, 0.988, 0.997, 0.20), WARREN},
    {"snow", ICE(0.9997, 0.99993, 0.99998, 0.0), WARREN},
    {"white_paint", MATT(0.80, 0.80, 0.78), TYPICAL},
    {"black_paint", MATT(0.04, 0.04, 0.04), TYPICAL},
    {"rubber", MATT(0.05, 0.05, 0.05), TYPICAL},
    {"plastic", MATT(0.30, 0.30, 0.30), TYPICAL},
    {"solar_cell", MATT(0.03, 0.04, 0.08), TYPICAL},
    {"aluminium", METAL(0.91, 0.92, 0.92, 0.30), TYPICAL},
    {"steel", METAL(0.56, 0.57, 0.58, 0.30), TYPICAL},
    {"titanium", METAL(0.54, 0.50, 0.45, 0.35), TYPICAL},
    {"gold_foil", METAL(0.99, 0.78, 0.34, 0.15), TYPICAL},
    {"metal", METAL(0.70, 0.70, 0.70, 0.30), TYPICAL},
    {"mirror", METAL(0.95, 0.95, 0.95, 0.0), TYPICAL},
};

/// Words in names of soils and grounds, the first that fits decides.
static const struct {
    const char *word, *surface;
} words[] = {
    {"snow", "snow"},
    {"firn", "snow"},
    {"glacier", "glacier_ice"},
    {"ice", "ice"},
    {"highlands", "moon_highlands"},
    {"lunar", "moon"},
    {"moon", "moon"},
    {"regolith", "moon"},
    {"HIT-LS1", "moon"},
    {"viking", "mars_soil"},
    {"pathfinder", "mars_soil"},
    {"MER_", "mars_soil"},
    {"DLR_", "mars_soil"},
    {"mars", "mars_soil"},
    {"sand", "sand"},
    {"clay", "clay"},
    {"loam", "soil"},
    {"soil", "soil"},
    {"gravel", "rock"},
    {"granite", "rock"},
    {"rock", "rock"},
    {"concrete", "concrete"},
    {"asphalt", "asphalt"},
    {"wood", "wood"},
    {"rubber", "rubber"},
    {"alumin", "aluminium"},
    {"metal", "metal"},
};

const RiSurfaceRow *ri_surface_row(int index)
{
    return index >= 0 && index < (int)(sizeof rows / sizeof *rows) ? &rows[index] : NULL;
}

const RiSurfaceRow *ri_surface_find(const char *name)
{
    for (int i = 0; ri_surface_row(i); i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

const RiSurfaceRow *ri_surface_of_soil(const char *soil, bool *out_guess)
{
    *out_guess = false;
    const RiSurfaceRow *row = ri_surface_find(soil);
    for (size_t i = 0; !row && i < sizeof words / sizeof *words; i++)
        if (strstr(soil, words[i].word))
            row = ri_surface_find(words[i].surface);
    if (row)
        return row;
    *out_guess = true;
    return ri_surface_find("grey_soil");
}
