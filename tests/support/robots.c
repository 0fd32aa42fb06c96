// SPDX-License-Identifier: Apache-2.0
#include "support/robots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double stencil[3] = {3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0};

static void must(RiContext *ctx, RiStatus status, const char *what)
{
    if (status == RI_OK)
        return;
    fprintf(stderr, "test support: %s: %s: %s\n", what, ri_status_text(status), ctx ? ri_context_message(ctx) : "");
    exit(EXIT_FAILURE);
}

// --- numbers -------------------------------------------------------------------------------------

double *numbers(size_t n)
{
    double *x = calloc(n + 1, sizeof *x);
    if (!x)
        must(NULL, RI_ERR_MEMORY, "numbers");
    return x;
}

double largest(const double *x, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; i++)
        most = fabs(x[i]) > most || isnan(x[i]) ? fabs(x[i]) : most;
    return most;
}

double largest_difference(const double *x, const double *y, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        const double e = fabs(x[i] - y[i]);
        most = e > most || isnan(e) ? e : most;
    }
    return most;
}

double relative_difference(const double *x, const double *y, int n)
{
    return largest_difference(x, y, n) / (1.0 + largest(y, n));
}

double vec3_difference(RiVec3 a, RiVec3 b)
{
    return ri_norm(ri_sub(a, b));
}

double spatial_difference(RiSpatial a, RiSpatial b)
{
    return vec3_difference(a.ang, b.ang) + vec3_difference(a.lin, b.lin);
}

double spatial_size(RiSpatial a)
{
    return ri_norm(a.ang) + ri_norm(a.lin);
}

bool cholesky_solve(int n, double *A, double *b)
{
    for (int i = 0; i < n; i++) {
        double *row = A + (size_t)i * (size_t)n;
        for (int j = 0; j <= i; j++) {
            const double *other = A + (size_t)j * (size_t)n;
            double sum = row[j];
            for (int k = 0; k < j; k++)
                sum -= row[k] * other[k];
            if (i == j && !(sum > 0.0))
                return false;
            row[j] = i == j ? sqrt(sum) : sum / other[j];
        }
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            b[i] -= A[(size_t)i * (size_t)n + (size_t)k] * b[k];
        b[i] /= A[(size_t)i * (size_t)n + (size_t)i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            b[i] -= A[(size_t)k * (size_t)n + (size_t)i] * b[k];
        b[i] /= A[(size_t)i * (size_t)n + (size_t)i];
    }
    return true;
}

// --- random items --------------------------------------------------------------------------------

RiVec3 random_vec3(RiRng *rng, double s)
{
    const double x = ri_rng_between(rng, -s, s), y = ri_rng_between(rng, -s, s), z = ri_rng_between(rng, -s, s);
    return ri_vec3(x, y, z);
}

RiVec3 random_unit(RiRng *rng)
{
    for (;;) {
        const RiVec3 v = random_vec3(rng, 1.0);
        const double n = ri_norm(v);
        if (n > 0.1 && n <= 1.0)
            return ri_scale(1.0 / n, v);
    }
}

RiMat3 random_rotation(RiRng *rng)
{
    const RiVec3 axis = random_unit(rng);
    return ri_mat3_axis_angle(axis, ri_rng_between(rng, -3.0, 3.0));
}

RiPose random_pose(RiRng *rng, double s)
{
    RiPose x;
    x.R = random_rotation(rng);
    x.p = random_vec3(rng, s);
    return x;
}

RiLinkSpec random_link(RiRng *rng, const char *name, double size)
{
    RiLinkSpec link = ri_link_default();
    link.name = name;
    link.mass = ri_rng_between(rng, 0.5, 5.0);
    link.com = random_vec3(rng, 0.5 * size);
    const RiVec3 box = ri_add(ri_vec3(size, size, size), random_vec3(rng, 0.8 * size));
    const RiMat3 I = ri_inertia_box(link.mass, box), R = random_rotation(rng), Rt = ri_mat3_transpose(&R);
    const RiMat3 RI = ri_mat3_mul(&R, &I);
    link.inertia = ri_mat3_mul(&RI, &Rt);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < i; k++)
            link.inertia.m[i][k] = link.inertia.m[k][i];
    return link;
}

