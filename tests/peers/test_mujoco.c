// SPDX-License-Identifier: Apache-2.0
/// \file
/// The same robots in MuJoCo: random trees, written as MJCF, give the same accelerations.
///
/// MuJoCo knows hinge, slide, ball and free joints, and chains of them inside one body: a universal
/// joint is two hinges, a planar joint two slides and a hinge, a free joint below the root three
/// slides and a ball. Its equality constraints are soft, so couplings are imposed here, exactly:
/// with M and bias of MuJoCo's uncoupled tree and the couplings C a = 0,
///     M a + C^T lambda = tau - bias,   (C M^-1 C^T) lambda = C M^-1 (tau - bias).
#include <mujoco/mujoco.h>

#include <rille/flex.h>

#include "support/trees.h"

// --- writing MJCF --------------------------------------------------------------------------------

static void put_vec3(FILE *f, const char *name, RiVec3 v)
{
    fprintf(f, " %s=\"%.17g %.17g %.17g\"", name, v.x, v.y, v.z);
}

static void put_joint(FILE *f, const char *type, RiVec3 axis, double armature)
{
    fprintf(f, "<joint type=\"%s\" armature=\"%.17g\"", type, armature);
    put_vec3(f, "axis", axis);
    fprintf(f, "/>\n");
}

