// SPDX-License-Identifier: Apache-2.0
/// \file
/// The 45 s traverse of EELS-DARTS, section 4.2: a snake robot lies on ice as a crescent and drives
/// with its screws alone. The default step against CVODE: numerics must not be the error. Bands: a
/// tenth of the paper's difference between model and hardware.
///
/// The robot is robots/snake.yaml, the run scenes/crescent.yaml: a tail and ten modules of a bend
/// about z and a twist about x, each with two screws of opposite hands geared against each other;
/// 36 coordinates, 40 touches. The screws' speeds jump at 2, 15 and 30 s.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <rille/contact.h>
#include <rille/sim.h>

#include "validate/rig.h"

enum { MODULES = 10 };
static const RiVec3 origin = {0.0, 0.0, 0.0}, x_axis = {1.0, 0.0, 0.0}, z_axis = {0.0, 0.0, 1.0};
static const double HALF = 0.2, RADIUS = 0.1, CORE = 0.08, BEND = 12.0 * M_PI / 180.0;

/// A cylinder along x.
static RiMat3 rod(double mass, double radius, double length)
{
    const double across = mass * (3.0 * radius * radius + length * length) / 12.0;
    return ri_diagonal(0.5 * mass * radius * radius, across, across);
}

static RiStatus add_screw(RiRig *rig, const char *parent, const char *name, int hand)
{
    RiScrewSpec screw = {.name = name, .link = name, .hand = hand, .starts = 4, .radius = RADIUS, .length = 0.16};
    screw.core_radius = CORE;
    screw.lead = 2.0 * M_PI * RADIUS * tan(M_PI / 6.0);
    screw.pose = ri_pose_identity();
    screw.pose.R = ri_mat3_from_cols(ri_vec3(0.0, 0.0, -1.0), ri_vec3(0.0, 1.0, 0.0), x_axis);
    RI_TRY(ri_rig_link(rig, name, 1.0, origin, rod(1.0, RADIUS, 0.16)));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_CONTINUOUS, parent, name, ri_vec3(0.5 * HALF, 0.0, 0.0), x_axis, 0.0));
    return ri_spec_add_screw(rig->spec, &screw);
}

static RiStatus add_module(RiRig *rig, int i, const char *parent)
{
    char rear[16], front[16], rear_screw[16], front_screw[16];
    snprintf(rear, sizeof rear, "bend_%d", i);
    snprintf(front, sizeof front, "twist_%d", i);
    snprintf(rear_screw, sizeof rear_screw, "rear_%d", i);
    snprintf(front_screw, sizeof front_screw, "front_%d", i);
    const RiVec3 middle = ri_vec3(0.5 * HALF, 0.0, 0.0), end = ri_vec3(HALF, 0.0, 0.0);
    RI_TRY(ri_rig_link(rig, rear, 4.0, middle, rod(4.0, CORE, HALF)));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_CONTINUOUS, parent, rear, i > 1 ? end : origin, z_axis, BEND));
    RI_TRY(ri_rig_link(rig, front, 4.0, middle, rod(4.0, CORE, HALF)));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_CONTINUOUS, rear, front, end, x_axis, 0.0));
    RI_TRY(add_screw(rig, front, front_screw, 1));
    RI_TRY(add_screw(rig, rear, rear_screw, -1));
    return ri_rig_couple(rig, rear_screw, 1.0, front_screw, 1.0);
}

static RiStatus build_snake(RiRig *rig)
{
    char parent[16] = "tail";
    RI_TRY(ri_rig_link(rig, "tail", 1.0, ri_vec3(-0.25 * HALF, 0.0, 0.0), rod(1.0, CORE, 0.5 * HALF)));
    RI_TRY(ri_rig_joint(rig, RI_JOINT_FREE, "world", "tail", ri_vec3(0.0, 0.0, 0.0995), x_axis, 0.0));
    for (int i = 1; i <= MODULES; i++) {
        RI_TRY(add_module(rig, i, parent));
        snprintf(parent, sizeof parent, "twist_%d", i);
    }
    RI_TRY(ri_rig_link(rig, "head", 4.0, ri_vec3(0.25 * HALF, 0.0, 0.0), rod(4.0, CORE, 0.5 * HALF)));
    return ri_rig_joint(rig, RI_JOINT_FIXED, parent, "head", ri_vec3(HALF, 0.0, 0.0), x_axis, 0.0);
}

// --- the run -------------------------------------------------------------------------------------

static RiStatus add_servo(RiSim *sim, const char *joint)
{
    char name[32];
    snprintf(name, sizeof name, "servo_%s", joint);
    return ri_sim_add_device(sim, &(RiDeviceDef){.name = name, .device = ri_device_find("servo"), .attach = joint});
}

static RiStatus add_devices(RiSim *sim)
{
    static const char *const kinds[] = {"bend", "twist", "front"};
    for (int k = 0; k < 3; k++)
        for (int i = 1; i <= MODULES; i++) {
            char joint[16];
            snprintf(joint, sizeof joint, "%s_%d", kinds[k], i);
            RI_TRY(add_servo(sim, joint));
        }
    for (int i = 1; i <= MODULES; i++) { // the rear half the other way for a while
        char name[32];
        snprintf(name, sizeof name, "servo_front_%d.velocity", i);
        RI_TRY(ri_sim_add_command(sim, 2.0, name, "1.5 rad/s", (RiSource){0}));
        RI_TRY(ri_sim_add_command(sim, 15.0, name, i < 6 ? "-1.5 rad/s" : "1 rad/s", (RiSource){0}));
    }
    for (int i = 1; i <= MODULES; i++) {
        char name[32];
        snprintf(name, sizeof name, "servo_front_%d.velocity", i);
        RI_TRY(ri_sim_add_command(sim, 30.0, name, "2 rad/s", (RiSource){0}));
    }
    return RI_OK;
}

