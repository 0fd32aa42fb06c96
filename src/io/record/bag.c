// SPDX-License-Identifier: Apache-2.0
/// \file
/// Numbers of ROS 2 messages in a log (a bag): joint states, numbers, twists, poses, odometry, and
/// the signals of our own logs.
///
/// A message is CDR: a head of four bytes, then fields aligned to their sizes from there on. Every
/// length is checked against what is left before it is used; a message that is cut short is reported
/// with topic and chunk. Fuzz target: fuzz/fuzz_log.c.
#include <rille/record.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/record/log_work.h"

enum { NAME = 300 };

typedef struct Message {
    RiCursor c;
    const uint8_t *base;
    double time;
    const char *topic;
    RiNumberFn fn;
    void *user;
} Message;

// --- CDR -----------------------------------------------------------------------------------------

static void align(Message *m, size_t size)
{
    const size_t over = (size_t)(m->c.at - m->base) % size;
    if (over)
        ri_get_data(&m->c, size - over);
}

static double get_double(Message *m)
{
    align(m, 8);
    const uint64_t bits = ri_get(&m->c, 8);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t get_length(Message *m)
{
    align(m, 4);
    return (uint32_t)ri_get(&m->c, 4);
}

/// A string without its end; cut to what fits.
static void get_text(Message *m, char out[NAME])
{
    const uint32_t size = get_length(m);
    const uint8_t *at = ri_get_data(&m->c, size);
    const size_t n = at && size > 0 ? (size - 1 < NAME - 32 ? size - 1 : NAME - 32) : 0;
    if (n)
        memcpy(out, at, n);
    out[n] = '\0';
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)out[i] < ' ' || out[i] == '`')
            out[i] = '_'; // hostile names stay names
}

static void skip_header(Message *m)
{
    char frame[NAME];
    (void)get_length(m);
    (void)get_length(m);
    get_text(m, frame);
}

static RiStatus tell(const Message *m, const char *field, double x)
{
    return m->c.bad ? RI_OK : m->fn(m->user, m->time, m->topic, field, x);
}

static RiStatus tell_fields(Message *m, const char *const *fields, int count)
{
    for (int i = 0; i < count; i++)
        RI_TRY(tell(m, fields[i], get_double(m)));
    return RI_OK;
}

// --- messages ------------------------------------------------------------------------------------

/// names, then positions, velocities and efforts, each list as long as the names or empty.
static RiStatus joint_state(Message *m)
{
    static const char *const words[] = {"position", "velocity", "effort"};
    char name[NAME + 16], joint[NAME];
    skip_header(m);
    const uint32_t count = get_length(m);
    if (count > ri_left(&m->c) / 5) { // a name takes five bytes at least
        m->c.bad = true;
        return RI_OK;
    }
    Message names = *m;
    for (uint32_t i = 0; i < count; i++)
        get_text(m, joint);
    for (int k = 0; k < 3 && !m->c.bad; k++) {
        Message at = names;
        const uint32_t n = get_length(m);
        for (uint32_t i = 0; i < n && !m->c.bad; i++) {
            const double x = get_double(m);
            if (i >= count)
                continue;
            get_text(&at, joint);
            snprintf(name, sizeof name, "%s.%s", joint, words[k]);
            RI_TRY(tell(m, name, x));
        }
    }
    return RI_OK;
}

static RiStatus number(Message *m)
{
    return tell(m, "data", get_double(m));
}

static RiStatus numbers(Message *m)
{
    char name[NAME];
    const uint32_t dims = get_length(m);
    for (uint32_t i = 0; i < dims && !m->c.bad; i++) {
        get_text(m, name);
        (void)get_length(m);
        (void)get_length(m);
    }
    (void)get_length(m);
    const uint32_t count = get_length(m);
    for (uint32_t i = 0; i < count && !m->c.bad; i++) {
        snprintf(name, sizeof name, "data.%u", i);
        RI_TRY(tell(m, name, get_double(m)));
    }
    return RI_OK;
}

static const char *const twist_fields[] = {"linear.x", "linear.y", "linear.z", "angular.x", "angular.y", "angular.z"};
static const char *const pose_fields[] = {"pose.x", "pose.y", "pose.z", "pose.qx", "pose.qy", "pose.qz", "pose.qw"};

static RiStatus twist(Message *m)
{
    return tell_fields(m, twist_fields, 6);
}

static RiStatus twist_stamped(Message *m)
{
    skip_header(m);
    return twist(m);
}