/// The joints inside a body that together move as ours.
static void put_joints(FILE *f, const RiJointSpec *j)
{
    const RiVec3 unit[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const RiMat3 plane = ri_mat3_from_z(j->axis);
    const int slides = j->type == RI_JOINT_PLANAR ? 2 : j->type == RI_JOINT_FREE ? 3 : 0;
    for (int k = 0; k < slides; k++)
        put_joint(f, "slide", j->type == RI_JOINT_PLANAR ? ri_mat3_col(&plane, k) : unit[k], j->armature);
    if (j->type == RI_JOINT_PRISMATIC)
        put_joint(f, "slide", j->axis, j->armature);
    else if (j->type == RI_JOINT_BALL || j->type == RI_JOINT_FREE)
        put_joint(f, "ball", unit[2], j->armature);
    else if (j->type != RI_JOINT_FIXED)
        put_joint(f, "hinge", j->axis, j->armature);
    if (j->type == RI_JOINT_UNIVERSAL)
        put_joint(f, "hinge", j->axis2, j->armature);
}

/// Principal moments and axes: MuJoCo would find them itself from `fullinertia`, but only to about
/// 1e-8.
static void put_inertia(FILE *f, const RiLinkSpec *l, bool moves)
{
    if (l->mass == 0.0) { // MuJoCo takes no massless body that moves: the smallest that it takes, 1e-10 of the others
        if (moves)
            fprintf(f, "<inertial pos=\"0 0 0\" mass=\"2e-15\" diaginertia=\"2e-15 2e-15 2e-15\"/>\n");
        return;
    }
    double e[3];
    RiMat3 axes;
    ri_mat3_eigen(&l->inertia, e, &axes);
    const RiQuat q = ri_quat_from_mat3(&axes);
    fprintf(f, "<inertial mass=\"%.17g\" quat=\"%.17g %.17g %.17g %.17g\"", l->mass, q.w, q.x, q.y, q.z);
    put_vec3(f, "pos", l->com);
    put_vec3(f, "diaginertia", ri_vec3(e[0], e[1], e[2]));
    fprintf(f, "/>\n");
}

/// A link, its joints, and the links below it. `joint` NULL: the root.
static void put_body(FILE *f, const RiSpec *spec, const RiLinkSpec *link, const RiJointSpec *joint, bool floating)
{
    const RiPose X = joint ? joint->origin : ri_pose_identity();
    const RiQuat q = ri_quat_from_mat3(&X.R);
    fprintf(f, "<body name=\"%s\" quat=\"%.17g %.17g %.17g %.17g\"", link->name, q.w, q.x, q.y, q.z);
    put_vec3(f, "pos", X.p);
    fprintf(f, ">\n");
    if (joint)
        put_joints(f, joint);
    else if (floating)
        fprintf(f, "<freejoint/>\n");
    put_inertia(f, link, joint && joint->type != RI_JOINT_FIXED);
    for (int i = 0; i < spec->joint_count; i++)
        if (strcmp(spec->joints[i].parent, link->name) == 0)
            put_body(f, spec, ri_spec_find_link(spec, spec->joints[i].child), &spec->joints[i], floating);
    fprintf(f, "</body>\n");
}

static const RiLinkSpec *root_of(const RiSpec *spec)
{
    for (int i = 0; i < spec->link_count; i++) {
        bool child = false;
        for (int j = 0; j < spec->joint_count; j++)
            child |= strcmp(spec->joints[j].child, spec->links[i].name) == 0;
        if (!child)
            return &spec->links[i];
    }
    return NULL;
}

static mjModel *compile(const RiSpec *spec, bool floating)
{
    char *text = NULL, message[500] = "";
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    mjVFS *files = malloc(sizeof *files);
    if (!f || !files)
        return NULL;
    fprintf(f, "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\"/><worldbody>\n");
    put_body(f, spec, root_of(spec), NULL, floating);
    fprintf(f, "</worldbody></mujoco>\n");
    fclose(f);
    mj_defaultVFS(files);
    mj_makeEmptyFileVFS(files, "model.xml", (int)size);
    memcpy(files->filedata[mj_findFileVFS(files, "model.xml")], text, size);
    mjModel *m = mj_loadXML("model.xml", files, message, sizeof message);
    if (!m)
        CHECK_FAIL("MuJoCo: %s", message);
    mj_deleteVFS(files);
    free(files);
    free(text);
    return m;
}

// --- comparing -----------------------------------------------------------------------------------

/// The first degree of freedom of a joint in MuJoCo; -1 if it has none.
static int dof_of(const mjModel *m, const Robot *r, int joint)
{
    const RiJointInfo info = ri_model_joint(r->m, joint);
    const int body = mj_name2id(m, mjOBJ_BODY, ri_model_link(r->m, info.child_link).name);
    return body >= 0 ? m->body_dofadr[body] : -1;
}

static void copy_state(const Robot *r, const mjModel *m, mjData *d, double *tau)
{
    for (int j = 0; j < r->nj; j++) {
        const RiJointInfo info = ri_model_joint(r->m, j);
        const int dof = dof_of(m, r, j);
        if (info.nv == 0 || dof < 0)
            continue;
        ri_dyn_joint_position(r->d, j, d->qpos + m->jnt_qposadr[m->dof_jntid[dof]]);
        ri_dyn_joint_velocity(r->d, j, d->qvel + dof);
        memcpy(tau + dof, r->tau_s + info.s_index, (size_t)info.nv * sizeof *tau);
    }
}

/// x <- M^-1 x with MuJoCo's own factor.
static void solve(const mjModel *m, mjData *d, double *x)
{
    mj_solveM(m, d, x, x, 1);
}

/// a = M^-1 (b - C^T lambda) with C a = 0; b in place. C is one row per coupling.
static void impose_couplings(const Robot *r, const mjModel *m, mjData *d, double *b)
{
    const int nc = r->spec->coupling_count, n = m->nv;
    double *C = numbers((size_t)nc * (size_t)n), *Y = numbers((size_t)nc * (size_t)n),
           *W = numbers((size_t)nc * (size_t)nc), *lambda = numbers((size_t)nc);
    for (int i = 0; i < nc; i++)
        for (int k = 0; k < r->spec->couplings[i].term_count; k++) {
            const RiCouplingTerm *t = &r->spec->couplings[i].terms[k];
            C[i * n + dof_of(m, r, ri_model_find_joint(r->m, t->joint))] += t->factor;
        }
    memcpy(Y, C, (size_t)nc * (size_t)n * sizeof *Y);
    for (int i = 0; i < nc; i++)
        solve(m, d, Y + i * n);
    solve(m, d, b);
    for (int i = 0; i < nc; i++)
        for (int l = 0; l < n; l++) {
            lambda[i] += C[i * n + l] * b[l];
            for (int k = 0; k < nc; k++)
                W[i * nc + k] += C[i * n + l] * Y[k * n + l];
        }
    CHECK(cholesky_solve(nc, W, lambda));
    for (int i = 0; i < nc; i++)
        for (int l = 0; l < n; l++)
            b[l] -= lambda[i] * Y[i * n + l];
    free(C), free(Y), free(W), free(lambda);
}

static void run_mujoco(const Robot *r, const mjModel *m, mjData *d, double *out_a)
{
    double *bias = numbers((size_t)m->nv);
    copy_state(r, m, d, out_a);
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_crb(m, d);
    mj_factorM(m, d);
    mj_comVel(m, d);
    mj_rne(m, d, 0, bias);
    for (int i = 0; i < m->nv; i++)
        out_a[i] -= bias[i];
    impose_couplings(r, m, d, out_a);
    free(bias);
}

static double worst; // relative difference seen so far

static void compare(Robot *r, const mjModel *m, const double *a)
{
    double most = 0.0, scale = 1.0, *ours = numbers((size_t)r->nv);
    REQUIRE_OK(r->ctx, ri_dyn_forward(r->d, r->tau, ours));
    for (int j = 0; j < r->nj; j++) {
        const int nv = ri_model_joint(r->m, j).nv;
        double x[6];
        if (nv == 0)
            continue;
        ri_dyn_joint_acceleration(r->d, j, x);
        most = fmax(most, largest_difference(x, a + dof_of(m, r, j), nv));
        scale = fmax(scale, largest(x, nv));
    }
    CHECK_SMALL(r, most / scale, 1e-8);
    worst = fmax(worst, most / scale);
    free(ours);
}

static void compare_poses(const Robot *r, const mjModel *m, const mjData *d)
{
    double most = 0.0;
    for (int l = 0; l < r->nl; l++) {
        const int body = mj_name2id(m, mjOBJ_BODY, ri_model_link(r->m, l).name);
        const RiPose X = ri_dyn_frame_pose(r->d, l);
        most = fmax(most, largest_difference(&X.R.m[0][0], d->xmat + 9 * body, 9));
        most = fmax(most, largest_difference(&X.p.x, d->xpos + 3 * body, 3));
    }
    CHECK_SMALL(r, most, 1e-11);
}

static void compare_robot(Robot *r)
{
    mjModel *m = compile(r->spec, ri_model_is_floating(r->m));
    REQUIRE(m);
    mjData *d = mj_makeData(m);
    REQUIRE(d);
    const RiVec3 g = ri_dyn_gravity(r->d);
    m->opt.gravity[0] = g.x, m->opt.gravity[1] = g.y, m->opt.gravity[2] = g.z;
    CHECK_INT(m->nv, r->ns);
    double *a = numbers((size_t)m->nv);
    if (m->nv == r->ns) {
        run_mujoco(r, m, d, a);
        compare(r, m, a);
        compare_poses(r, m, d);
    }
    free(a);
    mj_deleteData(d);
    mj_deleteModel(m);
}

/// Depth of the tree; MuJoCo's parser takes elements nested up to a hundred deep.
static int depth(const RiSpec *spec)
{
    int most = 0, *at = calloc((size_t)spec->link_count + 1, sizeof *at);
    for (int i = 0; at && i < spec->joint_count; i++) { // random trees: joint i moves link i + 1
        at[i + 1] = at[atoi(spec->joints[i].parent + 1)] + 1;
        most = at[i + 1] > most ? at[i + 1] : most;
    }
    free(at);
    return most;
}

TEST(random_trees_accelerate_as_in_mujoco)
{
    int made = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        Robot r = robot_make(seed);
        if (depth(r.spec) < 80) {
            compare_robot(&r);
            made++;
        }
        robot_close(&r);
    }
    CHECK(made >= 100);
    printf("     %d trees, largest relative difference %.2g\n", made, worst);
}

