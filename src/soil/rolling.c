// SPDX-License-Identifier: Apache-2.0
/// \file
/// The wheel-soil law in a step: the closed forms with memory, regular at rest and in every
/// direction.
///
/// Where the closed forms have a velocity in the denominator, a memory that is moved by
/// displacements takes its place. The mobilised shear u of a patch obeys
///
///     du/dt = (v - |v| u) / K                                             [dahl1968; janosi1961]
///
/// along the path of the rim through the contact: u = 1 - exp(-j / K) where the direction of
/// shearing stays the same, exactly Janosi's law, and the hysteresis of a plastic material where it
/// changes. At rest it keeps what it carries: nothing creeps. The same equation, with a length of
/// the contact for K, moves the direction of rolling d (which side is entry), the slip in n and
/// theta_m, and the share of the side wall's pressure; each is at its steady value after some
/// contact lengths of travel. The slip in n and theta_m takes the whole loaded length: what slips
/// more sinks more and is held back more, and if that came sooner a rover would swing on its soil
/// for ever. In between, stress is the mean of that for rolling forward and backward:
///
///     sigma = (1 + d)/2 sigma_forward + (1 - d)/2 sigma_backward
///
/// **Normal.** How far a wheel has been lifted since it was pressed down last is remembered: the
/// soil unloads along a steep line and is loaded again along the same, with a damping of its own: a
/// rover that swings on its soil comes to rest, whatever the step. Travel brings fresh soil and
/// takes the memory off. **Slopes** are secants in the tangential velocities and the stiffness
/// times h in the normal one, so an implicit step may take them (docs/theory/wheel-soil.md). Tests:
/// tests/soil/test_rolling.c.
#include <math.h>
#include <string.h>

#include "base/functions.h"
#include "soil/wheel.h"

enum { ROLLING, SLIP, SIDE, SHOWN, HEAD }; ///< of a memory
enum { HIGH, LOW, LIFT, SLICE_HEAD };      ///< of a slice in it
static const double LEAST_ELASTIC = 1e-5;  ///< of the elastic sinkage [m]
static const double SPIN_SHARE = 0.2;      ///< by which a wheel that spins in place has a direction
static const double ROLL_LENGTH = 0.25;    ///< of memories, in lengths of the ground that the rim overlaps
static const double SLIP_LENGTH = 0.5;     ///< of the slip that stresses know: what is loaded of a wheel that rolls

static int slice_size(const RiSoilWheel *w)
{
    return SLICE_HEAD + 2 * w->patches;
}

int ri_wheel_memory_size(const RiSoilWheel *w)
{
    return HEAD + w->slices * slice_size(w);
}

