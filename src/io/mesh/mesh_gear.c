// SPDX-License-Identifier: Apache-2.0
/// \file
/// What wheels and screws look like, from the numbers that the laws use: rims with crown and
/// grousers on curved spokes, drums with helical blades of the right hand, lead and number of
/// starts. For pictures only; contact and soil read the numbers themselves.
///
/// Every part is swept: rings of points (a cross-section at each station) joined to the next ring,
/// either closed in a circle or with a cap at both ends. So each part is a closed surface.
#include <math.h>
#include <string.h>

#include "base/functions.h"
#include "io/mesh/mesh_build.h"

enum {
    ROUND = 48,       ///< stations around a wheel
    ACROSS = 6,       ///< pieces across a crowned rim or a slanted grouser
    SPOKES = 8,       ///< curved ones, as the flexures of the Mars rovers' wheels
    SPOKE_PIECES = 5, ///< along a spoke
    PER_TURN = 40,    ///< stations of a blade for each turn
    TURNS = 64,       ///< beyond it blades cannot be told apart: a drum of their outer radius
    RING = 2 * (ACROSS + 1),
    GROUSERS = 720 ///< more than one each half a degree are left out
};

// --- sweeping ------------------------------------------------------------------------------------

typedef struct Sweep {
    RiMeshBuild *build;
    int corners; ///< of the cross-section
    uint32_t first, last;
    int rings;
} Sweep;

static RiStatus quad(RiMeshBuild *b, uint32_t p, uint32_t q, uint32_t r, uint32_t s)
{
    RI_TRY(ri_mesh_build_triangle(b, p, q, r));
    return ri_mesh_build_triangle(b, p, r, s);
}

static RiStatus join(const Sweep *s, uint32_t from, uint32_t to)
{
    for (int k = 0; k < s->corners; k++) {
        const uint32_t a = (uint32_t)k, b = (uint32_t)((k + 1) % s->corners);
        RI_TRY(quad(s->build, from + a, from + b, to + b, to + a));
    }
    return RI_OK;
}

/// The next cross-section. Its corners run counter-clockwise for an eye that looks along the sweep.
static RiStatus add_ring(Sweep *s, const RiVec3 *corners)
{
    const uint32_t at = (uint32_t)s->build->point_count;
    for (int k = 0; k < s->corners; k++)
        RI_TRY(ri_mesh_build_add(s->build, corners[k]));
    if (s->rings++ == 0)
        s->first = at;
    else
        RI_TRY(join(s, s->last, at));
    s->last = at;
    return RI_OK;
}

static RiStatus close_circle(const Sweep *s)
{
    return join(s, s->last, s->first);
}

/// A flat cap at both ends: strips of quads between both halves of a ring of 2 n corners.
static RiStatus close_ends(const Sweep *s)
{
    const uint32_t n = (uint32_t)s->corners;
    for (uint32_t k = 0; k + 1 < n / 2; k++) {
        const uint32_t a = s->first + k, b = s->first + k + 1, c = s->first + n - 2 - k, d = s->first + n - 1 - k;
        RI_TRY(quad(s->build, d, c, b, a));
        const uint32_t shift = s->last - s->first;
        RI_TRY(quad(s->build, a + shift, b + shift, c + shift, d + shift));
    }
    return RI_OK;
}

// --- wheels --------------------------------------------------------------------------------------

/// Radius of the rim at y off its middle: an arc of the crown's radius, at most a sphere's.
static double rim_radius(const RiWheelSpec *w, double y)
{
    const double crown = w->crown > 0.0 ? fmax(w->crown, 0.5 * w->width) : 0.0;
    const double drop = crown > 0.0 ? crown - sqrt(fmax(crown * crown - y * y, 0.0)) : 0.0;
    return w->radius - fmin(drop, 0.5 * w->radius);
}

static double skin(const RiWheelSpec *w)
{
    return 0.03 * w->radius;
}

/// A point of the wheel: angle about y, counted from z to x, in which the wheel turns when it rolls
/// ahead.
static RiVec3 about_y(double radius, double angle, double y)
{
    return (RiVec3){radius * ri_sin(angle), y, radius * ri_cos(angle)};
}

