// SPDX-License-Identifier: Apache-2.0
/// \file
/// The wheel-soil law in a step: the closed forms with memory, regular at rest and in every direction.
///
/// Where the closed forms have a velocity in the denominator, a memory that is moved by displacements stands in its place. The mobilised shear u of a
/// patch obeys
///
///     du/dt = (v - |v| u) / K                                             [dahl1968; janosi1961]
///
/// along the path of the rim through the contact: u = 1 - exp(-j / K) where the direction of shearing stays the same, exactly Janosi's law, and the
/// hysteresis of a plastic material where it changes. At rest it keeps what it carries: nothing creeps. The same equation, with a length of the contact
/// for K, moves the direction of rolling d (which side is entry), the slip in n and theta_m, and the share of the side wall's pressure; each is at its steady
/// value after some contact lengths of travel. The slip in n and theta_m takes the whole loaded length: what slips more sinks more and is held back more, and if that
/// came sooner a rover would swing on its soil for ever. In between, stress is the mean of that for rolling forward and backward:
///
///     sigma = (1 + d)/2 sigma_forward + (1 - d)/2 sigma_backward
///
/// **Normal.** How far a wheel has been lifted since it was pressed down last is remembered: the soil unloads along a steep line and is loaded again along
/// the same. Travel brings fresh soil and takes the memory off. **Slopes** are secants in the tangential velocities and the stiffness times h in the normal one, so an
/// implicit step may take them (docs/theory/wheel-soil.md). Tests: tests/soil/test_rolling.c.
#include <math.h>
#include <string.h>

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

// --- geometry -----------------------------------------------------------------------------------------------------------------------

/// Where the circle of radius r leaves the line z = z0 + m (x - x0): the angle on the side `sign`.
static double crossing(double r, double x0, double z0, double m, double sign)
{
    const double c = -(z0 - m * x0) / (r * sqrt(1.0 + m * m));
    return atan(m) + sign * acos(c > 1.0 ? 1.0 : c < -1.0 ? -1.0 : c);
}

/// How far the ground at station k is above the rim; -INFINITY beside the wheel.
static double overlap(const RiSoilGround *g, const double *z, int k, double r)
{
    const double x = g->x[k];
    return fabs(x) < r ? z[k] + sqrt(r * r - x * x) : -INFINITY;
}

/// The end of the contact on one side, from station k outwards.
static double contact_end(const RiSoilGround *g, const double *z, int k, double r, int sign)
{
    for (int next = k + sign; next >= 0 && next < g->stations; k = next, next += sign)
        if (!(overlap(g, z, next, r) > 0.0)) {
            const double m = (z[next] - z[k]) / (g->x[next] - g->x[k]);
            return crossing(r, g->x[k], z[k], m, sign);
        }
    return sign * 0.5 * M_PI; // buried
}

/// The contact of a slice: false if there is none.
static bool find_contact(const RiSoilGround *g, const double *z, double r, double *out_low, double *out_high)
{
    int most = 0;
    double depth = -INFINITY;
    for (int k = 0; k < g->stations; k++) {
        const double o = overlap(g, z, k, r);
        if (o > depth)
            depth = o, most = k;
    }
    if (!(depth > 0.0))
        return false;
    *out_high = fmin(contact_end(g, z, most, r, 1), 0.5 * M_PI);
    *out_low = fmax(contact_end(g, z, most, r, -1), -0.5 * M_PI);
    return *out_high - *out_low > LEAST_CONTACT;
}

// --- one slice ----------------------------------------------------------------------------------------------------------------------

/// A slice at work in a step.
typedef struct Slice {
    const RiSoilLaw *soil;
    const RiSlicePlace *at;
    double r, b, y;
    double vx, vy, vz, spin, turn, lean; ///< velocity of its middle; angular velocities about y, z, x
    double per_angle;                    ///< patches per radian
    const double *memory;
    double ux[RI_SHEAR_MAX], uy[RI_SHEAR_MAX]; ///< at the end of the step
    double gx[RI_SHEAR_MAX], gy[RI_SHEAR_MAX]; ///< du / dv there
} Slice;

