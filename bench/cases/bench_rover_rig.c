// SPDX-License-Identifier: Apache-2.0
/// \file
/// Building and running the driven rover of `rille bench rover`, and the same as MuJoCo's XML.
#include "bench/cases/bench_rover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/robot.h>

#include "bench/rover.h"
#include "bench/snake.h"
#include "cli.h"
#include "io/file/beside.h"

static const double TICK = 2e-3, GRAVITY = 3.71, FRICTION = 0.8;
/// A motor of 28 V whose back-EMF at the wheel is the speed gain of the controllers: Kt^2 ratio^2 /
/// R.
static const double RESISTANCE = 10.0, TORQUE_CONSTANT = 0.0094281, RATIO = 1500.0;

static const char *const steers[ROVER_STEERS] = {"steer_front_left", "steer_front_right", "steer_rear_left",
                                                 "steer_rear_right"};
static const char *const drives[ROVER_WHEELS] = {"drive_front_left",   "drive_front_right", "drive_middle_left",
                                                 "drive_middle_right", "drive_rear_left",   "drive_rear_right"};

static void *count_resize(void *user, void *block, size_t size)
{
    ++*(long *)user;
    return realloc(block, size);
}

static void count_release(void *user, void *block)
{
    (void)user;
    free(block);
}

static RiStatus make_field(RoverRig *rig, int n, double half)
{
    RiRaster *raster;
    const double cell = 2.0 * half / (n - 1);
    RI_TRY(ri_raster_create(rig->ctx, n, n, cell, cell, &raster));
    raster->x0 = raster->y0 = -half;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            raster->values[j * n + i] = (float)bench_ground(-half + i * cell, -half + j * cell);
    RiHeightsDef def = ri_heights_def_default();
    def.raster = raster;
    const RiStatus status = ri_terrain_create_heights(rig->ctx, &def, &rig->terrain);
    ri_raster_destroy(raster);
    return status;
}

RiStatus rover_rig_load(RoverRig *rig, const char *robot, bool bodies, int n, double half)
{
    char folder[PATH_MAX], path[PATH_MAX + 64];
    memset(rig, 0, sizeof *rig);
    const RiAllocator counting = {count_resize, count_release, &rig->allocations};
    RI_TRY(ri_context_create(&counting, &rig->ctx));
    cli_data_folder("robots", folder);
    snprintf(path, sizeof path, "%s/%s.yaml", folder, robot);
    const RiSetting bare = {"body_contact", "0"};
    const RiLoadOptions options = {.settings = &bare, .setting_count = bodies ? 0 : 1};
    RI_TRY(ri_robot_load(rig->ctx, path, &options, &rig->spec));
    RI_TRY(ri_model_create(rig->ctx, rig->spec, NULL, &rig->model));
    return make_field(rig, n, half);
}

static RiStatus add_device(RoverRig *rig, const char *what, const char *class, const char *joint, const char *input,
                           const char *source)
{
    char name[64], attach[64];
    snprintf(name, sizeof name, "%s_%s", what, joint);
    snprintf(attach, sizeof attach, "%s_joint", joint);
    const RiDeviceDef def = {.name = name,
                             .device = ri_device_find(class),
                             .attach = attach,
                             .inputs = &input,
                             .sources = &source,
                             .connection_count = input ? 1 : 0};
    return ri_sim_add_device(rig->sim, &def);
}

static RiStatus add_devices(RoverRig *rig)
{
    for (int i = 0; i < ROVER_STEERS; i++) {
        char source[64];
        snprintf(source, sizeof source, "profile_%s.position", steers[i]);
        RI_TRY(add_device(rig, "profile", "profile", steers[i], NULL, NULL));
        RI_TRY(add_device(rig, "control", "servo", steers[i], "position", source));
    }
    for (int i = 0; i < ROVER_WHEELS; i++) {
        RI_TRY(add_device(rig, "motor", "motor", drives[i], NULL, NULL));
        RI_TRY(add_device(rig, "encoder", "encoder", drives[i], NULL, NULL));
    }
    return RI_OK;
}

static RiStatus set(RoverRig *rig, const char *what, const char *joint, const char *port, double value)
{
    char name[128];
    snprintf(name, sizeof name, "%s_%s.%s", what, joint, port);
    const int index = ri_values_find(ri_sim_values(rig->sim), name);
    if (index < 0)
        return ri_error(rig->ctx, RI_ERR_NOT_FOUND, "there is no value '%s'", name);
    return ri_values_write(ri_sim_values(rig->sim), index, value);
}