// --- spec helpers --------------------------------------------------------------------------------

RiContext *context_new(void)
{
    RiContext *ctx = NULL;
    must(NULL, ri_context_create(NULL, &ctx), "context");
    return ctx;
}

RiSpec *spec_new(RiContext *ctx, const char *name)
{
    RiSpec *spec = NULL;
    must(ctx, ri_spec_create(ctx, name, &spec), "spec");
    return spec;
}

void spec_link(RiSpec *spec, const RiLinkSpec *link)
{
    must(spec->ctx, ri_spec_add_link(spec, link), "link");
}

void spec_joint(RiSpec *spec, const RiJointSpec *joint)
{
    must(spec->ctx, ri_spec_add_joint(spec, joint), "joint");
}

void spec_loop(RiSpec *spec, const RiLoopSpec *loop)
{
    must(spec->ctx, ri_spec_add_loop(spec, loop), "loop");
}

void spec_couple(RiSpec *spec, const char *name, int count, const RiCouplingTerm *terms, double offset)
{
    RiCouplingTerm copy[8];
    RiCouplingSpec x = ri_coupling_default();
    memcpy(copy, terms, (size_t)count * sizeof *terms);
    x.name = name;
    x.terms = copy;
    x.term_count = count;
    x.offset = offset;
    must(spec->ctx, ri_spec_add_coupling(spec, &x), "coupling");
}

// --- random trees --------------------------------------------------------------------------------

RobotPlan robot_plan(uint64_t seed)
{
    RiRng rng = ri_rng_stream(seed, "plan");
    RobotPlan p = {.seed = seed, .types = ROBOT_ALL_TYPES};
    p.links = (int)floor(2.0 * pow(100.0, ri_rng_uniform(&rng)));
    if (seed % 20 == 19)
        p.links = 200;
    const double chains[] = {0.0, 0.5, 0.9, 1.0};
    p.chain = chains[ri_rng_below(&rng, 4)];
    p.one_axis = ri_rng_uniform(&rng);
    p.couplings = seed % 3 == 0 ? 0 : 1 + ri_rng_below(&rng, 1 + p.links / 4);
    p.rotors = ri_rng_below(&rng, 2) ? 0.4 * ri_rng_uniform(&rng) : 0.0;
    p.armature = ri_rng_below(&rng, 3) == 0;
    p.floating = ri_rng_below(&rng, 2) == 0;
    return p;
}

static RiJointType pick_type(const RobotPlan *p, RiRng *rng)
{
    const RiJointType one[] = {RI_JOINT_REVOLUTE, RI_JOINT_CONTINUOUS, RI_JOINT_PRISMATIC};
    const bool simple = ri_rng_uniform(rng) < p->one_axis;
    for (;;) {
        const RiJointType t = simple ? one[ri_rng_below(rng, 3)] : (RiJointType)ri_rng_below(rng, RI_JOINT_TYPE_COUNT);
        if (p->types >> t & 1u)
            return t;
    }
}

/// Random position of a joint type, in its layout.
static void pick_position(RiJointType type, RiRng *rng, double *q)
{
    for (int k = 0; k < ri_joint_type_nq(type); k++)
        q[k] = ri_rng_between(rng, -0.8, 0.8);
    if (type != RI_JOINT_BALL && type != RI_JOINT_FREE)
        return;
    double *x = q + ri_joint_type_nq(type) - 4;
    const RiQuat unit = ri_quat_exp(random_vec3(rng, 1.5));
    x[0] = unit.w, x[1] = unit.x, x[2] = unit.y, x[3] = unit.z;
}

/// A wheel or screw: symmetric about the joint's axis, wherever that points.
static void make_rotor(RiRng *rng, RiJointSpec *j, RiLinkSpec *link)
{
    j->type = ri_rng_below(rng, 2) ? RI_JOINT_REVOLUTE : RI_JOINT_CONTINUOUS;
    j->locked = false;
    if (ri_rng_below(rng, 2))
        j->axis = ri_vec3(0.0, 0.0, 1.0);
    const double n[3] = {j->axis.x, j->axis.y, j->axis.z};
    const double across = ri_rng_between(rng, 0.02, 0.05), along = ri_rng_between(rng, 0.01, 2.0 * across);
    link->com = ri_scale(ri_rng_between(rng, -0.2, 0.2), j->axis);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            link->inertia.m[i][k] = (i == k ? across : 0.0) + (along - across) * (n[i] * n[k]);
}

