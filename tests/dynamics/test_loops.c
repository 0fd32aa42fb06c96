// SPDX-License-Identifier: Apache-2.0
/// \file
/// Closed loops: textbook mechanisms and random closures of every type. A loop is right if it stays
/// closed, if its velocity and acceleration maps are the derivatives of its position map, if
/// forward inverts inverse, if energy balances, and if the closure's forces are opposite on its two
/// links and absent in the directions it leaves free.
#include "support/trees.h"

// --- mechanisms ----------------------------------------------------------------------------------

static void add_link(RiSpec *spec, RiRng *rng, const char *name)
{
    const RiLinkSpec link = random_link(rng, name, 0.4);
    spec_link(spec, &link);
}

static RiSpec *mechanism(const char *name, bool floating, RiRng *rng)
{
    RiSpec *spec = spec_new(context_new(), name);
    spec->base = floating ? RI_BASE_FLOATING : RI_BASE_FIXED;
    add_link(spec, rng, "base");
    return spec;
}

/// A link `child` with a joint of its own name at (x, y, z) of the parent, axes as the parent's.
static RiJointSpec *add_arm(RiSpec *spec, RiRng *rng, const char *parent, const char *child, RiJointType type,
                            RiVec3 at, RiVec3 axis, double position)
{
    add_link(spec, rng, child);
    RiJointSpec j = ri_joint_default();
    j.name = child, j.parent = parent, j.child = child, j.type = type, j.axis = axis;
    j.origin.p = at;
    j.position[0] = type == RI_JOINT_BALL ? 1.0 : position;
    spec_joint(spec, &j);
    return &spec->joints[spec->joint_count - 1];
}

static RiLoopSpec loop_between(const char *name, RiLoopType type, const char *a, RiVec3 at_a, const char *b,
                               RiVec3 at_b)
{
    RiLoopSpec loop = ri_loop_default();
    loop.name = name, loop.type = type, loop.link_a = a, loop.link_b = b;
    loop.pose_a.p = at_a, loop.pose_b.p = at_b;
    return loop;
}

static const RiVec3 z_axis = {0.0, 0.0, 1.0}, x_axis = {1.0, 0.0, 0.0}, y_axis = {0.0, 1.0, 0.0};

static RiVec3 along(double x)
{
    return ri_vec3(x, 0.0, 0.0);
}

#define CRANK   0.4
#define COUPLER 1.1
#define ROCKER  0.9
#define GROUND  1.0

/// Crank, coupler and rocker under `base`.
static void add_four_bar(RiSpec *spec, RiRng *rng)
{
    add_arm(spec, rng, "base", "crank", RI_JOINT_REVOLUTE, along(0.0), z_axis, 0.8)->independent = true;
    add_arm(spec, rng, "crank", "coupler", RI_JOINT_REVOLUTE, along(CRANK), z_axis, -0.4);
    add_arm(spec, rng, "base", "rocker", RI_JOINT_REVOLUTE, along(GROUND), z_axis, 1.4);
    const RiLoopSpec loop = loop_between("pin", RI_LOOP_REVOLUTE, "coupler", along(COUPLER), "rocker", along(ROCKER));
    spec_loop(spec, &loop);
}

static RiSpec *four_bar(RiRng *rng)
{
    RiSpec *spec = mechanism("four-bar", false, rng);
    add_four_bar(spec, rng);
    return spec;
}

static RiSpec *slider_crank(RiRng *rng)
{
    RiSpec *spec = mechanism("slider-crank", false, rng);
    add_arm(spec, rng, "base", "crank", RI_JOINT_REVOLUTE, along(0.0), z_axis, 0.7);
    add_arm(spec, rng, "crank", "rod", RI_JOINT_REVOLUTE, along(0.3), z_axis, -0.9);
    add_arm(spec, rng, "base", "slider", RI_JOINT_PRISMATIC, along(0.0), x_axis, 1.1);
    const RiLoopSpec loop = loop_between("pin", RI_LOOP_REVOLUTE, "rod", along(0.9), "slider", along(0.0));
    spec_loop(spec, &loop);
    return spec;
}

/// Three parallel rockers carry one coupler: the third is redundant.
static RiSpec *parallelogram(RiRng *rng)
{
    RiSpec *spec = mechanism("parallelogram", false, rng);
    add_arm(spec, rng, "base", "left", RI_JOINT_REVOLUTE, along(0.0), z_axis, 1.0);
    add_arm(spec, rng, "left", "coupler", RI_JOINT_REVOLUTE, along(0.5), z_axis, -1.0);
    add_arm(spec, rng, "base", "middle", RI_JOINT_REVOLUTE, along(0.5), z_axis, 1.0);
    add_arm(spec, rng, "base", "right", RI_JOINT_REVOLUTE, along(1.0), z_axis, 1.0);
    RiLoopSpec loop = loop_between("middle", RI_LOOP_REVOLUTE, "coupler", along(0.5), "middle", along(0.5));
    spec_loop(spec, &loop);
    loop = loop_between("right", RI_LOOP_REVOLUTE, "coupler", along(1.0), "right", along(0.5));
    spec_loop(spec, &loop);
    return spec;
}

