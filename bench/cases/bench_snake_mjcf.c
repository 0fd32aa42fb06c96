// SPDX-License-Identifier: Apache-2.0
/// \file
/// A robot of `rille bench snake` as MuJoCo's XML: the same links, joints, masses and gains. Only
/// screws collide, as capsules of the screw's radius and length: of MuJoCo's shapes the one that is
/// fastest on height fields.
#include <stdio.h>
#include <string.h>

#include "bench/cases/bench_snake.h"
#include "bench/snake.h"
#include "io/file/beside.h"

static void put_inertial(FILE *out, const RiLinkSpec *l)
{
    const RiMat3 *I = &l->inertia;
    fprintf(out, "<inertial pos='%.17g %.17g %.17g' mass='%.17g' fullinertia='%.17g %.17g %.17g %.17g %.17g %.17g'/>\n",
            l->com.x, l->com.y, l->com.z, l->mass, I->m[0][0], I->m[1][1], I->m[2][2], I->m[0][1], I->m[0][2],
            I->m[1][2]);
}

static void put_screws(FILE *out, const RiSpec *spec, const char *link)
{
    for (int i = 0; i < spec->screw_count; i++) {
        const RiScrewSpec *s = &spec->screws[i];
        if (strcmp(s->link, link) != 0)
            continue;
        const RiVec3 half = ri_rotate(&s->pose.R, ri_vec3(0.0, 0.0, 0.5 * s->length));
        const RiVec3 a = ri_sub(s->pose.p, half), b = ri_add(s->pose.p, half);
        fprintf(out, "<geom type='capsule' fromto='%.17g %.17g %.17g %.17g %.17g %.17g' size='%.17g' mass='0'/>\n", a.x,
                a.y, a.z, b.x, b.y, b.z, s->radius);
    }
}

/// Damping is at the joint, where MuJoCo's implicit integrators know it; for screws at the
/// actuator.
static void put_joint(FILE *out, const RiJointSpec *j)
{
    if (j->type == RI_JOINT_FIXED)
        return;
    const double damping = strncmp(j->name, "bend", 4) == 0    ? BENCH_BEND_GAINS.kd
                           : strncmp(j->name, "twist", 5) == 0 ? BENCH_TWIST_GAINS.kd
                                                               : 0.0;
    fprintf(out, "<joint name='%s' type='hinge' axis='%.17g %.17g %.17g' damping='%g'/>\n", j->name, j->axis.x,
            j->axis.y, j->axis.z, damping);
}

static void put_body(FILE *out, const RiSpec *spec, const char *link, const RiJointSpec *joint)
{
    const RiPose at = joint ? joint->origin : ri_pose_identity();
    const RiQuat q = ri_quat_from_mat3(&at.R);
    if (joint) {
        fprintf(out, "<body name='%s' pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'>\n", link, at.p.x, at.p.y,
                at.p.z, q.w, q.x, q.y, q.z);
        put_joint(out, joint);
    } else {
        const int modules = spec->screw_count; // one each
        fprintf(out, "<body name='%s' pos='%g %g %.17g'><freejoint/>\n", link, BENCH_START_X, BENCH_START_Y,
                bench_start_height(0.4 * modules, 0.1));
    }
    for (int i = 0; i < spec->link_count; i++)
        if (strcmp(spec->links[i].name, link) == 0 && spec->links[i].mass > 0.0)
            put_inertial(out, &spec->links[i]);
    put_screws(out, spec, link);
    for (int i = 0; i < spec->joint_count; i++)
        if (strcmp(spec->joints[i].parent, link) == 0)
            put_body(out, spec, spec->joints[i].child, &spec->joints[i]);
    fprintf(out, "</body>\n");
}

static void put_actuators(FILE *out, int modules)
{
    fprintf(out, "<actuator>\n");
    for (int i = 1; i <= modules; i++)
        fprintf(out,
                "<position joint='bend_%d' kp='%g'/><position joint='twist_%d' kp='%g'/>"
                "<velocity joint='screw_front_%d_joint' kv='%g'/>\n",
                i, BENCH_BEND_GAINS.kp, i, BENCH_TWIST_GAINS.kp, i, BENCH_SCREW_GAINS.kd);
    fprintf(out, "</actuator>\n");
}

bool snake_rig_write_mjcf(const SnakeRig *rig, const char *path)
{
    RiBeside beside;
    FILE *out = ri_beside_stream(&beside, path);
    if (!out)
        return false;
    fprintf(out, "<mujoco><compiler angle='radian'/><option timestep='0.002' gravity='0 0 -9.81' integrator='implicit' "
                 "solver='Newton'/><size njmax='8000' nconmax='2000' nstack='40000000'/>\n"
                 "<default><geom contype='2' conaffinity='1' condim='3' friction='0.3 0.005 0.0001'/></default>\n");
    fprintf(out, "<asset><hfield name='field' nrow='%d' ncol='%d' size='%g %g 0.5 0.5'/></asset>\n<worldbody>\n",
            BENCH_FIELD, BENCH_FIELD, BENCH_FIELD_HALF, BENCH_FIELD_HALF);
    fprintf(out, "<geom type='hfield' hfield='field' pos='0 0 -0.25' contype='1' conaffinity='2'/>\n");
    put_body(out, rig->spec, "tail", NULL);
    fprintf(out, "</worldbody>\n");
    put_actuators(out, rig->modules);
    fprintf(out, "</mujoco>\n");
    return ri_beside_close(&beside, true) == 0;
}
