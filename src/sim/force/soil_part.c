// SPDX-License-Identifier: Apache-2.0
/// \file
/// Wrenches of soft soil on a part of a link, within an implicit step.
#include <math.h>
#include <string.h>

#include "sim/force/soil.h"

/// Work beyond what soil holds that is taken for rounding, of the energy turned over so far.
static const double ROUNDING = 1e-15;
/// The stiffest damper [N s/m]: what it leaves of a motion is below that, and its force is still
/// exact.
static const double MOST_DAMPED = 1e10;

void ri_soil_part_move(const RiSim *s, RiSoilPart *x, RiVec3 link)
{
    const RiSpatial twist = ri_dyn_frame_velocity(s->d, x->link);
    const RiVec3 v = ri_add(twist.lin, ri_cross(twist.ang, ri_sub(x->origin, link)));
    x->v = ri_rotate_back(&x->R, v);
    x->w = ri_rotate_back(&x->R, twist.ang);
    x->rate = ri_cross(twist.ang, v);
    x->arm = ri_sub(x->origin, ri_region_origin(s->d, x->body));
}

/// slope times a motion, in the part's frame.
static void times(double slope[6][6], RiVec3 w, RiVec3 v, RiVec3 *out_moment, RiVec3 *out_force)
{
    const double in[6] = {w.x, w.y, w.z, v.x, v.y, v.z};
    double out[6] = {0.0};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++)
            out[i] += slope[i][k] * in[k];
    *out_moment = ri_vec3(out[0], out[1], out[2]);
    *out_force = ri_vec3(out[3], out[4], out[5]);
}

/// Adds a times a row of 6 to another.
static inline void add_row(double a, const double row[6], double to[6])
{
    typedef double Two __attribute__((vector_size(16)));
    for (int k = 0; k < 6; k += 2) {
        Two x, y;
        memcpy(&x, row + k, sizeof x);
        memcpy(&y, to + k, sizeof y);
        y += a * x;
        memcpy(to + k, &y, sizeof y);
    }
}

/// h times the slopes as inertia about the region's origin: columns of 8. With B = (R^T, 0; R^T r x,
/// R^T), which takes motions of the region to those of the part, B^T h S B.
static void put_slopes(const RiSoilPart *x, double slope[6][6], double h, double *X)
{
    double B[6][6] = {{0.0}}, T[6][6] = {{0.0}};
    const RiVec3 r = x->arm;
    for (int i = 0; i < 3; i++) {
        const double a = x->R.m[0][i], b = x->R.m[1][i], c = x->R.m[2][i];
        B[i][0] = B[3 + i][3] = a;
        B[i][1] = B[3 + i][4] = b;
        B[i][2] = B[3 + i][5] = c;
        B[3 + i][0] = c * r.y - b * r.z; // w x r = (r.z, -r.y; ...) w
        B[3 + i][1] = a * r.z - c * r.x;
        B[3 + i][2] = b * r.x - a * r.y;
    }
    for (int i = 0; i < 6; i++)
        for (int l = 0; l < 6; l++)
            add_row(h * slope[i][l], B[l], T[i]);
    for (int i = 0; i < 6; i++) {
        double row[6] = {0.0};
        for (int l = i < 3 ? 0 : 3; l < 6; l++)
            add_row(B[l][i], T[l], row);
        for (int k = 0; k < 6; k++)
            X[8 * k + (i < 3 ? i : i + 1)] += row[k];
    }
}

static void put_wrench(const RiSoilPart *x, RiVec3 force, RiVec3 moment, double *out)
{
    const RiVec3 n = ri_add(moment, ri_cross(x->arm, force));
    out[0] += n.x, out[1] += n.y, out[2] += n.z;
    out[4] += force.x, out[5] += force.y, out[6] += force.z;
}

/// Adds the damper to wrench and slopes, -c P w+ = -c P w - c P (w+ - w): the slopes with it, which
/// are in `room` if there is one.
static double (*add_damper(const RiSoilPart *x, RiVec3 *force, RiVec3 *moment, double slope[6][6],
                           double room[6][6]))[6]
{
    const double c = x->damper, turning = c * x->lever * x->lever;
    if (c == 0.0)
        return slope;
    *force = ri_sub(*force, ri_scale(c, x->v));
    *moment = ri_sub(*moment, ri_scale(turning, x->w));
    memcpy(room, slope, 36 * sizeof **room);
    for (int i = 0; i < 6; i++)
        room[i][i] += i < 3 ? turning : c;
    return room;
}

