// SPDX-License-Identifier: Apache-2.0
/// \file
/// MuJoCo as a peer: composite-rigid-body mass matrix, sparse L^T D L factor, recursive
/// Newton-Euler.
///
/// Forward dynamics is the shortest sequence of MuJoCo's own stages that gives qacc without
/// constraints; mj_forward() would add sensors, tendons and collision. Geared mechanisms are not
/// offered: MuJoCo's equality constraints are soft, so their accelerations are not those of the
/// gear.
#include <mujoco/mujoco.h>

#include "mjcf.h"
#include "serve.h"

typedef struct MujocoModel {
    const BenchMechanism *mechanism;
    mjModel *m;
    mjData *d;
    int *body, *q, *v;    ///< MuJoCo's body of each body; position and velocity address of each coordinate
    mjtNum *effort;       ///< nv
    mjtNum *jacobians;    ///< 6 x nv per body
    mjtNum *J, *half, *W; ///< delassus20
    int point_body[BENCH_POINTS];
    mjtNum point[BENCH_POINTS][3]; ///< world
} MujocoModel;

static mjModel *compile(const BenchMechanism *mechanism)
{
    Mjcf *text = mjcf_create(mechanism);
    mjVFS *files = malloc(sizeof *files);
    if (!text || !files)
        return NULL;
    mj_defaultVFS(files);
    for (int i = 0; i < text->part_count; i++) {
        char name[32];
        snprintf(name, sizeof name, i ? "part_%d.xml" : "model.xml", i);
        if (mj_makeEmptyFileVFS(files, name, (int)text->parts[i].size) != 0)
            fprintf(stderr, "peer_mujoco: cannot store %s\n", name);
        else
            memcpy(files->filedata[mj_findFileVFS(files, name)], text->parts[i].text, text->parts[i].size);
    }
    char message[500] = "";
    mjModel *m = mj_loadXML("model.xml", files, message, sizeof message);
    if (!m)
        fprintf(stderr, "peer_mujoco: %s: %s\n", mechanism->name, message);
    mj_deleteVFS(files);
    free(files);
    mjcf_free(text);
    return m;
}

static void *array(size_t count, size_t size)
{
    void *p = calloc(count, size);
    if (!p)
        abort();
    return p;
}

static void find_addresses(MujocoModel *x)
{
    const BenchMechanism *mechanism = x->mechanism;
    for (int i = 0; i < mechanism->body_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "b%d", i);
        x->body[i] = mj_name2id(x->m, mjOBJ_BODY, name);
        const int joint = x->m->body_jntadr[x->body[i]], k = mechanism->bodies[i].coordinate;
        if (k >= 0) {
            x->q[k] = x->m->jnt_qposadr[joint];
            x->v[k] = x->m->jnt_dofadr[joint];
        }
    }
}

static void kinematics(MujocoModel *x)
{
    mj_kinematics(x->m, x->d);
    mj_comPos(x->m, x->d);
}

static void reset(MujocoModel *x)
{
    mj_resetData(x->m, x->d);
    for (int k = 0; k < x->mechanism->coordinates; k++) {
        x->d->qpos[x->q[k]] = bench_q(k);
        x->d->qvel[x->v[k]] = bench_v(k);
        x->d->qacc[x->v[k]] = bench_a(k);
    }
    kinematics(x);
    mj_comVel(x->m, x->d);
    mj_crb(x->m, x->d);
    mj_factorM(x->m, x->d);
}

static void place_points(MujocoModel *x)
{
    for (int k = 0; k < BENCH_POINTS; k++) {
        double local[3];
        x->point_body[k] = x->body[bench_point(x->mechanism, k, local)];
        mju_rotVecMat(x->point[k], local, x->d->xmat + 9 * x->point_body[k]);
        mju_addTo3(x->point[k], x->d->xpos + 3 * x->point_body[k]);
    }
}

static void *open_model(const BenchMechanism *mechanism)
{
    if (mechanism->geared)
        return NULL;
    MujocoModel *x = array(1, sizeof *x);
    x->mechanism = mechanism;
    x->m = compile(mechanism);
    x->d = x->m ? mj_makeData(x->m) : NULL;
    if (!x->d)
        return NULL;
    const size_t nv = (size_t)x->m->nv, rows = 3 * BENCH_POINTS;
    x->body = array((size_t)mechanism->body_count, sizeof(int));
    x->q = array((size_t)mechanism->coordinates, sizeof(int));
    x->v = array((size_t)mechanism->coordinates, sizeof(int));
    x->effort = array(nv, sizeof(mjtNum));
    x->jacobians = array(6 * nv * (size_t)mechanism->body_count, sizeof(mjtNum));
    x->J = array(rows * nv, sizeof(mjtNum));
    x->half = array(rows * nv, sizeof(mjtNum));
    x->W = array(rows * rows, sizeof(mjtNum));
    find_addresses(x);
    return x;
}

static void call_kin(void *model)
{
    MujocoModel *x = model;
    for (int k = 0; k < x->mechanism->coordinates; k++)
        x->d->qpos[x->q[k]] += BENCH_NUDGE;
    kinematics(x);
}