static void add_joint(RiSpec *spec, const RobotPlan *p, RiRng *rng, int i, int parent, bool rotor)
{
    char name[24], above[24], below[24];
    snprintf(name, sizeof name, "j%d", i);
    snprintf(above, sizeof above, "l%d", parent);
    snprintf(below, sizeof below, "l%d", i);
    RiJointSpec j = ri_joint_default();
    j.name = name;
    j.parent = above;
    j.child = below;
    j.type = pick_type(p, rng);
    j.origin = random_pose(rng, 0.3);
    j.axis = random_unit(rng);
    do
        j.axis2 = random_unit(rng);
    while (ri_norm(ri_cross(j.axis, j.axis2)) < 0.3);
    pick_position(j.type, rng, j.position);
    j.locked = ri_rng_uniform(rng) < p->locked;
    j.armature = p->armature && ri_rng_below(rng, 3) ? ri_rng_between(rng, 0.0, 0.3) : 0.0; // some have none
    RiLinkSpec link = random_link(rng, below, 0.3);
    if (rotor)
        make_rotor(rng, &j, &link);
    else if ((j.type == RI_JOINT_FIXED || j.locked) && ri_rng_uniform(rng) < p->massless) {
        link.mass = 0.0;
        link.inertia = (RiMat3){{{0.0}}};
    }
    spec_link(spec, &link);
    spec_joint(spec, &j);
}

static bool can_couple(const RiSpec *spec, int i)
{
    for (int c = 0; c < spec->coupling_count; c++) // geared pairs stay pairs
        for (int k = 0; spec->couplings[c].name[0] == 'g' && k < 2; k++)
            if (strcmp(spec->couplings[c].terms[k].joint, spec->joints[i].name) == 0)
                return false;
    return !spec->joints[i].locked && ri_joint_type_nv(spec->joints[i].type) == 1;
}

static int parent_number(const RiSpec *spec, int i)
{
    return atoi(spec->joints[i].parent + 1) - 1; // joint j<k> is joints[k - 1]; -1: hangs on the root
}

/// Joints from i towards the root, at most `most` steps.
static int climb(const RiSpec *spec, int i, int most)
{
    while (i >= 0 && most-- > 0)
        i = parent_number(spec, i);
    return i;
}

/// A joint near i that can be coupled with it (sibling, ancestor, cousin, descendant), or -1.
static int near_joint(const RiSpec *spec, RiRng *rng, int i)
{
    const int up = 1 + ri_rng_below(rng, 4), top = climb(spec, i, up);
    if (ri_rng_below(rng, 3) == 0) // straight line
        return top >= 0 && can_couple(spec, top) ? top : -1;
    for (int tries = 0; tries < 30; tries++) { // a relative under the same ancestor
        const int k = ri_rng_below(rng, spec->joint_count);
        if (k == i || !can_couple(spec, k))
            continue;
        for (int n = 1; n <= 4; n++)
            if (climb(spec, k, n) == top && (top >= 0 || parent_number(spec, k) == parent_number(spec, i)))
                return k;
    }
    return -1;
}

