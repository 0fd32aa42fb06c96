// SPDX-License-Identifier: Apache-2.0
/// \file
/// A robot of ROS: a scene's simulation as a node, in place of the hardware.
///
///     RiScene --(ri_ros_create)--> RiRos == topics == peers (ROS 2 over DDS, ROS 1 over TCP)
///     before each tick: ri_ros_wait   commands come in; real time, pause and lock-step are kept
///     after each tick:  ri_ros_stepped   messages that are due go to the publishing thread
///
/// Nothing is sent or received inside of a step: commands are carried out between ticks, messages
/// are made there and sent by a thread of the link. The queue between them is bounded; in lock-step
/// the simulation waits for room, otherwise what does not fit is dropped and told.
///
/// Commands that cannot be carried out (wrong type, numbers that are not finite, names that do not
/// exist) are refused: the last good one holds, and ri_ros_note, the topic `diagnostics` and the
/// counts of ri_ros_stats tell. Documentation: docs/ros.md.
///
/// Threads and ownership: a link belongs to the thread of its scene, which must outlive it.
#ifndef RILLE_ROS_H
#define RILLE_ROS_H

#include <rille/ros_options.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RiRos RiRos;

typedef enum RiRosVersion {
    RI_ROS_VERSION_2,
    RI_ROS_VERSION_1,
    RI_ROS_VERSION_NONE ///< without peers: for tables and drawings of what a scene would have
} RiRosVersion;

/// Opens the link of a built scene. `options` NULL: the scene's. RI_ERR_UNSUPPORTED in a build
/// without that version.
RI_MUST_CHECK RiStatus ri_ros_create(RiContext *ctx, RiScene *scene, const RiRosOptions *options, RiRosVersion version,
                                     RiRos **out_ros);
/// Destroys it; NULL does nothing.
void ri_ros_destroy(RiRos *r);

typedef enum RiRosTurn {
    RI_ROS_TURN_STEP, ///< a tick is due
    RI_ROS_TURN_WAIT, ///< nothing is due yet: call again
    RI_ROS_TURN_END   ///< lock-step waited in vain: see ri_ros_note
} RiRosTurn;
/// Carries out what has come in and says whether the next tick is due. Waits at most `seconds` of
/// the wall clock for that.
RiRosTurn ri_ros_wait(RiRos *r, double seconds);
/// To be called after each tick: makes the messages that are due.
void ri_ros_stepped(RiRos *r);

/// The next thing that happened (a command refused, a peer that left, a reset), as a sentence;
/// NULL: nothing more. Valid until the next call.
const char *ri_ros_note(RiRos *r);

typedef struct RiRosStats {
    long long sent, received;
    long long dropped; ///< did not fit the queue, or the network did not take it
    long long refused; ///< commands
    long long late;    ///< answers in lock-step that were for another cycle
    double cost;       ///< wall clock spent in ri_ros_stepped and ri_ros_wait, without waits [s]
    int peers;         ///< readers and writers of other nodes
} RiRosStats;
/// Counts since the link was opened.
RiRosStats ri_ros_stats(const RiRos *r);

/// Commands that come from elsewhere than the network, such as a bag: a link of RI_ROS_VERSION_NONE
/// does with them what a live one does.
///
/// The topic that takes commands of a type ("geometry_msgs/Twist", also as "geometry_msgs/msg/Twist")
/// from a topic of that name, or of the same name in another namespace; -1: there is none. Those that
/// rule time (`pause`, `step`, `reset`) are none.
int ri_ros_find_command(const RiRos *r, const char *topic, const char *type);
/// Carries out a message in CDR, as bags of ROS 2 have it. False: refused, and ri_ros_note tells why.
bool ri_ros_command(RiRos *r, int topic, const void *bytes, size_t size);
/// Before each tick, where ri_ros_wait is not called: follows trajectories, keeps `command_time`.
void ri_ros_keep(RiRos *r);

/// Topics of the link.
int ri_ros_topic_count(const RiRos *r);
typedef struct RiRosTopicInfo {
    const char *name, *type; ///< "/mer/joint_states", "sensor_msgs/JointState"
    RiRosKind kind;
    bool out;
    double rate; ///< [Hz]; 0: when there is something new
    long long count, dropped;
    int peers;
} RiRosTopicInfo;
/// Facts about a topic; its strings are borrowed.
RiRosTopicInfo ri_ros_topic(const RiRos *r, int index);
/// Name of the node with its namespace ("/mer/rille"); borrowed.
const char *ri_ros_node_name(const RiRos *r);

/// Joints that commands reach, and what they set.
typedef struct RiRosJointInfo {
    const char *name;
    const char *position, *velocity,
        *effort;         ///< named values that set-points are written to; NULL: they cannot be commanded
    const char *refusal; ///< why not, NULL
} RiRosJointInfo;
/// Number of joints.
int ri_ros_joint_count(const RiRos *r);
/// Facts about a joint; its strings are borrowed.
RiRosJointInfo ri_ros_joint(const RiRos *r, int index);

/// Nodes and topics, and who publishes and reads what.
typedef struct RiRosGraph RiRosGraph;
typedef enum RiRosGraphForm { RI_ROS_GRAPH_LIST, RI_ROS_GRAPH_DOT, RI_ROS_GRAPH_SVG } RiRosGraphForm;
/// Of a link alone. Destroy it, also after a failure.
RI_MUST_CHECK RiStatus ri_ros_graph_of(RiRos *r, RiRosGraph **out_graph);
/// Of everything that runs: listens for some seconds (ROS 2), or asks the master (ROS 1). `options`
/// NULL: defaults.
RI_MUST_CHECK RiStatus ri_ros_graph_look(RiContext *ctx, const RiRosOptions *options, RiRosVersion version,
                                         double seconds, RiRosGraph **out_graph);
/// Destroys it; NULL does nothing.
void ri_ros_graph_destroy(RiRosGraph *g);
/// Number of edges.
int ri_ros_graph_count(const RiRosGraph *g);
/// As a list, for Graphviz, or as a picture; freed with ri_ros_text_free.
RI_MUST_CHECK RiStatus ri_ros_graph_text(RiContext *ctx, const RiRosGraph *g, RiRosGraphForm form, char **out_text);
/// Releases a text of ri_ros_graph_text; NULL does nothing.
void ri_ros_text_free(char *text);

/// The robot as URDF text, as `robot_description` has it; `fixed`: its root is fixed to the world.
/// Freed likewise.
RI_MUST_CHECK RiStatus ri_ros_urdf(RiContext *ctx, const RiSpec *spec, bool fixed, char **out_text);

/// What a type of message is called on the wire: "RIHS01_..." and MD5. False: no such type.
bool ri_ros_type_facts(const char *type, char out_hash[72], char out_md5[33]);

#ifdef __cplusplus
}
#endif
#endif
