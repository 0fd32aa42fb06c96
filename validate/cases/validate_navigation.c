// SPDX-License-Identifier: Apache-2.0
/// \file
/// Navigation: small terrains with hand-checked verdicts, and exact shortest paths through mazes.
///
/// Files terrain_cases.yaml and mazes.yaml in the folder of data. The parameters are those stated
/// there. Bands: patch figures to the digits given; clearances of a grid within one cell; a path on
/// a grid whose free cells lie wholly outside the grown obstacles is never shorter than the exact
/// one, and at most 2 % longer with cells of 0.1 m (0.05 m where a passage is narrower). Errors of
/// the model of visual odometry within two deviations of their statistics. A drive with dynamics ends
/// for slip at most one cycle after the soil's own slip passed the limit.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/device.h>
#include <rille/navigation.h>
#include <rille/scene.h>

#include "base/rng.h"
#include "io/file/yaml.h"
#include "validate/validate.h"

enum { ARCS = 11, ROOM = 4096 };

// ---- terrains -----------------------------------------------------------------------------------

/// A terrain of the file: a sum of simple forms over z = 0.
typedef struct Ground {
    double slope;                             // z = slope x
    double x0, x1, y0, y1, height;            // a box
    double ledge, ledge_height;               // z = ledge_height for x > ledge
    double wall0, wall1, wall_y, wall_height; // two walls
    double crest;                             // the slope ends there; 0: nowhere
    double hole_x, hole_radius, hole_depth;   // a round hole at y = 0
} Ground;

static double height_at(const Ground *g, double x, double y)
{
    double z = g->slope * (g->crest > 0.0 ? fmin(x, g->crest) : x);
    if (hypot(x - g->hole_x, y) < g->hole_radius)
        z -= g->hole_depth;
    if (x > g->x0 && x < g->x1 && y > g->y0 && y < g->y1)
        z += g->height;
    if (g->ledge_height != 0.0 && x > g->ledge)
        z += g->ledge_height;
    if (x > g->wall0 && x < g->wall1 && fabs(y) >= g->wall_y)
        z += g->wall_height;
    return z;
}

/// The forms that the file uses. `g` holds the terrain before, which "the same box" refers to.
static bool read_ground(const char *text, Ground *g)
{
    const Ground before = *g;
    double a, b;
    *g = (Ground){0};
    if (strcmp(text, "z = 0") == 0)
        return true;
    if (sscanf(text, "box %lf x %lf m, height %lf m, x %lf..%lf, y %lf..%lf", &a, &b, &g->height, &g->x0, &g->x1,
               &g->y0, &g->y1) == 7)
        return true;
    if (sscanf(text, "the same box with height %lf m", &a) == 1) {
        *g = before;
        g->height = a;
        return true;
    }
    if (sscanf(text, "z = x tan(%lf deg)", &a) == 1) {
        g->slope = tan(a * M_PI / 180.0);
        return true;
    }
    if (sscanf(text, "z = %lf for x > %lf", &g->ledge_height, &g->ledge) == 2)
        return true;
    return sscanf(text, "two walls %lf m high, x %lf..%lf, |y| >= %lf", &g->wall_height, &g->wall0, &g->wall1,
                  &g->wall_y) == 4;
}

static RiStatus make_map(RiContext *ctx, const Ground *g, RiNavMap **out_map)
{
    RiNavOptions o = ri_nav_options_default();
    o.cells = 64;
    o.weight_hazard = o.weight_steer = 0.0; // the file ranks free arcs by the distance of their end
    o.weight_goal = 1.0;
    RI_TRY(ri_nav_map_create(ctx, &o, out_map));
    for (int iy = 0; iy < o.cells; iy++)
        for (int ix = 0; ix < o.cells; ix++) {
            RiVec3 p = ri_nav_map_cell_centre(*out_map, ix, iy);
            p.z = height_at(g, p.x, p.y);
            ri_nav_map_add(*out_map, &p, 1);
        }
    ri_nav_map_update(*out_map);
    return RI_OK;
}

static void row(RiValidation *run, const char *id, const char *what, const char *unit, double published, double band,
                double ours)
{
    char quantity[96];
    snprintf(quantity, sizeof quantity, "%s: %s", id, what);
    ri_validate_near(run, quantity, unit, published, band, ours);
}