/// One coupling: `dep` and one or two others. Joints are ranked at random and `dep` has the highest
/// rank of all terms, so the couplings are triangular in some order: never contradictory, never
/// redundant.
static bool couple_near(RiSpec *spec, RiRng *rng, int dep, const double *rank, bool *used, int number)
{
    int others[2], count = 0;
    for (int tries = 0; tries < 8 && count < 2; tries++) {
        const int k = near_joint(spec, rng, dep);
        if (k >= 0 && rank[k] < rank[dep] && (count == 0 || k != others[0]))
            others[count++] = k;
        if (count == 1 && ri_rng_below(rng, 2))
            break; // pairs as often as three terms
    }
    if (count == 0 || used[dep])
        return false;
    used[dep] = true;
    RiCouplingTerm terms[3] = {{spec->joints[dep].name, ri_rng_between(rng, 0.7, 1.5)}};
    for (int k = 0; k < count; k++) {
        const double f = ri_rng_between(rng, 0.4, 2.0);
        terms[k + 1] = (RiCouplingTerm){spec->joints[others[k]].name, ri_rng_below(rng, 2) ? f : -f};
    }
    char name[24];
    snprintf(name, sizeof name, "c%d", number);
    spec_couple(spec, name, count + 1, terms, ri_rng_between(rng, -0.2, 0.2));
    return true;
}

static void add_couplings(RiSpec *spec, const RobotPlan *p, RiRng *rng)
{
    double *rank = numbers((size_t)spec->joint_count);
    bool *used = calloc((size_t)spec->joint_count + 1, sizeof *used);
    for (int i = 0; i < spec->joint_count; i++)
        rank[i] = ri_rng_uniform(rng);
    int made = 0;
    for (int tries = 0; used && tries < 10 * p->couplings && made < p->couplings; tries++) {
        const int dep = ri_rng_below(rng, spec->joint_count);
        if (can_couple(spec, dep))
            made += couple_near(spec, rng, dep, rank, used, made);
    }
    free(rank);
    free(used);
}

static void add_frames(RiSpec *spec, RiRng *rng)
{
    for (int i = 0; i < 3; i++) {
        char name[24];
        snprintf(name, sizeof name, "frame%d", i);
        RiFrameSpec f = ri_frame_default();
        f.name = name;
        f.link = spec->links[ri_rng_below(rng, spec->link_count)].name;
        f.pose = random_pose(rng, 0.4);
        must(spec->ctx, ri_spec_add_frame(spec, &f), "frame");
    }
}

/// Ties joint j<i> to j<i - 1>.
static void gear(RiSpec *spec, RiRng *rng, int i)
{
    char name[24];
    snprintf(name, sizeof name, "g%d", i);
    const double ratio = ri_rng_below(rng, 2) ? 1.0 : ri_rng_between(rng, -3.0, 3.0);
    const RiCouplingTerm terms[] = {{spec->joints[i - 1].name, 1.0}, {spec->joints[i - 2].name, ratio}};
    spec_couple(spec, name, 2, terms, ri_rng_between(rng, -0.5, 0.5));
}

RiSpec *robot_spec(RiContext *ctx, const RobotPlan *p)
{
    RiRng rng = ri_rng_stream(p->seed, "robot");
    RiSpec *spec = spec_new(ctx, "random");
    spec->base = p->floating ? RI_BASE_FLOATING : RI_BASE_FIXED;
    const RiLinkSpec root = random_link(&rng, "l0", 0.4);
    spec_link(spec, &root);
    bool *rotor = calloc((size_t)p->links + 2, sizeof *rotor);
    for (int i = 1; rotor && i <= p->links; i++) {
        int parent = ri_rng_uniform(&rng) < p->chain ? i - 1 : ri_rng_below(&rng, i);
        while (rotor[parent]) // rotors are leaves
            parent--;
        rotor[i] = ri_rng_uniform(&rng) < p->rotors;
        add_joint(spec, p, &rng, i, parent, rotor[i]);
        if (!rotor[i] || i == p->links || p->couplings == 0 || ri_rng_below(&rng, 2))
            continue;
        rotor[++i] = true; // a geared pair, like the two screws of a snake's segment
        add_joint(spec, p, &rng, i, parent, true);
        gear(spec, &rng, i);
    }
    free(rotor);
    if (p->couplings > 0)
        add_couplings(spec, p, &rng);
    add_frames(spec, &rng);
    return spec;
}

// --- robots --------------------------------------------------------------------------------------