static int find(RoverRig *rig, const char *what, const char *joint, const char *port)
{
    char name[128];
    snprintf(name, sizeof name, "%s_%s.%s", what, joint, port);
    return ri_values_find(ri_sim_values(rig->sim), name);
}

static RiStatus tune(RoverRig *rig)
{
    for (int i = 0; i < ROVER_STEERS; i++) {
        RI_TRY(set(rig, "profile", steers[i], "max_velocity", 0.5));
        RI_TRY(set(rig, "profile", steers[i], "max_acceleration", 1.0));
        RI_TRY(set(rig, "control", steers[i], "stiffness", BENCH_ROVER_STEER_KP));
        RI_TRY(set(rig, "control", steers[i], "damping", BENCH_ROVER_STEER_KD));
        rig->steer[i] = find(rig, "profile", steers[i], "target");
    }
    for (int i = 0; i < ROVER_WHEELS; i++) {
        RI_TRY(set(rig, "motor", drives[i], "resistance", RESISTANCE));
        RI_TRY(set(rig, "motor", drives[i], "torque_constant", TORQUE_CONSTANT));
        RI_TRY(set(rig, "motor", drives[i], "gear_ratio", RATIO));
        RI_TRY(set(rig, "motor", drives[i], "max_voltage", 28.0));
        rig->voltage[i] = find(rig, "motor", drives[i], "voltage");
    }
    return RI_OK;
}

static RiStatus build(RoverRig *rig)
{
    RiPairDef rock = ri_pair_default();
    rock.stiffness = 5e5, rock.damping = 5e3, rock.friction = FRICTION;
    RiContactOptions contact = ri_contact_options_default();
    contact.pairs = &rock;
    contact.pair_count = 1;
    RiSimOptions options = ri_sim_options_default();
    options.tick = TICK;
    options.gravity = ri_vec3(0.0, 0.0, -GRAVITY);
    RI_TRY(ri_stance_create(rig->ctx, rig->spec, rig->model, NULL, &rig->stance));
    RI_TRY(ri_contacts_create(rig->ctx, rig->spec, rig->model, rig->terrain, &contact, &rig->contacts));
    RI_TRY(ri_sim_create(rig->ctx, rig->model, &options, &rig->sim));
    RI_TRY(ri_sim_set_contacts(rig->sim, rig->contacts));
    RI_TRY(ri_sim_set_terrain(rig->sim, rig->terrain));
    RI_TRY(ri_sim_set_stance(rig->sim, rig->stance));
    RI_TRY(add_devices(rig));
    RI_TRY(ri_sim_build(rig->sim));
    RI_TRY(tune(rig));
    RI_TRY(ri_sim_stand(rig->sim, BENCH_ROVER_X, BENCH_ROVER_Y, 0.0));
    ri_sim_q(rig->sim)[2] += 0.02;
    return ri_sim_start(rig->sim);
}

RiStatus rover_rig_open(RoverRig *rig, const char *robot, bool bodies)
{
    RI_TRY(rover_rig_load(rig, robot, bodies, BENCH_FIELD, BENCH_FIELD_HALF));
    RI_TRY(build(rig));
    while (ri_sim_time(rig->sim) < BENCH_SETTLE)
        RI_TRY(rover_rig_step(rig));
    return RI_OK;
}

void rover_rig_close(RoverRig *rig)
{
    ri_sim_destroy(rig->sim);
    ri_stance_destroy(rig->stance);
    ri_contacts_destroy(rig->contacts);
    ri_terrain_destroy(rig->terrain);
    ri_model_destroy(rig->model);
    ri_spec_destroy(rig->spec);
    ri_context_destroy(rig->ctx);
}

RiStatus rover_rig_step(RoverRig *rig)
{
    RiValues *values = ri_sim_values(rig->sim);
    const double t = fmax(0.0, ri_sim_time(rig->sim) - BENCH_SETTLE);
    for (int i = 0; i < ROVER_STEERS; i++)
        RI_TRY(ri_values_write(values, rig->steer[i], bench_rover_steer(i < 2 ? 1 : -1, t)));
    for (int i = 0; i < ROVER_WHEELS; i++)
        RI_TRY(ri_values_write(values, rig->voltage[i], TORQUE_CONSTANT * RATIO * bench_rover_speed(t)));
    return ri_sim_step(rig->sim);
}