/// A wheel at work in a step.
typedef struct Step {
    const RiSoilWheel *w;
    const RiNodeKernels *k;
    double h, rolling, slip, beta;
    RiWheelStep *out;
} Step;

static double limited(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/// Exit of a wheel that rolls towards `entry` with the share d of rolling: from the ground's to the rebound's.
static double blend_exit(const Step *s, const RiSlicePlace *x, double r, double entry, double other, double d)
{
    if (d <= 0.0)
        return -other;
    const double rolled = fmax(-other, ri_soil_exit(x->soil, r, entry, s->slip));
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
                 .slip = s->slip};
    arc.exit = blend_exit(s, x, arc.r, entry, other, sign * s->rolling);
    const double width = arc.entry - arc.exit;
    arc.middle =
        limited(ri_soil_middle(x->soil, s->slip, s->beta) * entry, arc.exit + 0.02 * width, arc.entry - 0.02 * width);
    return arc;
}

/// Weight of rolling in a direction; nothing below what a sum would notice.
static double weight_of(const Step *s, double sign)
{
    const double x = 0.5 * (1.0 + sign * s->rolling);
    return x < 1e-6 ? 0.0 : x;
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
        x->top = fmax(x->top, sign > 0 ? arc.entry : -arc.exit);
        x->bottom = fmin(x->bottom, sign > 0 ? arc.exit : -arc.entry);
    }
    const int n = s->w->patches, padded = (n + RI_NODE_LANES - 1) / RI_NODE_LANES * RI_NODE_LANES;
    for (int i = 0; i < padded; i++)
        x->theta[i] = i < n ? x->top - (x->top - x->bottom) * i / (n - 1) : 0.0;
    s->k->turn(padded, x->theta, x->sine, x->cosine);
}

/// Cubic interpolation of two rows of n values at the place p, in steps from the first.
static void interpolate(const double *u, int n, double p, double *out_x, double *out_y)
{
    const int whole = (int)p - 1, i = whole < 0 ? 0 : whole > n - 4 ? n - 4 : whole;
    const double t = p - i, a = t - 1.0, b = t - 2.0, c = t - 3.0, ab = a * b, tc = t * c;
    const double w0 = ab * c * (-1.0 / 6.0), w1 = 0.5 * b * tc, w2 = -0.5 * a * tc, w3 = t * ab * (1.0 / 6.0);
    const double *x = u + i, *y = u + n + i;
    *out_x = limited(w0 * x[0] + w1 * x[1] + w2 * x[2] + w3 * x[3], -1.0, 1.0);
    *out_y = limited(w0 * y[0] + w1 * y[1] + w2 * y[2] + w3 * y[3], -1.0, 1.0);
}

/// Shear that arrives at a patch with the rim, and how long it has been in the ground during this step. `scale`: patches per radian of the memory.
static double arrive(const Step *s, const Slice *x, int patch, double scale, double *out_ux, double *out_uy)
{
    const int n = s->w->patches;
    const double p = (x->memory[HIGH] - x->at->theta[patch] - x->spin * s->h) * scale, slack = 1e-9;
    if (p >= -slack && p <= n - 1 + slack) {
        interpolate(x->memory + SLICE_HEAD, n, limited(p, 0.0, n - 1.0), out_ux, out_uy);
        return s->h;
    }
    *out_ux = *out_uy = 0.0; // came in during the step
    const double end = x->spin > 0.0 ? x->at->top - x->at->theta[patch] : x->at->theta[patch] - x->at->bottom;
    return x->spin != 0.0 ? fmin(s->h, end / fabs(x->spin)) : s->h;
}

/// Velocity of the rim against the soil at an angle: along the rim (forward at the bottom) and along the axle.
static void rim_velocity(const Slice *x, double sine, double cosine, double *out_along, double *out_across)
{
    *out_along = x->vx * cosine + x->vz * sine - x->spin * x->r;
    *out_across = x->vy + x->r * (x->turn * sine + x->lean * cosine);
}