Robot robot_open(RiContext *ctx, RiSpec *spec, bool reduce, uint64_t seed)
{
    Robot r = {.ctx = ctx, .spec = spec, .plan = {.seed = seed}};
    RiModelOptions o = ri_model_options_default();
    o.reduce = reduce;
    must(ctx, ri_model_create(ctx, spec, &o, &r.m), "model");
    must(ctx, ri_dyn_create(ctx, r.m, &r.d), "dynamics");
    r.nq = ri_model_nq(r.m);
    r.nv = ri_model_nv(r.m);
    r.ns = ri_model_spanning_nv(r.m);
    r.nl = ri_model_link_count(r.m);
    r.nj = ri_model_joint_count(r.m);
    r.q = numbers((size_t)r.nq);
    r.v = numbers((size_t)r.nv);
    r.a = numbers((size_t)r.nv);
    r.tau = numbers((size_t)r.nv);
    r.tau_s = numbers((size_t)r.ns);
    r.rng = ri_rng_stream(seed, "state");
    ri_dyn_set_gravity(r.d, ri_scale(9.81, random_unit(&r.rng)));
    ri_model_get_initial_q(r.m, r.q);
    robot_randomize(&r);
    return r;
}

Robot robot_from_plan(const RobotPlan *plan)
{
    RiContext *ctx = context_new();
    Robot r = robot_open(ctx, robot_spec(ctx, plan), true, plan->seed);
    r.plan = *plan;
    return r;
}

Robot robot_make(uint64_t seed)
{
    const RobotPlan plan = robot_plan(seed);
    return robot_from_plan(&plan);
}

void robot_close(Robot *r)
{
    ri_dyn_destroy(r->d);
    ri_model_destroy(r->m);
    ri_spec_destroy(r->spec);
    ri_context_destroy(r->ctx);
    free(r->q);
    free(r->v);
    free(r->a);
    free(r->tau);
    free(r->tau_s);
}

static void fill(RiRng *rng, double s, double *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = ri_rng_between(rng, -s, s);
}

/// Moves q along a random velocity; loops may not reach as far, so the step is shortened until they
/// close.
static void wander(Robot *r)
{
    double *q = numbers((size_t)r->nq);
    fill(&r->rng, 0.5, r->v, r->nv);
    RiStatus status = RI_ERR_NUMERIC;
    for (double h = 1.0; status != RI_OK && h > 1e-3; h *= 0.4) {
        ri_model_integrate(r->m, r->q, r->v, h, q);
        status = ri_dyn_update_position(r->d, q);
    }
    must(r->ctx, status, "position");
    ri_dyn_get_q(r->d, r->q);
    free(q);
}

void robot_randomize(Robot *r)
{
    wander(r);
    fill(&r->rng, 1.0, r->v, r->nv);
    fill(&r->rng, 3.0, r->a, r->nv);
    fill(&r->rng, 5.0, r->tau_s, r->ns);
    ri_dyn_update_velocity(r->d, r->v);
    ri_dyn_map_efforts(r->d, r->tau_s, r->tau);
}

// --- differences ---------------------------------------------------------------------------------

Path robot_follow(Robot *r, int frame, double h)
{
    Path path = {.h = h};
    double *q = numbers((size_t)r->nq);
    for (int k = -3; k <= 3; k++) {
        ri_model_integrate(r->m, r->q, r->v, k * h, q);
        must(r->ctx, ri_dyn_update_position(r->d, q), "position");
        ri_dyn_update_velocity(r->d, r->v);
        path.pose[k + 3] = ri_dyn_frame_pose(r->d, frame);
        path.vel[k + 3] = ri_dyn_frame_velocity(r->d, frame);
    }
    must(r->ctx, ri_dyn_update_position(r->d, r->q), "position");
    ri_dyn_update_velocity(r->d, r->v);
    free(q);
    return path;
}

RiSpatial path_pose_rate(const Path *x)
{
    RiMat3 rate = {{{0.0}}};
    RiSpatial v = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int k = 1; k <= 3; k++) {
        const double w = stencil[k - 1] / x->h;
        v.lin = ri_add(v.lin, ri_scale(w, ri_sub(x->pose[3 + k].p, x->pose[3 - k].p)));
        for (int i = 0; i < 9; i++)
            rate.m[i / 3][i % 3] += w * (x->pose[3 + k].R.m[i / 3][i % 3] - x->pose[3 - k].R.m[i / 3][i % 3]);
    }
    const RiMat3 back = ri_mat3_transpose(&x->pose[3].R), W = ri_mat3_mul(&rate, &back);
    v.ang = ri_vec3(W.m[2][1], W.m[0][2], W.m[1][0]);
    return v;
}

