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
static const double LEAST_CONTACT = 1e-4;  ///< of the angle of a contact [rad]
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

// --- geometry ------------------------------------------------------------------------------------

/// What the ground has above the rim: area, and its first moment along x about the hub.
typedef struct Overlap {
    double area, moment;
} Overlap;

/// Adds a straight piece of ground of width w from x on, above the rim by e0 and e1 at its ends,
/// where the rim rises by ds: a trapezium over the chord of the rim, and the segment of angle phi
/// beyond it, r^2/2 (phi - sin phi) as a series in sin(phi / 2), its moment in closed form.
static void add_piece(Overlap *to, double r, double x, double w, double e0, double e1, double ds)
{
    const double square = w * w + ds * ds, t2 = 0.25 * square / (r * r), t = sqrt(t2);
    const double series = 4.0 / 3.0 + t2 * (0.4 + t2 * (3.0 / 14.0 + t2 * (5.0 / 36.0 + t2 * (35.0 / 352.0))));
    to->area += 0.5 * w * (e0 + e1) + 0.5 * r * r * t * t2 * series;
    to->moment += w * (x * 0.5 * (e0 + e1) + w * (e0 + 2.0 * e1) / 6.0) - square * ds / 12.0;
}

/// Where the line through (x, z) with the slope m meets the circle on the side `sign`.
static double crossing(double r, double x, double z, double m, double sign)
{
    const double c = z - m * x, square = 1.0 + m * m;
    return (sign * sqrt(larger(r * r * square - c * c, 0.0)) - m * c) / square;
}

/// Adds the ground between two stations whose ends are not both above the rim.
static void add_cut_piece(Overlap *to, double r, const double x[2], const double z[2], const double e[2])
{
    const double m = (z[1] - z[0]) / (x[1] - x[0]);
    const double from = e[0] > 0.0 ? x[0] : limited(crossing(r, x[0], z[0], m, -1.0), x[0], x[1]);
    const double end = e[1] > 0.0 ? x[1] : limited(crossing(r, x[0], z[0], m, 1.0), x[0], x[1]);
    if (!(end > from))
        return;
    const double e0 = e[0] > 0.0 ? e[0] : 0.0, e1 = e[1] > 0.0 ? e[1] : 0.0;
    const double z0 = z[0] + m * (from - x[0]), z1 = z[0] + m * (end - x[0]);
    add_piece(to, r, from, end - from, e0, e1, (e1 - z1) - (e0 - z0));
}

/// Adds the level ground beyond an outermost station that is above the rim by e: to the rim, or as
/// far as it goes. sign: 1 beyond the last station, -1 before the first.
static void add_end(Overlap *to, double r, double x, double z, double e, double sign)
{
    const double rim = z < 0.0 ? -z : 0.0, end = sign * sqrt(larger(r * r - rim * rim, 0.0)), far = z + rim;
    if (sign > 0.0 && end > x)
        add_piece(to, r, x, end - x, e, far, rim - (e - z));
    else if (sign < 0.0 && end < x)
        add_piece(to, r, end, x - end, far, e, (e - z) - rim);
}

static Overlap find_overlap(const RiSoilGround *g, const double *z, double r)
{
    Overlap sum = {0.0, 0.0};
    double e[2] = {-INFINITY, -INFINITY}, rim[2] = {0.0, 0.0};
    for (int k = 0; k < g->stations; k++) {
        const double square = r * r - g->x[k] * g->x[k];
        e[0] = e[1];
        rim[0] = rim[1];
        rim[1] = square > 0.0 ? sqrt(square) : 0.0;
        e[1] = square > 0.0 ? z[k] + rim[1] : -INFINITY;
        if (k == 0) {
            if (e[1] > 0.0)
                add_end(&sum, r, g->x[0], z[0], e[1], -1.0);
            continue;
        }
        const double w = g->x[k] - g->x[k - 1];
        if (e[0] > 0.0 && e[1] > 0.0)
            add_piece(&sum, r, g->x[k - 1], w, e[0], e[1], rim[1] - rim[0]);
        else if (e[0] > -w || e[1] > -w)
            add_cut_piece(&sum, r, &g->x[k - 1], &z[k - 1], e);
    }
    if (e[1] > 0.0)
        add_end(&sum, r, g->x[g->stations - 1], z[g->stations - 1], e[1], 1.0);
    return sum;
}

/// Half the angle of a segment of a circle of radius 1 with this area, alpha - sin(alpha)
/// cos(alpha), up to a half circle; its sine.
static double segment_angle(double area, double *out_sine)
{
    const double y = ri_cbrt(1.5 * area), q = y * y;
    *out_sine = 1.0;
    if (area >= 0.5 * M_PI)
        return 0.5 * M_PI;
    // within 5e-6, then a step of Newton's method
    const double first =
        y * (1.0000030093120191 +
             q * (0.06651896477400099 +
                  q * (0.012593676883850116 +
                       q * (-0.0008246623262254281 +
                            q * (0.005080866934170991 + q * (-0.0026117144756468095 + q * 0.0007553079486655594))))));
    const double s = ri_sin(first), c = ri_cos(first), less = (first - s * c - area) / (2.0 * s * s);
    *out_sine = s - c * less;
    return first - less;
}

