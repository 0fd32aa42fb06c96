// SPDX-License-Identifier: Apache-2.0
/// \file
/// A small master of ROS 1: names of nodes, topics and services, parameters. For machines without
/// one (roscore).
#ifndef RI_LINK_ROS_MASTER_H
#define RI_LINK_ROS_MASTER_H

#include "link/ros/xmlrpc.h"

typedef struct RiRosMaster RiRosMaster;

/// Starts one on a port (0: a free one) with a thread of its own; NULL: the port is taken, or no
/// memory.
RiRosMaster *ri_ros_master_start(int port, bool everywhere);
int ri_ros_master_port(const RiRosMaster *m);
void ri_ros_master_stop(RiRosMaster *m);
/// Answers one call, as its thread does: for tests and fuzzing. The answer is HTTP.
void ri_ros_master_answer(RiRosMaster *m, const RiRpc *call, RiText *out);

#endif
