// SPDX-License-Identifier: Apache-2.0
/// \file
/// The screw-soil law in a step: the stresses of screw.c with memory, regular at rest and in every
/// direction.
///
/// Nodes are at stations along the axis and at equal angles across the contact. Each remembers,
/// as parts of what the soil can bear there,
///
///     m   pressed in [0, 1]          dm/dt = v_r / delta, kept within its bounds: elastic over delta, then plastic; goes with the soil
///     u   friction, a vector         du/dt = (v - |v| u) / K           along the resultant slip P v; goes with the soil, that is back with v_x
///     b   blade in [-1, 1]           db/dt = (v_n - |v_n| b) / K       across the blades; goes with the soil between them, back with omega lead / 2 pi
///
/// so that u and b are Janosi's 1 - exp(-j / K) where the direction stays, and nothing moves at
/// rest [dahl1968; janosi1961]. Where strength grows a shear stress stays what it was, where it
/// falls the mobilised part does: stored energy never grows by itself. A front half that moves
/// ahead is pressed, the rear half is not: that is ploughing, and so are the end faces. Slopes are
/// secants, a sum of squares. Tests: tests/soil/test_screw.c.
#include <math.h>
#include <string.h>

#include "base/functions.h"
#include "soil/screw.h"

enum {
    FRONT,
    BACK,
    ENDS,
    FACE_WAS = ENDS,
    DUG = 2 * ENDS,
    HEAD
}; ///< of a memory: how far faces are pressed, what they could bear, depth that is dug; then the fields of nodes
#define ENTRY 1e-3              ///< within which soil at an end is replaced [m]
static const double TILT = 0.5; ///< sine of the inclination that is doubted

int ri_screw_memory_size(const RiSoilScrew *w)
{
    return HEAD + RI_ROW_FIELDS * w->stations * ri_screw_lanes(w->patches);
}

/// A screw at work in a step.
typedef struct Step {
    const RiSoilScrew *w;
    const RiNodeKernels *k;
    RiThread t;
    RiScrewPlace *at;
    const double *memory; ///< of the nodes
    int lanes, nodes;     ///< in a row, and in a field
    RiVec3 v, omega;
    double h, thread; ///< speed of the thread [m/s]
    double dug;       ///< [m]
    double weight[RI_SCREW_PATCH_MAX];
} Step;

static void begin(const RiSoilScrew *w, RiScrewPlace *at, const double *memory, RiVec3 v, RiVec3 omega, double h,
                  Step *out)
{
    const int lanes = ri_screw_lanes(w->patches);
    out->w = w;
    out->k = ri_node_kernels_find(NULL);
    out->t = ri_screw_thread(w);
    out->at = at;
    out->memory = memory + HEAD;
    out->dug = memory[DUG];
    out->lanes = lanes, out->nodes = w->stations * lanes;
    out->v = v, out->omega = omega;
    out->h = h;
    out->thread = omega.x * w->lead * w->hand / (2.0 * M_PI);
    ri_screw_weights(w->patches, out->weight);
}