RiSpatial path_velocity_rate(const Path *x)
{
    RiSpatial a = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int k = 1; k <= 3; k++) {
        const double w = stencil[k - 1] / x->h;
        a.lin = ri_add(a.lin, ri_scale(w, ri_sub(x->vel[3 + k].lin, x->vel[3 - k].lin)));
        a.ang = ri_add(a.ang, ri_scale(w, ri_sub(x->vel[3 + k].ang, x->vel[3 - k].ang)));
    }
    return a;
}

void robot_shift(Robot *r, const double *a, double t, double *q, double *v)
{
    ri_model_integrate(r->m, r->q, r->v, t, q);
    for (int i = 0; i < r->nv; i++)
        v[i] = r->v[i] + t * a[i];
    must(r->ctx, ri_dyn_update_position(r->d, q), "position");
    ri_dyn_update_velocity(r->d, v);
}

double robot_energy_defect(Robot *r)
{
    double *a = numbers((size_t)r->nv), *q = numbers((size_t)r->nq), *v = numbers((size_t)r->nv);
    ri_dyn_clear_wrenches(r->d);
    const int link = ri_rng_below(&r->rng, r->nl);
    const RiVec3 f = random_vec3(&r->rng, 5.0), c = random_vec3(&r->rng, 2.0);
    ri_dyn_add_wrench(r->d, link, f, c, ri_dyn_frame_pose(r->d, link).p);
    const RiSpatial rate = ri_dyn_frame_velocity(r->d, link);
    double power = ri_dot(f, rate.lin) + ri_dot(c, rate.ang), sum = 0.0;
    double scale = 1.0 + ri_dyn_kinetic_energy(r->d) + fabs(ri_dyn_potential_energy(r->d));
    must(r->ctx, ri_dyn_forward(r->d, r->tau, a), "forward");
    for (int i = 0; i < r->nv; i++)
        power += r->tau[i] * r->v[i];
    ri_dyn_clear_wrenches(r->d);
    const double h = 1e-3 / (1.0 + 1e-2 * largest(a, r->nv));
    for (int k = 1; k <= 3; k++)
        for (int side = -1; side <= 1; side += 2) {
            robot_shift(r, a, side * k * h, q, v);
            sum += side * stencil[k - 1] * (ri_dyn_kinetic_energy(r->d) + ri_dyn_potential_energy(r->d)) / h;
        }
    must(r->ctx, ri_dyn_update_position(r->d, r->q), "position");
    ri_dyn_update_velocity(r->d, r->v);
    free(a), free(q), free(v);
    return fabs(sum - power) / (scale + fabs(power));
}

// --- mechanics -----------------------------------------------------------------------------------

RiSpatial robot_link_inertia_force(const Robot *r, int link)
{
    const RiLinkSpec *l = &r->spec->links[link];
    const RiPose X = ri_dyn_frame_pose(r->d, link);
    const RiSpatial v = ri_dyn_frame_velocity(r->d, link), a = ri_dyn_frame_acceleration(r->d, link);
    const RiVec3 c = ri_rotate(&X.R, l->com);
    const RiVec3 a_c = ri_add(a.lin, ri_add(ri_cross(a.ang, c), ri_cross(v.ang, ri_cross(v.ang, c))));
    const RiVec3 force = ri_scale(l->mass, a_c);
    // Euler's equation in link axes.
    const RiVec3 w = ri_rotate_back(&X.R, v.ang), al = ri_rotate_back(&X.R, a.ang);
    const RiVec3 moment = ri_add(ri_rotate(&l->inertia, al), ri_cross(w, ri_rotate(&l->inertia, w)));
    return (RiSpatial){ri_add(ri_rotate(&X.R, moment), ri_cross(c, force)), force};
}

