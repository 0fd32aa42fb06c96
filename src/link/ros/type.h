// SPDX-License-Identifier: Apache-2.0
/// \file
/// Message types of ROS: one table of definitions, from which both worlds' names and hashes are
/// computed.
///
///     definition text --> ROS 2: DDS type name, RIHS01 hash          (topic info -v, one per endpoint)
///                     --> ROS 1: MD5, full text of the definition    (TCPROS headers, bags)
///
/// The texts are those of the public definitions in ROS 1 spelling, without comments. Towards ROS 2
/// `time` and `duration` become messages of builtin_interfaces, a header loses its `seq`, and names
/// of fields are in lower case.
#ifndef RI_LINK_ROS_TYPE_H
#define RI_LINK_ROS_TYPE_H

#include <stdbool.h>
#include <stddef.h>

#include "link/ros/digest.h"
#include "link/text.h"

enum { RI_ROS_HASH = 7 + RI_SHA256_HEX, RI_ROS_TYPE_NAME = 128 };

typedef struct RiRosType {
    const char *name; ///< "sensor_msgs/JointState"
    const char *text; ///< fields and constants, one per line
} RiRosType;

/// NULL: not in the table.
const RiRosType *ri_ros_type_find(const char *name);
const RiRosType *ri_ros_type_get(int index); ///< NULL after the last

/// "sensor_msgs::msg::dds_::JointState_".
void ri_ros_type_dds_name(const RiRosType *type, char out[RI_ROS_TYPE_NAME]);
/// The text that is hashed: REP 2011's description of the type and of all types in it.
void ri_ros_type_describe(const RiRosType *type, RiText *out);
/// "RIHS01_...". False: no memory.
bool ri_ros_type_hash(const RiRosType *type, char out[RI_ROS_HASH]);
/// MD5 of the ROS 1 definition. False: no memory.
bool ri_ros_type_md5(const RiRosType *type, char out[RI_MD5_HEX]);
/// Definition with those of all types in it, as TCPROS and bags carry it.
void ri_ros_type_definition(const RiRosType *type, RiText *out);

#endif