/// Bricard's trihedral linkage: six hinges along the edges of a cube, each axis normal to the two
/// edges that meet at it. Counting equations gives 0 degrees of freedom; the geometry gives 1.
static RiSpec *bricard(RiRng *rng)
{
    RiSpec *spec = mechanism("bricard", false, rng);
    const char *const names[] = {"base", "l1", "l2", "l3", "l4", "l5"};
    const RiVec3 edge[] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {-1.0, 0.0, 0.0}};
    const RiVec3 axis[] = {y_axis, z_axis, x_axis, y_axis, z_axis};
    for (int i = 0; i < 5; i++)
        add_arm(spec, rng, names[i], names[i + 1], RI_JOINT_REVOLUTE, edge[i], axis[i], 0.0);
    RiLoopSpec loop = loop_between("sixth", RI_LOOP_REVOLUTE, "l5", ri_vec3(0.0, -1.0, 0.0), "base", z_axis);
    loop.pose_a.R = loop.pose_b.R = ri_mat3_from_z(x_axis);
    spec_loop(spec, &loop);
    return spec;
}

/// A four-bar on a floating chassis, with an arm hanging on its rocker.
static RiSpec *floating_loop(RiRng *rng)
{
    RiSpec *spec = mechanism("floating four-bar", true, rng);
    add_four_bar(spec, rng);
    add_arm(spec, rng, "rocker", "arm", RI_JOINT_REVOLUTE, along(0.5), y_axis, 0.3);
    add_arm(spec, rng, "arm", "hand", RI_JOINT_BALL, along(0.4), z_axis, 0.0);
    add_arm(spec, rng, "base", "mast", RI_JOINT_PRISMATIC, ri_vec3(0.0, 0.3, 0.0), z_axis, 0.2);
    return spec;
}

/// Stephenson's six-bar: two loops that share the rocker and the ground.
static RiSpec *six_bar(RiRng *rng)
{
    RiSpec *spec = mechanism("six-bar", false, rng);
    add_four_bar(spec, rng);
    add_arm(spec, rng, "rocker", "link", RI_JOINT_REVOLUTE, along(0.6), z_axis, -1.2);
    add_arm(spec, rng, "base", "output", RI_JOINT_REVOLUTE, along(2.0), z_axis, 1.5);
    const RiLoopSpec loop = loop_between("second", RI_LOOP_REVOLUTE, "link", along(1.0), "output", along(0.7));
    spec_loop(spec, &loop);
    return spec;
}

/// Two pendulums, one on a ball joint, tied by a massless rod.
static RiSpec *rod(RiRng *rng)
{
    RiSpec *spec = mechanism("rod", false, rng);
    add_arm(spec, rng, "base", "left", RI_JOINT_REVOLUTE, along(0.0), y_axis, 0.3);
    add_arm(spec, rng, "base", "right", RI_JOINT_BALL, along(1.0), z_axis, 0.0);
    RiLoopSpec loop =
        loop_between("rod", RI_LOOP_DISTANCE, "left", ri_vec3(0.0, 0.0, -0.5), "right", ri_vec3(0.0, 0.1, -0.6));
    loop.distance = 1.2;
    spec_loop(spec, &loop);
    return spec;
}

/// Geared five-bar: a loop with two freedoms, one of them taken by a gear between the cranks; a
/// wheel follows one crank.
static RiSpec *geared_five_bar(RiRng *rng)
{
    RiSpec *spec = mechanism("geared five-bar", false, rng);
    add_arm(spec, rng, "base", "c1", RI_JOINT_REVOLUTE, along(0.0), z_axis, 2.0);
    add_arm(spec, rng, "c1", "l1", RI_JOINT_REVOLUTE, along(0.4), z_axis, -1.2);
    add_arm(spec, rng, "base", "c2", RI_JOINT_REVOLUTE, along(0.8), z_axis, 1.0);
    add_arm(spec, rng, "c2", "l2", RI_JOINT_REVOLUTE, along(0.4), z_axis, 1.2);
    add_arm(spec, rng, "base", "wheel", RI_JOINT_CONTINUOUS, along(-0.5), y_axis, 0.0);
    const RiLoopSpec loop = loop_between("tip", RI_LOOP_REVOLUTE, "l1", along(0.9), "l2", along(0.9));
    spec_loop(spec, &loop);
    const RiCouplingTerm gear[] = {{"c2", 1.0}, {"c1", 1.0}}, follow[] = {{"wheel", 1.0}, {"c1", -2.0}};
    spec_couple(spec, "gear", 2, gear, 3.0);
    spec_couple(spec, "follow", 2, follow, 0.1);
    return spec;
}