static RiStatus patch_rows(RiValidation *run, const char *id, const RiYamlNode *node, const RiNavMap *map)
{
    double at[2], cells, tilt, rms, step, above;
    const RiYamlNode *figures = ri_yaml_get(node, "patch_discrete"), *hazards = ri_yaml_get(node, "patch_hazards");
    if (!figures || !hazards)
        return RI_OK;
    RI_TRY(ri_yaml_numbers(ri_yaml_get(node, "patch_at_m"), "", at, 2));
    RI_TRY(ri_yaml_number(ri_yaml_get(figures, "cells"), "", &cells));
    RI_TRY(ri_yaml_number(ri_yaml_get(figures, "tilt_deg"), "", &tilt));
    RI_TRY(ri_yaml_number(ri_yaml_get(figures, "rms_residual_m"), "", &rms));
    RI_TRY(ri_yaml_number(ri_yaml_get(figures, "max_step_m"), "", &step));
    RI_TRY(ri_yaml_number(ri_yaml_get(figures, "max_above_plane_m"), "", &above));
    const RiNavPatch p = ri_nav_map_patch(map, at[0], at[1]);
    row(run, id, "cells of the patch", "", cells, 0.0, p.cells);
    row(run, id, "tilt", "deg", tilt, 1e-6, p.tilt * 180.0 / M_PI);
    row(run, id, "rms residual", "m", rms, 1e-6, p.roughness);
    row(run, id, "largest step", "m", step, 1e-6, p.step);
    row(run, id, "highest above the plane", "m", above, 1e-6, p.above);
    int expected = 0;
    for (const RiYamlNode *h = hazards->first; h; h = h->next)
        expected |= strcmp(h->text, "step") == 0        ? RI_NAV_STEP
                    : strcmp(h->text, "tilt") == 0      ? RI_NAV_TILT
                    : strcmp(h->text, "roughness") == 0 ? RI_NAV_ROUGHNESS
                                                        : RI_NAV_BORDER;
    row(run, id, "hazards (1 step, 2 tilt, 4 roughness, 8 border)", "", expected, 0.0, p.hazards);
    return RI_OK;
}

static bool lists(const RiYamlNode *list, const char *name)
{
    if (!list)
        return false;
    if (list->kind == RI_YAML_SCALAR)
        return strcmp(list->text, name) == 0;
    for (const RiYamlNode *n = list->first; n; n = n->next)
        if (strcmp(n->text, name) == 0)
            return true;
    return false;
}

static RiStatus arc_rows(RiValidation *run, const char *id, const RiYamlNode *node, const RiNavMap *map)
{
    static const char *const names[ARCS] = {"L1", "L1.5", "L2", "L3", "L6", "S", "R6", "R3", "R2", "R1.5", "R1"};
    static const double radii[5] = {1.0, 1.5, 2.0, 3.0, 6.0};
    RiNavArc arcs[2 * ARCS + 2];
    double goal[2], worst = 0.0;
    int wrong = 0;
    RI_TRY(ri_yaml_numbers(ri_yaml_get(node, "goal_m"), "", goal, 2));
    ri_nav_fan(radii, 5, 3.0, 0.5, arcs);
    const int best = ri_nav_choose_arc(map, 0.0, 0.0, 0.0, 0.0, &(RiNavGoal){.x = goal[0], .y = goal[1]}, arcs, ARCS);
    for (int i = 0; i < ARCS; i++)
        wrong += (arcs[i].veto != RI_NAV_FREE) != lists(ri_yaml_get(node, "arcs_vetoed"), names[i]);
    row(run, id, "arcs with a wrong verdict, of 11", "", 0.0, 0.0, wrong);
    const RiYamlNode *wanted = ri_yaml_get(node, "best_arc_by_end_distance");
    if (wanted)
        row(run, id, "best arc is not the expected one", "", 0.0, 0.0, best < 0 || !lists(wanted, names[best]));
    const RiYamlNode *clearance = ri_yaml_get(node, "arc_clearance_m");
    for (int i = 0; i < ARCS && clearance; i++) {
        double published;
        if (!ri_yaml_get(clearance, names[i]))
            continue;
        RI_TRY(ri_yaml_number(ri_yaml_get(clearance, names[i]), "", &published));
        worst = fmax(worst, fabs(ri_nav_clearance(map, &arcs[i], 0.0, 0.0, 0.0) - published));
    }
    if (clearance)
        row(run, id, "clearance of the arcs, largest error", "m", 0.0, 0.2, worst);
    return RI_OK;
}

