// SPDX-License-Identifier: Apache-2.0
/// \file
/// The graph's inside: a list of edges that links and transports add to.
#ifndef RI_LINK_ROS_GRAPH_H
#define RI_LINK_ROS_GRAPH_H

#include <rille/ros.h>

typedef struct RiRosEdge {
    char node[256], topic[256], type[128];
    bool out;    ///< the node publishes
    double rate; ///< [Hz]; 0: not known
} RiRosEdge;

struct RiRosGraph {
    RiRosEdge *edges;
    int count, room;
};

/// False: no memory. An edge that is there already is not added again.
bool ri_ros_graph_add(RiRosGraph *g, const char *node, const char *topic, const char *type, bool out, double rate);

#endif