typedef RiSpec *(*Maker)(RiRng *);
static const struct {
    const char *name;
    Maker make;
    int nv;
} mechanisms[] = {
    {"four-bar", four_bar, 1}, {"slider-crank", slider_crank, 1},      {"parallelogram", parallelogram, 1},
    {"bricard", bricard, 1},   {"floating", floating_loop, 12},        {"six-bar", six_bar, 1},
    {"rod", rod, 3},           {"geared five-bar", geared_five_bar, 1}};
enum { MECHANISMS = sizeof mechanisms / sizeof *mechanisms };

static Robot open_mechanism(Maker make, uint64_t seed)
{
    RiRng rng = ri_rng_stream(seed, "mechanism");
    RiSpec *spec = make(&rng);
    return robot_open(spec->ctx, spec, true, seed);
}

// --- what every loop must satisfy ----------------------------------------------------------------

/// Distance of a closure from being closed, from frame poses alone.
static double closure_gap(const Robot *r, const RiLoopSpec *x)
{
    const RiPose a = ri_dyn_frame_pose(r->d, ri_model_find_link(r->m, x->link_a)), A = ri_pose_mul(&a, &x->pose_a);
    const RiPose b = ri_dyn_frame_pose(r->d, ri_model_find_link(r->m, x->link_b)), B = ri_pose_mul(&b, &x->pose_b);
    const RiVec3 gap = ri_sub(B.p, A.p), zA = ri_mat3_col(&A.R, 2), zB = ri_mat3_col(&B.R, 2);
    const double apart = ri_norm(gap), turn = largest_difference(&A.R.m[0][0], &B.R.m[0][0], 9);
    const double tilt = vec3_difference(zA, zB), off = ri_norm(ri_cross(gap, zA));
    switch (x->type) {
    case RI_LOOP_FIXED:
        return apart + turn;
    case RI_LOOP_REVOLUTE:
        return apart + tilt;
    case RI_LOOP_PRISMATIC:
        return off + turn;
    case RI_LOOP_CYLINDRICAL:
        return off + tilt;
    case RI_LOOP_UNIVERSAL:
        return apart + fabs(ri_dot(ri_mat3_col(&A.R, 0), ri_mat3_col(&B.R, 1)));
    case RI_LOOP_BALL:
        return apart;
    case RI_LOOP_PLANAR:
        return fabs(ri_dot(gap, zA)) + tilt;
    default:
        return fabs(apart - x->distance);
    }
}

static void check_closed(const Robot *r)
{
    for (int i = 0; i < r->spec->loop_count; i++)
        CHECK_SMALL(r, closure_gap(r, &r->spec->loops[i]), 1e-12);
    for (int i = 0; i < r->spec->coupling_count; i++) {
        const RiCouplingSpec *x = &r->spec->couplings[i];
        double sum = -x->offset, q;
        for (int k = 0; k < x->term_count; k++) {
            ri_dyn_joint_position(r->d, ri_model_find_joint(r->m, x->terms[k].joint), &q);
            sum += x->terms[k].factor * q;
        }
        CHECK_SMALL(r, fabs(sum), 1e-12);
    }
}

/// aba == crba == inverse of rnea.
static void check_algorithms(Robot *r)
{
    const size_t n = (size_t)r->nv;
    double *a = numbers(n), *b = numbers(n), *M = numbers(n * n), *bias = numbers(n);
    ri_dyn_clear_wrenches(r->d);
    REQUIRE_OK(r->ctx, ri_dyn_forward(r->d, r->tau, a));
    ri_dyn_inverse(r->d, a, b);
    CHECK_SMALL(r, relative_difference(b, r->tau, r->nv), 1e-10);
    ri_dyn_inverse(r->d, NULL, bias);
    for (size_t i = 0; i < n; i++)
        b[i] = r->tau[i] - bias[i];
    ri_dyn_mass_matrix(r->d, M);
    CHECK(cholesky_solve(r->nv, M, b));
    CHECK_SMALL(r, relative_difference(b, a, r->nv), 1e-10);
    for (size_t i = 0; i < n; i++)
        b[i] = r->tau[i] - bias[i];
    ri_dyn_mass_matrix(r->d, NULL);
    REQUIRE_OK(r->ctx, ri_dyn_factor(r->d));
    ri_dyn_solve(r->d, b);
    CHECK_SMALL(r, relative_difference(b, a, r->nv), 1e-10);
    free(a), free(b), free(M), free(bias);
}