/// max and min for arguments that are not NaN; cheaper than fmax and fmin.
static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double limited(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

// --- one slice -----------------------------------------------------------------------------------

/// A slice at work in a step.
typedef struct Slice {
    const RiSoilLaw *soil;
    const RiSlicePlace *at;
    double b, y;
    const double *memory;
    RiShear shear; ///< its patches, and how it moves
} Slice;

/// A wheel at work in a step.
typedef struct Step {
    const RiSoilWheel *w;
    const RiNodeKernels *k;
    double h, rolling;
    RiSliding sliding;
    RiWheelStep *out;
    double square[RI_NODE_MAX / 2], rate[RI_NODE_MAX / 2]; ///< of nodes of half an arc, for stresses
} Step;

/// Slices side by side, where they meet the ground: RI_NODE_LANES from the first on. `some`: a slice
/// that has soil, which stands in for those that have none.
static void meet(const Step *s, const RiSoilGround *g, int first, int some, RiRims *x)
{
    const int left = s->w->slices - first;
    x->count = left < RI_NODE_LANES ? left : RI_NODE_LANES;
    x->stations = g->stations;
    x->x = g->x;
    for (int lane = 0; lane < RI_NODE_LANES; lane++) {
        const int i = lane < x->count && g->soil[first + lane] ? first + lane : some;
        x->z[lane] = g->z[i];
        x->r[lane] = s->w->slice_radius[i];
        x->rebound[lane] = g->soil[i]->rebound;
    }
    s->k->meet(x);
}

/// A slice that meets the ground, by the direction of rolling: towards `high` first.
typedef struct Meeting {
    double entry[2], sine[2], less[2], back[2]; ///< angle, its sine, 1 less its cosine; of what springs back
} Meeting;

static Meeting meeting_of(const RiRims *x, int lane)
{
    return (Meeting){{x->high[lane], -x->low[lane]},
                     {x->sine_high[lane], -x->sine_low[lane]},
                     {x->less_high[lane], x->less_low[lane]},
                     {x->back_high[lane], x->back_low[lane]}};
}

/// Exit of a wheel that rolls towards an entry with the share d of rolling: from the ground's to the
/// rebound's (wheel.c: ri_soil_exit).
static double blend_exit(const Step *s, const RiSoilLaw *soil, const Meeting *x, int side, double d)
{
    const double entry = x->entry[side], other = x->entry[1 - side];
    if (d <= 0.0)
        return -other;
    const double angle = (soil->exit0 + soil->exit1 * s->sliding.slip) * entry - x->back[side];
    const double rolled = larger(-other, angle > 0.0 ? 0.0 : larger(angle, -entry));
    return -other + d * (rolled + other);
}

/// The arc of rolling in a direction, in its own sense of angles.
static RiArc arc_of(const Step *s, const RiSlicePlace *x, const Meeting *m, int slice, int side)
{
    RiArc arc = {.r = s->w->slice_radius[slice],
                 .b = s->w->slice_width[slice],
                 .entry = m->entry[side],
                 .exit = blend_exit(s, x->soil, m, side, side ? -s->rolling : s->rolling),
                 .over = x->over,
                 .sliding = s->sliding};
    const double width = arc.entry - arc.exit;
    arc.middle =
        limited(ri_soil_middle(x->soil, &s->sliding) * arc.entry, arc.exit + 0.02 * width, arc.entry - 0.02 * width);
    return arc;
}

/// Weight of rolling towards the front (0) or back; nothing below what a sum would notice.
static double weight_of(const Step *s, int side)
{
    const double x = 0.5 * (1.0 + (side ? -s->rolling : s->rolling));
    return x < 1e-6 ? 0.0 : x;
}

/// Places the patches over the part of the contact that carries stress.
static void span(const Step *s, const RiArc arc[2], RiSlicePlace *x)
{
    x->top = -INFINITY;
    x->bottom = INFINITY;
    for (int side = 0; side < 2; side++) {
        if (weight_of(s, side) == 0.0)
            continue;
        x->top = larger(x->top, side ? -arc[side].exit : arc[side].entry);
        x->bottom = smaller(x->bottom, side ? -arc[side].entry : arc[side].exit);
    }
    s->k->spread(s->w->patches, x->top, x->bottom, x->theta, x->sine, x->cosine);
}

/// Pressures under plates: sinkages of slices, and depths to which their soil has been pressed
/// before by the direction of rolling.
typedef struct Plates {
    double z[3 * RI_SLICE_MAX], unit[3 * RI_SLICE_MAX], n[3 * RI_SLICE_MAX], k[3 * RI_SLICE_MAX], p[3 * RI_SLICE_MAX];
    int count;
} Plates;

static void add_plate(Plates *x, const RiSoilLaw *soil, double n, double z)
{
    x->z[x->count] = z;
    x->unit[x->count] = soil->unit;
    x->n[x->count] = n;
    x->k[x->count++] = soil->k;
}

/// Finds them; what is behind them in the last lanes is no sinkage.
static void press_plates(const Step *s, Plates *x)
{
    const int count = x->count, padded = (count + RI_NODE_LANES - 1) / RI_NODE_LANES * RI_NODE_LANES;
    for (int i = count; i < padded; i++) {
        x->z[i] = 0.0;
        x->unit[i] = x->n[i] = x->k[i] = 1.0;
    }
    s->k->powers(padded, x->z, x->unit, x->n, x->k, x->p);
}

/// Elastic sinkage by the pressure of a sinkage: that at which the unloading slope has half of it,
/// and never more than half of the sinkage: soil that is stiffer than its unloading slope would else
/// give back more than it has taken.
static double elastic_of(const RiSoilLaw *soil, double pressure, double z)
{
    return larger(LEAST_ELASTIC, 0.5 * smaller(pressure / soil->unload, z));
}

/// A slice in contact, before its stresses.
typedef struct Contact {
    RiArc arc[2];
    Meeting meeting;
    double n;          ///< exponent
    double stretch[2]; ///< over which soil gives back what it has seen [m]
} Contact;

/// Where a slice meets the ground: false if it does not.
static bool place_slice(const Step *s, const RiSoilGround *g, const RiRims *rims, int i, RiSlicePlace *x, Contact *out)
{
    const int lane = i % RI_NODE_LANES;
    const double r = s->w->slice_radius[i];
    x->soil = NULL;
    if (!g->soil[i] || rims->touches[lane] == 0.0)
        return false;
    x->soil = g->soil[i];
    x->low = rims->low[lane];
    x->high = rims->high[lane];
    x->over = larger(0.0, g->z[i][g->stations / 2]);
    x->sinkage = weight_of(s, 0) * (r * rims->less_high[lane]) + weight_of(s, 1) * (r * rims->less_low[lane]) + x->over;
    x->length = r * (x->high - x->low);
    out->meeting = meeting_of(rims, lane);
    for (int side = 0; side < 2; side++) {
        out->arc[side] = arc_of(s, x, &out->meeting, i, side);
        out->arc[side].packed = g->packed[i][side];
    }
    out->n = ri_soil_exponent(x->soil, &s->sliding);
    out->stretch[0] = out->stretch[1] = 1.0;
    span(s, out->arc, x);
    return true;
}

/// Elastic sinkages of all slices in contact, and how far the soil under them unloads.
static void find_elastic(const Step *s, const RiSoilGround *g, RiSlicePlace *place, Contact *contacts)
{
    Plates plates = {.count = 0};
    for (int i = 0; i < s->w->slices; i++) {
        const RiSoilLaw *soil = place[i].soil;
        if (!soil)
            continue;
        const double packed = smaller(g->packed[i][0], g->packed[i][1]), z = place[i].sinkage + packed;
        if (soil->stacked)
            place[i].elastic = elastic_of(soil, ri_stack_pressure(s->k, soil, &s->sliding, packed, z), z);
        else {
            add_plate(&plates, soil, contacts[i].n, z);
            for (int side = 0; side < 2; side++)
                if (weight_of(s, side) > 0.0 && g->packed[i][side] > 0.0)
                    add_plate(&plates, soil, contacts[i].n, g->packed[i][side]);
        }
    }
    press_plates(s, &plates);
    for (int i = 0, at = 0; i < s->w->slices; i++) {
        const RiSoilLaw *soil = place[i].soil;
        if (!soil || soil->stacked)
            continue;
        place[i].elastic = elastic_of(soil, plates.p[at], plates.z[at]);
        at++;
        for (int side = 0; side < 2; side++)
            if (weight_of(s, side) > 0.0 && g->packed[i][side] > 0.0)
                contacts[i].stretch[side] = plates.p[at++] / soil->unload;
    }
}

static void place_slices(const Step *s, const RiSoilGround *g, RiSlicePlace *place, Contact *contacts)
{
    RiRims rims;
    bool touching = false;
    int some = 0;
    while (some < s->w->slices && !g->soil[some])
        place[some++].soil = NULL;
    for (int i = some; i < s->w->slices; i++) {
        if (i == some || i % RI_NODE_LANES == 0)
            meet(s, g, i - i % RI_NODE_LANES, some, &rims);
        touching |= place_slice(s, g, &rims, i, &place[i], &contacts[i]);
    }
    if (touching)
        find_elastic(s, g, place, contacts);
}

/// A slice in contact that moves with the wheel: shear at the end of the step; `acts`: as it acts on
/// the wheel, with its damping.
static void move_slice(const Step *s, const RiSlicePlace *at, const double *memory, RiVec3 v, RiVec3 w, int i,
                       bool acts, Slice *x)
{
    const RiSoilLaw *soil = at->soil;
    const double y = s->w->slice_y[i], was = memory[HIGH] - memory[LOW];
    x->soil = soil;
    x->at = at;
    x->b = s->w->slice_width[i];
    x->y = y;
    x->memory = memory;
    RiShear *u = &x->shear;
    u->count = s->w->patches;
    u->coupled = soil->coupled;
    u->h = s->h;
    u->top = at->top;
    u->bottom = at->bottom;
    u->high = memory[HIGH];
    u->scale = was > 0.0 ? (u->count - 1) / was : -INFINITY;
    u->vx = v.x - w.z * y;
    u->vz = v.z + w.x * y;
    u->spin = w.y;
    u->vy = v.y;
    u->turn = w.z;
    u->lean = w.x;
    u->r = s->w->slice_radius[i];
    u->per_x = 1.0 / (soil->kx + soil->kx_beta * s->sliding.beta);
    u->per_y = 1.0 / (soil->ky + soil->ky_beta * s->sliding.beta);
    u->lag = acts ? soil->shear_lag : 0.0;
    u->theta = at->theta;
    u->sine = at->sine;
    u->cosine = at->cosine;
    u->was = memory + SLICE_HEAD;
    s->k->shear(u);
}

// --- sums ----------------------------------------------------------------------------------------

/// Stresses of soil in layers, node by node.
static void sum_layers(const Step *s, const RiSoilLaw *soil, const RiArc *arc, double n, RiArcNodes *nodes,
                       const RiShear *shear, RiSums *out)
{
    RiNodes q;
    double strength[RI_NODE_MAX / 2];
    ri_nodes_fill(s->k, soil, arc, n, s->w->panels, &q);
    for (int i = 0; i < q.half && ri_soil_is_layered(soil); i++)
        strength[i] = ri_stack_strength(soil, q.depth[i], q.sigma[i]);
    nodes->theta = q.theta;
    nodes->weight = q.weight;
    nodes->sine = q.sine;
    nodes->cosine = q.cosine;
    nodes->sigma = q.sigma;
    nodes->slope = q.slope;
    nodes->strength = ri_soil_is_layered(soil) ? strength : NULL;
    s->k->sum(nodes, shear, out);
}

static void sum_arc(const Step *s, const Slice *x, const Contact *c, int side, bool first, RiSums *out)
{
    const RiArc *arc = &c->arc[side];
    const RiSoilLaw *soil = x->soil;
    double more;
    const double gain = ri_soil_lug_gain(s->w, soil, &more);
    RiArcNodes nodes = {.first = first,
                        .half = s->w->panels * RI_PANEL_POINTS,
                        .sign = side ? -1.0 : 1.0,
                        .share = weight_of(s, side),
                        .gain = gain,
                        .cohesion = soil->cohesion,
                        .tan_phi = soil->tan_phi,
                        .claws = ri_soil_grouser(s->w, soil) / arc->r + more,
                        .claws_full = s->w->grousers_full,
                        .kx = soil->kx + soil->kx_beta * s->sliding.beta,
                        .ky = soil->ky + soil->ky_beta * s->sliding.beta};
    if (soil->stacked) {
        sum_layers(s, soil, arc, c->n, &nodes, &x->shear, out);
        return;
    }
    const RiArcPress press = {.r = arc->r,
                              .b = arc->b,
                              .entry = arc->entry,
                              .exit = arc->exit,
                              .middle = arc->middle,
                              .sine = c->meeting.sine[side],
                              .less = c->meeting.less[side],
                              .over = arc->over,
                              .packed = arc->packed,
                              .stretch = c->stretch[side],
                              .k = soil->k,
                              .per_unit = 1.0 / soil->unit,
                              .n = c->n,
                              .base_depth = soil->base_depth,
                              .base_stiffness = soil->base_stiffness,
                              .square = s->square,
                              .rate = s->rate};
    s->k->arc(&nodes, &press, &x->shear, out);
}

/// The share of the ground's strength that acts, and the slope of the load in the sinkage.
///
/// Pressed on, a wheel finds what the ground gives at the beginning of the step, from where the
/// step goes on by its slopes: so a fall is of second order in h. Where the load would grow by as
/// much as itself in a step (rock under the soil), that would ring: there, growth q of the load
/// counts at once, as q^2 / (1 + q). Where it has been lifted since it was pressed down last, soil
/// is a spring and a damper side by side: its force is that of the lift `unload_time` later.
static double load_share(const Slice *x, const RiSums *sum, double h, double *out_slope)
{
    const double later = larger(h, x->soil->unload_time), vz = x->shear.vz, lift = x->memory[LIFT] + later * vz;
    *out_slope = 0.0;
    if (!(sum->load > 0.0) || lift >= x->at->elastic)
        return 0.0;
    if (lift <= 0.0) {
        const double growth = larger(0.0, -(x->memory[LIFT] + h * vz) * sum->stiffness / sum->load);
        *out_slope = sum->stiffness;
        return 1.0 + growth * growth / (1.0 + growth);
    }
    *out_slope = h > 0.0 ? later / h * sum->load / x->at->elastic : 0.0;
    return 1.0 - lift / x->at->elastic;
}

/// Adds slopes in the slice's own velocities, v_x - y omega_z, v_z + y omega_x, omega_y, to those
/// of the wheel: the lower triangle.
static void add_in_plane(double S[6][6], const double C[3][3], double y, double share)
{
    enum { WX, WY, WZ, VX, VY, VZ };
    const double xx = share * C[0][0], zx = share * C[1][0], zz = share * C[1][1], sx = share * C[2][0],
                 sz = share * C[2][1];
    S[WX][WX] += y * y * zz;
    S[WY][WX] += y * sz;
    S[WY][WY] += share * C[2][2];
    S[WZ][WX] -= y * y * zx;
    S[WZ][WY] -= y * sx;
    S[WZ][WZ] += y * y * xx;
    S[VX][WX] += y * zx;
    S[VX][WY] += sx;
    S[VX][WZ] -= y * xx;
    S[VX][VX] += xx;
    S[VZ][WX] += y * zz;
    S[VZ][WY] += sz;
    S[VZ][WZ] -= y * zx;
    S[VZ][VX] += zx;
    S[VZ][VZ] += zz;
}

/// The same for v_y, omega_z, omega_x.
static void add_across(double S[6][6], const double D[3][3], double share)
{
    S[0][0] += share * D[2][2];
    S[2][0] += share * D[2][1];
    S[2][2] += share * D[1][1];
    S[4][0] += share * D[2][0];
    S[4][2] += share * D[1][0];
    S[4][4] += share * D[0][0];
}

static void mirror(double S[6][6])
{
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < i; k++)
            S[k][i] = S[i][k];
}