/// The rim: cross-sections of its skin, around the wheel.
static RiStatus add_rim(RiMeshBuild *b, const RiWheelSpec *w)
{
    const int pieces = w->crown > 0.0 ? ACROSS : 1;
    Sweep s = {.build = b, .corners = 2 * (pieces + 1)};
    for (int i = 0; i < ROUND; i++) {
        RiVec3 ring[RING];
        const double angle = 2.0 * M_PI * i / ROUND;
        for (int k = 0; k <= pieces; k++) {
            const double y = w->width * ((double)k / pieces - 0.5), r = rim_radius(w, y);
            ring[s.corners - 1 - k] = about_y(r, angle, y);
            ring[k] = about_y(r - skin(w), angle, y);
        }
        RI_TRY(add_ring(&s, ring));
    }
    return close_circle(&s);
}

/// A bar on the rim from one edge to the other, at `angle` in the middle.
static RiStatus add_grouser(RiMeshBuild *b, const RiWheelSpec *w, double angle)
{
    const int pieces = w->crown > 0.0 || w->grouser_angle != 0.0 ? ACROSS : 1;
    const double thickness = fmax(w->grouser_thickness, 0.012 * w->radius);
    const double slope = ri_tan(fmin(fmax(w->grouser_angle, -1.4), 1.4));
    Sweep s = {.build = b, .corners = 4};
    for (int k = 0; k <= pieces; k++) {
        const double y = w->width * ((double)k / pieces - 0.5), r = rim_radius(w, y);
        const double at = angle + y * slope / w->radius, half = 0.5 * thickness / r;
        const double low = r - 0.5 * skin(w), high = r + w->grouser_height;
        const RiVec3 ring[4] = {about_y(low, at - half, y), about_y(high, at - half, y), about_y(high, at + half, y),
                                about_y(low, at + half, y)};
        RI_TRY(add_ring(&s, ring));
    }
    return close_ends(&s);
}

static RiStatus add_tread(RiMeshBuild *b, const RiWheelSpec *w)
{
    RI_TRY(add_rim(b, w));
    for (int i = 0; w->grouser_height > 0.0 && w->grouser_count <= GROUSERS && i < w->grouser_count; i++)
        RI_TRY(add_grouser(b, w, 2.0 * M_PI * i / w->grouser_count));
    return RI_OK;
}

/// A solid of revolution about y between two widths, for hub and drums.
static RiStatus add_drum(RiMeshBuild *b, double radius, double half)
{
    enum { SIDES = 32 };
    Sweep s = {.build = b, .corners = SIDES};
    for (int k = 0; k < 2; k++) {
        RiVec3 ring[SIDES];
        for (int i = 0; i < SIDES; i++)
            ring[i] = about_y(radius, 2.0 * M_PI * i / SIDES, k ? half : -half);
        RI_TRY(add_ring(&s, ring));
    }
    return close_ends(&s);
}

/// A strip from hub to rim that leans back as it goes out, so that it bends like a spring.
static RiStatus add_spoke(RiMeshBuild *b, const RiWheelSpec *w, double angle)
{
    const double inner = 0.2 * w->radius, outer = rim_radius(w, 0.0) - 0.5 * skin(w);
    const double half = 0.22 * w->width, thin = 0.5 * 0.035 * w->radius;
    Sweep s = {.build = b, .corners = 4};
    for (int k = 0; k <= SPOKE_PIECES; k++) {
        const double t = (double)k / SPOKE_PIECES, r = inner + t * (outer - inner), at = angle - 0.55 * t * t;
        const RiVec3 ring[4] = {about_y(r, at + thin / r, -half), about_y(r, at + thin / r, half),
                                about_y(r, at - thin / r, half), about_y(r, at - thin / r, -half)};
        RI_TRY(add_ring(&s, ring));
    }
    return close_ends(&s);
}

static RiStatus add_hub(RiMeshBuild *b, const RiWheelSpec *w)
{
    RI_TRY(add_drum(b, 0.25 * w->radius, 0.36 * w->width));
    for (int i = 0; i < SPOKES; i++)
        RI_TRY(add_spoke(b, w, 2.0 * M_PI * i / SPOKES));
    return RI_OK;
}

// --- screws --------------------------------------------------------------------------------------