/// Rates of the joints against differences of their positions and rates, v constant: s' = G v and
/// s'' = g.
static void check_maps(Robot *r, double h)
{
    for (int j = 0; j < r->nj; j++) {
        const RiJointInfo info = ri_model_joint(r->m, j);
        double v[6], a[6], dq[6] = {0.0}, dv[6] = {0.0}, *q = numbers((size_t)r->nq), *none = numbers((size_t)r->nv);
        ri_dyn_joint_velocity(r->d, j, v);
        ri_dyn_inverse(r->d, NULL, none);
        ri_dyn_joint_acceleration(r->d, j, a);
        for (int k = 1; k <= 3; k++)
            for (int side = -1; side <= 1; side += 2) {
                double x[7], y[6];
                ri_model_integrate(r->m, r->q, r->v, side * k * h, q);
                CHECK_OK(r->ctx, ri_dyn_update_position(r->d, q));
                ri_dyn_update_velocity(r->d, r->v);
                ri_dyn_joint_position(r->d, j, x);
                ri_dyn_joint_velocity(r->d, j, y);
                for (int i = 0; i < info.nv; i++) {
                    dq[i] += info.nq == info.nv ? side * stencil[k - 1] / h * x[i] : 0.0;
                    dv[i] += side * stencil[k - 1] / h * y[i];
                }
            }
        CHECK_OK(r->ctx, ri_dyn_update_position(r->d, r->q));
        ri_dyn_update_velocity(r->d, r->v);
        if (info.nq == info.nv)
            CHECK_SMALL(r, largest_difference(dq, v, info.nv) / (1.0 + largest(v, info.nv)), 1e-8);
        CHECK_SMALL(r, largest_difference(dv, a, info.nv) / (1.0 + largest(a, info.nv)), 1e-8);
        free(q), free(none);
    }
}

static RiSpatial times(const double *J, int nv, const double *x)
{
    double y[6] = {0.0};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < nv; k++)
            y[i] += J[i * nv + k] * x[k];
    return (RiSpatial){{y[0], y[1], y[2]}, {y[3], y[4], y[5]}};
}

static void check_frames(Robot *r, double h)
{
    double *J = numbers(6 * (size_t)r->nv), *a = numbers((size_t)r->nv);
    for (int l = 0; l < r->nl; l++) {
        const Path path = robot_follow(r, l, h);
        const RiSpatial v = ri_dyn_frame_velocity(r->d, l), bias = ri_dyn_frame_bias(r->d, l);
        ri_dyn_frame_jacobian(r->d, l, J);
        CHECK_SMALL(r, spatial_difference(times(J, r->nv, r->v), v) / (1.0 + spatial_size(v)), 1e-12);
        CHECK_SMALL(r, spatial_difference(path_pose_rate(&path), v) / (1.0 + spatial_size(v)), 1e-8);
        CHECK_SMALL(r, spatial_difference(path_velocity_rate(&path), bias) / (1.0 + spatial_size(bias)), 1e-8);
        REQUIRE_OK(r->ctx, ri_dyn_forward(r->d, r->tau, a));
        const RiSpatial acc = ri_dyn_frame_acceleration(r->d, l), Ja = times(J, r->nv, a);
        const RiSpatial want = {ri_add(Ja.ang, bias.ang), ri_add(Ja.lin, bias.lin)};
        CHECK_SMALL(r, spatial_difference(acc, want) / (1.0 + spatial_size(want) + largest(a, r->nv)), 1e-11);
    }
    free(J), free(a);
}

/// The closure's own force on a link, given the link's unexplained need f: no power in what the
/// closure leaves free.
static double free_part(const RiLoopSpec *x, const RiPose *A, const RiPose *B, RiSpatial f)
{
    const RiVec3 zA = ri_mat3_col(&A->R, 2), n = ri_sub(B->p, A->p);
    const double turn = fabs(ri_dot(f.ang, zA)), slide = fabs(ri_dot(f.lin, zA)), all = ri_norm(f.ang);
    const RiVec3 cross = ri_cross(ri_mat3_col(&A->R, 0), ri_mat3_col(&B->R, 1));
    switch (x->type) { // f is about the origin of B
    case RI_LOOP_REVOLUTE:
        return turn;
    case RI_LOOP_PRISMATIC:
        return slide;
    case RI_LOOP_CYLINDRICAL:
        return turn + slide;
    case RI_LOOP_UNIVERSAL:
        return ri_norm(ri_cross(f.ang, cross));
    case RI_LOOP_BALL:
        return all;
    case RI_LOOP_PLANAR:
        return turn + ri_norm(ri_cross(f.lin, zA));
    case RI_LOOP_DISTANCE:
        return all + ri_norm(ri_cross(f.lin, ri_scale(1.0 / ri_norm(n), n)));
    default:
        return 0.0;
    }
}

static RiSpatial about(RiSpatial f, RiVec3 from, RiVec3 to)
{
    f.ang = ri_add(f.ang, ri_cross(ri_sub(from, to), f.lin));
    return f;
}

static bool touches(const Robot *r, int link)
{
    for (int i = 0; i < r->spec->loop_count; i++)
        if (ri_model_find_link(r->m, r->spec->loops[i].link_a) == link ||
            ri_model_find_link(r->m, r->spec->loops[i].link_b) == link)
            return true;
    return false;
}

