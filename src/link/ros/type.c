// SPDX-License-Identifier: Apache-2.0
/// \file
/// The table of message types, and their names and hashes.
///
///     RIHS01 = SHA-256 of {"type_description": {type_name, fields}, "referenced_type_descriptions": [sorted by name]}   (REP 2011)
///     MD5    = of constants, then fields, a nested type replaced by its own MD5                                         (ROS 1)
///
/// Test: tests/link/test_ros_types.c, against hashes that ROS itself publishes.
#include "link/ros/type.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const RiRosType types[] = {
    {"builtin_interfaces/Time", "int32 sec\nuint32 nanosec\n"},
    {"builtin_interfaces/Duration", "int32 sec\nuint32 nanosec\n"},
    {"std_msgs/Header", "uint32 seq\ntime stamp\nstring frame_id\n"},
    {"std_msgs/Bool", "bool data\n"},
    {"std_msgs/String", "string data\n"},
    {"std_msgs/Empty", ""},
    {"std_msgs/UInt32", "uint32 data\n"},
    {"std_msgs/Float64", "float64 data\n"},
    {"std_msgs/MultiArrayDimension", "string label\nuint32 size\nuint32 stride\n"},
    {"std_msgs/MultiArrayLayout", "MultiArrayDimension[] dim\nuint32 data_offset\n"},
    {"std_msgs/Float64MultiArray", "MultiArrayLayout layout\nfloat64[] data\n"},
    {"rosgraph_msgs/Clock", "time clock\n"},
    {"geometry_msgs/Vector3", "float64 x\nfloat64 y\nfloat64 z\n"},
    {"geometry_msgs/Point", "float64 x\nfloat64 y\nfloat64 z\n"},
    {"geometry_msgs/Quaternion", "float64 x\nfloat64 y\nfloat64 z\nfloat64 w\n"},
    {"geometry_msgs/Pose", "Point position\nQuaternion orientation\n"},
    {"geometry_msgs/PoseStamped", "Header header\nPose pose\n"},
    {"geometry_msgs/PoseWithCovariance", "Pose pose\nfloat64[36] covariance\n"},
    {"geometry_msgs/Twist", "Vector3 linear\nVector3 angular\n"},
    {"geometry_msgs/TwistStamped", "Header header\nTwist twist\n"},
    {"geometry_msgs/TwistWithCovariance", "Twist twist\nfloat64[36] covariance\n"},
    {"geometry_msgs/Wrench", "Vector3 force\nVector3 torque\n"},
    {"geometry_msgs/WrenchStamped", "Header header\nWrench wrench\n"},
    {"geometry_msgs/Transform", "Vector3 translation\nQuaternion rotation\n"},
    {"geometry_msgs/TransformStamped", "Header header\nstring child_frame_id\nTransform transform\n"},
    {"tf2_msgs/TFMessage", "geometry_msgs/TransformStamped[] transforms\n"},
    {"nav_msgs/Odometry", "Header header\nstring child_frame_id\ngeometry_msgs/PoseWithCovariance pose\n"
                          "geometry_msgs/TwistWithCovariance twist\n"},
    {"sensor_msgs/JointState",
     "Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\nfloat64[] effort\n"},
    {"sensor_msgs/Imu", "Header header\ngeometry_msgs/Quaternion orientation\nfloat64[9] orientation_covariance\n"
                        "geometry_msgs/Vector3 angular_velocity\nfloat64[9] angular_velocity_covariance\n"
                        "geometry_msgs/Vector3 linear_acceleration\nfloat64[9] linear_acceleration_covariance\n"},
    {"sensor_msgs/PointField", "uint8 INT8=1\nuint8 UINT8=2\nuint8 INT16=3\nuint8 UINT16=4\nuint8 INT32=5\n"
                               "uint8 UINT32=6\nuint8 FLOAT32=7\nuint8 FLOAT64=8\n"
                               "string name\nuint32 offset\nuint8 datatype\nuint32 count\n"},
    {"sensor_msgs/PointCloud2", "Header header\nuint32 height\nuint32 width\nPointField[] fields\nbool is_bigendian\n"
                                "uint32 point_step\nuint32 row_step\nuint8[] data\nbool is_dense\n"},
    {"sensor_msgs/Image", "Header header\nuint32 height\nuint32 width\nstring encoding\nuint8 is_bigendian\n"
                          "uint32 step\nuint8[] data\n"},
    {"sensor_msgs/CompressedImage", "Header header\nstring format\nuint8[] data\n"},
    {"sensor_msgs/RegionOfInterest",
     "uint32 x_offset\nuint32 y_offset\nuint32 height\nuint32 width\nbool do_rectify\n"},
    {"sensor_msgs/CameraInfo", "Header header\nuint32 height\nuint32 width\nstring distortion_model\nfloat64[] D\n"
                               "float64[9] K\nfloat64[9] R\nfloat64[12] P\nuint32 binning_x\nuint32 binning_y\n"
                               "RegionOfInterest roi\n"},
    {"sensor_msgs/BatteryState",
     "uint8 POWER_SUPPLY_STATUS_UNKNOWN=0\nuint8 POWER_SUPPLY_STATUS_CHARGING=1\nuint8 "
     "POWER_SUPPLY_STATUS_DISCHARGING=2\nuint8 POWER_SUPPLY_STATUS_NOT_CHARGING=3\nuint8 "
     "POWER_SUPPLY_STATUS_FULL=4\nuint8 POWER_SUPPLY_HEALTH_UNKNOWN=0\nuint8 POWER_SUPPLY_HEALTH_GOOD=1\nuint8 "
     "POWER_SUPPLY_HEALTH_OVERHEAT=2\nuint8 POWER_SUPPLY_HEALTH_DEAD=3\nuint8 POWER_SUPPLY_HEALTH_OVERVOLTAGE=4\nuint8 "
     "POWER_SUPPLY_HEALTH_UNSPEC_FAILURE=5\nuint8 POWER_SUPPLY_HEALTH_COLD=6\nuint8 "
     "POWER_SUPPLY_HEALTH_WATCHDOG_TIMER_EXPIRE=7\nuint8 POWER_SUPPLY_HEALTH_SAFETY_TIMER_EXPIRE=8\nuint8 "
     "POWER_SUPPLY_TECHNOLOGY_UNKNOWN=0\nuint8 POWER_SUPPLY_TECHNOLOGY_NIMH=1\nuint8 "
     "POWER_SUPPLY_TECHNOLOGY_LION=2\nuint8 POWER_SUPPLY_TECHNOLOGY_LIPO=3\nuint8 "
     "POWER_SUPPLY_TECHNOLOGY_LIFE=4\nuint8 "
     "POWER_SUPPLY_TECHNOLOGY_NICD=5\nuint8 POWER_SUPPLY_TECHNOLOGY_LIMN=6\n"
     "Header header\nfloat32 voltage\nfloat32 temperature\nfloat32 current\nfloat32 charge\nfloat32 capacity\n"
     "float32 design_capacity\nfloat32 percentage\nuint8 power_supply_status\nuint8 power_supply_health\n"
     "uint8 power_supply_technology\nbool present\nfloat32[] cell_voltage\nfloat32[] cell_temperature\n"
     "string location\nstring serial_number\n"},
    {"diagnostic_msgs/KeyValue", "string key\nstring value\n"},
    {"diagnostic_msgs/DiagnosticStatus", "byte OK=0\nbyte WARN=1\nbyte ERROR=2\nbyte STALE=3\nbyte level\nstring name\n"
                                         "string message\nstring hardware_id\nKeyValue[] values\n"},
    {"diagnostic_msgs/DiagnosticArray", "Header header\nDiagnosticStatus[] status\n"},
    {"trajectory_msgs/JointTrajectoryPoint", "float64[] positions\nfloat64[] velocities\nfloat64[] accelerations\n"
                                             "float64[] effort\nduration time_from_start\n"},
    {"trajectory_msgs/JointTrajectory", "Header header\nstring[] joint_names\nJointTrajectoryPoint[] points\n"},
    {"rmw_dds_common/Gid", "uint8[16] data\n"},
    {"rmw_dds_common/NodeEntitiesInfo",
     "string<=256 node_namespace\nstring<=256 node_name\nGid[] reader_gid_seq\nGid[] writer_gid_seq\n"},
    {"rmw_dds_common/ParticipantEntitiesInfo", "Gid gid\nNodeEntitiesInfo[] node_entities_info_seq\n"},
};
enum { TYPES = sizeof types / sizeof *types };

