// SPDX-License-Identifier: Apache-2.0
/// \file
/// A link's inside: what its parts share.
///
///     link.c    life cycle, pace, queues       names.c   topics and joints of a scene
///     out.c     state -> messages              sense.c   cameras, lidars -> messages
///     in.c      messages -> commands           motion.c  cmd_vel, goals, trajectories
///     graph.c   drawing                        urdf.c    robot_description
#ifndef RI_LINK_ROS_WORK_H
#define RI_LINK_ROS_WORK_H

#include <rille/perception.h>
#include <rille/ros.h>

#include "link/ros/transport.h"

enum { RI_ROS_NOTE = 320, RI_ROS_NOTES = 64, RI_ROS_WHY = 240, RI_ROS_PATH = 4096 };

/// What is known of a topic while it runs.
typedef struct RiRosStream {
    long long period; ///< ticks between messages; 0: not by time
    long long count;  ///< sent or received
    atomic_llong dropped;
    uint32_t seq;
    char last_refusal[RI_ROS_WHY]; ///< told already
    bool answered;                 ///< lock-step: this cycle's command is there
} RiRosStream;

/// A joint with one coordinate.
typedef struct RiRosJoint {
    const char *name;
    int position, velocity, effort;          ///< named values to read
    int to_position, to_velocity, to_effort; ///< named values that set-points are written to, -1
    const char *refusal;                     ///< why positions and rates do not reach it, NULL
    double last[2];                          ///< the last good set-points
} RiRosJoint;

/// The shots of a lidar, tick by tick, of which clouds are made.
typedef struct RiRosReel {
    RiReturn *returns;
    int count, room;
    double since;    ///< shots are there from this time on [s]; INFINITY: none
    long long still; ///< tick of a scan from where the lidar stood: the simulation had just begun, or jumped; -1
} RiRosReel;

/// How `cmd_vel` and goals reach the robot.
typedef enum RiRosDrive {
    RI_ROS_DRIVE_NONE,
    RI_ROS_DRIVE_ROVER,  ///< a locomotion device
    RI_ROS_DRIVE_SCREWS, ///< a device that allocates screws
    RI_ROS_DRIVE_BASE    ///< mode kinematic
} RiRosDrive;

/// A point of a trajectory that is being followed.
typedef struct RiRosTrajectory {
    int *joints; ///< [joint_count] of RiRos.joints
    double *x;   ///< [point_count][1 + 2 joint_count]: time, positions, rates
    int joint_count, point_count;
    double start; ///< simulated time [s]
    bool rates;   ///< given; else positions are joined by straight lines
} RiRosTrajectory;

struct RiRos {
    RiContext *ctx;
    RiScene *scene;
    RiSim *sim;
    RiRosOptions options;
    const RiRosTransport *transport;
    void *self;
    RiRosSetup setup;
    char node[RI_ROS_NAME];
    RiRosEndpoint *endpoints;
    RiRosStream *streams;
    int count, room;
    RiRosQueue inbox, outbox;
    bool inbox_made, outbox_made, threaded;
    pthread_t publisher;

    RiRosJoint *joints;
    int joint_count;
    int *joint_values;     ///< [3][joint_count] positions, rates, efforts
    double *joint_numbers; ///< [joint_count]
    const char **frames;   ///< [frames] names with the prefix
    char *frame_text;
    char odom_frame[RI_ROS_NAME], base_frame[RI_ROS_NAME]; ///< REP 105's, with the prefix
    bool base_is_link;        ///< the robot has a frame `base_link` of its own: base_frame is the root link
    RiPerception *perception; ///< made when a picture or cloud is first asked for
    bool blind;               ///< it could not be made
    RiRosReel *reels;         ///< [lidar]
    long long looked;         ///< tick of the last look for shots, -1
    long long jumped;         ///< tick at which the state last jumped

    // motion
    RiRosDrive drive;
    int device;         ///< that drives, -1
    int ports[32];      ///< its named values, motion.c
    int nav;            ///< device `navigation` that commands it, -1
    double scene_speed; ///< its speed before cmd_vel set another [m/s]; 0: it has not
    RiVec3 linear, angular;
    double twist_time; ///< when it came [s]
    bool moving;
    RiVec3 *wheels; ///< in the root link's frame [m]
    int wheel_count;
    RiRosTrajectory trajectory;