/// The mobilised shear at the end of the step, and its secant slopes.
static void shear_patches(const Step *s, Slice *x)
{
    const int n = s->w->patches;
    double a[2][RI_SHEAR_MAX] = {{0.0}}, e[2][RI_SHEAR_MAX], v[2][RI_SHEAR_MAX], time[RI_SHEAR_MAX];
    const double per_x = 1.0 / (x->soil->kx + x->soil->kx_beta * s->beta);
    const double per_y = 1.0 / (x->soil->ky + x->soil->ky_beta * s->beta), was = x->memory[HIGH] - x->memory[LOW];
    const double scale = was > 0.0 ? (n - 1) / was : -INFINITY; // nothing to go on from
    const int padded = (n + RI_NODE_LANES - 1) / RI_NODE_LANES * RI_NODE_LANES;
    for (int i = 0; i < n; i++) {
        time[i] = arrive(s, x, i, scale, &x->ux[i], &x->uy[i]);
        rim_velocity(x, x->at->sine[i], x->at->cosine[i], &v[0][i], &v[1][i]);
        v[0][i] *= per_x;
        v[1][i] *= per_y;
        a[0][i] = time[i] * fabs(v[0][i]);
        a[1][i] = time[i] * fabs(v[1][i]);
    }
    for (int i = 0; i < n && x->soil->coupled; i++)
        a[0][i] = a[1][i] = sqrt(a[0][i] * a[0][i] + a[1][i] * a[1][i]);
    s->k->mobilise(padded, a[0], e[0]);
    s->k->mobilise(padded, a[1], e[1]);
    for (int i = 0; i < n; i++) {
        const double gx = a[0][i] > 1e-12 ? e[0][i] * time[i] / a[0][i] : time[i];
        const double gy = a[1][i] > 1e-12 ? e[1][i] * time[i] / a[1][i] : time[i];
        x->ux[i] += gx * v[0][i] - e[0][i] * x->ux[i];
        x->uy[i] += gy * v[1][i] - e[1][i] * x->uy[i];
        x->gx[i] = gx * per_x;
        x->gy[i] = gy * per_y;
    }
}

/// Elastic sinkage: that at which the unloading slope has half the pressure of the sinkage.
static double elastic_of(const Step *s, const RiSlicePlace *x, double packed)
{
    const double z[RI_NODE_LANES] = {x->sinkage + packed};
    double p[RI_NODE_LANES];
    if (x->soil->stacked)
        p[0] = ri_stack_pressure(s->k, x->soil, s->slip, packed, z[0]);
    else
        s->k->power(RI_NODE_LANES, z, x->soil->unit, ri_soil_exponent(x->soil, s->slip), x->soil->k, p);
    return fmax(LEAST_ELASTIC, 0.5 * p[0] / x->soil->unload);
}

/// Where a slice meets the ground: false if it does not.
static bool place_slice(const Step *s, const RiSoilGround *g, int i, RiSlicePlace *x)
{
    const double r = s->w->slice_radius[i];
    x->soil = NULL;
    if (!g->soil[i] || !find_contact(g, g->z[i], r, &x->low, &x->high))
        return false;
    x->soil = g->soil[i];
    x->sinkage = weight_of(s, 1.0) * (r * (1.0 - cos(x->high))) + weight_of(s, -1.0) * (r * (1.0 - cos(x->low)));
    x->over = fmax(0.0, g->z[i][g->stations / 2]);
    x->sinkage += x->over;
    x->length = r * (x->high - x->low);
    x->elastic = elastic_of(s, x, fmin(g->packed[i][0], g->packed[i][1]));
    span(s, i, x);
    return true;
}

/// A slice in contact that moves with the wheel.
static void move_slice(const Step *s, const RiSlicePlace *at, const double *memory, RiVec3 v, RiVec3 w, int i, Slice *x)
{
    x->soil = at->soil;
    x->at = at;
    x->r = s->w->slice_radius[i];
    x->b = s->w->slice_width[i];
    x->y = s->w->slice_y[i];
    x->vx = v.x - w.z * x->y;
    x->vy = v.y;
    x->vz = v.z + w.x * x->y;
    x->spin = w.y;
    x->turn = w.z;
    x->lean = w.x;
    x->per_angle = (s->w->patches - 1) / (at->top - at->bottom);
    x->memory = memory;
    shear_patches(s, x);
}

// --- sums ---------------------------------------------------------------------------------------------------------------------------