/// Numbers of REP 2011 for plain fields; a fixed array adds 48, a list 144.
static const struct {
    const char *name;
    int id;
} plain[] = {{"int8", 2},   {"uint8", 3}, {"int16", 4},  {"uint16", 5},   {"int32", 6},
             {"uint32", 7}, {"int64", 8}, {"uint64", 9}, {"float32", 10}, {"float64", 11},
             {"char", 13},  {"bool", 15}, {"byte", 16},  {"string", 17}};
enum { PLAIN = sizeof plain / sizeof *plain, NESTED = 1, BOUNDED_STRING = 21, ARRAY = 48, LIST = 144 };

/// One line of a definition.
typedef struct Field {
    char type[64]; ///< without brackets
    char name[64];
    char value[32];          ///< of a constant; "": a field
    bool list;               ///< any number of them
    int array;               ///< so many of them; 0: one
    int bound;               ///< of a string; 0: none
    const RiRosType *nested; ///< NULL: a plain type
} Field;

const RiRosType *ri_ros_type_get(int index)
{
    return index >= 0 && index < TYPES ? &types[index] : NULL;
}

const RiRosType *ri_ros_type_find(const char *name)
{
    for (int i = 0; i < TYPES; i++)
        if (strcmp(types[i].name, name) == 0)
            return &types[i];
    return NULL;
}