static void add_slice(Step *s, const Slice *x, RiSums *sum)
{
    double slope;
    const double g = load_share(x, sum, s->h, &slope), elastic = x->at->elastic, y = x->y, vz = x->shear.vz,
                 r = x->shear.r, damper = vz < 0.0 ? x->soil->damping * sum->area : 0.0;
    RiWheelForce *f = &s->out->f;
    const double load = g * (sum->load + sum->ts) - damper * vz, pull = g * (sum->tc - sum->resistance),
                 side = g * sum->side;
    const double torque = g * (r * sum->t + (2.0 / 3.0 - s->w->locked) * s->w->grouser_height * sum->claw);
    f->thrust += g * sum->tc;
    f->resistance += g * sum->resistance;
    f->grouser += g * sum->claw;
    f->torque += torque;
    f->shear_side += side;
    f->force = ri_add(f->force, ri_vec3(pull, side, load));
    f->moment = ri_add(f->moment, ri_vec3(y * load + g * r * sum->side_c, -torque, g * r * sum->side_s - y * pull));
    s->out->stored += 0.5 * sum->load * elastic * smaller(g, 1.0) * smaller(g, 1.0) + g * sum->stored;
    s->out->stored += g / 3.0 * fabs(sum->resistance) * ROLL_LENGTH * x->at->length * fabs(s->rolling);
    if (s->h > 0.0) {
        sum->C[1][1] += (s->h * slope + damper) / larger(g, 1e-9);
        add_in_plane(s->out->slope, (const double(*)[3])sum->C, y, larger(g, 1e-9));
        add_across(s->out->slope, (const double(*)[3])sum->D, larger(g, 1e-9));
    }
    if (x->at->sinkage > f->sinkage) {
        f->sinkage = x->at->sinkage;
        f->entry = s->rolling >= 0.0 ? x->at->high : -x->at->low;
        f->exit = s->rolling >= 0.0 ? x->at->bottom : -x->at->top;
    }
}