static RiVec3 about_z(double radius, double angle, double z)
{
    return (RiVec3){radius * ri_cos(angle), radius * ri_sin(angle), z};
}

static bool has_blades(const RiScrewSpec *w)
{
    return w->radius > w->core_radius && w->starts > 0 && w->starts <= TURNS && w->lead > 0.0 &&
           w->length < TURNS * w->lead;
}

static double core_of(const RiScrewSpec *w)
{
    return !has_blades(w) ? w->radius : w->core_radius > 0.0 ? w->core_radius : 0.2 * w->radius;
}

/// The drum, its axis along z.
static RiStatus add_core(RiMeshBuild *b, const RiScrewSpec *w)
{
    const size_t from = b->point_count;
    RI_TRY(add_drum(b, core_of(w), 0.5 * w->length));
    for (size_t i = from; i < b->point_count; i++) {
        const RiVec3 p = b->points[i];
        b->points[i] = (RiVec3){p.z, p.x, p.y};
    }
    return RI_OK;
}

/// A blade: angle = start + hand 2 pi z / lead, thinner at its edge than at the drum.
static RiStatus add_blade(RiMeshBuild *b, const RiScrewSpec *w, double start)
{
    const double core = core_of(w), low = core - 0.1 * (w->radius - core);
    const double base = fmin(fmin(0.2 * w->lead / w->starts, 0.6 * (w->radius - core)), 0.2 * w->length);
    const double reach = 0.5 * (w->length - base);
    const int pieces = (int)ceil(fmax(2.0 * reach / w->lead * PER_TURN, 8.0));
    Sweep s = {.build = b, .corners = 4};
    for (int k = 0; k <= pieces; k++) {
        const double z = reach * (2.0 * k / pieces - 1.0);
        const double angle = start + (w->hand < 0 ? -1.0 : 1.0) * 2.0 * M_PI * z / w->lead;
        const RiVec3 ring[4] = {about_z(low, angle, z - 0.5 * base), about_z(low, angle, z + 0.5 * base),
                                about_z(w->radius, angle, z + 0.2 * base), about_z(w->radius, angle, z - 0.2 * base)};
        const RiVec3 turned[4] = {ring[3], ring[2], ring[1], ring[0]};
        RI_TRY(add_ring(&s, w->hand < 0 ? turned : ring));
    }
    return close_ends(&s);
}

static RiStatus add_blades(RiMeshBuild *b, const RiScrewSpec *w)
{
    for (int i = 0; i < w->starts; i++)
        RI_TRY(add_blade(b, w, 2.0 * M_PI * i / w->starts));
    return RI_OK;
}

// --- the parts -----------------------------------------------------------------------------------

RiStatus ri_wheel_mesh(RiContext *ctx, const RiWheelSpec *wheel, RiGearPart part, RiMesh **out_mesh)
{
    RiMeshBuild b;
    *out_mesh = NULL;
    ri_mesh_build_init(&b, ctx, "wheel");
    RiStatus status = part == RI_GEAR_TREAD ? add_tread(&b, wheel) : add_hub(&b, wheel);
    if (status == RI_OK)
        status = ri_mesh_build_finish(&b, out_mesh);
    ri_mesh_build_free(&b);
    return status;
}

RiStatus ri_screw_mesh(RiContext *ctx, const RiScrewSpec *screw, RiGearPart part, RiMesh **out_mesh)
{
    RiMeshBuild b;
    *out_mesh = NULL;
    if (part == RI_GEAR_TREAD && !has_blades(screw))
        return RI_OK;
    ri_mesh_build_init(&b, ctx, "screw");
    RiStatus status = part == RI_GEAR_TREAD ? add_blades(&b, screw) : add_core(&b, screw);
    if (status == RI_OK)
        status = ri_mesh_build_finish(&b, out_mesh);
    ri_mesh_build_free(&b);
    return status;
}

const char *ri_gear_material(const RiSpec *spec, bool is_screw, RiGearPart part)
{
    const char *name = is_screw ? "screw" : part == RI_GEAR_TREAD ? "tyre" : "metal";
    for (int i = 0; i < spec->material_count; i++)
        if (strcmp(spec->materials[i].name, name) == 0)
            return spec->materials[i].name;
    return NULL;
}