static int plain_id(const char *type)
{
    for (int i = 0; i < PLAIN; i++)
        if (strcmp(plain[i].name, type) == 0)
            return plain[i].id;
    return 0;
}

/// The type of a field that is a message: "Header", "Pose" of the same package, or
/// "geometry_msgs/Pose".
static const RiRosType *find_nested(const RiRosType *owner, const char *type)
{
    char name[RI_ROS_TYPE_NAME];
    if (strcmp(type, "Header") == 0)
        return ri_ros_type_find("std_msgs/Header");
    if (strchr(type, '/'))
        return ri_ros_type_find(type);
    snprintf(name, sizeof name, "%.*s/%s", (int)(strchr(owner->name, '/') - owner->name), owner->name, type);
    return ri_ros_type_find(name);
}

/// Splits "float64[9] K" and the like; *at moves behind the line. False at the end.
static bool next_field(const RiRosType *owner, const char **at, Field *out)
{
    char word[96], *bracket;
    const char *end = strchr(*at, '\n');
    if (!end)
        return false;
    *out = (Field){0};
    sscanf(*at, "%95s %63[^=\n]=%31[^\n]", word, out->name, out->value);
    *at = end + 1;
    if ((bracket = strchr(word, '[')) != NULL) {
        sscanf(bracket, "[%d", &out->array);
        out->list = out->array == 0;
        *bracket = '\0';
    } else if ((bracket = strstr(word, "<=")) != NULL) {
        sscanf(bracket, "<=%d", &out->bound);
        *bracket = '\0';
    }
    snprintf(out->type, sizeof out->type, "%.63s", word);
    const bool time = strcmp(out->type, "time") == 0 || strcmp(out->type, "duration") == 0;
    if (!time && !plain_id(out->type))
        out->nested = find_nested(owner, out->type);
    return true;
}

// --- ROS 2 ---------------------------------------------------------------------------------------

void ri_ros_type_dds_name(const RiRosType *type, char out[RI_ROS_TYPE_NAME])
{
    const char *slash = strchr(type->name, '/');
    snprintf(out, RI_ROS_TYPE_NAME, "%.*s::msg::dds_::%s_", (int)(slash - type->name), type->name, slash + 1);
}

/// The message that a field holds towards ROS 2; NULL: a plain field.
static const RiRosType *message_of(const Field *f)
{
    if (strcmp(f->type, "time") == 0)
        return ri_ros_type_find("builtin_interfaces/Time");
    if (strcmp(f->type, "duration") == 0)
        return ri_ros_type_find("builtin_interfaces/Duration");
    return f->nested;
}

static void put_ros2_name(RiText *out, const RiRosType *type)
{
    const char *slash = strchr(type->name, '/');
    ri_text_format(out, "%.*s/msg/%s", (int)(slash - type->name), type->name, slash + 1);
}

static void describe_field(RiText *out, const Field *f)
{
    const RiRosType *message = message_of(f);
    const int base = message ? NESTED : f->bound ? BOUNDED_STRING : plain_id(f->type);
    ri_text_add(out, "{\"name\": \"");
    for (const char *c = f->name; *c; c++)
        ri_text_format(out, "%c", tolower((unsigned char)*c));
    ri_text_format(out, "\", \"type\": {\"type_id\": %d, \"capacity\": %d, \"string_capacity\": %d, ",
                   base + (f->array  ? ARRAY
                           : f->list ? LIST
                                     : 0),
                   f->array, f->bound);
    ri_text_add(out, "\"nested_type_name\": \"");
    if (message)
        put_ros2_name(out, message);
    ri_text_add(out, "\"}}");
}

