// SPDX-License-Identifier: Apache-2.0
/// \file
/// Solving a stance: gaps of all wheels and their slopes in the unknowns, by one pass over the
/// parts.
///
/// A wheel's gap g = P_z - h(P_x, P_y) changes with a motion that moves P by dP as N . dP, N =
/// (-h_x, -h_y, 1): the height gives 1, a turn about the axis a through o gives a . ((P - o) x N),
/// a slide along a gives N . a. With the touching point on the wheel's surface this holds
/// for P fixed in the part, because the gap is stationary in the place on the surface.  [jain2003]
/// Test: tests/contact/test_stance.c.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/functions.h"
#include "contact/stance.h"
#include "math/dense.h"
#include "math/sincos.h"

enum { ROUNDS = 8, HALVINGS = 8 };
static const double LONGEST = 0.5; ///< step of an unknown [m or rad]
static const double WARM = 1.0;    ///< distance from the last stance up to which that is a good start [m]
static const double LOWER = 1e-7;  ///< overlap elsewhere on a wheel that is not overlooked [m]

// --- evaluation ----------------------------------------------------------------------------------

static double sum_of(const RiStanceSum *sum, const double *u)
{
    double x = sum->rest;
    for (int i = 0; i < sum->count; i++)
        x += sum->terms[i].factor * u[sum->terms[i].unknown];
    return x;
}

/// R = Rz(heading) Ry(pitch) Rx(roll).
static void pose_base(RiStance *s)
{
    double sp, cp, sr, cr;
    const double ch = s->cos_heading, sh = s->sin_heading;
    ri_sincos(s->u[RI_STANCE_PITCH], &sp, &cp);
    ri_sincos(s->u[RI_STANCE_ROLL], &sr, &cr);
    RiStancePart *base = &s->parts[0];
    base->R = (RiMat3){{{ch * cp, ch * sp * sr - sh * cr, ch * sp * cr + sh * sr},
                        {sh * cp, sh * sp * sr + ch * cr, sh * sp * cr - ch * sr},
                        {-sp, cp * sr, cp * cr}}};
    base->p = ri_vec3(s->x, s->y, s->u[RI_STANCE_Z]);
}

static void pose_part(RiStance *s, RiStancePart *part)
{
    const RiStancePart *up = &s->parts[part->parent];
    const double c = sum_of(&part->sum, s->u);
    const RiMat3 J = ri_mat3_mul(&up->R, &part->at.R);
    part->p = ri_add(up->p, ri_rotate(&up->R, part->at.p));
    part->axis = ri_mat3_col(&J, 2);
    part->R = J;
    if (part->slides) {
        part->p = ri_add(part->p, ri_scale(c, part->axis));
        return;
    }
    double sin_c, cos_c;
    ri_sincos(c, &sin_c, &cos_c);
    for (int i = 0; i < 3; i++) {
        part->R.m[i][0] = cos_c * J.m[i][0] + sin_c * J.m[i][1];
        part->R.m[i][1] = cos_c * J.m[i][1] - sin_c * J.m[i][0];
    }
}

static void pose_all(RiStance *s)
{
    pose_base(s);
    for (int i = 1; i < s->part_count; i++)
        pose_part(s, &s->parts[i]);
    for (int i = 0; i < s->wheel_count; i++) {
        RiStanceRim *w = &s->wheels[i];
        const RiStancePart *part = &s->parts[w->part];
        w->hub_W = ri_add(part->p, ri_rotate(&part->R, w->hub));
    }
}

/// Ground straight below all hubs.
static bool touch_below(RiStance *s)
{
    double x[RI_STANCE_WHEELS], y[RI_STANCE_WHEELS];
    RiHeight ground[RI_STANCE_WHEELS];
    bool found[RI_STANCE_WHEELS];
    for (int i = 0; i < s->wheel_count; i++) {
        x[i] = s->wheels[i].hub_W.x;
        y[i] = s->wheels[i].hub_W.y;
    }
    ri_terrain_height_many(s->terrain, s->wheel_count, x, y, ground, found);
    bool all = true;
    for (int i = 0; i < s->wheel_count; i++) {
        RiStanceRim *w = &s->wheels[i];
        w->moves = w->point = w->hub_W;
        w->point.z -= w->radius;
        w->ground = ground[i];
        w->gap = w->point.z - ground[i].z;
        if (!found[i]) {
            all = false;
            s->off_wheel = i;
        }
    }
    return all;
}