static RiStatus set(RiSim *sim, const char *kind, int i, const char *port, double value)
{
    char name[64], text[32];
    snprintf(name, sizeof name, "servo_%s_%d.%s", kind, i, port);
    snprintf(text, sizeof text, "%.17g", value);
    return ri_values_set(ri_sim_values(sim), name, text);
}

static RiStatus tune(RiSim *sim)
{
    for (int i = 1; i <= MODULES; i++) {
        RI_TRY(set(sim, "bend", i, "stiffness", 2e4));
        RI_TRY(set(sim, "bend", i, "damping", 1e3));
        RI_TRY(set(sim, "bend", i, "position", BEND));
        RI_TRY(set(sim, "twist", i, "stiffness", 2e4));
        RI_TRY(set(sim, "twist", i, "damping", 1e3));
        RI_TRY(set(sim, "front", i, "damping", 200.0));
    }
    return RI_OK;
}

/// Where the tail is.
typedef struct Place {
    RiVec3 p;
    double yaw;
} Place;

static RiStatus drive(RiSim *sim, const RiContacts *contacts, double duration, Place *out)
{
    RI_TRY(ri_sim_set_contacts(sim, contacts));
    RI_TRY(add_devices(sim));
    RI_TRY(ri_sim_build(sim));
    RI_TRY(tune(sim));
    RI_TRY(ri_sim_start(sim));
    while (ri_sim_time(sim) < duration - 1e-9)
        RI_TRY(ri_sim_step(sim));
    const RiPose pose = ri_dyn_frame_pose(ri_sim_dyn(sim), ri_model_find_link(ri_sim_model(sim), "tail"));
    out->p = pose.p;
    out->yaw = ri_mat3_to_rpy(&pose.R).z;
    return RI_OK;
}

static RiStatus traverse(RiRig *rig, RiMethod method, double tick, double rtol, Place *out)
{
    const RiPlaneDef plane = {.slope = 0.0};
    RiPairDef ice = ri_pair_default();
    ice.law = RI_LAW_SCREW;
    ice.friction = 0.15;
    ice.e0 = 2.0;
    ice.e1 = 0.01;
    ice.e_max = 8.0;
    RiContactOptions contact = ri_contact_options_default();
    contact.pairs = &ice;
    contact.pair_count = 1;
    RiSimOptions options = ri_sim_options_default();
    options.method = method;
    options.tick = tick;
    options.rtol = rtol;
    options.atol = 0.01 * rtol;
    RiTerrain *terrain = NULL;
    RiContacts *contacts = NULL;
    RiSim *sim = NULL;
    RiStatus status = ri_terrain_create_plane(rig->ctx, &plane, &terrain);
    if (status == RI_OK)
        status = ri_contacts_create(rig->ctx, rig->spec, rig->model, terrain, &contact, &contacts);
    if (status == RI_OK)
        status = ri_sim_create(rig->ctx, rig->model, &options, &sim);
    if (status == RI_OK)
        status = drive(sim, contacts, 45.0, out);
    ri_sim_destroy(sim);
    ri_contacts_destroy(contacts);
    ri_terrain_destroy(terrain);
    return status;
}

static double angle(const Place *a, const Place *b)
{
    return fabs(remainder(a->yaw - b->yaw, 2.0 * M_PI));
}

static RiStatus compare(RiRig *rig)
{
    Place tight, reference, ours;
    const RiStatus status = traverse(rig, RI_METHOD_CVODE, 1e-2, 1e-10, &tight);
    if (status == RI_ERR_UNSUPPORTED) {
        ri_validate_skip(rig->run, "this build has no CVODE");
        return RI_OK;
    }
    RI_TRY(status);
    RI_TRY(traverse(rig, RI_METHOD_CVODE, 1e-2, 1e-8, &reference));
    RI_TRY(traverse(rig, RI_METHOD_IMPLICIT, ri_sim_options_default().tick, 1e-8, &ours));
    ri_validate_most(rig->run, "tail after 45 s: CVODE at rtol 1e-8 from 1e-10", "m", 4e-5,
                     ri_norm(ri_sub(reference.p, tight.p)));
    ri_validate_most(rig->run, "tail after 45 s: implicit at 1 ms from CVODE at rtol 1e-8", "m", 4e-3,
                     ri_norm(ri_sub(ours.p, reference.p)));
    ri_validate_most(rig->run, "heading after 45 s: implicit at 1 ms from CVODE at rtol 1e-8", "rad", 6e-3,
                     angle(&ours, &reference));
    return RI_OK;
}

RiStatus ri_case_traverse(RiValidation *run)
{
    return ri_rig_use(run, "traverse", ri_vec3(0.0, 0.0, -9.81), build_snake, compare, NULL);
}