/// One closure: its force on B is the opposite of that on A and does no work. Moments about the
/// origin of B.
static void check_closure_force(const Robot *r, const RiLoopSpec *x, const LinkWrench *extra, double scale)
{
    const int la = ri_model_find_link(r->m, x->link_a), lb = ri_model_find_link(r->m, x->link_b);
    const RiPose a = ri_dyn_frame_pose(r->d, la), A = ri_pose_mul(&a, &x->pose_a);
    const RiPose b = ri_dyn_frame_pose(r->d, lb), B = ri_pose_mul(&b, &x->pose_b);
    const RiSpatial fa = about(robot_link_residual(r, la, extra), a.p, B.p),
                    fb = about(robot_link_residual(r, lb, extra), b.p, B.p);
    CHECK_SMALL(r, (ri_norm(ri_add(fa.lin, fb.lin)) + ri_norm(ri_add(fa.ang, fb.ang))) / scale, 1e-10);
    CHECK_SMALL(r, free_part(x, &A, &B, fb) / scale, 1e-10);
}

/// What closures and couplings exert on the joints does no work. The library tells it for joints
/// with one coordinate.
static void check_no_work(const Robot *r, double scale)
{
    double *effort = numbers((size_t)r->ns), *sum = numbers((size_t)r->nv);
    bool simple = true;
    for (int j = 0; j < r->nj; j++) {
        const RiJointInfo info = ri_model_joint(r->m, j);
        simple &= info.nv <= 1;
        if (info.nv == 1)
            effort[info.s_index] = ri_dyn_coupling_effort(r->d, j);
    }
    ri_dyn_map_efforts(r->d, effort, sum);
    if (simple) {
        CHECK_SMALL(r, largest(sum, r->nv) / scale, 1e-10);
        CHECK(largest(effort, r->ns) > 1e-3);
    }
    free(effort), free(sum);
}

/// Links that no closure touches balance; closures push their two links apart or together, equally.
/// Along the joints only their efforts act (joints under a linear coupling excepted: those carry
/// its effort too).
static void check_forces(Robot *r)
{
    double *a = numbers((size_t)r->nv), scale = 10.0;
    LinkWrench *extra = calloc((size_t)r->nl, sizeof *extra);
    REQUIRE(extra);
    ri_dyn_clear_wrenches(r->d);
    const int pushed = ri_rng_below(&r->rng, r->nl);
    extra[pushed] = (LinkWrench){random_vec3(&r->rng, 5.0), random_vec3(&r->rng, 3.0),
                                 ri_add(ri_dyn_frame_pose(r->d, pushed).p, random_vec3(&r->rng, 0.3))};
    ri_dyn_add_wrench(r->d, pushed, extra[pushed].force, extra[pushed].couple, extra[pushed].point);
    REQUIRE_OK(r->ctx, ri_dyn_forward(r->d, r->tau, a));
    REQUIRE_OK(r->ctx, ri_dyn_update_wrenches(r->d, r->tau_s));
    for (int j = 0; j < r->nj; j++)
        scale = fmax(scale, spatial_size(ri_dyn_joint_wrench(r->d, j)));
    RiSpatial sum = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int l = 0; l < r->nl; l++) {
        const RiSpatial f = robot_link_residual(r, l, extra);
        const RiSpatial at = about(f, ri_dyn_frame_pose(r->d, l).p, ri_vec3(0.0, 0.0, 0.0));
        sum = (RiSpatial){ri_add(sum.ang, at.ang), ri_add(sum.lin, at.lin)};
        if (!touches(r, l))
            CHECK_SMALL(r, spatial_size(f) / scale, 1e-10);
    }
    CHECK_SMALL(r, spatial_size(sum) / scale, 1e-10);
    check_no_work(r, scale);
    if (r->spec->loop_count == 1)
        check_closure_force(r, &r->spec->loops[0], extra, scale);
    for (int j = 0; j < r->nj && r->spec->coupling_count == 0; j++) {
        const RiJointInfo info = ri_model_joint(r->m, j);
        const RiSpatial f = ri_dyn_joint_wrench(r->d, j);
        double ja[6];
        ri_dyn_joint_acceleration(r->d, j, ja);
        for (int k = 0; k < info.nv; k++) {
            const RiSpatial S = robot_joint_axis(r, j, k);
            const double effort = r->tau_s[info.s_index + k] - info.spec->armature * ja[k];
            CHECK_SMALL(r, fabs(ri_dot(S.ang, f.ang) + ri_dot(S.lin, f.lin) - effort) / scale, 1e-9);
        }
    }
    ri_dyn_clear_wrenches(r->d);
    free(a), free(extra);
}

/// How much faster than the independent coordinates the joints move: large near singular positions.
static double gain(const Robot *r)
{
    double most = 0.0, v[6];
    for (int j = 0; j < r->nj; j++) {
        ri_dyn_joint_velocity(r->d, j, v);
        most = fmax(most, largest(v, ri_model_joint(r->m, j).nv));
    }
    return most / largest(r->v, r->nv);
}