static RiStatus terrain_rows(RiValidation *run, const RiYamlNode *node, Ground *ground)
{
    const char *id = "?", *text = "";
    RI_TRY(ri_yaml_get_string(node, "id", &id));
    RI_TRY(ri_yaml_get_string(node, "terrain", &text));
    if (!read_ground(text, ground)) {
        char quantity[128];
        snprintf(quantity, sizeof quantity, "%s: this form of terrain is not known here: %.60s", id, text);
        ri_validate_skip(run, quantity);
        return RI_OK;
    }
    RiNavMap *map = NULL;
    RI_TRY(make_map(run->ctx, ground, &map));
    RiStatus status = patch_rows(run, id, node, map);
    if (status == RI_OK)
        status = arc_rows(run, id, node, map);
    ri_nav_map_destroy(map);
    return status;
}

/// Arcs that are vetoed, of 11 ahead.
static RiStatus count_vetoes(RiContext *ctx, const Ground *ground, int *out_count, bool *out_straight)
{
    static const double radii[5] = {1.0, 1.5, 2.0, 3.0, 6.0};
    RiNavArc arcs[2 * ARCS + 2];
    RiNavMap *map = NULL;
    *out_count = 0;
    RI_TRY(make_map(ctx, ground, &map));
    ri_nav_fan(radii, 5, 3.0, 0.5, arcs);
    ri_nav_choose_arc(map, 0.0, 0.0, 0.0, 0.0, &(RiNavGoal){.x = 10.0}, arcs, ARCS);
    for (int i = 0; i < ARCS; i++)
        *out_count += arcs[i].veto != RI_NAV_FREE;
    *out_straight = arcs[ARCS / 2].veto != RI_NAV_FREE;
    ri_nav_map_destroy(map);
    return RI_OK;
}

/// A ramp is no obstacle at its crest; a crater is one, from either level.
static RiStatus crest_rows(RiValidation *run)
{
    const Ground ramp = {.slope = tan(15.0 * M_PI / 180.0), .crest = 2.0};
    const Ground crater = {.hole_x = 3.0, .hole_radius = 0.6, .hole_depth = 0.6};
    int vetoed;
    bool straight;
    RI_TRY(count_vetoes(run->ctx, &ramp, &vetoed, &straight));
    ri_validate_near(run, "crest of a ramp of 15 degrees 2 m ahead: arcs that are vetoed, of 11", "", 0.0, 0.0, vetoed);
    RI_TRY(count_vetoes(run->ctx, &crater, &vetoed, &straight));
    ri_validate_near(run, "a crater 1.2 m across and 0.6 m deep 3 m ahead: straight on is vetoed", "", 1.0, 0.0,
                     straight);
    return RI_OK;
}

// ---- mazes --------------------------------------------------------------------------------------

typedef struct Point {
    double x, y;
} Point;

