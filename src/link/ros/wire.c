// SPDX-License-Identifier: Apache-2.0
/// \file
/// Messages as bytes: CDR (XCDR version 1, as ROS 2 uses it) and ROS 1's packed form. Own byte
/// order is little endian in both. Test: tests/link/test_ros_types.c; fuzz target: fuzz/fuzz_ros.c.
#include "link/ros/wire.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ENCAPSULATION = 4 }; ///< bytes before a CDR message

// --- messages ------------------------------------------------------------------------------------

RiRosMessage *ri_ros_message_new(int endpoint, size_t capacity)
{
    RiRosMessage *m = malloc(sizeof *m + capacity + 8);
    if (!m)
        return NULL;
    atomic_init(&m->refs, 1);
    m->endpoint = endpoint;
    m->size = 0;
    m->capacity = capacity;
    return m;
}

RiRosMessage *ri_ros_message_ref(RiRosMessage *m)
{
    atomic_fetch_add_explicit(&m->refs, 1, memory_order_relaxed);
    return m;
}

void ri_ros_message_unref(RiRosMessage *m)
{
    if (m && atomic_fetch_sub_explicit(&m->refs, 1, memory_order_acq_rel) == 1)
        free(m);
}

// --- writing -------------------------------------------------------------------------------------

/// Room for `size` bytes at the end, aligned as the format wants; NULL: no memory.
static uint8_t *grow(RiRosWriter *w, size_t size, size_t align)
{
    if (!w->m)
        return NULL;
    size_t at = w->m->size;
    if (w->format == RI_ROS_CDR)
        at = ENCAPSULATION + (at - ENCAPSULATION + align - 1) / align * align;
    if (at + size > w->m->capacity) {
        const size_t capacity = 2 * (at + size) + 64;
        RiRosMessage *more = realloc(w->m, sizeof *more + capacity + 8);
        if (!more) {
            ri_ros_message_unref(w->m);
            w->m = NULL;
            return NULL;
        }
        more->capacity = capacity;
        w->m = more;
    }
    memset(w->m->bytes + w->m->size, 0, at - w->m->size);
    w->m->size = at + size;
    return w->m->bytes + at;
}

static void put(RiRosWriter *w, const void *x, size_t size)
{
    uint8_t *to = grow(w, size, size);
    if (to)
        memcpy(to, x, size);
}

void ri_ros_write_begin(RiRosWriter *w, RiRosFormat format, int endpoint, uint32_t seq, size_t guess)
{
    static const uint8_t little[ENCAPSULATION] = {0, 1, 0, 0};
    *w = (RiRosWriter){.format = format, .seq = seq, .m = ri_ros_message_new(endpoint, guess + ENCAPSULATION)};
    if (w->m && format == RI_ROS_CDR) {
        memcpy(w->m->bytes, little, ENCAPSULATION);
        w->m->size = ENCAPSULATION;
    }
}

RiRosMessage *ri_ros_write_end(RiRosWriter *w)
{
    if (w->m && w->format == RI_ROS_CDR) // DDS sends whole words; the message has 8 spare bytes
        memset(w->m->bytes + w->m->size, 0, 4);
    return w->m;
}

void ri_ros_put_u8(RiRosWriter *w, uint8_t x)
{
    put(w, &x, 1);
}

void ri_ros_put_u32(RiRosWriter *w, uint32_t x)
{
    put(w, &x, 4);
}

void ri_ros_put_f32(RiRosWriter *w, float x)
{
    put(w, &x, 4);
}

void ri_ros_put_f64(RiRosWriter *w, double x)
{
    put(w, &x, 8);
}

void ri_ros_put_f64s(RiRosWriter *w, const double *x, int count)
{
    uint8_t *to = count > 0 ? grow(w, 8 * (size_t)count, 8) : NULL;
    if (to)
        memcpy(to, x, 8 * (size_t)count);
}

uint8_t *ri_ros_put_room(RiRosWriter *w, size_t size, bool length)
{
    if (length)
        ri_ros_put_u32(w, (uint32_t)size);
    return grow(w, size, 1);
}

void ri_ros_put_bytes(RiRosWriter *w, const void *data, size_t size)
{
    uint8_t *to = ri_ros_put_room(w, size, true);
    if (to && size)
        memcpy(to, data, size);
}

void ri_ros_put_string(RiRosWriter *w, const char *text)
{
    ri_ros_put_bytes(w, text, strlen(text) + (w->format == RI_ROS_CDR ? 1 : 0));
}

void ri_ros_put_time(RiRosWriter *w, double time)
{
    const double whole = floor(time + 0.5e-9), rest = floor((time - whole) * 1e9 + 0.5);
    ri_ros_put_u32(w, (uint32_t)(int32_t)fmax(-2147483648.0, fmin(whole, 2147483647.0)));
    ri_ros_put_u32(w, (uint32_t)fmax(0.0, fmin(rest, 999999999.0)));
}