/// Share of the side wall's pressure at the end of the step, and its secant slope.
static double side_share(double u, double vx, double vy, double h, double length, double *out_slope)
{
    const double speed = sqrt(vx * vx + vy * vy), a = speed * h / length;
    const double g = a > 1e-12 ? -ri_expm1(-a) / speed : h / length;
    *out_slope = g;
    return u + g * (vy - speed * u);
}

/// Terzaghi's pressure on the side wall against the sliding.
static void add_side_wall(Step *s, const RiSoilLaw *soil, const double *memory, double share, RiVec3 v, double lean)
{
    double arm, slope;
    RiWheelForce *f = &s->out->f;
    const double left = share * ri_soil_ploughed(s->sliding.slip);
    const double most = left * ri_soil_side_wall(soil, s->w->radius, f->entry, &arm);
    const double u = side_share(memory[SIDE], v.x, v.y + arm * lean, s->h, soil->ky, &slope), force = -most * u;
    f->bulldozing = force;
    f->force.y += force;
    f->moment.x += arm * force;
    s->out->stored += 0.5 * most * soil->ky * u * u;
    if (s->h == 0.0)
        return;
    const double c = most * slope; // the force acts at (0, 0, -arm): v_y + arm omega_x
    s->out->slope[0][0] += c * arm * arm;
    s->out->slope[4][0] += c * arm;
    s->out->slope[4][4] += c;
}

