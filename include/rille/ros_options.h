// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a scene says about ROS (key `ros`): names, rates, quality of service, pace.
///
///     scene's key `ros` --(ri_scene_ros)--> RiRosOptions --(ri_ros_create)--> a link, see ros.h
///
/// Threads and ownership: plain values. Texts are borrowed from the scene.
#ifndef RILLE_ROS_OPTIONS_H
#define RILLE_ROS_OPTIONS_H

#include <rille/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Kinds of topics: X(ID, key and default name, type, rate [Hz], depth, latched, text). Those up to
/// DIAGNOSTICS go out, the others come in. A name that begins with "/" is outside of the namespace;
/// a "%s" in it is the name of the device, camera or lidar.
#define RI_ROS_KIND_LIST(X)                                                                                            \
    X(CLOCK, "clock", "/clock", "rosgraph_msgs/Clock", 100, 10, 0, "simulated time")                                   \
    X(JOINT_STATES, "joint_states", "joint_states", "sensor_msgs/JointState", 100, 10, 0,                              \
      "position, rate and effort of every joint with one coordinate")                                                  \
    X(TF, "tf", "/tf", "tf2_msgs/TFMessage", 50, 100, 0, "poses of the links that move")                               \
    X(TF_STATIC, "tf_static", "/tf_static", "tf2_msgs/TFMessage", 0, 1, 1, "links and sensors that do not move")       \
    X(ROBOT_DESCRIPTION, "robot_description", "robot_description", "std_msgs/String", 0, 1, 1, "the robot as URDF")    \
    X(IMU, "imu", "imu/%s", "sensor_msgs/Imu", 100, 10, 0, "each device of class imu")                                 \
    X(WRENCH, "wrench", "wrench/%s", "geometry_msgs/WrenchStamped", 100, 10, 0, "each device of class force_torque")   \
    X(ODOM, "odom", "odom", "nav_msgs/Odometry", 20, 10, 0, "what a locomotion device believes")                       \
    X(GROUND_TRUTH, "ground_truth", "ground_truth", "nav_msgs/Odometry", 20, 10, 0,                                    \
      "true pose and twist of the root link")                                                                          \
    X(WHEELS, "wheels", "wheels", "std_msgs/Float64MultiArray", 10, 10, 0,                                             \
      "slip, sinkage and forces of every wheel and screw on soil; rows and columns are labelled")                      \
    X(BATTERY, "battery", "battery/%s", "sensor_msgs/BatteryState", 1, 10, 0, "each device of class battery")          \
    X(IMAGE, "image", "camera/%s/image_raw", "sensor_msgs/Image", 0, 2, 0, "pictures as they are")                     \
    X(COMPRESSED, "image_compressed", "camera/%s/image_raw/compressed", "sensor_msgs/CompressedImage", 0, 2, 0,        \
      "pictures as PNG")                                                                                               \
    X(CAMERA_INFO, "camera_info", "camera/%s/camera_info", "sensor_msgs/CameraInfo", 0, 10, 0,                         \
      "intrinsics with the model's own distortion")                                                                    \
    X(POINTS, "points", "lidar/%s/points", "sensor_msgs/PointCloud2", 0, 4, 0, "whole scans")                          \
    X(SLICES, "points_slices", "lidar/%s/points_slices", "sensor_msgs/PointCloud2", 0, 128, 0,                         \
      "scans in slices of at most 8192 points")                                                                        \
    X(DIAGNOSTICS, "diagnostics", "/diagnostics", "diagnostic_msgs/DiagnosticArray", 1, 10, 0,                         \
      "validity, refused commands, drops")                                                                             \
    X(JOINT_COMMANDS, "joint_commands", "joint_commands", "sensor_msgs/JointState", 0, 64, 0,                          \
      "set-points by name: position, velocity, effort")                                                                \
    X(POSITION_COMMANDS, "position_commands", "position_controller/commands", "std_msgs/Float64MultiArray", 0, 64, 0,  \
      "positions of all joints that can be commanded, in order")                                                       \
    X(VELOCITY_COMMANDS, "velocity_commands", "velocity_controller/commands", "std_msgs/Float64MultiArray", 0, 64, 0,  \
      "rates of the same")                                                                                             \
    X(EFFORT_COMMANDS, "effort_commands", "effort_controller/commands", "std_msgs/Float64MultiArray", 0, 64, 0,        \
      "efforts of all joints with one coordinate, in the order of joint_states")                                       \
    X(JOINT_TRAJECTORY, "joint_trajectory", "joint_trajectory_controller/joint_trajectory",                            \
      "trajectory_msgs/JointTrajectory", 0, 16, 0, "positions over time, followed from when they come")                \
    X(CMD_VEL, "cmd_vel", "cmd_vel", "geometry_msgs/Twist", 0, 64, 0, "motion of the rover or of the snake's body")    \
    X(CMD_VEL_STAMPED, "cmd_vel_stamped", "cmd_vel_stamped", "geometry_msgs/TwistStamped", 0, 64, 0,                   \
      "the same with a stamp")                                                                                         \
    X(GOAL_POSE, "goal_pose", "goal_pose", "geometry_msgs/PoseStamped", 0, 16, 0, "a waypoint of the rover")           \
    X(ENABLE_GRAVITY, "enable_gravity", "enable_gravity", "std_msgs/Bool", 0, 16, 0, "gravity off and on")             \
    X(PLACE_ROBOT, "place_robot", "place_robot", "geometry_msgs/PoseStamped", 0, 16, 0,                                \
      "puts the robot somewhere and lets it find its hold")                                                            \
    X(MOVE_ROBOT, "move_robot", "move_robot", "geometry_msgs/PoseStamped", 0, 16, 0, "puts the base somewhere")        \
    X(PAUSE, "pause", "pause", "std_msgs/Bool", 0, 16, 0, "true: time stops")                                          \
    X(STEP, "step", "step", "std_msgs/UInt32", 0, 16, 0, "so many ticks, then pause")                                  \
    X(RESET, "reset", "reset", "std_msgs/Empty", 0, 16, 0, "back to the start")                                        \
    X(SET_VALUE, "set_value", "set_value", "diagnostic_msgs/KeyValue", 0, 64, 0,                                       \
      "key: a named value, value: number with unit or expression")                                                     \
    X(DEVICE_FAULT, "device_fault", "device_fault", "diagnostic_msgs/KeyValue", 0, 16, 0,                              \
      "key: a device, value: its fault (0: none), or off and on")

