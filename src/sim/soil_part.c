// SPDX-License-Identifier: Apache-2.0
/// \file
/// Wrenches of soft soil on a part of a link, within an implicit step.
#include "sim/soil_part.h"

void ri_soil_part_move(const RiSim *s, RiSoilPart *x)
{
    const RiPose link = ri_dyn_frame_pose(s->d, x->link);
    const RiSpatial twist = ri_dyn_frame_velocity(s->d, x->link);
    const RiVec3 v = ri_add(twist.lin, ri_cross(twist.ang, ri_sub(x->origin, link.p)));
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

/// h times the slopes as inertia about the region's origin: columns of 8.
static void put_slopes(const RiSoilPart *x, double slope[6][6], double h, double *X)
{
    double B[6][6] = {{0.0}}, T[6][6] = {{0.0}};
    const RiVec3 r = x->arm;
    const double cross[3][3] = {{0.0, r.z, -r.y}, {-r.z, 0.0, r.x}, {r.y, -r.x, 0.0}}; // w x r = cross w
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            B[i][k] = B[3 + i][3 + k] = x->R.m[k][i];
            for (int l = 0; l < 3; l++)
                B[3 + i][k] += x->R.m[l][i] * cross[l][k];
        }
    for (int i = 0; i < 6; i++)
        for (int l = 0; l < 6; l++)
            for (int k = 0; k < 6; k++)
                T[i][k] += h * slope[i][l] * B[l][k];
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < 6; i++) {
            double sum = 0.0;
            for (int l = 0; l < 6; l++)
                sum += B[l][i] * T[l][k];
            X[8 * k + (i < 3 ? i : i + 1)] += sum;
        }
}

static void put_wrench(const RiSoilPart *x, RiVec3 force, RiVec3 moment, double *out)
{
    const RiVec3 n = ri_add(moment, ri_cross(x->arm, force));
    out[0] += n.x, out[1] += n.y, out[2] += n.z;
    out[4] += force.x, out[5] += force.y, out[6] += force.z;
}

void ri_soil_part_apply(RiSim *s, RiSoilPart *x, RiVec3 force, RiVec3 moment, double slope[6][6], double h)
{
    double X[48] = {0.0}, f[8] = {0.0};
    RiVec3 more_m, more_f;
    times(slope, ri_vec3(0.0, 0.0, 0.0), ri_scale(h, ri_rotate_back(&x->R, x->rate)), &more_m, &more_f);
    x->applied_f = ri_rotate(&x->R, ri_sub(force, more_f));
    x->applied_m = ri_rotate(&x->R, ri_sub(moment, more_m));
    put_wrench(x, x->applied_f, x->applied_m, f);
    if (h > 0.0)
        put_slopes(x, slope, h, X);
    ri_dyn_add_link_load(s->d, x->link, h > 0.0 ? X : NULL, f);
}

void ri_soil_part_end(RiSim *s, RiSoilPart *x, double h)
{
    const RiSpatial a = ri_spatial_at(s->d->acc + 8 * (x->body + 1));
    const RiVec3 rate = ri_add(ri_add(ri_add(a.lin, s->d->gravity), ri_cross(a.ang, x->arm)), x->rate);
    x->v_end = ri_add(x->v, ri_scale(h, ri_rotate_back(&x->R, rate)));
    x->w_end = ri_add(x->w, ri_scale(h, ri_rotate_back(&x->R, a.ang)));
}

void ri_soil_part_correct(RiSim *s, RiSoilPart *x, double slope[6][6], RiVec3 *force, RiVec3 *moment)
{
    RiVec3 less_m, less_f;
    double more[8] = {0.0};
    times(slope, ri_sub(x->w_end, x->w), ri_sub(x->v_end, x->v), &less_m, &less_f);
    *force = ri_sub(*force, less_f);
    *moment = ri_sub(*moment, less_m);
    const RiVec3 f = ri_rotate(&x->R, *force), m = ri_rotate(&x->R, *moment);
    put_wrench(x, ri_sub(f, x->applied_f), ri_sub(m, x->applied_m), more);
    ri_dyn_correct_link_wrench(s->d, x->link, more);
    x->applied_f = f;
    x->applied_m = m;
}

double ri_soil_part_work(const RiSim *s, const RiSoilPart *x, double h)
{
    const RiVec3 share = ri_dyn_point_share(s->d, x->link, x->origin);
    RiVec3 turn = {0.0, 0.0, 0.0}; // angular acceleration that J a gives to the link, from three of its points
    for (int k = 0; k < 3; k++) {
        const RiVec3 e = ri_vec3(k == 0, k == 1, k == 2);
        const RiVec3 d = ri_sub(ri_dyn_point_share(s->d, x->link, ri_add(x->origin, e)), share);
        turn = ri_add(turn, ri_scale(0.5, ri_cross(e, d)));
    }
    const RiVec3 v = ri_add(ri_rotate(&x->R, x->v), ri_scale(0.5 * h, share));
    const RiVec3 w = ri_add(ri_rotate(&x->R, x->w), ri_scale(0.5 * h, turn));
    return h * (ri_dot(x->applied_f, v) + ri_dot(x->applied_m, w));
}
