// SPDX-License-Identifier: Apache-2.0
/// \file
/// A run as a node of ROS (`rille run --ros2`, `--ros1`). What is refused or lost becomes an event
/// of the run.
#include <stdio.h>

#include "run/run.h"

static void take_notes(Run *run)
{
    for (const char *note = ri_ros_note(run->ros); note; note = ri_ros_note(run->ros)) {
        run_note(run, "%s", note);
        if (!run->args->quiet)
            cli_error("%.9g s: %s", ri_sim_time(run->sim), note);
    }
}

RiStatus run_ros_open(Run *run)
{
    if (!run->args->ros)
        return RI_OK;
    const RiRosVersion version = run->args->ros1 ? RI_ROS_VERSION_1 : RI_ROS_VERSION_2;
    static const char *const paces[] = {"real time", "lock-step", "as fast as it goes"};
    RI_TRY(ri_ros_create(run->ctx, run->scene, NULL, version, &run->ros));
    if (!run->args->quiet)
        cli_error("%s: node %s with %d topics, %s", run->args->ros1 ? "ROS 1" : "ROS 2", ri_ros_node_name(run->ros),
                  ri_ros_topic_count(run->ros), paces[ri_scene_ros(run->scene)->pace]);
    take_notes(run);
    return RI_OK;
}

void run_ros_wait(Run *run)
{
    RiRosTurn turn;
    do {
        turn = ri_ros_wait(run->ros, 0.02);
        if (turn == RI_ROS_TURN_END) {
            run->stop = RUN_ERROR;
            run->status = RI_ERR_IO;
            snprintf(run->detail, sizeof run->detail, "no answer in lock-step; see ros.timeout and ros.hold");
        }
        take_notes(run);
        if (run_is_interrupted() && run_take_interrupt())
            run->stop = RUN_INTERRUPTED;
    } while (turn == RI_ROS_TURN_WAIT && run->stop == RUN_GOING);
}

void run_ros_stepped(Run *run)
{
    ri_ros_stepped(run->ros);
    take_notes(run);
}

void run_ros_close(Run *run)
{
    if (!run->ros)
        return;
    const RiRosStats s = ri_ros_stats(run->ros);
    char text[240];
    snprintf(text, sizeof text, "ROS: %lld messages sent, %lld received, %lld dropped, %lld refused, %lld late", s.sent,
             s.received, s.dropped, s.refused, s.late);
    run_note(run, "%s", text);
    if (!run->args->quiet)
        cli_error("%s", text);
    ri_ros_destroy(run->ros);
    run->ros = NULL;
}