/// The contact of a slice: that with the straight line which cuts off the rim a segment of the area
/// and the moment that the ground has above it. For straight ground that is the ground itself; and
/// where the rim meets a wall or a rut's edge, or leaves it, nothing jumps. False if there is no
/// contact.
static bool find_contact(const RiSoilGround *g, const double *z, double r, double *out_low, double *out_high)
{
    double sine;
    const Overlap x = find_overlap(g, z, r);
    if (!(x.area > 0.0))
        return false;
    const double half = segment_angle(x.area / (r * r), &sine);
    const double middle = ri_asin(limited(x.moment / (2.0 / 3.0 * r * r * r * sine * sine * sine), -1.0, 1.0));
    *out_high = smaller(middle + half, 0.5 * M_PI);
    *out_low = larger(middle - half, -0.5 * M_PI);
    return *out_high - *out_low > LEAST_CONTACT;
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
} Step;

/// Exit of a wheel that rolls towards `entry` with the share d of rolling: from the ground's to the
/// rebound's.
static double blend_exit(const Step *s, const RiSlicePlace *x, double r, double entry, double other, double d)
{
    if (d <= 0.0)
        return -other;
    const double rolled = larger(-other, ri_soil_exit(x->soil, r, entry, s->sliding.slip));
    return -other + d * (rolled + other);
}

/// The arc of rolling in the direction `sign`, in its own sense of angles.
static RiArc arc_of(const Step *s, const RiSlicePlace *x, int slice, double sign, double packed)
{
    const double entry = sign > 0.0 ? x->high : -x->low, other = sign > 0.0 ? -x->low : x->high;
    RiArc arc = {.r = s->w->slice_radius[slice],
                 .b = s->w->slice_width[slice],
                 .entry = entry,
                 .packed = packed,
                 .over = x->over,
                 .sliding = s->sliding};
    arc.exit = blend_exit(s, x, arc.r, entry, other, sign * s->rolling);
    const double width = arc.entry - arc.exit;
    arc.middle =
        limited(ri_soil_middle(x->soil, &s->sliding) * entry, arc.exit + 0.02 * width, arc.entry - 0.02 * width);
    return arc;
}

/// Weight of rolling in a direction; nothing below what a sum would notice.
static double weight_of(const Step *s, double sign)
{
    const double x = 0.5 * (1.0 + sign * s->rolling);
    return x < 1e-6 ? 0.0 : x;
}

/// Depth of an end of the contact below the rim's lowest point, weighted by the rolling in that
/// direction.
static double depth_of(const Step *s, double sign, double r, double angle)
{
    const double weight = weight_of(s, sign);
    return weight > 0.0 ? weight * (r * (1.0 - ri_cos(angle))) : 0.0;
}

/// Places the patches over the part of the contact that carries stress.
static void span(const Step *s, int slice, RiSlicePlace *x)
{
    x->top = -INFINITY;
    x->bottom = INFINITY;
    for (int sign = 1; sign >= -1; sign -= 2) {
        if (weight_of(s, sign) == 0.0)
            continue;
        const RiArc arc = arc_of(s, x, slice, sign, 0.0);
        x->top = larger(x->top, sign > 0 ? arc.entry : -arc.exit);
        x->bottom = smaller(x->bottom, sign > 0 ? arc.exit : -arc.entry);
    }
    const int n = s->w->patches, padded = (n + RI_NODE_LANES - 1) / RI_NODE_LANES * RI_NODE_LANES;
    for (int i = 0; i < padded; i++)
        x->theta[i] = i < n ? x->top - (x->top - x->bottom) * i / (n - 1) : 0.0;
    s->k->turn(padded, x->theta, x->sine, x->cosine);
}

/// Elastic sinkage: that at which the unloading slope has half the pressure of the sinkage, and
/// never more than half of it: soil that is stiffer than its unloading slope would else give back
/// more than it has taken.
static double elastic_of(const Step *s, const RiSlicePlace *x, double packed)
{
    const double z[RI_NODE_LANES] = {x->sinkage + packed};
    double p[RI_NODE_LANES];
    if (x->soil->stacked)
        p[0] = ri_stack_pressure(s->k, x->soil, &s->sliding, packed, z[0]);
    else
        s->k->power(RI_NODE_LANES, z, x->soil->unit, ri_soil_exponent(x->soil, &s->sliding), x->soil->k, p);
    return larger(LEAST_ELASTIC, 0.5 * smaller(p[0] / x->soil->unload, z[0]));
}

