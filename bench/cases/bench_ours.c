// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rille as an engine under measurement: the mechanisms as specs, the quantities as calls of
/// rille/dynamics.h.
#include "bench/cases/bench_ours.h"

#include <rille/dynamics.h>

#include "dynamics/dyn.h"

typedef struct OurModel {
    const BenchMechanism *mechanism;
    RiContext *ctx;
    RiModel *model;
    RiDyn *dyn;
    bool failed;            ///< a timed call failed; the context holds the message
    int *q_index, *v_index; ///< of each coordinate
    int *link;              ///< of each body
    double *q, *v, *a, *effort, *result;
    double *jacobians, *W;
    RiPoint points[BENCH_POINTS];
} OurModel;

// --- the mechanism as a spec ---------------------------------------------------------------------

static RiStatus add_body(RiSpec *spec, const BenchMechanism *mechanism, int i)
{
    const BenchBody *b = &mechanism->bodies[i];
    char name[32], parent[32], joint_name[32];
    snprintf(name, sizeof name, "b%d", i);
    snprintf(parent, sizeof parent, "b%d", b->parent);
    snprintf(joint_name, sizeof joint_name, "j%d", i);
    RiLinkSpec link = ri_link_default();
    link.name = name;
    link.mass = b->mass;
    link.com = ri_vec3(b->com, 0.0, 0.0);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            link.inertia.m[r][c] = r == c ? b->inertia[r] : 0.0;
    RI_TRY(ri_spec_add_link(spec, &link));
    if (b->axis < 0)
        return RI_OK;
    RiJointSpec joint = ri_joint_default();
    joint.name = joint_name;
    joint.type = RI_JOINT_CONTINUOUS;
    joint.parent = b->parent < 0 ? "world" : parent;
    joint.child = name;
    joint.origin.p = ri_vec3(b->offset, 0.0, 0.0);
    joint.axis = ri_vec3(b->axis == 0, b->axis == 1, b->axis == 2);
    return ri_spec_add_joint(spec, &joint);
}

/// angle(follower) + angle(leader) = 0.
static RiStatus add_gear(RiSpec *spec, int leader, int follower)
{
    char name[32], leader_name[32], follower_name[32];
    snprintf(name, sizeof name, "gear%d", follower);
    snprintf(leader_name, sizeof leader_name, "j%d", leader);
    snprintf(follower_name, sizeof follower_name, "j%d", follower);
    RiCouplingTerm terms[2] = {{follower_name, 1.0}, {leader_name, 1.0}};
    RiCouplingSpec gear = ri_coupling_default();
    gear.name = name;
    gear.terms = terms;
    gear.term_count = 2;
    return ri_spec_add_coupling(spec, &gear);
}

static RiStatus fill_spec(RiSpec *spec, const BenchMechanism *mechanism)
{
    spec->base = mechanism->floating ? RI_BASE_FLOATING : RI_BASE_FIXED;
    if (!mechanism->floating) {
        RiLinkSpec world = ri_link_default();
        world.name = "world";
        RI_TRY(ri_spec_add_link(spec, &world));
    }
    for (int i = 0; i < mechanism->body_count; i++) {
        RI_TRY(add_body(spec, mechanism, i));
        if (mechanism->bodies[i].sign < 0.0)
            RI_TRY(add_gear(spec, i - 1, i));
    }
    return RI_OK;
}

static RiStatus build(OurModel *x)
{
    RiSpec *spec = NULL;
    RI_TRY(ri_spec_create(x->ctx, x->mechanism->name, &spec));
    RiStatus status = fill_spec(spec, x->mechanism);
    if (status == RI_OK)
        status = ri_model_create(x->ctx, spec, NULL, &x->model);
    if (status == RI_OK)
        status = ri_dyn_create(x->ctx, x->model, &x->dyn);
    ri_spec_destroy(spec);
    return status;
}