static void call_fd(void *model)
{
    MujocoModel *x = model;
    call_kin(x);
    mj_crb(x->m, x->d);
    mj_factorM(x->m, x->d);
    mj_comVel(x->m, x->d);
    mj_rne(x->m, x->d, 0, x->d->qfrc_bias);
    mj_fwdAcceleration(x->m, x->d);
}

static void call_id(void *model)
{
    MujocoModel *x = model;
    mj_rne(x->m, x->d, 1, x->effort);
}

static void call_id_velocity(void *model)
{
    MujocoModel *x = model;
    mj_comVel(x->m, x->d);
    mj_rne(x->m, x->d, 1, x->effort);
}

static void call_id_full(void *model)
{
    MujocoModel *x = model;
    call_kin(x);
    call_id_velocity(x);
}

static void call_crba_factor(void *model)
{
    MujocoModel *x = model;
    mj_crb(x->m, x->d);
    mj_factorM(x->m, x->d);
}

static void call_jacobians(void *model)
{
    MujocoModel *x = model;
    const size_t block = 3 * (size_t)x->m->nv;
    for (int i = 0; i < x->mechanism->body_count; i++) {
        mjtNum *J = x->jacobians + 2 * block * (size_t)i;
        mj_jacBody(x->m, x->d, J + block, J, x->body[i]);
    }
}

/// W = J M^-1 J^T = Y Y^T with Y^T = sqrt(D)^-1 L^-T J^T: half the work of full solves.
static void call_delassus(void *model)
{
    MujocoModel *x = model;
    for (int k = 0; k < BENCH_POINTS; k++)
        mj_jac(x->m, x->d, x->J + 3 * k * x->m->nv, NULL, x->point[k], x->point_body[k]);
    mj_solveM2(x->m, x->d, x->half, x->J, 3 * BENCH_POINTS);
    mju_transpose(x->J, x->half, 3 * BENCH_POINTS, x->m->nv);
    mju_sqrMatTD(x->W, x->J, NULL, x->m->nv, 3 * BENCH_POINTS); // faster than mju_mulMatMatT, which ignores symmetry
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
    MujocoModel *x = model;
    for (size_t i = 0; i < sizeof offered / sizeof *offered; i++)
        if (strcmp(offered[i].quantity, quantity) == 0) {
            if (strcmp(quantity, "delassus20") == 0 && !x->mechanism->floating)
                return NULL;
            reset(x);
            if (x->mechanism->floating)
                place_points(x);
            return offered[i].call;
        }
    return NULL;
}

static void check_joints(const MujocoModel *x, const mjtNum *values, double out[BENCH_CHECKS])
{
    const int n = x->mechanism->coordinates;
    double *joints = array((size_t)n, sizeof *joints);
    for (int k = 0; k < n; k++)
        joints[k] = values[x->v[k]];
    bench_summary(joints, n, out);
    free(joints);
}

static void check_solve(MujocoModel *x, double out[BENCH_CHECKS])
{
    mjtNum *y = array((size_t)x->m->nv, sizeof *y), *solution = array((size_t)x->m->nv, sizeof *solution);
    for (int k = 0; k < x->mechanism->coordinates; k++)
        y[x->v[k]] = 1.0;
    mj_solveM(x->m, x->d, solution, y, 1);
    check_joints(x, solution, out);
    free(y);
    free(solution);
}

static void check_jacobians(const MujocoModel *x, double out[BENCH_CHECKS])
{
    const int nv = x->m->nv;
    for (int i = 0; i < x->mechanism->body_count; i++) {
        const mjtNum *J = x->jacobians + 6 * (size_t)nv * (size_t)i;
        for (int k = 0; k < x->mechanism->coordinates; k++) {
            const int c = x->v[k];
            const double angular[3] = {J[c], J[nv + c], J[2 * nv + c]};
            const double linear[3] = {J[3 * nv + c], J[4 * nv + c], J[5 * nv + c]};
            bench_add_column(angular, linear, out);
        }
    }
}

static void check_positions(const MujocoModel *x, double out[BENCH_CHECKS])
{
    for (int i = 0; i < x->mechanism->body_count; i++) {
        const mjtNum *p = x->d->xpos + 3 * x->body[i];
        for (int k = 0; k < 3; k++) {
            out[k] = p[k];
            out[3] += p[k];
        }
    }
}

static bool check(void *model, const char *quantity, double out[BENCH_CHECKS])
{
    MujocoModel *x = model;
    const BenchCall call = find(x, quantity);
    call(x);
    if (call == call_fd)
        check_joints(x, x->d->qacc_smooth, out);
    else if (call == call_id || call == call_id_velocity || call == call_id_full)
        check_joints(x, x->effort, out);
    else if (call == call_kin)
        check_positions(x, out);
    else if (call == call_crba_factor)
        check_solve(x, out);
    else if (call == call_jacobians)
        check_jacobians(x, out);
    else
        bench_matrix_summary(x->W, 3 * BENCH_POINTS, out);
    return true;
}

int main(void)
{
    const BenchEngine engine = {"mujoco", open_model, find, check};
    return peer_serve(&engine, mj_versionString());
}