static double point_segment(Point p, Point a, Point b)
{
    const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    const double t = length2 > 0.0 ? fmin(fmax(((p.x - a.x) * dx + (p.y - a.y) * dy) / length2, 0.0), 1.0) : 0.0;
    return hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

static double cross(Point a, Point b, Point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static bool segments_meet(Point a, Point b, Point c, Point d)
{
    return cross(a, b, c) * cross(a, b, d) < 0.0 && cross(c, d, a) * cross(c, d, b) < 0.0;
}

static bool polygon_holds(const Point *v, int n, Point p)
{
    bool inside = false;
    for (int i = 0, j = n - 1; i < n; j = i++)
        if ((v[i].y > p.y) != (v[j].y > p.y) && p.x < (v[j].x - v[i].x) * (p.y - v[i].y) / (v[j].y - v[i].y) + v[i].x)
            inside = !inside;
    return inside;
}

/// Distance between two polygons; 0 where they overlap.
static double polygon_gap(const Point *a, int n, const Point *b, int m)
{
    if (polygon_holds(a, n, b[0]) || polygon_holds(b, m, a[0]))
        return 0.0;
    double gap = INFINITY;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            const Point p = a[i], q = a[(i + 1) % n], r = b[j], s = b[(j + 1) % m];
            if (segments_meet(p, q, r, s))
                return 0.0;
            gap = fmin(gap, fmin(fmin(point_segment(p, r, s), point_segment(q, r, s)),
                                 fmin(point_segment(r, p, q), point_segment(s, p, q))));
        }
    return gap;
}

enum { MOST_CORNERS = 64, MOST_OBSTACLES = 256 };

typedef struct Maze {
    double bounds[4], start[2], goal[2];
    Point corners[MOST_OBSTACLES][MOST_CORNERS];
    int corner_count[MOST_OBSTACLES], polygons, circles;
    double circle[MOST_OBSTACLES][3];
} Maze;

static RiStatus read_maze(const RiYamlNode *node, Maze *m)
{
    *m = (Maze){0};
    RI_TRY(ri_yaml_numbers(ri_yaml_get(node, "bounds"), "", m->bounds, 4));
    RI_TRY(ri_yaml_numbers(ri_yaml_get(node, "start"), "", m->start, 2));
    RI_TRY(ri_yaml_numbers(ri_yaml_get(node, "goal"), "", m->goal, 2));
    const RiYamlNode *list = ri_yaml_get(node, "polygons");
    for (const RiYamlNode *p = list ? list->first : NULL; p && m->polygons < MOST_OBSTACLES; p = p->next) {
        int n = 0;
        for (const RiYamlNode *v = p->first; v && n < MOST_CORNERS; v = v->next, n++) {
            double xy[2];
            RI_TRY(ri_yaml_numbers(v, "", xy, 2));
            m->corners[m->polygons][n] = (Point){xy[0], xy[1]};
        }
        m->corner_count[m->polygons++] = n;
    }
    list = ri_yaml_get(node, "circles");
    for (const RiYamlNode *c = list ? list->first : NULL; c && m->circles < MOST_OBSTACLES; c = c->next)
        RI_TRY(ri_yaml_numbers(c, "", m->circle[m->circles++], 3));
    return RI_OK;
}

/// Distance of a cell, made smaller by a billionth, to the obstacles.
static double cell_gap(const Maze *m, double x0, double y0, double x1, double y1)
{
    const double e = 1e-9;
    const Point cell[4] = {{x0 + e, y0 + e}, {x1 - e, y0 + e}, {x1 - e, y1 - e}, {x0 + e, y1 - e}};
    double gap = INFINITY;
    for (int i = 0; i < m->polygons; i++)
        gap = fmin(gap, polygon_gap(cell, 4, m->corners[i], m->corner_count[i]));
    for (int i = 0; i < m->circles; i++) {
        const double *c = m->circle[i];
        const double dx = fmax(fmax(x0 + e - c[0], c[0] - x1 + e), 0.0);
        const double dy = fmax(fmax(y0 + e - c[1], c[1] - y1 + e), 0.0);
        gap = fmin(gap, hypot(dx, dy) - c[2]);
    }
    return gap;
}

/// Length of the path for a radius; infinite if there is none.
static RiStatus solve_maze(RiContext *ctx, const Maze *m, double radius, double cell, double *out_length)
{
    RiPlanner *p = NULL;
    RiVec3 *path = malloc(ROOM * sizeof *path);
    const int nx = (int)floor((m->bounds[2] - m->bounds[0]) / cell + 1e-6);
    const int ny = (int)floor((m->bounds[3] - m->bounds[1]) / cell + 1e-6);
    RiStatus status = path ? ri_planner_create(ctx, nx, ny, cell, m->bounds[0], m->bounds[1], &p)
                           : ri_error(ctx, RI_ERR_MEMORY, "out of memory");
    for (int i = 0; i < nx * ny && status == RI_OK; i++) {
        const double x = m->bounds[0] + i % nx * cell, y = m->bounds[1] + i / nx * cell;
        const double gap = cell_gap(m, x, y, x + cell, y + cell);
        if (gap <= 0.0 || gap < radius)
            status = ri_planner_set_cost(p, i % nx, i / nx, INFINITY);
    }
    int count = 0;
    *out_length = INFINITY;
    if (status == RI_OK)
        ri_planner_plan(p, m->start[0], m->start[1], m->goal[0], m->goal[1], path, ROOM, &count, out_length);
    ri_planner_destroy(p);
    free(path);
    return status;
}

static RiStatus maze_rows(RiValidation *run, const RiYamlNode *node)
{
    Maze *m = malloc(sizeof *m);
    const char *id = "?";
    RiStatus status = m ? read_maze(node, m) : ri_error(run->ctx, RI_ERR_MEMORY, "out of memory");
    if (status == RI_OK)
        status = ri_yaml_get_string(node, "id", &id);
    const RiYamlNode *answers = ri_yaml_get(node, "answers");
    for (const RiYamlNode *a = answers ? answers->first : NULL; a && status == RI_OK; a = a->next) {
        double radius = 0.0, exact = INFINITY, ours;
        char quantity[96];
        const RiYamlNode *length = ri_yaml_get(a, "length_m");
        status = ri_yaml_get_number(a, "radius_m", "", &radius);
        if (status == RI_OK && length && strcmp(length->text, "null") != 0)
            status = ri_yaml_number(length, "", &exact);
        if (status == RI_OK)
            status = solve_maze(run->ctx, m, radius, 0.1, &ours);
        if (status == RI_OK && isinf(ours) && isfinite(exact))
            status = solve_maze(run->ctx, m, radius, 0.05, &ours);
        if (status != RI_OK)
            break;
        snprintf(quantity, sizeof quantity, "%s: shortest path, radius %g m", id, radius);
        if (isfinite(exact))
            ri_validate_between(run, quantity, "m", exact, exact - 1e-6, 1.02 * exact, ours);
        else
            row(run, id, "a path is found where none exists", "", 0.0, 0.0, isfinite(ours));
    }
    free(m);
    return status;
}

static RiStatus sojourner_rows(RiValidation *run)
{
    // hazards (1 left, 2 centre, 4 right), action with the goal to the left, gap wide
    static const RiSojournerAction wide[8] = {
        RI_SOJOURNER_ARC,       RI_SOJOURNER_TURN_RIGHT, RI_SOJOURNER_TURN_LEFT, RI_SOJOURNER_TURN_RIGHT,
        RI_SOJOURNER_TURN_LEFT, RI_SOJOURNER_THREAD,     RI_SOJOURNER_TURN_LEFT, RI_SOJOURNER_TURN_LEFT,
    };
    const RiSojournerOptions o = ri_sojourner_options_default();
    int wrong = 0;
    for (int hazards = 0; hazards < 8; hazards++) {
        RiSojournerState s = {0};
        wrong += ri_sojourner_decide(&o, hazards, 0.5, 2.0, 0.0, &s) != wide[hazards];
    }
    ri_validate_near(run, "Sojourner: wrong rows of the rule table, of 8", "", 0.0, 0.0, wrong);
    return RI_OK;
}

// ---- where it believes to be ----------------------------------------------------------------------

/// Normal number k of an update, as a simulation gives it.
static double normal_of(const RiDeviceCall *call, int k)
{
    RiRng rng = ri_rng_stream(call->seed, "validate.navigation");
    rng.counter = (call->update * 64 + (unsigned long long)k) << 8;
    return ri_rng_normal(&rng);
}

enum { PORTS = 128, PICTURES = 50, DRIVES = 400 };

/// A pose estimator that is called by hand.
typedef struct Estimator {
    const RiDeviceClass *device;
    RiDeviceCall call;
    double x[PORTS];
    bool connected[PORTS];
} Estimator;

static double *port(Estimator *e, const char *name)
{
    static double none;
    for (int i = 0; i < e->device->port_count; i++)
        if (strcmp(e->device->ports[i].name, name) == 0)
            return &e->x[i];
    return &none;
}

static bool begin(Estimator *e, unsigned long long seed)
{
    *e = (Estimator){.device = ri_device_find("pose_estimator")};
    if (!e->device || e->device->port_count > PORTS)
        return false;
    for (int i = 0; i < e->device->port_count; i++)
        e->x[i] = e->device->ports[i].initial;
    memset(e->connected, true, sizeof e->connected);
    e->connected[port(e, "gyro") - e->x] = false;
    e->call = (RiDeviceCall){.dt = 1.0,
                             .x = e->x,
                             .connected = e->connected,
                             .normal = normal_of,
                             .seed = seed,
                             .frame_pose = ri_pose_identity()};
    *port(e, "vo") = 1.0;
    *port(e, "vo_step") = 0.3; // a picture with every step of 0.4 m
    *port(e, "vo_error") = 0.02;
    *port(e, "vo_heading_error") = 0.0;
    if (e->device->start(&e->call))
        return false;
    e->device->update(&e->call);
    return true;
}

/// A step of the rover, `rolled` by its wheels and `made` in truth, then a picture.
static void step(Estimator *e, double rolled, double made)
{
    e->call.update++;
    e->call.frame_pose.p.x += made;
    *port(e, "odometry_x") += rolled;
    e->device->update(&e->call);
}

/// Errors of the model of visual odometry are what its parameters say, and slip is seen at the first
/// picture after it has begun.
static void estimate_rows(RiValidation *run)
{
    Estimator e;
    double squares = 0.0, claimed = 0.0, failed = 0.0, pictures = 0.0, pictures_to_slip = 0.0;
    for (int k = 0; k < DRIVES; k++) {
        if (!begin(&e, 1u + (unsigned)k))
            return;
        for (int i = 0; i < PICTURES; i++)
            step(&e, 0.4, 0.4);
        const double off = *port(&e, "x") - 0.4 * PICTURES, aside = *port(&e, "y");
        squares += 0.5 * (off * off + aside * aside) / DRIVES;
        claimed = *port(&e, "sigma_x");
    }
    const double truth = 0.02 * 0.4 * sqrt(PICTURES);
    ri_validate_near(run, "visual odometry of 2 %: error after 50 pictures 0.4 m apart, rms along an axis", "m", truth,
                     2.0 * truth / sqrt(2.0 * 2.0 * DRIVES), sqrt(squares)); // two deviations of such an estimate
    ri_validate_near(run, "visual odometry: deviation that the pose claims", "m", truth, 1e-9, claimed);
    for (int k = 0; k < DRIVES; k++) {
        if (!begin(&e, 1000u + (unsigned)k))
            return;
        *port(&e, "features") = 40.0;
        *port(&e, "features_least") = 30.0;
        for (int i = 0; i < PICTURES; i++)
            step(&e, 0.4, 0.4);
        failed += *port(&e, "vo_failures");
        pictures += PICTURES;
    }
    const double share = 0.5 * erfc(10.5 / sqrt(2.0 * 40.0)); // of counts below 29.5 about a mean of 40
    ri_validate_near(run, "visual odometry: share of pictures with too few features, 30 of 40 on average", "", share,
                     2.0 * sqrt(share * (1.0 - share) / pictures), failed / pictures);
    if (!begin(&e, 5))
        return;
    for (int i = 0; i < 10; i++)
        step(&e, 0.4, 0.4);
    while (pictures_to_slip < 10.0 && *port(&e, "slip") < 0.6) { // it digs in: 0.04 m of 0.4 m
        step(&e, 0.4, 0.04);
        pictures_to_slip += 1.0;
    }
    ri_validate_near(run, "slip check: pictures until a slip of 0.9 passes a limit of 0.6", "", 1.0, 0.0,
                     pictures_to_slip);
    ri_validate_near(run, "slip check: slip that it sees", "", 0.9, 0.02, *port(&e, "slip"));
}

// ---- the slip stop in a drive ---------------------------------------------------------------------

static double read_value(RiSim *sim, const char *name)
{
    double x = NAN;
    return ri_values_eval(ri_sim_values(sim), name, &x) == RI_OK ? x : NAN;
}

/// Mean slip of the six wheels, as the law of the soil has it.
static double soil_slip(RiSim *sim)
{
    return read_value(sim, "(soil.tyre_front_left.slip + soil.tyre_middle_left.slip + soil.tyre_rear_left.slip + "
                           "soil.tyre_front_right.slip + soil.tyre_middle_right.slip + soil.tyre_rear_right.slip)/6");
}

/// Drives to the scene's end. How often it had thought when the slip passed the limit, for at least a
/// second of driving; NAN: it never did.
static RiStatus drive_to_slip(RiSim *sim, double limit, double *out_cycles)
{
    double since = NAN, cycles = NAN;
    *out_cycles = NAN;
    while (!ri_sim_stopped(sim) && ri_sim_time(sim) < 60.0) {
        RI_TRY(ri_sim_step(sim));
        if (!isnan(*out_cycles))
            continue;
        const bool beyond = read_value(sim, "nav.phase") == 3.0 && soil_slip(sim) > limit;
        if (!beyond) {
            since = NAN;
        } else if (isnan(since)) {
            since = ri_sim_time(sim);
            cycles = read_value(sim, "nav.cycles");
        } else if (ri_sim_time(sim) - since > 1.0) {
            *out_cycles = cycles;
        }
    }
    return RI_OK;
}

/// Motors, soil, visual odometry, its slip, navigation: one drive with dynamics up a slope of sand.
static RiStatus slip_stop_rows(RiValidation *run)
{
    char path[1100];
    RiScene *scene = NULL;
    double cycles = NAN;
    if (!run->robots) {
        ri_validate_skip(run, "slip check: needs the folder of robots");
        return RI_OK;
    }
    snprintf(path, sizeof path, "%.1000s/../scenes/mer_slip_stop.yaml", run->robots);
    RiStatus status = ri_scene_load(run->ctx, path, NULL, &scene);
    if (status == RI_OK)
        status = ri_scene_build(scene);
    RiSim *sim = status == RI_OK ? ri_scene_sim(scene) : NULL;
    if (status == RI_OK)
        status = drive_to_slip(sim, 0.25, &cycles);
    if (status == RI_OK) {
        ri_validate_near(run, "slip check, MER up steepening sand with dynamics: reason of the end (7 slip)", "", 7.0,
                         0.0, read_value(sim, "nav.reason"));
        ri_validate_between(run, "slip check: cycles begun after the soil's slip passed the limit", "", 0.0, 0.0, 1.0,
                            read_value(sim, "nav.cycles") - cycles);
        ri_validate_near(run, "slip check: slip by visual odometry minus the soil's, at the end", "", 0.0, 0.05,
                         read_value(sim, "pose.slip") - soil_slip(sim));
    }
    ri_scene_destroy(scene);
    return status;
}

static RiStatus open_data(RiValidation *run, const char *name, RiYaml **out_document)
{
    char path[1024];
    *out_document = NULL;
    if (!run->data)
        return RI_OK;
    snprintf(path, sizeof path, "%s/navigation/%s", run->data, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        return RI_OK;
    fclose(file);
    return ri_yaml_load(run->ctx, path, NULL, out_document);
}

RiStatus ri_case_navigation(RiValidation *run)
{
    RiYaml *document;
    RI_TRY(sojourner_rows(run));
    estimate_rows(run);
    RI_TRY(slip_stop_rows(run));
    RI_TRY(crest_rows(run));
    RI_TRY(open_data(run, "terrain_cases.yaml", &document));
    if (!document)
        ri_validate_skip(run, "terrain_cases.yaml is not in the folder of data");
    RiStatus status = RI_OK;
    const RiYamlNode *list = document ? ri_yaml_get(ri_yaml_root(document), "cases") : NULL;
    Ground ground = {0};
    for (const RiYamlNode *n = list ? list->first : NULL; n && status == RI_OK; n = n->next)
        status = terrain_rows(run, n, &ground);
    ri_yaml_destroy(document);
    RI_TRY(status);
    RI_TRY(open_data(run, "mazes.yaml", &document));
    if (!document)
        ri_validate_skip(run, "mazes.yaml is not in the folder of data");
    list = document ? ri_yaml_get(ri_yaml_root(document), "mazes") : NULL;
    for (const RiYamlNode *n = list ? list->first : NULL; n && status == RI_OK; n = n->next)
        status = maze_rows(run, n);
    ri_yaml_destroy(document);
    return status;
}