static bool allocate(OurModel *x)
{
    const size_t nq = (size_t)ri_model_nq(x->model), nv = (size_t)ri_model_nv(x->model);
    const size_t coordinates = (size_t)x->mechanism->coordinates, bodies = (size_t)x->mechanism->body_count;
    const size_t links = (size_t)ri_model_link_count(x->model), rows = 3 * BENCH_POINTS;
    return (x->q_index = calloc(coordinates, sizeof(int))) && (x->v_index = calloc(coordinates, sizeof(int))) &&
           (x->link = calloc(bodies, sizeof(int))) && (x->q = calloc(nq, sizeof(double))) &&
           (x->v = calloc(nv, sizeof(double))) && (x->a = calloc(nv, sizeof(double))) &&
           (x->effort = calloc(nv, sizeof(double))) && (x->result = calloc(nv, sizeof(double))) &&
           (x->jacobians = calloc(6 * links * nv, sizeof(double))) && (x->W = calloc(rows * rows, sizeof(double)));
}

static void find_indices(OurModel *x)
{
    for (int i = 0; i < x->mechanism->body_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "b%d", i);
        x->link[i] = ri_model_find_link(x->model, name);
        const BenchBody *b = &x->mechanism->bodies[i];
        if (b->coordinate < 0 || b->sign < 0.0)
            continue;
        const RiJointInfo joint = ri_model_joint(x->model, ri_model_link(x->model, x->link[i]).joint);
        x->q_index[b->coordinate] = joint.q_index;
        x->v_index[b->coordinate] = joint.v_index;
    }
}

static void *open_model(const BenchMechanism *mechanism)
{
    OurModel *x = calloc(1, sizeof *x);
    if (!x)
        return NULL;
    x->mechanism = mechanism;
    if (ri_context_create(NULL, &x->ctx) != RI_OK || build(x) != RI_OK || !allocate(x)) {
        fprintf(stderr, "rille bench: %s: %s\n", mechanism->name, x->ctx ? ri_context_message(x->ctx) : "no memory");
        bench_ours_close(x);
        return NULL;
    }
    find_indices(x);
    return x;
}

void bench_ours_close(void *model)
{
    OurModel *x = model;
    if (!x)
        return;
    ri_dyn_destroy(x->dyn);
    ri_model_destroy(x->model);
    ri_context_destroy(x->ctx);
    void *arrays[] = {x->q_index, x->v_index, x->link, x->q, x->v, x->a, x->effort, x->result, x->jacobians, x->W};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    free(x);
}

const char *bench_ours_failure(const void *model)
{
    const OurModel *x = model;
    return x->failed ? ri_context_message(x->ctx) : NULL;
}

// --- the calls -----------------------------------------------------------------------------------

static void note(OurModel *x, RiStatus status)
{
    if (status != RI_OK)
        x->failed = true;
}

static void nudge(OurModel *x)
{
    for (int k = 0; k < x->mechanism->coordinates; k++)
        x->q[x->q_index[k]] += BENCH_NUDGE;
}

static void call_fd(void *model)
{
    OurModel *x = model;
    nudge(x);
    note(x, ri_forward_dynamics(x->dyn, x->q, x->v, x->effort, x->result));
}

static void call_id(void *model)
{
    OurModel *x = model;
    ri_dyn_inverse(x->dyn, x->a, x->result);
}

static void call_id_velocity(void *model)
{
    OurModel *x = model;
    ri_dyn_update_velocity(x->dyn, x->v);
    ri_dyn_inverse(x->dyn, x->a, x->result);
}

static void call_id_full(void *model)
{
    OurModel *x = model;
    nudge(x);
    note(x, ri_inverse_dynamics(x->dyn, x->q, x->v, x->a, x->result));
}

static void call_kin(void *model)
{
    OurModel *x = model;
    nudge(x);
    note(x, ri_dyn_update_position(x->dyn, x->q));
}

static void call_crba_factor(void *model)
{
    OurModel *x = model;
    x->dyn->articulated = 0; // as after new positions: the factor may not lean on an earlier call
    note(x, ri_dyn_mass_matrix(x->dyn, NULL));
    note(x, ri_dyn_factor(x->dyn));
}

static void call_jacobians(void *model)
{
    OurModel *x = model;
    ri_dyn_link_jacobians(x->dyn, x->jacobians);
}

static void call_delassus(void *model)
{
    OurModel *x = model;
    ri_dyn_delassus(x->dyn, BENCH_POINTS, x->points, x->W);
}