static double limited(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/// Part of what was mobilised that is left where a strength has changed.
static double left_of(double was, double now)
{
    return now > was ? was / now : 1.0;
}

// --- what moves with the soil --------------------------------------------------------------------

/// Four weights of cubic interpolation between stations at the place x; `near` is the station it is
/// looked for from.
static int cubic_at(const RiSoilScrew *w, double x, int near, double weight[4])
{
    int i = near;
    while (i > 0 && x < w->station_x[i])
        i--;
    while (i < w->stations - 2 && x >= w->station_x[i + 1])
        i++;
    i = i - 1 < 0 ? 0 : i - 1 > w->stations - 4 ? w->stations - 4 : i - 1;
    const double *at = w->station_x + i, *share = w->station_share[i];
    const double a = x - at[0], b = x - at[1], c = x - at[2], d = x - at[3], ab = a * b, cd = c * d;
    weight[0] = b * cd * share[0];
    weight[1] = a * cd * share[1];
    weight[2] = ab * d * share[2];
    weight[3] = ab * c * share[3];
    return i;
}

/// Where the soil of a station comes from when it has moved back by `way` during the step. Soil
/// that comes in at an end takes the place of what was there within a short way, so that a screw
/// that trembles does not forget.
static void find_source(const Step *s, int station, double way, RiScrewSource *out)
{
    const double half = 0.5 * s->w->length, from = s->w->station_x[station] + way;
    out->keep = limited(1.0 - (fabs(from) - half) * (1.0 / ENTRY), 0.0, 1.0);
    out->end = way > 0.0 ? FRONT : BACK;
    if (way != 0.0) {
        out->first = cubic_at(s->w, limited(from, -half, half), station, out->weight);
        return;
    }
    out->first = station < s->w->stations - 4 ? station : s->w->stations - 4; // to the bit
    for (int i = 0; i < 4; i++)
        out->weight[i] = out->first + i == station;
}

/// The row of a station, in the place's arrays.
static void begin_row(const Step *s, int station, RiScrewRow *x)
{
    RiScrewPlace *at = s->at;
    const int first = station * s->lanes;
    x->count = s->w->patches, x->lanes = s->lanes, x->weight = s->weight;
    x->w = s->w, x->t = &s->t;
    x->x = s->w->station_x[station];
    x->sine = at->sine + first, x->cosine = at->cosine + first;
    x->pressure = at->pressure + first, x->elastic = at->elastic + first;
    for (int full = 0; full < 2; full++)
        x->friction[full] = at->friction[full] + first, x->blade[full] = at->blade[full] + first;
    x->plug = at->plug + first, x->arm = at->arm + first, x->most = at->most + first;
    x->step = at->step[station];
    x->area = s->w->radius * x->step * s->w->station_length[station];
}

/// What the motion of the step does to a row.
static void move_row(const Step *s, int station, RiScrewRow *x)
{
    x->h = s->h;
    x->vx = s->v.x, x->vy = s->v.y + s->omega.z * x->x, x->vz = s->v.z - s->omega.y * x->x;
    x->wx = s->omega.x, x->wy = s->omega.y, x->wz = s->omega.z;
    find_source(s, station, s->h * s->v.x, &x->soil);
    find_source(s, station, s->h * s->thread, &x->between);
    x->memory = s->memory, x->nodes = s->nodes, x->at = station * s->lanes;
    x->incoming = s->at->incoming[x->soil.end];
    s->k->screw_move(x);
}

// --- faces ---------------------------------------------------------------------------------------

/// How far a face is pressed after the step, before bounds.
static double face_after(const Step *s, int end, const double *memory)
{
    const double speed = s->v.x + s->at->face_z * s->omega.y;
    return memory[end] * left_of(memory[FACE_WAS + end], s->at->face[end]) +
           s->h * (end == FRONT ? speed : -speed) / s->at->face_elastic[end];
}

/// Pressed faces at either end.
static void add_faces(const Step *s, const double *memory, double wrench[6], RiScrewStep *out)
{
    for (int end = 0; end < ENDS; end++) {
        const double force = s->at->face[end], z = s->at->face_z;
        if (!(force > 0.0))
            continue;
        const double delta = s->at->face_elastic[end], whole = face_after(s, end, memory);
        const double m = limited(whole, 0.0, 1.0), back = end == FRONT ? -m * force : m * force;
        wrench[3] += back;
        wrench[1] += z * back;
        out->f.drag += back;
        out->stored += 0.5 * force * delta * m * m;
        if (!(s->h > 0.0 && whole > 0.0 && whole < 1.0))
            continue;
        const double slope = s->h * force / delta;
        out->slope[3][3] += slope;
        out->slope[1][3] += slope * z;
        out->slope[3][1] += slope * z;
        out->slope[1][1] += slope * z * z;
    }
}

// --- the contact ---------------------------------------------------------------------------------

/// Places the nodes of a station: false if it is free.
static bool place_station(const Step *s, const RiScrewGround *g, int station, RiScrewRow *x, unsigned *doubts)
{
    const int n = s->w->patches;
    const double side = g->side[station], along = g->along[station], size = sqrt(1.0 + side * side + along * along);
    x->plane = (RiScrewPlane){g->height[station] - s->dug, side, 1.0 / size};
    x->rut = g->ruts ? g->rut[station] : NULL;
    x->packed = g->packed[station];
    x->reach = g->reach[station];
    x->end = station == 0 || station == s->w->stations - 1;
    s->at->soil[station] = NULL;
    const int arc = g->soil[station] ? ri_screw_arc(s->w, x->plane, &x->arc) : 0;
    if (arc == 0)
        return false;
    s->at->soil[station] = g->soil[station];
    s->at->step[station] = 2.0 * x->arc.half / n;
    begin_row(s, station, x);
    x->first = 0.5 * x->step - x->arc.half;
    *doubts |= arc == 2 ? RI_SCREW_DOUBT_BURIED : 0u;
    *doubts |= fabs(along) > TILT * size ? RI_SCREW_DOUBT_TILT : 0u;
    return true;
}

/// Depth of the drum's lowest line [m].
static double deepest(const RiSoilScrew *w, RiScrewPlane p)
{
    return p.height * p.cosine + w->core * p.cosine * sqrt(1.0 + p.side * p.side);
}

/// What the face of an end can bear: it presses fresh soil, below the depth to which others have
/// pressed it before, and loads what they did.
static void set_face(const RiScrewGround *g, int end, const RiScrewRow *x, RiScrewPlace *out)
{
    const double before = g->pressed[end], deep = deepest(x->w, x->plane);
    const double fresh = before <= 0.0 ? 1.0 : deep > before ? 1.0 - ri_pow(before / deep, x->law->n0 + 1.0) : 0.0;
    double loading = 0.0;
    for (int k = 0; k < x->count; k++)
        loading += 0.5 * x->pressure[k] * x->elastic[k] * x->w->radius * x->step;
    out->face_elastic[end] = x->elastic[x->count / 2];
    out->incoming[end] = limited(1.0 - (before - deep) / out->face_elastic[end], 0.0, 1.0);
    out->face[end] = fresh * x->face + (1.0 - fresh) * out->incoming[end] * loading;
    out->face_z = -x->w->core + 0.5 * limited(deep, 0.0, x->w->core);
}

/// All sums that the force of a step is made of.
static void put_sums(const RiScrewSums *sums, double wrench[6], RiScrewStep *out)
{
    for (int i = 0; i < 6; i++)
        wrench[i] = ri_screw_total(sums, RI_SCREW_WRENCH + i);
    out->f.thrust = ri_screw_total(sums, RI_SCREW_THRUST);
    out->f.drag = ri_screw_total(sums, RI_SCREW_DRAG);
    out->f.limit = ri_screw_total(sums, RI_SCREW_LIMIT);
    out->stored = ri_screw_total(sums, RI_SCREW_STORED);
    for (int c = 0, k = RI_SCREW_SLOPE; c < 6; c++)
        for (int r = c; r < 6; r++, k++)
            out->slope[r][c] = out->slope[c][r] = ri_screw_total(sums, k);
}

void ri_screw_step(const RiSoilScrew *w, const RiScrewGround *ground, const double *memory, RiVec3 v, RiVec3 omega,
                   double h, RiScrewStep *out)
{
    Step s;
    RiScrewSums sums;
    double wrench[6];
    begin(w, &out->place, memory, v, omega, h, &s);
    out->f = (RiScrewForce){.slip = ri_slip(v.x, s.thread), .sinkage = w->core - w->radius};
    memset(out->slope, 0, sizeof out->slope);
    memset(&sums, 0, sizeof sums);
    out->stored = 0.0;
    out->touching = false;
    out->place.face[FRONT] = out->place.face[BACK] = 0.0;
    out->place.incoming[FRONT] = out->place.incoming[BACK] = 1.0;
    const RiScrewSoil *soil = NULL;
    double carried = 0.0, width = 0.0;
    for (int i = 0; i < w->stations; i++) {
        RiScrewRow row;
        if (!place_station(&s, ground, i, &row, &out->f.doubts))
            continue;
        soil = out->place.soil[i];
        ri_screw_load(s.k, soil, &row);
        if (row.end)
            set_face(ground, i == 0 ? BACK : FRONT, &row, &out->place);
        move_row(&s, i, &row);
        s.k->screw_sum(&row, &sums);
        out->f.sinkage = fmax(out->f.sinkage, deepest(w, row.plane) + s.dug);
        carried += w->station_length[i] * row.carried;
        width += w->station_length[i] * 2.0 * row.arc.chord;
    }
    out->place.carried = width > 0.0 ? carried / width : 0.0;
    out->f.dug = s.dug;
    out->touching = soil != NULL;
    if (!soil)
        return;
    put_sums(&sums, wrench, out);
    add_faces(&s, memory, wrench, out);
    out->f.moment = ri_vec3(wrench[0], wrench[1], wrench[2]);
    out->f.force = ri_vec3(wrench[3], wrench[4], wrench[5]);
    out->f.torque = -wrench[0];
    out->f.doubts |= ri_screw_doubts(w, soil, out->f.sinkage, ri_wheel_slip(v.x, s.thread));
}

// --- memory --------------------------------------------------------------------------------------

/// Soil that blades carry back leaves the contact lower, and fresh ground comes in at its ends and
/// sides. Over the length L of the drum, with the height H of soil that goes with the blades at the
/// thread's speed v_t,
///
///     L dx/dt = H (v_t - v) - |v| x - (L / width) |v_y| x
///
/// exact for the step. Steady driving ends at x = H i / (1 - i): what comes in at the front is what
/// the thread takes away.
static double dug_after(const Step *s, double dug)
{
    const double v = s->v.x, t = s->thread, L = s->w->length;
    const double slipping = t * v >= 0.0 ? fmax(0.0, fabs(t) - fabs(v)) : fabs(t) + fabs(v);
    const double rate = s->w->dig * s->at->carried * slipping / L, leave = fabs(v) / L + fabs(s->v.y) / s->w->radius;
    const double gone = leave * s->h;
    return gone > 1e-9 ? dug + (rate / leave - dug) * -ri_expm1(-gone) : dug + rate * s->h;
}

/// A row as it is remembered: mobilised parts, and strengths times the width of a node.
static void keep_row(const Step *s, const RiScrewRow *x, double *next)
{
    const double *const from[RI_ROW_FIELDS] = {x->pressed, x->u, x->c, x->b, x->rub, x->push};
    for (int f = 0; f < RI_ROW_FIELDS; f++) {
        const double by = f < RI_ROW_FRICTION ? 1.0 : x->step;
        double *to = next + f * s->nodes + x->at;
        for (int i = 0; i < s->lanes; i++)
            to[i] = by * from[f][i];
    }
}

void ri_screw_remember(const RiSoilScrew *w, RiScrewStep *step, double *memory, RiVec3 v, RiVec3 omega, double h)
{
    Step s;
    RiScrewSums sums;
    double next[RI_ROW_FIELDS * RI_SCREW_NODE_MAX];
    begin(w, &step->place, memory, v, omega, h, &s);
    memset(&sums, 0, sizeof sums);
    memset(next, 0, sizeof *next * (size_t)(RI_ROW_FIELDS * s.nodes));
    step->f.slip = ri_slip(v.x, s.thread);
    for (int i = 0; i < w->stations; i++) {
        RiScrewRow row;
        if (!step->place.soil[i])
            continue;
        begin_row(&s, i, &row);
        row.law = &step->place.soil[i]->law;
        move_row(&s, i, &row);
        s.k->screw_show(&row, &sums);
        keep_row(&s, &row, next);
    }
    step->f.thrust = ri_screw_total(&sums, RI_SCREW_THRUST);
    step->f.drag = ri_screw_total(&sums, RI_SCREW_DRAG);
    step->stored = ri_screw_total(&sums, RI_SCREW_STORED);
    for (int end = 0; end < ENDS; end++) {
        const double m = step->place.face[end] > 0.0 ? limited(face_after(&s, end, memory), 0.0, 1.0) : 0.0;
        step->f.drag -= (end == FRONT ? m : -m) * step->place.face[end];
        step->stored += m > 0.0 ? 0.5 * step->place.face[end] * step->place.face_elastic[end] * m * m : 0.0;
        memory[end] = m;
    }
    memory[DUG] = step->touching ? dug_after(&s, memory[DUG]) : 0.0;
    memcpy(memory + FACE_WAS, step->place.face, sizeof step->place.face);
    memcpy(memory + HEAD, next, (size_t)(RI_ROW_FIELDS * s.nodes) * sizeof *next);
}

void ri_screw_relax(const RiSoilScrew *w, double left, double *memory)
{
    const int nodes = w->stations * ri_screw_lanes(w->patches);
    for (int end = 0; end < ENDS; end++)
        memory[end] *= left;
    for (int i = 0; i < RI_ROW_FRICTION * nodes; i++) // all shares that are mobilised are before the strengths
        memory[HEAD + i] *= left;
}