void ri_ros_put_header(RiRosWriter *w, double time, const char *frame)
{
    if (w->format == RI_ROS_1)
        ri_ros_put_u32(w, w->seq);
    ri_ros_put_time(w, time);
    ri_ros_put_string(w, frame);
}

void ri_ros_put_vec3(RiRosWriter *w, RiVec3 v)
{
    ri_ros_put_f64s(w, (const double[3]){v.x, v.y, v.z}, 3);
}

void ri_ros_put_quat(RiRosWriter *w, RiQuat q)
{
    ri_ros_put_f64s(w, (const double[4]){q.x, q.y, q.z, q.w}, 4);
}

void ri_ros_put_pose(RiRosWriter *w, const RiPose *pose)
{
    ri_ros_put_vec3(w, pose->p);
    ri_ros_put_quat(w, ri_quat_from_mat3(&pose->R));
}

// --- reading -------------------------------------------------------------------------------------

void ri_ros_read_begin(RiRosReader *r, RiRosFormat format, const uint8_t *bytes, size_t size)
{
    *r = (RiRosReader){.format = format, .bytes = bytes, .size = size};
    if (format == RI_ROS_1)
        return;
    r->at = ENCAPSULATION;
    r->failed = size < ENCAPSULATION || bytes[0] != 0 || bytes[1] > 1; // plain CDR, big or little endian
    r->swap = !r->failed && bytes[1] == 0;
}

bool ri_ros_read_end(const RiRosReader *r)
{
    return !r->failed && r->size - r->at < (r->format == RI_ROS_CDR ? 4u : 1u);
}

/// The next `size` bytes, aligned; NULL: there are not so many.
static const uint8_t *take(RiRosReader *r, size_t size, size_t align)
{
    size_t at = r->at;
    if (r->format == RI_ROS_CDR && !r->failed)
        at = ENCAPSULATION + (at - ENCAPSULATION + align - 1) / align * align;
    if (r->failed || at > r->size || r->size - at < size) {
        r->failed = true;
        return NULL;
    }
    r->at = at + size;
    return r->bytes + at;
}

/// A number of 1, 4 or 8 bytes.
static void get(RiRosReader *r, void *out, size_t size)
{
    const uint8_t *from = take(r, size, size);
    uint8_t *to = out;
    for (size_t i = 0; i < size; i++)
        to[i] = from ? from[r->swap ? size - 1 - i : i] : 0;
}

uint8_t ri_ros_get_u8(RiRosReader *r)
{
    uint8_t x;
    get(r, &x, sizeof x);
    return x;
}

bool ri_ros_get_bool(RiRosReader *r)
{
    const uint8_t x = ri_ros_get_u8(r);
    r->failed |= x > 1;
    return x == 1;
}

uint32_t ri_ros_get_u32(RiRosReader *r)
{
    uint32_t x;
    get(r, &x, sizeof x);
    return x;
}

double ri_ros_get_f64(RiRosReader *r)
{
    double x;
    get(r, &x, sizeof x);
    return x;
}

void ri_ros_get_string(RiRosReader *r, char *out, size_t room)
{
    const uint32_t length = ri_ros_get_u32(r);
    const uint8_t *from = take(r, length, 1);
    const bool ended = r->format == RI_ROS_CDR;
    size_t size = length;
    out[0] = '\0';
    if (!from || (ended && length == 0))
        return; // some writers send an empty string as length 0
    if (ended) {
        r->failed |= from[length - 1] != 0;
        size--;
    }
    if (r->failed || size >= room || memchr(from, 0, size)) {
        r->failed = true;
        return;
    }
    memcpy(out, from, size);
    out[size] = '\0';
}

uint32_t ri_ros_get_count(RiRosReader *r, size_t least)
{
    const uint32_t count = ri_ros_get_u32(r);
    if (r->failed || count > (r->size - r->at) / (least ? least : 1)) {
        r->failed = true;
        return 0;
    }
    return count;
}

double ri_ros_get_time(RiRosReader *r)
{
    const uint32_t sec = ri_ros_get_u32(r), nanosec = ri_ros_get_u32(r);
    return (double)(int32_t)sec + 1e-9 * (double)nanosec;
}

double ri_ros_get_header(RiRosReader *r, char *frame, size_t room)
{
    char unused[256];
    if (r->format == RI_ROS_1)
        ri_ros_get_u32(r);
    const double time = ri_ros_get_time(r);
    ri_ros_get_string(r, frame ? frame : unused, frame ? room : sizeof unused);
    return time;
}

RiVec3 ri_ros_get_vec3(RiRosReader *r)
{
    RiVec3 v;
    v.x = ri_ros_get_f64(r);
    v.y = ri_ros_get_f64(r);
    v.z = ri_ros_get_f64(r);
    return v;
}

RiQuat ri_ros_get_quat(RiRosReader *r)
{
    RiQuat q;
    q.x = ri_ros_get_f64(r);
    q.y = ri_ros_get_f64(r);
    q.z = ri_ros_get_f64(r);
    q.w = ri_ros_get_f64(r);
    return q;
}