/// Integrals over one arc of a slice, in the wheel's own sense of angles, for the whole strength of the ground.
typedef struct Sums {
    double load, resistance, area; ///< of sigma
    double stiffness;              ///< d load / d sinkage [N/m]
    double tc, ts, t, claw;        ///< of tau_x cos, tau_x sin, tau_x; extra torque of grousers
    double side, side_s, side_c;   ///< of tau_y
    double C[3][3];                ///< slopes in (vx, vz, spin)
    double D[3][3];                ///< slopes in (vy, turn, lean)
    double stored;                 ///< in shear [J]
} Sums;

/// Mobilisation and its slope at an angle, linear between patches.
typedef struct Mobilised {
    double ux, uy, gx, gy;
} Mobilised;

static Mobilised mobilised_at(const Step *s, const Slice *x, double theta)
{
    const int n = s->w->patches;
    const double p = limited((x->at->top - theta) * x->per_angle, 0.0, n - 1.0);
    const int i = p < n - 2 ? (int)p : n - 2;
    const double t = p - i, o = 1.0 - t;
    return (Mobilised){o * x->ux[i] + t * x->ux[i + 1], o * x->uy[i] + t * x->uy[i + 1],
                       o * x->gx[i] + t * x->gx[i + 1], o * x->gy[i] + t * x->gy[i + 1]};
}

/// A += c u u^T
static void add_square(double A[3][3], double c, double u0, double u1, double u2)
{
    const double u[3] = {u0, u1, u2};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= i; k++)
            A[i][k] += c * u[i] * u[k];
}

static void sum_arc(const Step *s, const Slice *x, int slice, double sign, double packed, double weight, Sums *out)
{
    RiNodes q;
    const RiArc arc = arc_of(s, x->at, slice, sign, packed);
    const RiSoilLaw *soil = x->soil;
    const double n = ri_soil_exponent(soil, s->slip), claws = ri_soil_grouser(s->w, soil) / x->r;
    const double kx = soil->kx + soil->kx_beta * s->beta, ky = soil->ky + soil->ky_beta * s->beta;
    ri_nodes_fill(s->k, soil, &arc, n, s->w->panels, &q);
    for (int i = 0; i < 2 * q.half; i++) {
        const double sigma = q.sigma[i % q.half], dA = weight * q.weight[i];
        const double si = sign * q.sine[i], co = q.cosine[i];
        const Mobilised m = mobilised_at(s, x, sign * q.theta[i]);
        const double strength = ri_soil_strength(soil, q.depth[i % q.half], sigma) * dA, pull = strength + claws * dA;
        out->load += dA * sigma * co;
        out->resistance += dA * sigma * si;
        out->area += dA;
        out->stiffness += dA * q.slope[i % q.half] * co;
        out->tc -= pull * m.ux * co;
        out->ts -= pull * m.ux * si;
        out->t -= pull * m.ux;
        out->claw -= claws * dA * m.ux;
        out->side -= strength * m.uy;
        out->side_s -= strength * m.uy * si;
        out->side_c -= strength * m.uy * co;
        add_square(out->C, pull * m.gx, co, si, -x->r);
        add_square(out->D, strength * m.gy, 1.0, x->r * si, x->r * co);
        out->stored += 0.5 * strength * (kx * m.ux * m.ux + ky * m.uy * m.uy);
    }
}

/// The share of the ground's strength that acts at the end of the step, and the slope of the load in the sinkage: elastic where the wheel has been
/// lifted since it was pressed down last, plastic else. The sums are those at the beginning of the step.
static double load_share(const Slice *x, const Sums *sum, double h, double *out_slope)
{
    const double lift = x->memory[LIFT] + h * x->vz;
    *out_slope = 0.0;
    if (!(sum->load > 0.0) || lift >= x->at->elastic)
        return 0.0;
    *out_slope = lift > 0.0 ? sum->load / x->at->elastic : sum->stiffness;
    return 1.0 - lift * *out_slope / sum->load;
}