/// What the front of a wheel ploughs that moves aside, against its motion along x: a share
/// sin(beta) of Terzaghi's pressure on b z, times cos(beta). It does no work.
static void add_front(Step *s, const RiSoilLaw *soil, const double *memory, double share, RiVec3 v)
{
    static const double LEAST_SPEED = 1e-4; // below it the force fades with the speed [m/s]
    const double aside = fabs(memory[SIDE]);
    if (aside == 0.0)
        return;
    const double most =
        share * ri_soil_ploughed(s->sliding.slip) * aside * ri_soil_front(s->w, soil, s->out->f.sinkage);
    const double c = most / larger(sqrt(v.x * v.x + v.y * v.y), LEAST_SPEED);
    s->out->f.ploughing = -c * v.x;
    s->out->f.force.x -= c * v.x;
    if (s->h > 0.0)
        s->out->slope[3][3] += c;
}

/// The soil that speaks for the whole wheel: that of the touching slice nearest to the middle. Of
/// two as near, the weaker one: the choice must not depend on which side is left. NULL if no slice
/// touches soil.
static const RiSoilLaw *soil_of_wheel(const RiSoilWheel *w, const RiSlicePlace *place)
{
    const RiSoilLaw *soil = NULL;
    double nearest = INFINITY;
    for (int i = 0; i < w->slices; i++) {
        const RiSoilLaw *here = place[i].soil;
        const double off = fabs(w->slice_y[i]), same = 1e-9 * w->width;
        if (!here || off > nearest + same)
            continue;
        if (off < nearest - same || here->tan_phi < soil->tan_phi)
            soil = here;
        nearest = fmin(nearest, off);
    }
    return soil;
}