/// Differences are worth little next to a singular position: look for a better one. A long jump may
/// end at the library's tolerance (1e-10); the next update starts there and ends at rounding.
static void check_loop_robot(Robot *r, double h)
{
    for (int tries = 0; tries < 20 && gain(r) > 8.0; tries++)
        robot_randomize(r);
    for (int i = 0; i < r->spec->loop_count; i++)
        CHECK_SMALL(r, closure_gap(r, &r->spec->loops[i]), 1e-9);
    REQUIRE_OK(r->ctx, ri_dyn_update_position(r->d, r->q));
    ri_dyn_get_q(r->d, r->q);
    ri_dyn_update_velocity(r->d, r->v);
    ri_dyn_map_efforts(r->d, r->tau_s, r->tau);
    check_closed(r);
    check_algorithms(r);
    check_maps(r, h);
    check_frames(r, h);
    check_forces(r);
    CHECK_SMALL(r, robot_energy_defect(r), 1e-8);
}

TEST(mechanisms_satisfy_every_identity)
{
    for (int i = 0; i < MECHANISMS; i++)
        for (uint64_t seed = 0; seed < 10; seed++) {
            Robot r = open_mechanism(mechanisms[i].make, 1000 * (uint64_t)(i + 1) + seed);
            CHECK_INT(r.nv, mechanisms[i].nv);
            check_loop_robot(&r, 1e-3);
            robot_close(&r);
        }
}

// --- random closures -----------------------------------------------------------------------------

/// Frame B on link b such that closure x, with A at pose_a, is closed as the robot stands.
static void fit_closure(Robot *r, RiLoopSpec *x)
{
    const RiPose a = ri_dyn_frame_pose(r->d, ri_model_find_link(r->m, x->link_a)), A = ri_pose_mul(&a, &x->pose_a);
    const RiPose b = ri_dyn_frame_pose(r->d, ri_model_find_link(r->m, x->link_b)), back = ri_pose_inverse(&b);
    if (x->type == RI_LOOP_DISTANCE) {
        do {
            x->pose_b = random_pose(&r->rng, 0.6);
            x->distance = vec3_difference(A.p, ri_pose_point(&b, x->pose_b.p));
        } while (x->distance < 0.3);
        return;
    }
    x->pose_b = ri_pose_mul(&back, &A);
}

/// A small random tree with `count` closures between random links; false if they cannot move or
/// leave no freedom.
static bool random_loop_robot(uint64_t seed, RiLoopType type, int count, int couplings, Robot *out)
{
    RobotPlan plan = {.seed = seed,
                      .links = 14,
                      .chain = 0.6,
                      .types = ROBOT_ALL_TYPES & ~(1u << RI_JOINT_FREE),
                      .one_axis = 0.6,
                      .couplings = couplings,
                      .floating = seed % 2 == 0,
                      .armature = seed % 3 == 0};
    RiContext *ctx = context_new();
    RiSpec *spec = robot_spec(ctx, &plan);
    Robot open = robot_from_plan(&plan);
    ri_model_get_initial_q(open.m, open.q);
    CHECK_OK(open.ctx, ri_dyn_update_position(open.d, open.q));
    for (int i = 0; i < count; i++) {
        RiLoopSpec x = ri_loop_default();
        x.name = "loop", x.type = type;
        x.link_a = spec->links[ri_rng_below(&open.rng, 15)].name;
        x.link_b = spec->links[14 - i].name;
        x.pose_a = random_pose(&open.rng, 0.3);
        fit_closure(&open, &x);
        spec_loop(spec, &x);
    }
    RiModel *trial = NULL;
    const RiStatus status = ri_model_create(ctx, spec, NULL, &trial);
    const int free_of_tree = open.nv;
    const bool good =
        status == RI_OK && ri_model_nv(trial) > (plan.floating ? 6 : 0) && ri_model_nv(trial) < free_of_tree;
    ri_model_destroy(trial);
    robot_close(&open);
    if (!good) {
        ri_spec_destroy(spec);
        ri_context_destroy(ctx);
        return false;
    }
    *out = robot_open(ctx, spec, true, seed);
    return true;
}

static void over_random_loops(int count, int couplings, int wanted)
{
    for (int type = 0; type < RI_LOOP_TYPE_COUNT; type++) {
        int made = 0;
        for (uint64_t seed = 0; seed < 60 && made < wanted; seed++) {
            Robot r;
            if (!random_loop_robot(100 * (uint64_t)type + seed, (RiLoopType)type, count, couplings, &r))
                continue;
            check_loop_robot(&r, 3e-4);
            robot_close(&r);
            made++;
        }
        CHECK_INT(made, wanted);
    }
}

TEST(random_closures_of_every_type_satisfy_every_identity)
{
    over_random_loops(1, 0, 12);
}

TEST(random_pairs_of_closures_satisfy_every_identity)
{
    over_random_loops(2, 0, 6);
}

TEST(closures_mixed_with_couplings_satisfy_every_identity)
{
    over_random_loops(1, 4, 8);
}

// --- closed forms --------------------------------------------------------------------------------

typedef struct Bar {
    RiVec3 origin; // of the link's frame
    double angle, rate;
} Bar;