typedef enum RiRosKind {
#define RI_ROS_KIND_ID(id, ...) RI_ROS_##id,
    RI_ROS_KIND_LIST(RI_ROS_KIND_ID)
#undef RI_ROS_KIND_ID
        RI_ROS_KIND_COUNT
} RiRosKind;

typedef struct RiRosKindInfo {
    const char *key;  ///< in `ros.topics`
    const char *name; ///< default name
    const char *type; ///< "sensor_msgs/JointState"
    double rate;      ///< [Hz]; 0: when there is something new
    int depth;
    bool latched; ///< transient local
    const char *text;
} RiRosKindInfo;
/// NULL for a number that is not an RiRosKind.
const RiRosKindInfo *ri_ros_kind(RiRosKind kind);

typedef enum RiRosReliability { RI_ROS_RELIABLE, RI_ROS_BEST_EFFORT } RiRosReliability;
typedef enum RiRosDurability { RI_ROS_VOLATILE, RI_ROS_TRANSIENT_LOCAL } RiRosDurability;

/// One kind of topic.
typedef struct RiRosTopicOptions {
    bool on;
    const char *name; ///< NULL: the kind's
    double rate;      ///< [Hz]; 0: when there is something new
    unsigned reliability, durability;
    int depth; ///< messages kept
} RiRosTopicOptions;

typedef enum RiRosPace {
    RI_ROS_REAL_TIME, ///< simulated time follows the wall clock
    RI_ROS_LOCKSTEP,  ///< each cycle waits for its commands
    RI_ROS_FREE       ///< as fast as it goes
} RiRosPace;
typedef enum RiRosDiscovery { RI_ROS_JAZZY, RI_ROS_HUMBLE } RiRosDiscovery;
/// Where the points of clouds are given. Every point has its time as well.
typedef enum RiRosClouds {
    RI_ROS_CLOUDS_LIDAR, ///< in the lidar's frame at the time of the point's own shot, as units report them
    RI_ROS_CLOUDS_WORLD  ///< in the frame `world`: where they were measured, whatever moved since
} RiRosClouds;
typedef enum RiRosNetwork { RI_ROS_LOOPBACK, RI_ROS_ALL } RiRosNetwork;

typedef struct RiRosOptions {
    const char *node;         ///< name of the node
    const char *space;        ///< namespace; "" for none
    const char *frame_prefix; ///< before names of frames; "" for none
    int domain;               ///< -1: the environment's ROS_DOMAIN_ID, else 0
    unsigned discovery, network, pace, clouds;
    double speed;        ///< simulated seconds per second, with real time
    double cycle;        ///< cycles of lock-step per second of simulated time [Hz]
    const char *answers; ///< keys of the topics that each cycle waits for, with commas between
    double timeout;      ///< of such a wait, by the wall clock [s]
    bool hold;           ///< after it: go on with the last commands; else the run ends
    double command_time; ///< cmd_vel older than this stops the robot [s]; 0: never
    int queue;           ///< messages that may wait to be sent
    double queue_bytes;  ///< the same in bytes
    const char *master;  ///< ROS 1: address of the master; NULL: the environment's ROS_MASTER_URI, else one of our own
    RiRosTopicOptions topics[RI_ROS_KIND_COUNT];
} RiRosOptions;

/// The defaults that its fields name.
RiRosOptions ri_ros_options_default(void);
/// What the scene says, with defaults for the rest.
const RiRosOptions *ri_scene_ros(const RiScene *scene);

#ifdef __cplusplus
}
#endif
#endif