/// The reference state, with kinematics and articulated inertias computed.
static void reset(OurModel *x)
{
    ri_model_get_initial_q(x->model, x->q);
    for (int k = 0; k < x->mechanism->coordinates; k++) {
        x->q[x->q_index[k]] = bench_q(k);
        x->v[x->v_index[k]] = bench_v(k);
        x->a[x->v_index[k]] = bench_a(k);
    }
    note(x, ri_dyn_update_position(x->dyn, x->q));
    ri_dyn_update_velocity(x->dyn, x->v);
    note(x, ri_dyn_articulate(x->dyn));
    for (int k = 0; x->mechanism->floating && k < BENCH_POINTS; k++) {
        double p[3];
        x->points[k].link = x->link[bench_point(x->mechanism, k, p)];
        const RiPose pose = ri_dyn_frame_pose(x->dyn, x->points[k].link);
        x->points[k].point_W = ri_pose_point(&pose, ri_vec3(p[0], p[1], p[2]));
    }
}

static BenchCall find(void *model, const char *quantity)
{
    static const struct {
        const char *quantity;
        BenchCall call;
    } offered[] = {{"fd", call_fd},
                   {"id", call_id},
                   {"id_velocity", call_id_velocity},
                   {"id_full", call_id_full},
                   {"kin", call_kin},
                   {"crba_factor", call_crba_factor},
                   {"jacobians", call_jacobians},
                   {"delassus20", call_delassus}};
    OurModel *x = model;
    for (size_t i = 0; i < sizeof offered / sizeof *offered; i++)
        if (strcmp(offered[i].quantity, quantity) == 0) {
            if (offered[i].call == call_delassus && !x->mechanism->floating)
                return NULL;
            reset(x);
            return offered[i].call;
        }
    return NULL;
}

// --- the numbers that must agree with the peers --------------------------------------------------

static bool check_joints(const OurModel *x, const double *values, double out[BENCH_CHECKS])
{
    double *joints = calloc((size_t)x->mechanism->coordinates, sizeof *joints);
    if (!joints)
        return false;
    for (int k = 0; k < x->mechanism->coordinates; k++)
        joints[k] = values[x->v_index[k]];
    bench_summary(joints, x->mechanism->coordinates, out);
    free(joints);
    return true;
}

static bool check_solve(OurModel *x, double out[BENCH_CHECKS])
{
    for (int i = 0; i < ri_model_nv(x->model); i++)
        x->result[i] = 0.0;
    for (int k = 0; k < x->mechanism->coordinates; k++)
        x->result[x->v_index[k]] = 1.0;
    ri_dyn_solve(x->dyn, x->result);
    return check_joints(x, x->result, out);
}

static bool check_jacobians(const OurModel *x, double out[BENCH_CHECKS])
{
    const size_t nv = (size_t)ri_model_nv(x->model);
    for (int i = 0; i < x->mechanism->body_count; i++)
        for (int k = 0; k < x->mechanism->coordinates; k++) {
            const double *J = x->jacobians + 6 * nv * (size_t)x->link[i] + (size_t)x->v_index[k];
            double column[6];
            for (size_t r = 0; r < 6; r++)
                column[r] = J[r * nv];
            bench_add_column(column, column + 3, out);
        }
    return true;
}

static bool check_positions(const OurModel *x, double out[BENCH_CHECKS])
{
    for (int i = 0; i < x->mechanism->body_count; i++) {
        const RiVec3 p = ri_dyn_frame_pose(x->dyn, x->link[i]).p;
        out[0] = p.x;
        out[1] = p.y;
        out[2] = p.z;
        out[3] += p.x + p.y + p.z;
    }
    return true;
}

static bool check(void *model, const char *quantity, double out[BENCH_CHECKS])
{
    OurModel *x = model;
    const BenchCall call = find(x, quantity);
    for (int k = 0; k < BENCH_CHECKS; k++)
        out[k] = 0.0;
    call(x);
    if (call == call_fd || call == call_id || call == call_id_velocity || call == call_id_full)
        return check_joints(x, x->result, out);
    if (call == call_kin)
        return check_positions(x, out);
    if (call == call_crba_factor)
        return check_solve(x, out);
    if (call == call_jacobians)
        return check_jacobians(x, out);
    bench_matrix_summary(x->W, 3 * BENCH_POINTS, out);
    return true;
}

const BenchEngine bench_ours = {"rille", open_model, find, check};