static bool touch_surface(RiStance *s)
{
    bool all = true;
    for (int i = 0; i < s->wheel_count; i++) {
        RiStanceRim *w = &s->wheels[i];
        w->axle_W = ri_rotate(&s->parts[w->part].R, w->axle);
        w->known = w->known && !s->wide;
        ri_stance_seek(s, w);
        if (!w->known) {
            all = false;
            s->off_wheel = i;
        }
    }
    return all;
}

/// Slopes of one wheel's gap in all unknowns.
static void fill_row(const RiStance *s, const RiStanceRim *w, double *row)
{
    const RiVec3 N = ri_vec3(-w->ground.zx, -w->ground.zy, 1.0);
    const RiVec3 about = ri_cross(ri_sub(w->moves, s->parts[0].p), N);
    memset(row, 0, (size_t)s->n * sizeof *row);
    row[RI_STANCE_Z] = 1.0;
    row[RI_STANCE_PITCH] = s->cos_heading * about.y - s->sin_heading * about.x;
    row[RI_STANCE_ROLL] = ri_dot(ri_mat3_col(&s->parts[0].R, 0), about);
    for (int k = 0; k < w->path_count; k++) {
        const RiStancePart *part = &s->parts[w->path[k]];
        const double g =
            part->slides ? ri_dot(N, part->axis) : ri_dot(part->axis, ri_cross(ri_sub(w->moves, part->p), N));
        for (int i = 0; i < part->sum.count; i++)
            row[part->sum.terms[i].unknown] += g * part->sum.terms[i].factor;
    }
}

bool ri_stance_evaluate(RiStance *s, double *out_f, double *out_J)
{
    pose_all(s);
    s->off = !(s->contact == RI_STANCE_BELOW_HUB ? touch_below(s) : touch_surface(s));
    if (s->off)
        return false;
    for (int i = 0; i < s->wheel_count; i++) {
        out_f[i] = s->wheels[i].gap;
        fill_row(s, &s->wheels[i], out_J + i * s->n);
    }
    for (int i = 0; i < s->tie_count; i++) {
        const RiStanceSum *sum = &s->ties[i];
        double *row = out_J + (s->wheel_count + i) * s->n;
        memset(row, 0, (size_t)s->n * sizeof *row);
        out_f[s->wheel_count + i] = sum_of(sum, s->u) - s->tie_at[i];
        for (int k = 0; k < sum->count; k++)
            row[sum->terms[k].unknown] = sum->terms[k].factor;
    }
    return true;
}

static bool stance_evaluate(void *user, double *out_f, double *out_J)
{
    return ri_stance_evaluate(user, out_f, out_J);
}

static void stance_keep(void *user)
{
    RiStance *s = user;
    memcpy(s->kept, s->u, (size_t)s->n * sizeof *s->u);
}

static void stance_move(void *user, const double *step, double scale)
{
    RiStance *s = user;
    for (int i = 0; i < s->n; i++)
        s->u[i] = s->kept[i] + (scale != 0.0 ? scale * step[i] : 0.0);
}

// --- starts --------------------------------------------------------------------------------------

/// The current q.
static void start_from(RiStance *s, const double *q)
{
    for (int i = 0; i < s->passive_count; i++)
        s->u[RI_STANCE_BASE + i] = q[s->m->joints[s->unknown_joint[i]].q];
    const double w = q[3], x = q[4], y = q[5], z = q[6];
    s->u[RI_STANCE_Z] = q[2];
    s->u[RI_STANCE_PITCH] = ri_asin(fmax(-1.0, fmin(1.0, 2.0 * (w * y - x * z))));
    s->u[RI_STANCE_ROLL] = ri_atan2(2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y));
}

/// The plane z = a + b X + c Y, X and Y along and left of the heading from (x, y), that fits the
/// ground below the hubs best. False: no ground there.
static bool fit_plane(RiStance *s, double out[3])
{
    double A[9] = {0.0}, b[3] = {0.0};
    for (int i = 0; i < s->wheel_count; i++) {
        const RiVec3 d = ri_sub(s->wheels[i].hub_W, ri_vec3(s->x, s->y, 0.0));
        const double r[3] = {1.0, s->cos_heading * d.x + s->sin_heading * d.y,
                             s->cos_heading * d.y - s->sin_heading * d.x};
        RiHeight ground;
        if (!ri_terrain_height(s->terrain, s->wheels[i].hub_W.x, s->wheels[i].hub_W.y, &ground) ||
            !isfinite(ground.z)) {
            s->off_wheel = i;
            return false;
        }
        for (int k = 0; k < 3; k++) {
            b[k] += r[k] * ground.z;
            for (int l = 0; l < 3; l++)
                A[3 * k + l] += r[k] * r[l];
        }
    }
    if (!ri_ldl_factor(3, A, 1e-12))
        return false;
    memcpy(out, b, sizeof b);
    ri_ldl_solve(3, A, out);
    return true;
}