RiSpatial robot_link_residual(const Robot *r, int link, const LinkWrench *extra)
{
    const RiLinkSpec *l = &r->spec->links[link];
    const RiPose X = ri_dyn_frame_pose(r->d, link);
    RiSpatial need = robot_link_inertia_force(r, link);
    const RiVec3 weight = ri_scale(l->mass, ri_dyn_gravity(r->d));
    need.lin = ri_sub(need.lin, weight);
    need.ang = ri_sub(need.ang, ri_cross(ri_rotate(&X.R, l->com), weight));
    if (extra) {
        need.lin = ri_sub(need.lin, extra[link].force);
        need.ang = ri_sub(need.ang, extra[link].couple);
        need.ang = ri_sub(need.ang, ri_cross(ri_sub(extra[link].point, X.p), extra[link].force));
    }
    for (int j = 0; j < r->nj; j++) {
        const RiJointInfo info = ri_model_joint(r->m, j);
        if (info.child_link != link && info.parent_link != link)
            continue;
        const RiSpatial f = ri_dyn_joint_wrench(r->d, j);
        const double sign = info.child_link == link ? -1.0 : 1.0;
        const RiVec3 arm = ri_sub(ri_dyn_frame_pose(r->d, info.child_link).p, X.p);
        need.lin = ri_add(need.lin, ri_scale(sign, f.lin));
        need.ang = ri_add(need.ang, ri_scale(sign, ri_add(f.ang, ri_cross(arm, f.lin))));
    }
    return need;
}

double robot_condition(const Robot *r)
{
    const size_t n = (size_t)r->nv;
    double *M = numbers(n * n), *x = numbers(n), of_M = 0.0, of_inverse = 0.0;
    ri_dyn_mass_matrix(r->d, M);
    must(r->ctx, ri_dyn_factor(r->d), "factor");
    for (size_t i = 0; i < n; i++) {
        double row = 0.0, column = 0.0;
        memset(x, 0, n * sizeof *x);
        x[i] = 1.0;
        ri_dyn_solve(r->d, x);
        for (size_t k = 0; k < n; k++) {
            row += fabs(M[i * n + k]);
            column += fabs(x[k]);
        }
        of_M = fmax(of_M, row);
        of_inverse = fmax(of_inverse, column);
    }
    free(M), free(x);
    return of_M * of_inverse;
}

static RiSpatial turning(RiVec3 axis)
{
    return (RiSpatial){axis, {0.0, 0.0, 0.0}};
}

static RiSpatial sliding(RiVec3 axis)
{
    return (RiSpatial){{0.0, 0.0, 0.0}, axis};
}

RiSpatial robot_joint_axis(const Robot *r, int joint, int k)
{
    const RiJointInfo info = ri_model_joint(r->m, joint);
    const RiPose child = ri_dyn_frame_pose(r->d, info.child_link);
    RiPose J = ri_pose_identity(); // the base joint's frame is the world
    RiJointSpec s = ri_joint_default();
    s.type = RI_JOINT_FREE;
    if (info.parent_link >= 0) {
        s = r->spec->joints[joint];
        const RiPose parent = ri_dyn_frame_pose(r->d, info.parent_link);
        J = ri_pose_mul(&parent, &s.origin);
    }
    switch (s.type) {
    case RI_JOINT_PRISMATIC:
        return sliding(ri_rotate(&J.R, s.axis));
    case RI_JOINT_UNIVERSAL:
        return turning(k == 0 ? ri_rotate(&J.R, s.axis) : ri_rotate(&child.R, s.axis2));
    case RI_JOINT_BALL:
        return turning(ri_mat3_col(&child.R, k));
    case RI_JOINT_PLANAR: {
        const RiMat3 plane = ri_mat3_from_z(s.axis);
        return k < 2 ? sliding(ri_rotate(&J.R, ri_mat3_col(&plane, k))) : turning(ri_rotate(&J.R, s.axis));
    }
    case RI_JOINT_FREE:
        return k < 3 ? sliding(ri_mat3_col(&J.R, k)) : turning(ri_mat3_col(&child.R, k - 3));
    default:
        return turning(ri_rotate(&J.R, s.axis));
    }
}