static RiSliding sliding_of(const double *memory)
{
    return ri_soil_sliding(limited(memory[SLIP], -1.0, 1.0), smaller(fabs(memory[SIDE]), 1.0));
}

static void begin_step(const RiSoilWheel *w, const double *memory, double h, RiWheelStep *out, Step *s)
{
    s->w = w;
    s->k = ri_node_kernels_find(NULL);
    s->h = h;
    s->rolling = limited(memory[ROLLING], -1.0, 1.0);
    s->sliding = sliding_of(memory);
    s->out = out;
}

void ri_wheel_step(const RiSoilWheel *w, const RiSoilGround *ground, const double *memory, RiVec3 v, RiVec3 omega,
                   double h, RiWheelStep *out)
{
    out->f = (RiWheelForce){.slip = memory[SHOWN], .rolling = memory[ROLLING], .travel_slip = memory[SLIP]};
    memset(out->slope, 0, sizeof out->slope);
    memset(out->incline, 0, sizeof out->incline);
    out->stored = 0.0;
    out->touching = false;
    Step s;
    begin_step(w, memory, h, out, &s);
    ri_nodes_run(w->panels, s.square, s.rate);
    Contact contacts[RI_SLICE_MAX];
    place_slices(&s, ground, out->place, contacts);
    double carried = 0.0, whole = 0.0;
    for (int i = 0; i < w->slices; i++) {
        Slice x;
        RiSums sum;
        bool first = true;
        if (!out->place[i].soil)
            continue;
        move_slice(&s, &out->place[i], memory + HEAD + i * slice_size(w), v, omega, i, true, &x);
        for (int side = 0; side < 2; side++)
            if (weight_of(&s, side) > 0.0) {
                sum_arc(&s, &x, &contacts[i], side, first, &sum);
                first = false;
            }
        out->incline[i] = sum.load > 0.0 ? sum.resistance / sum.load : 0.0;
        const double before = out->f.force.z;
        add_slice(&s, &x, &sum);
        carried += out->f.force.z - before;
        whole += sum.load + sum.ts;
        out->touching = true;
    }
    const RiSoilLaw *soil = soil_of_wheel(w, out->place);
    if (!soil)
        return;
    const double share = whole > 0.0 ? limited(carried / whole, 0.0, 1.0) : 0.0;
    add_side_wall(&s, soil, memory, share, v, omega.x);
    add_front(&s, soil, memory, share, v);
    mirror(out->slope);
    out->f.n = ri_soil_exponent(soil, &s.sliding);
    out->f.middle = ri_soil_middle(soil, &s.sliding) * out->f.entry;
    out->f.doubts =
        ri_soil_doubts(w, soil, out->f.sinkage, &s.sliding) | (out->f.entry >= 0.5 * M_PI ? RI_DOUBT_BURIED : 0u);
}