/// On the plane that fits the ground below the robot, its joints at rest. False: there is no
/// ground.
static bool start_on_plane(RiStance *s)
{
    for (int i = 0; i < s->n; i++)
        s->u[i] = 0.0;
    pose_all(s);
    double plane[3], above = 0.0;
    if (!fit_plane(s, plane))
        return false;
    s->u[RI_STANCE_PITCH] = -ri_atan(plane[1]);
    s->u[RI_STANCE_ROLL] = ri_atan(plane[2] * ri_cos(s->u[RI_STANCE_PITCH]));
    pose_all(s);
    if (!touch_below(s))
        return false;
    for (int i = 0; i < s->wheel_count; i++)
        above += s->wheels[i].gap / s->wheel_count;
    s->u[RI_STANCE_Z] -= above;
    return true;
}

// --- the solve -----------------------------------------------------------------------------------

static RiNewtonResult iterate(RiStance *s, RiStanceContact contact, int halvings)
{
    const RiNewtonProblem problem = {s->n, s->n, s, stance_evaluate, stance_keep, stance_move};
    const RiNewtonOptions options = {.enough = s->def.tolerance,
                                     .tolerance = s->def.tolerance,
                                     .rank = 1e-12,
                                     .longest = LONGEST,
                                     .iterations = s->def.iterations,
                                     .halvings = halvings,
                                     .lu = true};
    s->contact = contact;
    return ri_newton_solve(&problem, &options, &s->newton);
}

/// With touches on the surface: until no wheel lies deeper anywhere else.
static RiNewtonResult iterate_local(RiStance *s)
{
    RiNewtonResult r = iterate(s, RI_STANCE_ON_SURFACE, HALVINGS);
    for (int round = 0; round < ROUNDS && r.solved; round++) {
        bool lower = false;
        for (int i = 0; i < s->wheel_count; i++)
            lower = ri_stance_seek_lower(s, &s->wheels[i], LOWER) || lower;
        if (!lower)
            return r;
        const int before = r.iterations;
        r = iterate(s, RI_STANCE_ON_SURFACE, HALVINGS);
        r.iterations += before;
    }
    r.solved = false;
    return r;
}

/// Where a wheel's lowest point jumps from one place to another, gaps have kinks on which a search
/// for smaller ones gets stuck. There every evaluation looks all around each wheel, and steps are
/// taken as they come.
static RiNewtonResult iterate_surface(RiStance *s)
{
    RiNewtonResult r = iterate_local(s);
    s->wide = true;
    for (int k = 0; k < 2 && !r.solved && !s->off; k++) {
        const int before = r.iterations;
        r = iterate(s, RI_STANCE_ON_SURFACE, k == 0 ? 0 : HALVINGS);
        r.iterations += before;
    }
    s->wide = false;
    return r;
}

static RiNewtonResult iterate_all(RiStance *s)
{
    if (s->def.contact == RI_STANCE_BELOW_HUB)
        return iterate(s, RI_STANCE_BELOW_HUB, HALVINGS);
    return iterate_surface(s);
}

static void forget_touches(RiStance *s)
{
    for (int i = 0; i < s->wheel_count; i++)
        s->wheels[i].known = false;
}

/// From q if that is near, else or if it fails from the plane, by way of the simpler equations.
static RiNewtonResult search(RiStance *s, const double *q)
{
    RiNewtonResult r = {.worst = -1, .residual = INFINITY};
    const double far = ri_hypot(q[0] - s->x, q[1] - s->y);
    if (far <= WARM && fabs(q[2]) < 1e9) {
        start_from(s, q);
        r = iterate_all(s);
        if (r.solved)
            return r;
    }
    const int before = r.iterations;
    forget_touches(s);
    if (!start_on_plane(s)) {
        s->off = true;
        return r;
    }
    if (s->def.contact == RI_STANCE_ON_SURFACE) {
        const RiNewtonResult hub = iterate(s, RI_STANCE_BELOW_HUB, HALVINGS);
        if (!hub.solved)
            (void)start_on_plane(s);
    }
    r = iterate_all(s);
    r.iterations += before;
    return r;
}

// --- answers -------------------------------------------------------------------------------------

static const double DEGREES = 57.29577951308232;