TEST(snakes_accelerate_as_in_mujoco)
{
    for (uint64_t seed = 0; seed < 10; seed++) {
        const RobotPlan snake = {.seed = seed,
                                 .links = 70,
                                 .chain = 1.0,
                                 .one_axis = 0.5,
                                 .types =
                                     1u << RI_JOINT_UNIVERSAL | 1u << RI_JOINT_REVOLUTE | 1u << RI_JOINT_CONTINUOUS,
                                 .rotors = 0.35,
                                 .couplings = 1,
                                 .floating = true,
                                 .armature = seed % 2 == 0};
        Robot r = robot_from_plan(&snake);
        compare_robot(&r);
        robot_close(&r);
    }
}

static void wheel(RiSpec *spec, RiRng *rng, const char *parent, const char *name, double x)
{
    RiLinkSpec link = ri_link_default();
    link.name = name, link.mass = 1.5, link.inertia = ri_inertia_cylinder(1.5, 0.25, 0.2);
    spec_link(spec, &link);
    RiJointSpec j = ri_joint_default();
    j.name = name, j.parent = parent, j.child = name, j.type = RI_JOINT_CONTINUOUS;
    j.origin.p = ri_vec3(x, 0.1, -0.3), j.origin.R = ri_mat3_rpy(-1.5707963, 0.0, 0.0);
    j.armature = ri_rng_between(rng, 0.0, 0.1);
    spec_joint(spec, &j);
}