// --- MuJoCo's XML --------------------------------------------------------------------------------

static void put_inertial(FILE *out, const RiLinkSpec *l)
{
    const RiMat3 *I = &l->inertia;
    fprintf(out, "<inertial pos='%.17g %.17g %.17g' mass='%.17g' fullinertia='%.17g %.17g %.17g %.17g %.17g %.17g'/>\n",
            l->com.x, l->com.y, l->com.z, l->mass, I->m[0][0], I->m[1][1], I->m[2][2], I->m[0][1], I->m[0][2],
            I->m[1][2]);
}

static void put_wheels(FILE *out, const RiSpec *spec, const char *link)
{
    for (int i = 0; i < spec->wheel_count; i++) {
        const RiWheelSpec *w = &spec->wheels[i];
        if (strcmp(w->link, link) == 0)
            fprintf(out, "<geom type='cylinder' fromto='0 %.17g 0 0 %.17g 0' size='%.17g' mass='0'/>\n",
                    -0.5 * w->width, 0.5 * w->width, w->radius + w->grouser_height);
    }
}

static void put_body(FILE *out, const RoverRig *rig, const char *link, const RiJointSpec *j)
{
    const RiSpec *spec = rig->spec;
    const RiPose at = j ? j->origin : ri_pose_identity();
    const bool steer = j && strncmp(j->name, "steer", 5) == 0;
    const double *q = ri_sim_q(rig->sim);
    if (j)
        fprintf(
            out,
            "<body name='%s' pos='%.17g %.17g %.17g'><joint name='%s' type='hinge' axis='%g %g %g' damping='%g'/>\n",
            link, at.p.x, at.p.y, at.p.z, j->name, j->axis.x, j->axis.y, j->axis.z, steer ? BENCH_ROVER_STEER_KD : 0.0);
    else
        fprintf(out, "<body name='%s' pos='%g %g %g'><freejoint/>\n", link, q[0], q[1], q[2] + 0.05);
    for (int i = 0; i < spec->link_count; i++)
        if (strcmp(spec->links[i].name, link) == 0)
            put_inertial(out, &spec->links[i]);
    put_wheels(out, spec, link);
    for (int i = 0; i < spec->joint_count; i++)
        if (strcmp(spec->joints[i].parent, link) == 0)
            put_body(out, rig, spec->joints[i].child, &spec->joints[i]);
    fprintf(out, "</body>\n");
}

bool rover_rig_write_mjcf(const RoverRig *rig, const char *path)
{
    RiBeside beside;
    FILE *out = ri_beside_stream(&beside, path);
    if (!out)
        return false;
    fprintf(out,
            "<mujoco><compiler angle='radian'/><option timestep='0.002' gravity='0 0 %g' integrator='implicit' "
            "solver='Newton'/><size njmax='8000' nconmax='2000' nstack='40000000'/>\n"
            "<default><geom contype='2' conaffinity='1' condim='3' friction='%g 0.005 0.0001'/></default>\n",
            -GRAVITY, FRICTION);
    fprintf(out, "<asset><hfield name='field' nrow='%d' ncol='%d' size='%g %g 0.5 0.5'/></asset>\n<worldbody>\n",
            BENCH_FIELD, BENCH_FIELD, BENCH_FIELD_HALF, BENCH_FIELD_HALF);
    fprintf(out, "<geom type='hfield' hfield='field' pos='0 0 -0.25' contype='1' conaffinity='2'/>\n");
    put_body(out, rig, "chassis", NULL);
    fprintf(out,
            "</worldbody>\n<equality><joint joint1='rocker_left_joint' joint2='rocker_right_joint' polycoef='0 -1 0 "
            "0 0'/></equality>\n<actuator>\n");
    for (int i = 0; i < ROVER_STEERS; i++)
        fprintf(out, "<position joint='%s_joint' kp='%g'/>\n", steers[i], BENCH_ROVER_STEER_KP);
    for (int i = 0; i < ROVER_WHEELS; i++)
        fprintf(out, "<velocity joint='%s_joint' kv='%g'/>\n", drives[i], BENCH_ROVER_WHEEL_KD);
    fprintf(out, "</actuator></mujoco>\n");
    return ri_beside_close(&beside, true) == 0;
}