/// Four-bar by the textbook: the coupler's end lies on two circles; rates for unit crank rate from
/// the loop equation.
static void four_bar_textbook(double crank, Bar bars[3])
{
    const double x = CRANK * cos(crank), y = CRANK * sin(crank), dx = GROUND - x, dy = -y, d = hypot(dx, dy);
    const double at = (COUPLER * COUPLER - ROCKER * ROCKER + d * d) / (2.0 * d);
    const double up = sqrt(COUPLER * COUPLER - at * at);
    const double px = x + (at * dx - up * dy) / d, py = y + (at * dy + up * dx) / d;
    const double t3 = atan2(py - y, px - x), t4 = atan2(py, px - GROUND);
    bars[0] = (Bar){{0.0, 0.0, 0.0}, crank, 1.0};
    bars[1] = (Bar){{x, y, 0.0}, t3, CRANK * sin(t4 - crank) / (COUPLER * sin(t3 - t4))};
    bars[2] = (Bar){{GROUND, 0.0, 0.0}, t4, CRANK * sin(crank - t3) / (ROCKER * sin(t4 - t3))};
}

/// Twice the kinetic energy of a link of a planar mechanism at unit crank rate.
static double bar_inertia(const RiLinkSpec *link, const Bar *bar, double crank)
{
    const double c = cos(bar->angle), s = sin(bar->angle);
    const RiVec3 r = ri_vec3(c * link->com.x - s * link->com.y, s * link->com.x + c * link->com.y, 0.0);
    RiVec3 v = ri_scale(bar->rate, ri_vec3(-r.y, r.x, 0.0));
    if (bar->origin.x != 0.0 && bar->origin.x != GROUND) // rides on the crank's end
        v = ri_add(v, ri_scale(CRANK, ri_vec3(-sin(crank), cos(crank), 0.0)));
    return link->mass * ri_dot(v, v) + link->inertia.m[2][2] * bar->rate * bar->rate;
}

TEST(four_bar_inertia_is_the_textbook_one)
{
    Robot r = open_mechanism(four_bar, 5);
    for (double crank = 0.8; crank < 0.8 + 6.3; crank += 0.1) { // once around: the crank turns fully
        Bar bars[3];
        double M, want = 0.0, q[3];
        ri_dyn_get_q(r.d, q);
        q[ri_model_joint(r.m, 0).q_index] = crank;
        REQUIRE_OK(r.ctx, ri_dyn_update_position(r.d, q));
        four_bar_textbook(crank, bars);
        for (int i = 0; i < 3; i++)
            want += bar_inertia(&r.spec->links[i + 1], &bars[i], crank);
        ri_dyn_mass_matrix(r.d, &M);
        CHECK_CLOSE(M, want, 1e-12 * want);
    }
    robot_close(&r);
}

TEST(slider_crank_moves_as_the_textbook_says)
{
    Robot r = open_mechanism(slider_crank, 5);
    for (int i = 0; i < 20; i++) {
        double crank, w, x, u;
        robot_randomize(&r);
        ri_dyn_joint_position(r.d, 0, &crank), ri_dyn_joint_velocity(r.d, 0, &w);
        ri_dyn_joint_position(r.d, 2, &x), ri_dyn_joint_velocity(r.d, 2, &u);
        const double lift = 0.3 * sin(crank), reach = sqrt(0.81 - lift * lift);
        const double sign = x - 0.3 * cos(crank) > 0.0 ? 1.0 : -1.0;
        CHECK_CLOSE(x, 0.3 * cos(crank) + sign * reach, 1e-12);
        CHECK_CLOSE(u, w * (-0.3 * sin(crank) - sign * lift * 0.3 * cos(crank) / reach), 1e-11);
    }
    robot_close(&r);
}

// --- motion --------------------------------------------------------------------------------------

/// Relative change of energy over `time`, without efforts.
static double energy_drift(Robot *r, double time, int steps)
{
    double *q = numbers((size_t)r->nq), *v = numbers((size_t)r->nv);
    RiIntegrator *it;
    if (ri_integrator_create(r->ctx, r->d, &it) != RI_OK)
        return NAN;
    ri_integrator_set_efforts(it, NULL, NULL, false);
    memcpy(q, r->q, (size_t)r->nq * sizeof *q);
    memcpy(v, r->v, (size_t)r->nv * sizeof *v);
    CHECK_OK(r->ctx, ri_dyn_update_position(r->d, q));
    ri_dyn_update_velocity(r->d, v);
    const double before = ri_dyn_kinetic_energy(r->d) + ri_dyn_potential_energy(r->d);
    const double scale = 1.0 + ri_dyn_kinetic_energy(r->d) + fabs(before);
    for (int i = 0; i < steps; i++)
        CHECK_OK(r->ctx, ri_integrator_rk4(it, 0.0, time / steps, q, v));
    CHECK_OK(r->ctx, ri_dyn_update_position(r->d, q));
    ri_dyn_update_velocity(r->d, v);
    const double after = ri_dyn_kinetic_energy(r->d) + ri_dyn_potential_energy(r->d);
    check_closed(r);
    ri_integrator_destroy(it);
    free(q), free(v);
    return fabs(after - before) / scale;
}