/// Wheel that would hang in the air if a part gave back what its joint is beyond its limit.
static int wheel_left_hanging(const RiStance *s, int part, double excess)
{
    int worst = -1;
    double most = -INFINITY;
    for (int i = 0; i < s->wheel_count; i++) {
        const RiStanceRim *w = &s->wheels[i];
        const RiStancePart *p = &s->parts[part];
        for (int k = 0; k < w->path_count; k++) {
            const RiVec3 N = ri_vec3(-w->ground.zx, -w->ground.zy, 1.0);
            const double lift =
                -excess * (p->slides ? ri_dot(N, p->axis) : ri_dot(p->axis, ri_cross(ri_sub(w->moves, p->p), N)));
            if (w->path[k] == part && lift > most) {
                most = lift;
                worst = i;
            }
        }
    }
    return worst;
}

/// Limits of the passive joints. Fills in the report where one does not hold.
static bool within_limits(const RiStance *s, RiStanceReport *report)
{
    for (int i = 1; i < s->part_count; i++) {
        const RiStancePart *p = &s->parts[i];
        const RiJointSpec *j = &s->m->joints[p->sum.joint].spec;
        const double c = sum_of(&p->sum, s->u), by = c < j->lower ? c - j->lower : c > j->upper ? c - j->upper : 0.0;
        if (!j->has_limits || fabs(by) <= 1e-9)
            continue;
        const int wheel = wheel_left_hanging(s, i, by);
        const double unit = p->slides ? 1.0 : DEGREES;
        if (report) {
            report->wheel = wheel;
            snprintf(report->text, sizeof report->text,
                     "wheel '%s' cannot touch: joint '%s' would have to stand at %.4g %s, its limit is %.4g %s",
                     wheel < 0 ? "" : s->wheels[wheel].name, j->name, unit * c, p->slides ? "m" : "deg",
                     unit * (by < 0.0 ? j->lower : j->upper), p->slides ? "m" : "deg");
        }
        return false;
    }
    return true;
}

/// Wheels on ground that is there; a base that is not upside down.
static bool stands_on_ground(const RiStance *s, RiStanceReport *report)
{
    for (int i = 0; i < s->wheel_count; i++)
        if (s->wheels[i].ground.flags & RI_SURFACE_OUTSIDE) {
            if (report) {
                report->wheel = i;
                snprintf(report->text, sizeof report->text,
                         "wheel '%s' stands at (%.4g, %.4g), beyond the edge of the terrain", s->wheels[i].name,
                         s->wheels[i].hub_W.x, s->wheels[i].hub_W.y);
            }
            return false;
        }
    if (fabs(s->u[RI_STANCE_PITCH]) < 1.55 && fabs(s->u[RI_STANCE_ROLL]) < 1.55)
        return true;
    if (report)
        snprintf(report->text, sizeof report->text, "the robot would stand on its side: roll %.4g deg, pitch %.4g deg",
                 DEGREES * s->u[RI_STANCE_ROLL], DEGREES * s->u[RI_STANCE_PITCH]);
    return false;
}

static void explain(const RiStance *s, const RiNewtonResult *r, RiStanceReport *report)
{
    if (!report)
        return;
    if (s->off) {
        report->wheel = s->off_wheel;
        snprintf(report->text, sizeof report->text, "wheel '%s' has no ground below it at (%.4g, %.4g)",
                 s->wheels[s->off_wheel].name, s->wheels[s->off_wheel].hub_W.x, s->wheels[s->off_wheel].hub_W.y);
        return;
    }
    const bool wheel = r->worst >= 0 && r->worst < s->wheel_count;
    report->wheel = wheel ? r->worst : -1;
    if (wheel)
        snprintf(report->text, sizeof report->text,
                 "no stance in which all wheels touch was found: %.3g mm %s at wheel '%s' are left after %d iterations",
                 1e3 * fabs(s->newton.f[r->worst]), s->newton.f[r->worst] > 0.0 ? "of gap" : "of overlap",
                 s->wheels[r->worst].name, r->iterations);
    else
        snprintf(report->text, sizeof report->text, "no stance was found in %d iterations", r->iterations);
}

