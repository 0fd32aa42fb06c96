// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fuzz target of commands over ROS: any bytes on any topic, in both formats, are carried out or
/// refused with a reason. The state stays finite.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/rille.h>

#include "link/ros/work.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char text[] =
    "scene: fuzz\n"
    "robot: {base: floating, template: {robot: fuzz, links: [{name: a, mass: 2 kg, solid: sphere, size: [0.1]},"
    " {name: b, mass: 1 kg, solid: sphere, size: [0.1]}],"
    " joints: [{name: j, type: continuous, parent: a, child: b, axis: y}]}}\n"
    "devices: [{name: s, type: servo, attach: j, set: {stiffness: 10 N*m/rad}}]\n";

typedef struct Rig {
    RiContext *ctx;
    RiScene *scene;
    RiRos *ros;
    void *start;
} Rig;

static void open_rig(Rig *g)
{
    if (ri_context_create(NULL, &g->ctx) != RI_OK ||
        ri_scene_parse(g->ctx, "fuzz.yaml", text, sizeof text - 1, NULL, &g->scene) != RI_OK ||
        ri_scene_build(g->scene) != RI_OK ||
        ri_ros_create(g->ctx, g->scene, NULL, RI_ROS_VERSION_NONE, &g->ros) != RI_OK ||
        !(g->start = malloc(ri_sim_state_size(ri_scene_sim(g->scene))))) {
        if (g->ctx)
            fprintf(stderr, "%s\n", ri_context_message(g->ctx));
        abort();
    }
    ri_sim_save_state(ri_scene_sim(g->scene), g->start);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Rig rig; // built once: loading a scene is not what is tested
    static RiRosTransport packed;
    char why[RI_ROS_WHY] = "";
    if (!rig.ros)
        open_rig(&rig);
    if (size < 2)
        return 0;
    const RiRosTransport *own = rig.ros->transport;
    packed = *own;
    packed.format = data[0] & 1 ? RI_ROS_1 : RI_ROS_CDR;
    rig.ros->transport = &packed;
    int in[RI_ROS_KIND_COUNT], count = 0;
    for (int i = 0; i < ri_ros_topic_count(rig.ros) && count < RI_ROS_KIND_COUNT; i++)
        if (!ri_ros_topic(rig.ros, i).out)
            in[count++] = i;
    RiRosMessage *m = ri_ros_message_new(in[data[1] % count], size - 2);
    if (!m)
        return 0;
    memcpy(m->bytes, data + 2, m->size = size - 2);
    if (!ri_ros_obey(rig.ros, m, why) && (!why[0] || !memchr(why, '\0', sizeof why)))
        abort(); // a refusal needs a reason
    ri_ros_stamp(rig.ros, m);
    ri_ros_message_unref(m);
    ri_ros_follow(rig.ros);
    RiSim *sim = ri_scene_sim(rig.scene);
    for (int i = 0; i < ri_model_nq(ri_sim_model(sim)); i++)
        if (!isfinite(ri_sim_q(sim)[i]))
            abort();
    while (ri_ros_note(rig.ros)) {
    }
    ri_ros_stop_following(rig.ros);
    rig.ros->paused = false;
    if (ri_sim_load_state(sim, rig.start) != RI_OK)
        abort();
    rig.ros->transport = own;
    return 0;
}