static void arm(RiSpec *spec, RiRng *rng, const char *parent, const char *name, RiVec3 at)
{
    const RiLinkSpec link = random_link(rng, name, 0.3);
    spec_link(spec, &link);
    RiJointSpec j = ri_joint_default();
    j.name = name, j.parent = parent, j.child = name, j.type = RI_JOINT_REVOLUTE;
    j.axis = ri_vec3(0.0, 1.0, 0.0), j.origin.p = at;
    spec_joint(spec, &j);
}

/// Rocker-bogie: two rockers geared against each other through the chassis, two bogies, six wheels.
static RiSpec *rover(RiRng *rng)
{
    RiSpec *spec = spec_new(context_new(), "rover");
    spec->base = RI_BASE_FLOATING;
    const RiLinkSpec chassis = random_link(rng, "chassis", 0.8);
    spec_link(spec, &chassis);
    for (int side = 0; side < 2; side++) {
        const char *rocker = side ? "rocker_r" : "rocker_l", *bogie = side ? "bogie_r" : "bogie_l";
        arm(spec, rng, "chassis", rocker, ri_vec3(0.0, side ? -0.5 : 0.5, 0.1));
        arm(spec, rng, rocker, bogie, ri_vec3(-0.5, 0.0, -0.2));
        wheel(spec, rng, rocker, side ? "front_r" : "front_l", 0.6);
        wheel(spec, rng, bogie, side ? "middle_r" : "middle_l", 0.2);
        wheel(spec, rng, bogie, side ? "rear_r" : "rear_l", -0.3);
    }
    const RiCouplingTerm terms[] = {{"rocker_l", 1.0}, {"rocker_r", 1.0}};
    spec_couple(spec, "differential", 2, terms, 0.0);
    return spec;
}

/// A free body, on it an arm that bends and twists, and a payload behind it.
static RiSpec *flexible_arm(RiRng *rng, int hinges, int modes)
{
    RiSpec *spec = spec_new(context_new(), "arm");
    spec->base = RI_BASE_FLOATING;
    const RiLinkSpec body = random_link(rng, "body", 0.8);
    spec_link(spec, &body);
    RiLinkSpec link = ri_link_default();
    link.name = "arm", link.mass = 2.0, link.com = ri_vec3(0.0, 0.0, 0.5);
    link.inertia = ri_inertia_cylinder(2.0, 0.05, 1.0);
    spec_link(spec, &link);
    RiJointSpec j = ri_joint_default();
    j.name = "shoulder", j.parent = "body", j.child = "arm", j.type = RI_JOINT_REVOLUTE;
    j.axis = ri_vec3(0.0, 1.0, 0.0), j.origin.p = ri_vec3(0.1, -0.2, 0.3);
    spec_joint(spec, &j);
    arm(spec, rng, "arm", "tool", ri_vec3(0.0, 0.0, 1.0));
    RiFlexDef f = ri_flex_default();
    f.link = "arm", f.axis = 2, f.length = 1.0, f.bending[0] = f.bending[1] = 50.0, f.torsion = 20.0;
    f.segments = hinges, f.modes = modes;
    CHECK_OK(spec->ctx, ri_spec_flex(spec, &f));
    return spec;
}

TEST(flexible_arms_accelerate_as_in_mujoco)
{
    for (uint64_t seed = 0; seed < 12; seed++) {
        RiRng rng = ri_rng_stream(seed, "arm");
        RiSpec *spec = flexible_arm(&rng, 3 + (int)seed, (int)seed % 4);
        Robot r = robot_open(spec->ctx, spec, true, seed);
        compare_robot(&r);
        robot_close(&r);
    }
}

TEST(rovers_accelerate_as_in_mujoco)
{
    for (uint64_t seed = 0; seed < 10; seed++) {
        RiRng rng = ri_rng_stream(seed, "rover");
        RiSpec *spec = rover(&rng);
        Robot r = robot_open(spec->ctx, spec, true, seed);
        CHECK_INT(r.nv, 6 + 3 + 6);
        compare_robot(&r);
        robot_close(&r);
    }
}

TEST_MAIN(CASE(random_trees_accelerate_as_in_mujoco), CASE(snakes_accelerate_as_in_mujoco),
          CASE(flexible_arms_accelerate_as_in_mujoco), CASE(rovers_accelerate_as_in_mujoco))