/// Where a slice meets the ground: false if it does not.
static bool place_slice(const Step *s, const RiSoilGround *g, int i, RiSlicePlace *x)
{
    const double r = s->w->slice_radius[i];
    x->soil = NULL;
    if (!g->soil[i] || !find_contact(g, g->z[i], r, &x->low, &x->high))
        return false;
    x->soil = g->soil[i];
    x->sinkage = depth_of(s, 1.0, r, x->high) + depth_of(s, -1.0, r, x->low);
    x->over = fmax(0.0, g->z[i][g->stations / 2]);
    x->sinkage += x->over;
    x->length = r * (x->high - x->low);
    x->elastic = elastic_of(s, x, smaller(g->packed[i][0], g->packed[i][1]));
    span(s, i, x);
    return true;
}

/// A slice in contact that moves with the wheel: shear at the end of the step.
static void move_slice(const Step *s, const RiSlicePlace *at, const double *memory, RiVec3 v, RiVec3 w, int i, Slice *x)
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
    u->lag = soil->shear_lag;
    u->theta = at->theta;
    u->sine = at->sine;
    u->cosine = at->cosine;
    u->was = memory + SLICE_HEAD;
    s->k->shear(u);
}

// --- sums ----------------------------------------------------------------------------------------

static void sum_arc(const Step *s, const Slice *x, int slice, double sign, double packed, double weight, RiSums *out)
{
    RiNodes q;
    const RiArc arc = arc_of(s, x->at, slice, sign, packed);
    const RiSoilLaw *soil = x->soil;
    ri_nodes_fill(s->k, soil, &arc, ri_soil_exponent(soil, &s->sliding), s->w->panels, &q);
    double strength[RI_NODE_MAX / 2], more;
    const double gain = ri_soil_lug_gain(s->w, soil, &more);
    for (int i = 0; i < q.half && ri_soil_is_layered(soil); i++)
        strength[i] = ri_stack_strength(soil, q.depth[i], q.sigma[i]);
    const RiArcNodes nodes = {.half = q.half,
                              .theta = q.theta,
                              .weight = q.weight,
                              .sine = q.sine,
                              .cosine = q.cosine,
                              .sigma = q.sigma,
                              .slope = q.slope,
                              .strength = ri_soil_is_layered(soil) ? strength : NULL,
                              .sign = sign,
                              .share = weight,
                              .gain = gain,
                              .cohesion = soil->cohesion,
                              .tan_phi = soil->tan_phi,
                              .claws = ri_soil_grouser(s->w, soil) / arc.r + more,
                              .claws_full = s->w->grousers_full,
                              .kx = soil->kx + soil->kx_beta * s->sliding.beta,
                              .ky = soil->ky + soil->ky_beta * s->sliding.beta};
    s->k->sum(&nodes, &x->shear, out);
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

static Step begin_step(const RiSoilWheel *w, const double *memory, double h, RiWheelStep *out)
{
    return (Step){.w = w,
                  .k = ri_node_kernels_find(NULL),
                  .h = h,
                  .rolling = limited(memory[ROLLING], -1.0, 1.0),
                  .sliding = ri_soil_sliding(limited(memory[SLIP], -1.0, 1.0), smaller(fabs(memory[SIDE]), 1.0)),
                  .out = out};
}

void ri_wheel_step(const RiSoilWheel *w, const RiSoilGround *ground, const double *memory, RiVec3 v, RiVec3 omega,
                   double h, RiWheelStep *out)
{
    out->f = (RiWheelForce){.slip = memory[SHOWN], .rolling = memory[ROLLING], .travel_slip = memory[SLIP]};
    memset(out->slope, 0, sizeof out->slope);
    memset(out->incline, 0, sizeof out->incline);
    out->stored = 0.0;
    out->touching = false;
    Step s = begin_step(w, memory, h, out);
    double carried = 0.0, whole = 0.0;
    for (int i = 0; i < w->slices; i++) {
        Slice x;
        RiSums sum = {0};
        if (!place_slice(&s, ground, i, &out->place[i]))
            continue;
        move_slice(&s, &out->place[i], memory + HEAD + i * slice_size(w), v, omega, i, &x);
        for (int sign = 1; sign >= -1; sign -= 2)
            if (weight_of(&s, sign) > 0.0)
                sum_arc(&s, &x, i, sign, ground->packed[i][sign < 0], weight_of(&s, sign), &sum);
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

void ri_wheel_remember(const RiSoilWheel *w, const RiWheelStep *step, double *memory, RiVec3 v, RiVec3 omega, double h)
{
    const Step s = begin_step(w, memory, h, NULL);
    const RiSoilLaw *soil = soil_of_wheel(w, step->place);
    double length = 0.0;
    for (int i = 0; i < w->slices; i++) {
        double *at = memory + HEAD + i * slice_size(w);
        Slice x;
        if (!step->place[i].soil) {
            memset(at, 0, (size_t)slice_size(w) * sizeof *at);
            continue;
        }
        move_slice(&s, &step->place[i], at, v, omega, i, &x);
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