void ri_soil_part_apply(RiSim *s, RiSoilPart *x, double h)
{
    double X[48] = {0.0}, f[8] = {0.0}, room[6][6];
    RiVec3 more_m, more_f, force = x->law.force, moment = x->law.moment;
    double(*S)[6] = add_damper(x, &force, &moment, x->law.slope, room);
    times(S, ri_vec3(0.0, 0.0, 0.0), ri_scale(h, ri_rotate_back(&x->R, x->rate)), &more_m, &more_f);
    x->applied_f = ri_rotate(&x->R, ri_sub(force, more_f));
    x->applied_m = ri_rotate(&x->R, ri_sub(moment, more_m));
    put_wrench(x, x->applied_f, x->applied_m, f);
    if (h > 0.0)
        put_slopes(x, S, h, X);
    ri_dyn_add_link_load(s->d, x->link, h > 0.0 ? X : NULL, f);
}

void ri_soil_part_end(RiSim *s, RiSoilPart *x, double h)
{
    const RiSpatial a = ri_spatial_at(s->d->acc + 8 * (x->body + 1));
    const RiVec3 rate = ri_add(ri_add(ri_add(a.lin, s->d->gravity), ri_cross(a.ang, x->arm)), x->rate);
    x->v_end = ri_add(x->v, ri_scale(h, ri_rotate_back(&x->R, rate)));
    x->w_end = ri_add(x->w, ri_scale(h, ri_rotate_back(&x->R, a.ang)));
}

/// The wrench at the end of the step, in the part's frame.
static void end_wrench(const RiSoilPart *x, double slope[6][6], RiVec3 *force, RiVec3 *moment)
{
    RiVec3 less_m, less_f;
    double room[6][6], (*S)[6] = add_damper(x, force, moment, slope, room);
    times(S, ri_sub(x->w_end, x->w), ri_sub(x->v_end, x->v), &less_m, &less_f);
    *force = ri_sub(*force, less_f);
    *moment = ri_sub(*moment, less_m);
}

void ri_soil_part_correct(RiSim *s, RiSoilPart *x)
{
    double more[8] = {0.0};
    x->end_force = x->law.force;
    x->end_moment = x->law.moment;
    end_wrench(x, x->law.slope, &x->end_force, &x->end_moment);
    const RiVec3 f = ri_rotate(&x->R, x->end_force), m = ri_rotate(&x->R, x->end_moment);
    put_wrench(x, ri_sub(f, x->applied_f), ri_sub(m, x->applied_m), more);
    ri_dyn_correct_link_wrench(s->d, x->link, more);
    x->applied_f = f;
    x->applied_m = m;
}

/// The mean motion of a step, in the part's frame.
static void mean_motion(const RiSim *s, const RiSoilPart *x, double h, RiVec3 *out_v, RiVec3 *out_w)
{
    const RiSpatial share = ri_dyn_motion_share(s->d, x->link, x->origin);
    *out_v = ri_add(x->v, ri_scale(0.5 * h, ri_rotate_back(&x->R, share.lin)));
    *out_w = ri_add(x->w, ri_scale(0.5 * h, ri_rotate_back(&x->R, share.ang)));
}

double ri_soil_part_work(const RiSim *s, const RiSoilPart *x, double h)
{
    RiVec3 v, w;
    mean_motion(s, x, h, &v, &w);
    return h * (ri_dot(ri_rotate_back(&x->R, x->applied_f), v) + ri_dot(ri_rotate_back(&x->R, x->applied_m), w));
}

bool ri_soil_part_hold(const RiSim *s, RiSoilPart *x, double held, double h)
{
    RiVec3 v, w, force = x->law.force, moment = x->law.moment;
    mean_motion(s, x, h, &v, &w);
    end_wrench(x, x->law.slope, &force, &moment);
    const double excess = h * (ri_dot(force, v) + ri_dot(moment, w)) - held, square = x->lever * x->lever;
    if (!(excess > ROUNDING * s->head->energy_scale))
        return true;
    const double ends = ri_dot(x->v_end, x->v_end) + square * ri_dot(x->w_end, x->w_end);
    const double takes = ri_dot(v, x->v_end) + square * ri_dot(w, x->w_end);
    const double raise = 1.25 * excess / (h * fmax(fmax(takes, 0.25 * ends), 1e-30));
    const bool more = x->damper < MOST_DAMPED;
    x->damper = fmin(MOST_DAMPED, fmax(2.0 * x->damper, x->damper + raise));
    return !more;
}

double ri_soil_part_left(const RiSoilPart *x)
{
    RiVec3 less_m, less_f;
    times(x->law.slope, ri_sub(x->w_end, x->w), ri_sub(x->v_end, x->v), &less_m, &less_f);
    const RiVec3 law = ri_sub(x->law.force, less_f), came = ri_rotate_back(&x->R, x->applied_f);
    const double square = ri_dot(law, law);
    return square > 0.0 ? fmin(1.0, fmax(0.0, ri_dot(law, came) / square)) : 1.0;
}
