// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fuzz target of the log reader: any bytes open or are refused with a message, and every signal of
/// what opens can be asked for. The first byte chooses how much of the magic bytes we supply, so
/// that mutation need not keep them: odd: none; even: those in front; a multiple of four: those at
/// the end too.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "io/record/log_work.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CHUNK_LIMIT = 1 << 16 }; // small, so that the time goes into the reader and not into the decompression

/// Poses at three times, events, attachments.
static void read_poses(RiLog *log)
{
    for (int g = 0; g < ri_log_frame_group_count(log) && g < 8; g++) {
        RiLogFrames frames;
        if (ri_log_frames(log, g, &frames) != RI_OK)
            continue;
        RiPose *poses = calloc((size_t)frames.count, sizeof *poses);
        for (int k = 0; poses && k < 3; k++) {
            double at;
            if (ri_log_read_frames(log, g, k - 1.0, poses, &at) == RI_OK && !(at >= 0.0))
                abort();
        }
        free(poses);
    }
    RiLogEvent *events;
    int count;
    if (ri_log_read_events(log, NULL, -INFINITY, INFINITY, &events, &count) == RI_OK)
        for (int i = 1; i < count; i++)
            if (events[i].time < events[i - 1].time || !events[i].text)
                abort();
    ri_log_release(log, events);
    for (int i = 0; i < ri_log_attachment_count(log) && i < 8; i++) {
        char *data;
        size_t size;
        if (ri_log_read_attachment(log, ri_log_attachment_name(log, i), &data, &size) == RI_OK && data[size] != '\0')
            abort();
        ri_log_release(log, data);
    }
}

/// Numbers of messages: names are names, whatever the bytes.
static RiStatus take_number(void *user, double time, const char *topic, const char *field, double x)
{
    long *left = user;
    (void)x;
    if (!topic || !field || !*field || isnan(time) || strchr(field, '\n'))
        abort();
    return --*left > 0 ? RI_OK : RI_ERR_LIMIT;
}

/// Looks at the ends of a message.
static RiStatus take_message(void *user, double time, const char *topic, const char *type, const void *bytes,
                             size_t size)
{
    const unsigned char *at = bytes;
    unsigned sum = (unsigned char)*topic + (unsigned char)*type + (time > 0.0);
    if (size > 0)
        sum += (unsigned)at[0] + at[size - 1];
    if (sum > 4 * 255 + 1)
        abort();
    return --*(long *)user > 0 ? RI_OK : RI_ERR_LIMIT;
}

static void read_all(RiLog *log)
{
    long left = 10000;
    (void)!(ri_log_each_message(log, take_message, &left) == RI_OK);
    left = 10000;
    (void)!(ri_log_each_number(log, take_number, &left) == RI_OK);
    const int count = ri_log_signal_count(log);
    for (int i = 0; i < count && i < 50; i++) {
        double *times, *values;
        int n;
        const RiStatus status = ri_log_read(log, i, i % 2 ? 0.0 : -INFINITY, INFINITY, &times, &values, &n);
        if ((status != RI_OK && (times || values || n)) || !ri_log_signal_name(log, i) || !ri_log_signal_unit(log, i))
            abort();
        for (int k = 1; k < n; k++)
            if (times[k] < times[k - 1])
                abort();
        ri_log_release(log, times);
        ri_log_release(log, values);
    }
    read_poses(log);
    if (count < 50 && ri_log_write_csv(log, NULL, 0, "/dev/null") == RI_OK && !isfinite(ri_log_end(log)))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    RiContext *ctx;
    RiLog *log = NULL;
    RiBytes b;
    if (size == 0 || ri_context_create(NULL, &ctx) != RI_OK)
        return 0;
    ri_bytes_init(&b, ctx);
    if (data[0] % 2 == 0)
        ri_put_data(&b, ri_mcap_magic, sizeof ri_mcap_magic);
    ri_put_data(&b, data + 1, size - 1);
    if (data[0] % 4 == 0)
        ri_put_data(&b, ri_mcap_magic, sizeof ri_mcap_magic);
    if (ri_log_open_memory(ctx, "fuzz", b.at, b.size, CHUNK_LIMIT, &log) == RI_OK)
        read_all(log);
    else if (log || ri_context_message(ctx)[0] == '\0')
        abort();
    ri_log_close(log);
    ri_bytes_free(&b);
    ri_context_destroy(ctx);
    return 0;
}