    // pace
    double wall0, time0;
    bool paused;
    long long steps;
    long long cycle;      ///< ticks of a cycle of lock-step
    long long cycle_done; ///< tick at which the last one was answered, -1
    double asked;         ///< wall clock when the wait began [s]
    double told;          ///< wall clock when the state was last sent in this wait
    bool timed_out;
    long long next_due; ///< tick of the next message that goes by time
    void *start_state;
    RiVec3 gravity;

    char notes[RI_ROS_NOTES][RI_ROS_NOTE];
    int note_first, note_count;
    char note[RI_ROS_NOTE];
    RiRosStats stats;
};

/// Monotonic wall clock [s].
double ri_ros_clock(void);
void ri_ros_tell(RiRos *r, const char *format, ...) RI_PRINTF(2, 3);

// names.c
RI_MUST_CHECK RiStatus ri_ros_find_topics(RiRos *r);
RI_MUST_CHECK RiStatus ri_ros_find_joints(RiRos *r);
/// Name of the locomotion device, whose odometry leads from frame `odom` to `base_link`; NULL:
/// none.
const char *ri_ros_odometer(const RiRos *r);
/// Letters, digits and underlines of a name; everything else becomes an underline.
void ri_ros_clean_name(char *out, size_t room, const char *name);

// out.c
/// Makes the message of a topic as things are now; NULL: there is nothing to say, or no memory.
RiRosMessage *ri_ros_make(RiRos *r, int endpoint);

/// Where odometry believes the root link to be, in frame `odom`; needs an odometer.
RiPose ri_ros_odometry_pose(const RiRos *r);

// sense.c: a scan may be several messages, so these hand over by themselves
void ri_ros_sense(RiRos *r, int endpoint);
/// Shots of the tick just made, for clouds that somebody waits for.
void ri_ros_shoot(RiRos *r);
/// The state has jumped: what lidars saw before is in no cloud.
void ri_ros_forget_shots(RiRos *r);
RiRosMessage *ri_ros_make_info(RiRos *r, int endpoint);
/// Frames of cameras and lidars, for tf_static; returns how many.
int ri_ros_sensor_frames(const RiRos *r);
void ri_ros_put_sensor_frame(const RiRos *r, RiRosWriter *w, int index);

// in.c
/// Carries out what a message says; false with the reason.
bool ri_ros_obey(RiRos *r, const RiRosMessage *m, char why[RI_ROS_WHY]);
/// The stamp of a message whose type has one; NAN.
double ri_ros_stamp(const RiRos *r, const RiRosMessage *m);

// motion.c
void ri_ros_find_drive(RiRos *r);
bool ri_ros_twist(RiRos *r, RiVec3 linear, RiVec3 angular, char why[RI_ROS_WHY]);
bool ri_ros_goal(RiRos *r, RiVec3 position, const char *frame, char why[RI_ROS_WHY]);
bool ri_ros_take_trajectory(RiRos *r, RiRosReader *reader, char why[RI_ROS_WHY]);
/// Set-points of a trajectory and the time limit of cmd_vel, before each tick.
void ri_ros_follow(RiRos *r);
void ri_ros_stop_following(RiRos *r);
/// Writes a set-point of a joint: 0 position, 1 velocity, 2 effort.
bool ri_ros_set_joint(RiRos *r, int joint, int what, double x, char why[RI_ROS_WHY]);

// link.c
/// As ri_ros_create, over any transport.
RI_MUST_CHECK RiStatus ri_ros_create_on(RiContext *ctx, RiScene *scene, const RiRosOptions *options,
                                        const RiRosTransport *transport, RiRos **out_ros);
/// Whether anybody may read what is sent there.
bool ri_ros_is_read(const RiRos *r, int endpoint);
/// Hands a message to the publishing thread.
void ri_ros_send(RiRos *r, RiRosMessage *m);
/// The wall clock starts again, also that of a wait for answers.
void ri_ros_reset_pace(RiRos *r);
/// Lock-step starts again: the state has jumped, and answers to the old one are void.
void ri_ros_reset_cycle(RiRos *r);

// urdf.c
void ri_ros_put_urdf(RiText *out, const RiSpec *spec, bool fixed);

#endif