static void write_q(RiStance *s, double heading, double *q)
{
    double sh, ch, sp, cp, sr, cr;
    ri_sincos(0.5 * heading, &sh, &ch);
    ri_sincos(0.5 * s->u[RI_STANCE_PITCH], &sp, &cp);
    ri_sincos(0.5 * s->u[RI_STANCE_ROLL], &sr, &cr);
    const double base[7] = {s->x,
                            s->y,
                            s->u[RI_STANCE_Z],
                            ch * cp * cr + sh * sp * sr,
                            ch * cp * sr - sh * sp * cr,
                            ch * sp * cr + sh * cp * sr,
                            sh * cp * cr - ch * sp * sr};
    memcpy(q, base, sizeof base);
    for (int i = 0; i < s->passive_count; i++)
        q[s->m->joints[s->unknown_joint[i]].q] = s->u[RI_STANCE_BASE + i];
}

static void begin(RiStance *s, const RiTerrain *terrain, double x, double y, double heading, const double *q)
{
    forget_touches(s); // the answer depends on nothing but what is asked
    s->terrain = terrain;
    s->x = x;
    s->y = y;
    s->off = false;
    s->off_wheel = 0;
    ri_sincos(heading, &s->sin_heading, &s->cos_heading);
    bool moved = !s->folded;
    for (int i = 0; i < s->held_count; i++)
        moved = moved || q[s->held[i]] != s->held_q[i];
    if (moved)
        ri_stance_fold(s, q);
}

bool ri_stance_solve(RiStance *s, const RiTerrain *terrain, double x, double y, double heading, double *q,
                     RiStanceReport *report)
{
    if (report)
        *report = (RiStanceReport){.wheel = -1};
    if (!isfinite(x) || !isfinite(y) || !(fabs(heading) < 1e6)) {
        if (report)
            snprintf(report->text, sizeof report->text, "the place (%g, %g) with heading %g rad is not finite", x, y,
                     heading);
        return false;
    }
    begin(s, terrain, x, y, heading, q);
    const RiNewtonResult r = search(s, q);
    bool solved = r.solved;
    if (!solved)
        explain(s, &r, report);
    solved = solved && stands_on_ground(s, report) && (!s->def.limits || within_limits(s, report));
    s->solved = solved;
    if (solved)
        write_q(s, heading, q);
    if (report) {
        report->solved = solved;
        report->iterations = r.iterations;
        report->residual = r.residual;
        report->z = s->u[RI_STANCE_Z];
        report->roll = s->u[RI_STANCE_ROLL];
        report->pitch = s->u[RI_STANCE_PITCH];
    }
    return solved;
}

RiStanceWheel ri_stance_wheel(const RiStance *s, int wheel)
{
    const RiStanceRim *w = &s->wheels[wheel];
    const RiVec3 N = ri_vec3(-w->ground.zx, -w->ground.zy, 1.0);
    return (RiStanceWheel){.name = w->name,
                           .link = w->link,
                           .radius = w->radius,
                           .hub = w->hub_W,
                           .point = w->point,
                           .normal = ri_scale(1.0 / ri_norm(N), N),
                           .gap = w->gap};
}

// --- loads ---------------------------------------------------------------------------------------

bool ri_stance_loads(RiStance *s, RiDyn *d, const double *q, double *out_loads)
{
    const int n = s->n;
    if (!s->solved || ri_dyn_update_position(d, q) != RI_OK)
        return false;
    double *bias = s->at_rest;
    memset(bias, 0, (size_t)s->m->nv * sizeof *bias);
    ri_dyn_update_velocity(d, bias);
    ri_dyn_clear_wrenches(d);
    ri_dyn_inverse(d, NULL, bias);
    // Work of the weight in each unknown: the base turns about axes that its velocities are given
    // along.
    const RiMat3 *R = &s->parts[0].R;
    const RiVec3 pitch = ri_rotate_back(R, ri_vec3(-s->sin_heading, s->cos_heading, 0.0));
    double *rhs = s->newton.rhs;
    rhs[RI_STANCE_Z] = bias[2];
    rhs[RI_STANCE_PITCH] = ri_dot(pitch, ri_vec3(bias[3], bias[4], bias[5]));
    rhs[RI_STANCE_ROLL] = bias[3];
    for (int i = 0; i < s->passive_count; i++)
        rhs[RI_STANCE_BASE + i] = bias[s->m->joints[s->unknown_joint[i]].v];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            s->newton.A[i * n + k] = s->newton.J[k * n + i];
    if (!ri_lu_factor(n, s->newton.A, s->newton.pivot))
        return false;
    ri_lu_solve(n, s->newton.A, s->newton.pivot, rhs);
    for (int i = 0; i < s->wheel_count; i++) {
        const RiHeight *g = &s->wheels[i].ground;
        out_loads[i] = rhs[i] * sqrt(1.0 + g->zx * g->zx + g->zy * g->zy);
    }
    return true;
}