static void describe_one(RiText *out, const RiRosType *type)
{
    Field f;
    int count = 0;
    ri_text_add(out, "{\"type_name\": \"");
    put_ros2_name(out, type);
    ri_text_add(out, "\", \"fields\": [");
    for (const char *at = type->text; next_field(type, &at, &f);) {
        const bool gone = strcmp(type->name, "std_msgs/Header") == 0 && strcmp(f.name, "seq") == 0;
        if (f.value[0] || gone)
            continue;
        if (count++)
            ri_text_add(out, ", ");
        describe_field(out, &f);
    }
    if (count == 0) // a struct of DDS must not be empty
        describe_field(out, &(Field){.type = "uint8", .name = "structure_needs_at_least_one_member"});
    ri_text_add(out, "]}");
}

/// Marks the types that a type holds, at any depth.
static void mark_held(const RiRosType *type, bool held[TYPES])
{
    Field f;
    for (const char *at = type->text; next_field(type, &at, &f);) {
        const RiRosType *message = message_of(&f);
        if (message && !held[message - types]) {
            held[message - types] = true;
            mark_held(message, held);
        }
    }
}

/// The marked type with the next larger name; -1 after the last.
static int next_by_name(const bool held[TYPES], const char *after)
{
    int best = -1;
    for (int i = 0; i < TYPES; i++)
        if (held[i] && strcmp(types[i].name, after) > 0 && (best < 0 || strcmp(types[i].name, types[best].name) < 0))
            best = i;
    return best;
}

void ri_ros_type_describe(const RiRosType *type, RiText *out)
{
    bool held[TYPES] = {false};
    int count = 0;
    mark_held(type, held);
    ri_text_add(out, "{\"type_description\": ");
    describe_one(out, type);
    ri_text_add(out, ", \"referenced_type_descriptions\": [");
    for (int i = next_by_name(held, ""); i >= 0; i = next_by_name(held, types[i].name)) {
        if (count++)
            ri_text_add(out, ", ");
        describe_one(out, &types[i]);
    }
    ri_text_add(out, "]}");
}

bool ri_ros_type_hash(const RiRosType *type, char out[RI_ROS_HASH])
{
    const RiAllocator memory = ri_plain_memory();
    RiText text;
    ri_text_init(&text, &memory);
    ri_ros_type_describe(type, &text);
    const bool done = !text.failed;
    memcpy(out, "RIHS01_", 8);
    if (done)
        ri_sha256_hex(text.at, text.size, out + 7);
    ri_text_free(&text);
    return done;
}

// --- ROS 1 ---------------------------------------------------------------------------------------

static void put_md5_line(RiText *out, const RiRosType *type, const Field *f)
{
    char md5[RI_MD5_HEX], array[16] = "";
    (void)type;
    if (out->size)
        ri_text_add(out, "\n");
    if (f->nested) {
        out->failed |= !ri_ros_type_md5(f->nested, md5);
        ri_text_format(out, "%s %s", md5, f->name);
        return;
    }
    if (f->array)
        snprintf(array, sizeof array, "[%d]", f->array);
    ri_text_format(out, "%s%s %s%s%s", f->type, f->list ? "[]" : array, f->name, f->value[0] ? "=" : "", f->value);
}

bool ri_ros_type_md5(const RiRosType *type, char out[RI_MD5_HEX])
{
    const RiAllocator memory = ri_plain_memory();
    RiText text;
    Field f;
    ri_text_init(&text, &memory);
    for (int constants = 1; constants >= 0; constants--)
        for (const char *at = type->text; next_field(type, &at, &f);)
            if ((f.value[0] != '\0') == constants)
                put_md5_line(&text, type, &f);
    const bool done = !text.failed;
    if (done)
        ri_md5_hex(text.size ? text.at : "", text.size, out);
    ri_text_free(&text);
    return done;
}

void ri_ros_type_definition(const RiRosType *type, RiText *out)
{
    bool held[TYPES] = {false};
    mark_held(type, held);
    ri_text_add(out, type->text);
    for (int i = next_by_name(held, ""); i >= 0; i = next_by_name(held, types[i].name)) {
        if (strncmp(types[i].name, "builtin_interfaces/", 19) == 0)
            continue; // plain types in ROS 1
        for (int k = 0; k < 80; k++)
            ri_text_add(out, "=");
        ri_text_format(out, "\nMSG: %s\n%s", types[i].name, types[i].text);
    }
}
