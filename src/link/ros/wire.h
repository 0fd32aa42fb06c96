// SPDX-License-Identifier: Apache-2.0
/// \file
/// Bytes of messages, in both worlds' formats: one sequence of calls writes or reads either.
///
///     | format | alignment | strings | a header has |
///     |---|---|---|---|
///     | RI_ROS_CDR: XCDR version 1 of DDS, after 4 bytes of encapsulation | to the size of each number | end with 0, the length includes it | stamp, frame |
///     | RI_ROS_1: TCPROS | none | length only | seq, stamp, frame |
///
/// A reader checks every length against what is left; the first failure sticks, and everything read
/// after it is 0.
#ifndef RI_LINK_ROS_WIRE_H
#define RI_LINK_ROS_WIRE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rille/math.h>

typedef enum RiRosFormat { RI_ROS_CDR, RI_ROS_1 } RiRosFormat;

/// A message on its way, shared by those who still need it.
typedef struct RiRosMessage {
    atomic_int refs;
    int endpoint;
    size_t size, capacity;
    uint8_t bytes[];
} RiRosMessage;

RiRosMessage *ri_ros_message_new(int endpoint, size_t capacity); ///< NULL: no memory
RiRosMessage *ri_ros_message_ref(RiRosMessage *m);
void ri_ros_message_unref(RiRosMessage *m); ///< NULL does nothing

// --- writing -------------------------------------------------------------------------------------

typedef struct RiRosWriter {
    RiRosFormat format;
    RiRosMessage *m; ///< NULL: memory ran out
    uint32_t seq;    ///< of headers in RI_ROS_1
} RiRosWriter;

/// Begins a message of about `guess` bytes.
void ri_ros_write_begin(RiRosWriter *w, RiRosFormat format, int endpoint, uint32_t seq, size_t guess);
/// Ends it: the caller owns the result; NULL: no memory.
RiRosMessage *ri_ros_write_end(RiRosWriter *w);

void ri_ros_put_u8(RiRosWriter *w, uint8_t x);
void ri_ros_put_u32(RiRosWriter *w, uint32_t x);
void ri_ros_put_f32(RiRosWriter *w, float x);
void ri_ros_put_f64(RiRosWriter *w, double x);
void ri_ros_put_f64s(RiRosWriter *w, const double *x, int count); ///< of a fixed array
void ri_ros_put_string(RiRosWriter *w, const char *text);
void ri_ros_put_bytes(RiRosWriter *w, const void *data, size_t size); ///< of a list of uint8, length first
/// Room for bytes that the caller fills; NULL: no memory. `length`: as a list of uint8.
uint8_t *ri_ros_put_room(RiRosWriter *w, size_t size, bool length);
void ri_ros_put_time(RiRosWriter *w, double time);
void ri_ros_put_header(RiRosWriter *w, double time, const char *frame);
void ri_ros_put_vec3(RiRosWriter *w, RiVec3 v);
void ri_ros_put_quat(RiRosWriter *w, RiQuat q);
void ri_ros_put_pose(RiRosWriter *w, const RiPose *pose); ///< position, orientation

// --- reading -------------------------------------------------------------------------------------

typedef struct RiRosReader {
    RiRosFormat format;
    const uint8_t *bytes;
    size_t size, at;
    bool swap;   ///< CDR of the other byte order
    bool failed; ///< too short, or not what the type says
} RiRosReader;

/// Begins to read a whole message; a CDR one has its encapsulation in front.
void ri_ros_read_begin(RiRosReader *r, RiRosFormat format, const uint8_t *bytes, size_t size);
/// Whether everything could be read and nothing but padding is left.
bool ri_ros_read_end(const RiRosReader *r);

uint8_t ri_ros_get_u8(RiRosReader *r);
bool ri_ros_get_bool(RiRosReader *r); ///< 0 or 1, else it fails
uint32_t ri_ros_get_u32(RiRosReader *r);
double ri_ros_get_f64(RiRosReader *r);
/// Copies a string; one that is too long or holds a 0 inside fails.
void ri_ros_get_string(RiRosReader *r, char *out, size_t room);
/// Length of a list whose elements take at least `least` bytes each; more than can be there fails.
uint32_t ri_ros_get_count(RiRosReader *r, size_t least);
/// [s], from seconds and nanoseconds.
double ri_ros_get_time(RiRosReader *r);
/// Stamp of a header; the frame is read over if `frame` is NULL.
double ri_ros_get_header(RiRosReader *r, char *frame, size_t room);
RiVec3 ri_ros_get_vec3(RiRosReader *r);
RiQuat ri_ros_get_quat(RiRosReader *r);

#endif