// --- memory --------------------------------------------------------------------------------------

/// d after a displacement towards `target` in [-1, 1].
static double follow(double d, double target, double way, double length)
{
    const double next = d + (target - d) * -ri_expm1(-way / length);
    return fabs(target - next) < 1e-6 ? target : next;
}

/// What a slice remembers after the step.
static void remember_slice(const Step *s, const Slice *x, double inclined, double *memory)
{
    const int n = s->w->patches;
    const double vx = x->shear.vx, vz = x->shear.vz;
    // a wheel may rise out of fresh soil as steeply as its stresses are inclined: so far they take
    // more work than they give
    const double lift = larger(memory[LIFT] + s->h * vz, 0.0), incline = copysign(1.0, vx) * inclined,
                 before = memory[LIFT];
    memory[LIFT] = incline > 0.0 ? lift * ri_exp(-fabs(vx) * s->h * incline / x->at->elastic) : lift;
    // loaded again, shear finds the stress that unloading has left, not the share of strength that
    // was mobilised before
    const double old = larger(0.0, 1.0 - before / x->at->elastic),
                 now = larger(0.0, 1.0 - memory[LIFT] / x->at->elastic);
    const double left = now > old ? old / now : 1.0;
    memory[HIGH] = x->at->top;
    memory[LOW] = x->at->bottom;
    for (int i = 0; i < n; i++) {
        memory[SLICE_HEAD + i] = left * x->shear.ux[i];
        memory[SLICE_HEAD + n + i] = left * x->shear.uy[i];
    }
}

