// SPDX-License-Identifier: Apache-2.0
/// \file
/// Ways to peers: one table of verbs, a row for ROS 2 over DDS (dds.c) and one for ROS 1 over TCP
/// (tcp.c).
///
///     RiRosEndpoint (name, type, QoS) --(open)--> peers; publish on the link's own thread; what comes in is put into the inbox
///
/// `open` and `close` are called on the simulation's thread, `publish` on the publishing one,
/// `peers` on either.
#ifndef RI_LINK_ROS_TRANSPORT_H
#define RI_LINK_ROS_TRANSPORT_H

#include <rille/context.h>
#include <rille/ros.h>

#include "link/ros/queue.h"
#include "link/ros/type.h"

enum { RI_ROS_NAME = 256 };

/// A topic of this node.
typedef struct RiRosEndpoint {
    char name[RI_ROS_NAME]; ///< absolute: "/mer/joint_states"
    const RiRosType *type;
    RiRosKind kind;
    int item; ///< device, camera or lidar of kinds that have one
    bool out;
    RiRosTopicOptions qos;
    bool keep_all; ///< no command may be lost: lock-step
} RiRosEndpoint;

/// What a transport works with; outlives it.
typedef struct RiRosSetup {
    RiContext *ctx;
    const RiRosOptions *options;
    char space[RI_ROS_NAME]; ///< "/" or "/mer"
    const RiRosEndpoint *endpoints;
    int count;
    RiRosQueue *inbox; ///< of messages whose `endpoint` is set
} RiRosSetup;

typedef struct RiRosTransport {
    const char *name;
    RiRosFormat format;
    RI_MUST_CHECK RiStatus (*open)(const RiRosSetup *setup, void **out_self);
    /// Sends a message; it stays the caller's. False: it could not be handed over.
    bool (*publish)(void *self, RiRosMessage *m);
    /// Peers of an endpoint: readers of what goes out, writers of what comes in.
    int (*peers)(void *self, int endpoint);
    /// Adds what other nodes publish and read; NULL: this build cannot.
    RI_MUST_CHECK RiStatus (*look)(RiContext *ctx, const RiRosOptions *options, double seconds, RiRosGraph *graph);
    void (*close)(void *self);
} RiRosTransport;

extern const RiRosTransport ri_ros_dds, ri_ros_tcp;

/// "/mer/joint_states" of a node, or of its parts.
void ri_ros_join_name(char *out, size_t room, const char *space, const char *name);

#endif