/// slope += c a b^T + ..., with rows of (omega, v) that give the slice's own velocities.
static void spread_slopes(double S[6][6], double A[3][3], double B[3][6], double share)
{
    double T[3][6];
    for (int i = 0; i < 3; i++)
        for (int k = i + 1; k < 3; k++)
            A[i][k] = A[k][i];
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 6; c++)
            T[i][c] = share * (A[i][0] * B[0][c] + A[i][1] * B[1][c] + A[i][2] * B[2][c]);
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++)
            S[r][c] += B[0][r] * T[0][c] + B[1][r] * T[1][c] + B[2][r] * T[2][c];
}

static void add_slice(Step *s, const Slice *x, Sums *sum)
{
    double slope;
    const double g = load_share(x, sum, s->h, &slope), elastic = x->at->elastic, y = x->y,
                 damper = x->vz < 0.0 ? x->soil->damping * sum->area : 0.0;
    RiWheelForce *f = &s->out->f;
    const double load = g * (sum->load + sum->ts) - damper * x->vz, pull = g * (sum->tc - sum->resistance),
                 side = g * sum->side;
    const double torque = g * (x->r * sum->t + 2.0 / 3.0 * s->w->grouser_height * sum->claw);
    f->thrust += g * sum->tc;
    f->resistance += g * sum->resistance;
    f->grouser += g * sum->claw;
    f->torque += torque;
    f->shear_side += side;
    f->force = ri_add(f->force, ri_vec3(pull, side, load));
    f->moment =
        ri_add(f->moment, ri_vec3(y * load + g * x->r * sum->side_c, -torque, g * x->r * sum->side_s - y * pull));
    s->out->stored += 0.5 * sum->load * elastic * fmin(g, 1.0) * fmin(g, 1.0) + g * sum->stored;
    s->out->stored += g / 3.0 * fabs(sum->resistance) * ROLL_LENGTH * x->at->length * fabs(s->rolling);
    if (s->h > 0.0) {
        sum->C[1][1] += (s->h * slope + damper) / fmax(g, 1e-9);
        double in_plane[3][6] = {
            {0.0, 0.0, -y, 1.0, 0.0, 0.0}, {y, 0.0, 0.0, 0.0, 0.0, 1.0}, {0.0, 1.0, 0.0, 0.0, 0.0, 0.0}};
        double across[3][6] = {
            {0.0, 0.0, 0.0, 0.0, 1.0, 0.0}, {0.0, 0.0, 1.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0, 0.0, 0.0}};
        spread_slopes(s->out->slope, sum->C, in_plane, fmax(g, 1e-9));
        spread_slopes(s->out->slope, sum->D, across, fmax(g, 1e-9));
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
    const double g = a > 1e-12 ? -expm1(-a) / speed : h / length;
    *out_slope = g;
    return u + g * (vy - speed * u);
}

/// Terzaghi's pressure on the side wall against the sliding.
static void add_side_wall(Step *s, const RiSoilLaw *soil, const double *memory, double share, RiVec3 v, double lean)
{
    double arm, slope;
    RiWheelForce *f = &s->out->f;
    const double most = share * ri_soil_side_wall(soil, s->w->radius, f->entry, &arm);
    const double u = side_share(memory[SIDE], v.x, v.y + arm * lean, s->h, soil->ky, &slope), force = -most * u;
    f->bulldozing = force;
    f->force.y += force;
    f->moment.x += arm * force;
    s->out->stored += 0.5 * most * soil->ky * u * u;
    if (s->h == 0.0)
        return;
    const double c = most * slope; // the force acts at (0, 0, -arm): v_y + arm omega_x
    s->out->slope[0][0] += c * arm * arm;
    s->out->slope[0][4] += c * arm;
    s->out->slope[4][0] += c * arm;
    s->out->slope[4][4] += c;
}

static Step begin_step(const RiSoilWheel *w, const double *memory, double h, RiWheelStep *out)
{
    return (Step){.w = w,
                  .k = ri_node_kernels_find(NULL),
                  .h = h,
                  .rolling = limited(memory[ROLLING], -1.0, 1.0),
                  .slip = limited(memory[SLIP], -1.0, 1.0),
                  .beta = fabs(asin(limited(memory[SIDE], -1.0, 1.0))),
                  .out = out};
}

void ri_wheel_step(const RiSoilWheel *w, const RiSoilGround *ground, const double *memory, RiVec3 v, RiVec3 omega,
                   double h, RiWheelStep *out)
{
    out->f = (RiWheelForce){.slip = memory[SHOWN]};
    memset(out->slope, 0, sizeof out->slope);
    memset(out->incline, 0, sizeof out->incline);
    out->stored = 0.0;
    out->touching = false;
    Step s = begin_step(w, memory, h, out);
    const RiSoilLaw *soil = NULL;
    double carried = 0.0, whole = 0.0;
    for (int i = 0; i < w->slices; i++) {
        Slice x;
        Sums sum = {0};
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
        soil = soil ? soil : x.soil;
    }
    if (!soil)
        return;
    add_side_wall(&s, soil, memory, whole > 0.0 ? limited(carried / whole, 0.0, 1.0) : 0.0, v, omega.x);
    out->f.n = ri_soil_exponent(soil, s.slip);
    out->f.middle = ri_soil_middle(soil, s.slip, s.beta) * out->f.entry;
    out->f.doubts =
        ri_soil_doubts(w, soil, out->f.sinkage, s.slip) | (out->f.entry >= 0.5 * M_PI ? RI_DOUBT_BURIED : 0u);
}

// --- memory -------------------------------------------------------------------------------------------------------------------------

/// d after a displacement towards `target` in [-1, 1].
static double follow(double d, double target, double way, double length)
{
    const double next = d + (target - d) * -expm1(-way / length);
    return fabs(target - next) < 1e-6 ? target : next;
}

/// What a slice remembers after the step.
static void remember_slice(const Step *s, const Slice *x, double inclined, double *memory)
{
    const int n = s->w->patches;
    // a wheel may rise out of fresh soil as steeply as its stresses are inclined: so far they take more work than they give
    const double lift = fmax(memory[LIFT] + s->h * x->vz, 0.0), incline = copysign(1.0, x->vx) * inclined,
                 before = memory[LIFT];
    memory[LIFT] = incline > 0.0 ? lift * exp(-fabs(x->vx) * s->h * incline / x->at->elastic) : lift;
    // loaded again, shear finds the stress that unloading has left, not the share of strength that was mobilised before
    const double old = fmax(0.0, 1.0 - before / x->at->elastic), now = fmax(0.0, 1.0 - memory[LIFT] / x->at->elastic);
    const double left = now > old ? old / now : 1.0;
    memory[HIGH] = x->at->top;
    memory[LOW] = x->at->bottom;
    for (int i = 0; i < n; i++) {
        memory[SLICE_HEAD + i] = left * x->ux[i];
        memory[SLICE_HEAD + n + i] = left * x->uy[i];
    }
}

void ri_wheel_remember(const RiSoilWheel *w, const RiWheelStep *step, double *memory, RiVec3 v, RiVec3 omega, double h)
{
    const Step s = begin_step(w, memory, h, NULL);
    double length = 0.0;
    const RiSoilLaw *soil = NULL;
    for (int i = 0; i < w->slices; i++) {
        double *at = memory + HEAD + i * slice_size(w);
        Slice x;
        if (!step->place[i].soil) {
            memset(at, 0, (size_t)slice_size(w) * sizeof *at);
            continue;
        }
        move_slice(&s, &step->place[i], at, v, omega, i, &x);
        remember_slice(&s, &x, step->incline[i], at);
        length = fmax(length, x.at->length);
        soil = soil ? soil : x.soil;
    }
    if (!soil) {
        memset(memory, 0, HEAD * sizeof *memory);
        return;
    }
    const double rim = w->radius * omega.y, way = v.x + SPIN_SHARE * rim, roll = ROLL_LENGTH * length;
    double unused;
    memory[ROLLING] = follow(memory[ROLLING],
                             way > 0.0   ? 1.0
                             : way < 0.0 ? -1.0
                                         : memory[ROLLING],
                             fabs(way) * h, roll);
    const double slip = ri_wheel_slip(v.x, rim), path = fmax(fabs(v.x), fabs(rim)) * h;
    memory[SHOWN] = follow(memory[SHOWN], slip, path, roll);
    memory[SLIP] = follow(memory[SLIP], slip, path, SLIP_LENGTH * length);
    memory[SIDE] = side_share(memory[SIDE], v.x, v.y + w->radius * omega.x, h, soil->ky, &unused);
}