static RiStatus pose_stamped(Message *m)
{
    skip_header(m);
    return tell_fields(m, pose_fields, 7);
}

static RiStatus odometry(Message *m)
{
    char child[NAME];
    skip_header(m);
    get_text(m, child);
    RI_TRY(tell_fields(m, pose_fields, 7));
    align(m, 8);
    ri_get_data(&m->c, 36 * sizeof(double));
    return twist(m);
}

typedef struct Kind {
    const char *name, *old_name;
    RiStatus (*read)(Message *m);
} Kind;

static const Kind kinds[] = {
    {"sensor_msgs/msg/JointState", "sensor_msgs/JointState", joint_state},
    {"std_msgs/msg/Float64", "std_msgs/Float64", number},
    {"std_msgs/msg/Float64MultiArray", "std_msgs/Float64MultiArray", numbers},
    {"geometry_msgs/msg/Twist", "geometry_msgs/Twist", twist},
    {"geometry_msgs/msg/TwistStamped", "geometry_msgs/TwistStamped", twist_stamped},
    {"geometry_msgs/msg/PoseStamped", "geometry_msgs/PoseStamped", pose_stamped},
    {"nav_msgs/msg/Odometry", "nav_msgs/Odometry", odometry},
};

static const Kind *kind_of(const LogChannel *channel)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, channel->schema_name) == 0 || strcmp(kinds[i].old_name, channel->schema_name) == 0)
            return &kinds[i];
    return NULL;
}

// --- walking over the file -----------------------------------------------------------------------

static RiStatus read_message(RiLog *log, const LogChunk *chunk, const LogChannel *channel, double time, RiCursor c,
                             RiNumberFn fn, void *user)
{
    const Kind *kind = kind_of(channel);
    if (!kind && channel->field_count == 0)
        return RI_OK;
    const uint8_t *head = ri_get_data(&c, 4);
    if (!head || head[1] != 1)
        return ri_log_damage(log, chunk->offset, "a message is not little-endian CDR");
    Message m = {.c = c, .base = c.at, .time = time, .topic = channel->topic, .fn = fn, .user = user};
    RiStatus status = RI_OK;
    if (kind)
        status = kind->read(&m);
    for (int i = 0; !kind && i < channel->field_count && status == RI_OK; i++)
        status = tell(&m, log->signals[channel->first_signal + i].name, get_double(&m));
    RI_TRY(status);
    return m.c.bad ? ri_log_damage(log, chunk->offset, "a message is cut short") : RI_OK;
}

/// Whoever gets the messages of a log.
typedef struct Visitor {
    RiNumberFn number;
    RiMessageFn message;
    void *user;
} Visitor;

static RiStatus visit(RiLog *log, const LogChunk *chunk, const LogChannel *channel, double time, RiCursor c,
                      const Visitor *v)
{
    if (v->number)
        return read_message(log, chunk, channel, time, c, v->number, v->user);
    if (!channel->cdr)
        return RI_OK;
    const size_t size = ri_left(&c);
    const uint8_t *at = ri_get_data(&c, size);
    return v->message(v->user, time, channel->topic, channel->schema_name, at, at ? size : 0);
}

static RiStatus walk(RiLog *log, const Visitor *v)
{
    for (size_t i = 0; i < log->chunk_count; i++) {
        const LogChunk *chunk = &log->chunks[i];
        if (chunk->bad)
            continue;
        RI_TRY(ri_log_load(log, i));
        RiCursor c = ri_cursor(log->raw.at, log->raw.size), content;
        for (unsigned opcode; ri_log_next(&c, &opcode, &content);) {
            if (opcode != MCAP_MESSAGE)
                continue;
            const int channel = ri_log_lookup(&log->channel_ids, (size_t)ri_get(&content, 2));
            ri_get_data(&content, 4);
            const double time = ri_log_seconds(ri_get(&content, 8));
            ri_get_data(&content, 8);
            if (!content.bad && channel >= 0)
                RI_TRY(visit(log, chunk, &log->channels[channel], time, content, v));
        }
    }
    return RI_OK;
}

RiStatus ri_log_each_number(RiLog *log, RiNumberFn fn, void *user)
{
    return walk(log, &(Visitor){.number = fn, .user = user});
}

RiStatus ri_log_each_message(RiLog *log, RiMessageFn fn, void *user)
{
    return walk(log, &(Visitor){.message = fn, .user = user});
}