TEST(moving_loops_keep_their_energy)
{
    const Maker turning[] = {four_bar, bricard, floating_loop, rod};
    for (size_t i = 0; i < sizeof turning / sizeof *turning; i++) {
        Robot r = open_mechanism(turning[i], 21 + i);
        ri_dyn_set_gravity(r.d, ri_vec3(0.0, 0.0, -9.81)); // along the hinges of the planar ones
        const double time = turning[i] == rod ? 0.2 : 1.0; // the rod comes to a position its coordinates cannot pass
        const double coarse = energy_drift(&r, time, 500), fine = energy_drift(&r, time, 2000);
        CHECK_SMALL(&r, fine, 1e-9);
        CHECK_SMALL(&r, fine, coarse / 20.0 + 1e-12); // fourth order: 4^4 = 256 expected
        robot_close(&r);
    }
}

// --- refusals ------------------------------------------------------------------------------------

TEST(loops_that_cannot_close_are_named)
{
    RiRng rng = ri_rng_stream(1, "refused");
    RiSpec *spec = four_bar(&rng);
    RiContext *ctx = spec->ctx;
    RiModel *m;
    spec->loops[0].source = (RiSource){"bars.urdf", 12};
    spec->loops[0].pose_b.p = along(9.0);
    CHECK_ERROR(ctx, ri_model_create(ctx, spec, NULL, &m), RI_ERR_MODEL, "bars.urdf:12: loop 'pin'");
    CHECK(m == NULL);
    spec->loops[0].pose_b.p = along(ROCKER);
    spec->loops[0].link_b = "rockr";
    CHECK_ERROR(ctx, ri_model_create(ctx, spec, NULL, &m), RI_ERR_MODEL, "did you mean 'rocker'");
    spec->loops[0].link_b = "coupler";
    CHECK_ERROR(ctx, ri_model_create(ctx, spec, NULL, &m), RI_ERR_MODEL, "cannot move relative to each other");
    ri_spec_destroy(spec);
    ri_context_destroy(ctx);
}

/// Axis equations hold for opposite axes as well, so a Newton iteration that starts far away may
/// put a hinge in back to front. That is no closed loop: it must be refused, not returned.
TEST(no_loop_is_closed_back_to_front)
{
    const RiLoopType types[] = {RI_LOOP_FIXED, RI_LOOP_REVOLUTE, RI_LOOP_PRISMATIC, RI_LOOP_CYLINDRICAL,
                                RI_LOOP_PLANAR};
    for (int i = 0; i < 5; i++)
        for (uint64_t seed = 0; seed < 40; seed++) {
            Robot r;
            if (!random_loop_robot(100 * (uint64_t)types[i] + seed, types[i], 1, 0, &r))
                continue;
            double *q = numbers((size_t)r.nq);
            ri_model_integrate(r.m, r.q, r.v, 3.0, q); // a jump, not a motion
            if (ri_dyn_update_position(r.d, q) == RI_OK)
                CHECK_SMALL(&r, closure_gap(&r, &r.spec->loops[0]), 1e-9);
            free(q);
            robot_close(&r);
        }
}

TEST(unreachable_positions_are_an_error_and_the_workspace_stays_usable)
{
    // A four-bar whose rocker drives: the rocker cannot turn fully.
    RiRng rng = ri_rng_stream(2, "driven");
    RiSpec *spec = four_bar(&rng);
    spec->joints[0].independent = false;
    spec->joints[2].independent = true;
    Robot r = robot_open(spec->ctx, spec, true, 2);
    REQUIRE(ri_model_joint(r.m, 2).v_index == 0);
    double far[3] = {r.q[0], r.q[1], r.q[2]};
    far[ri_model_joint(r.m, 2).q_index] = 0.0;
    CHECK_ERROR(r.ctx, ri_dyn_update_position(r.d, far), RI_ERR_NUMERIC, "loop 'pin'");
    REQUIRE_OK(r.ctx, ri_dyn_update_position(r.d, r.q));
    ri_dyn_update_velocity(r.d, r.v);
    check_algorithms(&r);
    robot_close(&r);
}

TEST_MAIN(CASE(mechanisms_satisfy_every_identity), CASE(random_closures_of_every_type_satisfy_every_identity),
          CASE(random_pairs_of_closures_satisfy_every_identity),
          CASE(closures_mixed_with_couplings_satisfy_every_identity), CASE(four_bar_inertia_is_the_textbook_one),
          CASE(slider_crank_moves_as_the_textbook_says), CASE(moving_loops_keep_their_energy),
          CASE(loops_that_cannot_close_are_named), CASE(no_loop_is_closed_back_to_front),
          CASE(unreachable_positions_are_an_error_and_the_workspace_stays_usable))