/// Direction of rolling, slips and side wall after a step in which the wheel moved by vx and vy
/// over the soil.
static void remember_motion(double *memory, double vx, double vy, double rim, double h, double length, double ky)
{
    const double way = vx + SPIN_SHARE * rim, roll = ROLL_LENGTH * length, directed = ri_soil_directed(vx, vy, rim);
    const double moved = vy == 0.0 ? fabs(way) : sqrt(way * way + vy * vy),
                 speed = vy == 0.0 ? fabs(vx) : sqrt(vx * vx + vy * vy);
    double unused;
    memory[ROLLING] = follow(memory[ROLLING],
                             way > 0.0   ? directed
                             : way < 0.0 ? -directed
                                         : (vy == 0.0 ? memory[ROLLING] : 0.0),
                             moved * h, roll);
    memory[SHOWN] = follow(memory[SHOWN], ri_slip(vx, rim), larger(fabs(vx), fabs(rim)) * h, roll);
    memory[SLIP] = follow(memory[SLIP], ri_wheel_slip(speed, rim), larger(speed, fabs(rim)) * h, SLIP_LENGTH * length);
    memory[SIDE] = side_share(memory[SIDE], vx, vy, h, ky, &unused);
}

/// Whether the shear lengths of a soil under the wheel depend on the slip angle.
static bool depends_on_direction(const RiSoilWheel *w, const RiSlicePlace *place)
{
    bool some = false;
    for (int i = 0; i < w->slices; i++)
        some |= place[i].soil && (place[i].soil->kx_beta != 0.0 || place[i].soil->ky_beta != 0.0);
    return some;
}

void ri_wheel_remember(const RiSoilWheel *w, const RiWheelStep *step, double *memory, RiVec3 v, RiVec3 omega, double h)
{
    Step s;
    s.w = w;
    s.k = ri_node_kernels_find(NULL);
    s.h = h;
    s.sliding = (RiSliding){0.0, 0.0, 0.0};
    if (depends_on_direction(w, step->place))
        s.sliding = sliding_of(memory);
    const RiSoilLaw *soil = soil_of_wheel(w, step->place);
    double length = 0.0;
    for (int i = 0; i < w->slices; i++) {
        double *at = memory + HEAD + i * slice_size(w);
        Slice x;
        if (!step->place[i].soil) {
            memset(at, 0, (size_t)slice_size(w) * sizeof *at);
            continue;
        }
        move_slice(&s, &step->place[i], at, v, omega, i, false, &x);
        remember_slice(&s, &x, step->incline[i], at);
        length = larger(length, x.at->length);
    }
    if (!soil) {
        memset(memory, 0, HEAD * sizeof *memory);
        return;
    }
    length = larger(length, soil->kx); // a wheel that is set down has slipped nowhere yet
    remember_motion(memory, v.x, v.y + w->radius * omega.x, w->radius * omega.y, h, length, soil->ky);
}

void ri_wheel_relax(const RiSoilWheel *w, const RiWheelStep *step, double left, double *memory)
{
    for (int i = 0; i < w->slices; i++) {
        double *lift = memory + HEAD + i * slice_size(w) + LIFT;
        if (step->place[i].soil)
            *lift = larger(*lift, step->place[i].elastic - left * (step->place[i].elastic - *lift));
    }
}
