// SPDX-License-Identifier: Apache-2.0
/// \file
/// Poses, events and attachments of a log.
#include "check.h"

#include <lz4frame.h>
#include <unistd.h>

#include <rille/record.h>

#include "faults.h"
#include "io/record/log_work.h"

enum { FRAMES = 3, MESSAGES = 5000 };

static const char path[] = RILLE_BINARY_DIR "/test_log_frames.mcap";

/// Frame i at sample k.
static RiPose pose_of(int k, int i)
{
    RiPose x = {ri_mat3_rpy(0.001 * k, 0.1 * i, -0.0005 * k), ri_vec3(k, i, -0.5 * k)};
    return x;
}

static RiStatus write_log(RiContext *ctx, bool finish)
{
    static const char *const names[FRAMES] = {"base", "arm", "tool"};
    static const char *const signals[1] = {"x"}, *const units[1] = {"m"};
    const RiRecordOptions options = {.chunk_size = 16384, .level = 1};
    RiRecord *r = NULL;
    int frames, events, values;
    RiPose poses[FRAMES];
    RI_TRY(ri_record_create(ctx, path, &options, &r));
    RiStatus status = ri_record_add_signals(r, "/values", 1, signals, units, &values);
    if (status == RI_OK)
        status = ri_record_add_frames(r, "/tf", "world", FRAMES, names, &frames);
    if (status == RI_OK)
        status = ri_record_add_events(r, "/events", &events);
    if (status == RI_OK)
        status = ri_record_attach(r, "scene.json", "application/json", "{\"a\":1}", 7);
    for (int k = 0; k < MESSAGES && status == RI_OK; k++) {
        const double value = k;
        for (int i = 0; i < FRAMES; i++)
            poses[i] = pose_of(k, i);
        status = ri_record_frames(r, frames, 1.0 + 0.01 * k, poses);
        if (status == RI_OK)
            status = ri_record_signals(r, values, 1.0 + 0.01 * k, &value);
        if (status == RI_OK && k % 1000 == 0)
            status = ri_record_event(r, events, 1.0 + 0.01 * k, k ? "later" : "begin");
    }
    if (status == RI_OK && finish)
        status = ri_record_close(r);
    ri_record_destroy(r);
    return status;
}

static double difference(const RiPose *a, const RiPose *b)
{
    double worst = ri_norm(ri_sub(a->p, b->p));
    for (int i = 0; i < 9; i++)
        worst = fmax(worst, fabs(a->R.m[i / 3][i % 3] - b->R.m[i / 3][i % 3]));
    return worst;
}

/// Poses at many times, in and out of order, against what was written.
static void check_poses(RiContext *ctx, RiLog *log, int last)
{
    static const double times[] = {-5.0, 0.0, 1.0, 1.004, 1.0099, 30.0, 30.0049, 2.5, 1e6, 17.775, 1.0, 50.0};
    for (size_t n = 0; n < sizeof times / sizeof *times; n++) {
        RiPose poses[FRAMES];
        double at;
        REQUIRE_OK(ctx, ri_log_read_frames(log, 0, times[n], poses, &at));
        int k = (int)floor((times[n] - 1.0) / 0.01 + 1e-9);
        k = k < 0 ? 0 : k > last ? last : k;
        CHECK_CLOSE(at, 1.0 + 0.01 * k, 1e-9);
        for (int i = 0; i < FRAMES; i++) {
            const RiPose want = pose_of(k, i);
            CHECK_CLOSE(difference(&poses[i], &want), 0.0, 1e-12);
        }
    }
}

TEST(poses_come_back_as_written_at_any_time)
{
    RiContext *ctx;
    RiLog *log = NULL;
    RiLogFrames frames;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, write_log(ctx, true));
    REQUIRE_OK(ctx, ri_log_open(ctx, path, &log));
    CHECK(log->chunk_count > 20);
    CHECK_INT(ri_log_frame_group_count(log), 1);
    REQUIRE_OK(ctx, ri_log_frames(log, 0, &frames));
    CHECK_INT(frames.count, FRAMES);
    CHECK(strcmp(frames.topic, "/tf") == 0 && strcmp(frames.parent, "world") == 0 &&
          strcmp(frames.names[2], "tool") == 0);
    check_poses(ctx, log, MESSAGES - 1);
    CHECK_ERROR(ctx, ri_log_frames(log, 1, &frames), RI_ERR_ARGUMENT, "no group of frames 1");
    ri_log_close(log);
    ri_context_destroy(ctx);
}

TEST(a_log_that_was_not_closed_shows_its_whole_chunks)
{
    RiContext *ctx;
    RiLog *log = NULL;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, write_log(ctx, false));
    REQUIRE_OK(ctx, ri_log_open(ctx, path, &log));
    CHECK(!ri_log_is_complete(log));
    const int last = (int)lround((ri_log_end(log) - 1.0) / 0.01);
    CHECK(last > 1000 && last < MESSAGES);
    RiPose poses[FRAMES];
    double at;
    REQUIRE_OK(ctx, ri_log_read_frames(log, 0, 1e9, poses, &at));
    const RiPose want = pose_of((int)lround((at - 1.0) / 0.01), 1);
    CHECK(at >= ri_log_end(log) - 0.011);
    CHECK_CLOSE(difference(&poses[1], &want), 0.0, 1e-12);
    char *data;
    size_t size;
    REQUIRE_OK(ctx, ri_log_read_attachment(log, "scene.json", &data, &size));
    CHECK(size == 7 && strcmp(data, "{\"a\":1}") == 0);
    ri_log_release(log, data);
    ri_log_close(log);
    ri_context_destroy(ctx);
}

TEST(events_are_found_by_topic_and_time)
{
    RiContext *ctx;
    RiLog *log = NULL;
    RiLogEvent *events;
    int count;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, write_log(ctx, true));
    REQUIRE_OK(ctx, ri_log_open(ctx, path, &log));
    REQUIRE_OK(ctx, ri_log_read_events(log, "/events", -INFINITY, INFINITY, &events, &count));
    REQUIRE(count == 5);
    CHECK(strcmp(events[0].text, "begin") == 0 && strcmp(events[4].text, "later") == 0);
    CHECK_CLOSE(events[3].time, 31.0, 1e-9);
    ri_log_release(log, events);
    REQUIRE_OK(ctx, ri_log_read_events(log, NULL, 11.0, 21.0, &events, &count));
    CHECK_INT(count, 2);
    ri_log_release(log, events);
    REQUIRE_OK(ctx, ri_log_read_events(log, "/other", 0.0, 100.0, &events, &count));
    CHECK_INT(count, 0);
    ri_log_release(log, events);
    ri_log_close(log);
    ri_context_destroy(ctx);
}

TEST(a_damaged_attachment_is_told_and_a_missing_one_too)
{
    RiContext *ctx;
    RiLog *log = NULL;
    char *data;
    size_t size;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, write_log(ctx, true));
    REQUIRE_OK(ctx, ri_log_open(ctx, path, &log));
    CHECK_INT(ri_log_attachment_count(log), 1);
    CHECK(strcmp(ri_log_attachment_name(log, 0), "scene.json") == 0);
    CHECK_ERROR(ctx, ri_log_read_attachment(log, "other", &data, &size), RI_ERR_NOT_FOUND, "no attachment 'other'");
    const uint64_t end = log->attachments[0].offset + log->attachments[0].length;
    ri_log_close(log);
    FILE *f = fopen(path, "r+b");
    REQUIRE(f);
    fseek(f, (long)end - 6, SEEK_SET);
    fputc('x', f);
    fclose(f);
    REQUIRE_OK(ctx, ri_log_open(ctx, path, &log));
    CHECK_ERROR(ctx, ri_log_read_attachment(log, "scene.json", &data, &size), RI_ERR_FORMAT, "checksum");
    ri_log_close(log);
    ri_context_destroy(ctx);
}

// --- other tools ---------------------------------------------------------------------------------

/// A log with one chunk, compressed with lz4 or not, of the records in `raw`.
static void put_file(RiBytes *b, const RiBytes *raw, bool lz4)
{
    char packed[65536];
    const size_t size = lz4 ? LZ4F_compressFrame(packed, sizeof packed, raw->at, raw->size, NULL) : raw->size;
    ri_put_data(b, ri_mcap_magic, sizeof ri_mcap_magic);
    const size_t at = ri_put_begin(b, MCAP_CHUNK);
    ri_put_u64(b, 0);
    ri_put_u64(b, 0);
    ri_put_u64(b, raw->size);
    ri_put_u32(b, 0);
    ri_put_string(b, lz4 ? "lz4" : "");
    ri_put_u64(b, size);
    ri_put_data(b, lz4 ? (const void *)packed : raw->at, size);
    ri_put_end(b, at);
}

static void put_tf_channel(RiBytes *raw)
{
    size_t at = ri_put_begin(raw, MCAP_SCHEMA);
    ri_put_u16(raw, 1);
    ri_put_string(raw, "tf2_msgs/msg/TFMessage");
    ri_put_string(raw, "ros2msg");
    ri_put_string(raw, "geometry_msgs/TransformStamped[] transforms\n");
    ri_put_end(raw, at);
    at = ri_put_begin(raw, MCAP_CHANNEL);
    ri_put_u16(raw, 1);
    ri_put_u16(raw, 1);
    ri_put_string(raw, "/tf");
    ri_put_string(raw, "cdr");
    ri_put_u32(raw, 0);
    ri_put_end(raw, at);
}

/// A TFMessage with one transform, all strings of length 4 with their end mark (so that nothing
/// needs padding but the numbers).
static void put_tf(RiBytes *raw, double time, const char *parent, const char *child, double x, double w)
{
    const size_t at = ri_put_begin(raw, MCAP_MESSAGE);
    const double numbers[7] = {x, 0.0, 0.0, 0.0, 0.0, 0.0, w};
    ri_put_u16(raw, 1);
    ri_put_u32(raw, 0);
    ri_put_u64(raw, (uint64_t)llround(time * 1e9));
    ri_put_u64(raw, 0);
    ri_put_u32(raw, 0x100);
    ri_put_u32(raw, 1);
    ri_put_u64(raw, 0);
    for (int i = 0; i < 2; i++) {
        ri_put_u32(raw, 4);
        ri_put_data(raw, i ? child : parent, 4);
    }
    ri_put_u32(raw, 0); // to a multiple of eight
    for (int i = 0; i < 7; i++) {
        uint8_t bytes[8];
        ri_store_f64(bytes, numbers[i]);
        ri_put_data(raw, bytes, 8);
    }
    ri_put_end(raw, at);
}

TEST(lz4_chunks_and_messages_out_of_order_are_read)
{
    for (int lz4 = 0; lz4 < 2; lz4++) {
        RiContext *ctx;
        RiLog *log = NULL;
        RiBytes raw, file;
        RiPose pose;
        double at;
        REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
        ri_bytes_init(&raw, ctx);
        ri_bytes_init(&file, ctx);
        put_tf_channel(&raw);
        put_tf(&raw, 2.0, "map", "cam", 20.0, 1.0);
        put_tf(&raw, 1.0, "map", "cam", 10.0, 1.0);
        put_tf(&raw, 3.0, "map", "cam", 30.0, 1.0);
        put_file(&file, &raw, lz4);
        REQUIRE_OK(ctx, ri_log_open_memory(ctx, "other", file.at, file.size, RI_CHUNK_LIMIT, &log));
        REQUIRE_OK(ctx, ri_log_read_frames(log, 0, 2.5, &pose, &at));
        CHECK_CLOSE(at, 2.0, 0.0);
        CHECK_CLOSE(pose.p.x, 20.0, 0.0);
        REQUIRE_OK(ctx, ri_log_read_frames(log, 0, 0.0, &pose, &at));
        CHECK_CLOSE(pose.p.x, 10.0, 0.0);
        ri_log_close(log);
        ri_bytes_free(&raw);
        ri_bytes_free(&file);
        ri_context_destroy(ctx);
    }
}

TEST(poses_of_other_tools_that_cannot_be_shown_are_told)
{
    RiContext *ctx;
    RiLog *log = NULL;
    RiBytes raw, file;
    RiPose pose;
    double at;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    ri_bytes_init(&raw, ctx);
    ri_bytes_init(&file, ctx);
    put_tf_channel(&raw);
    put_tf(&raw, 1.0, "map", "cam", 1.0, 1.0);
    put_tf(&raw, 2.0, "map", "imu", 2.0, 1.0);
    put_tf(&raw, 3.0, "map", "cam", 3.0, 7.0);
    put_file(&file, &raw, false);
    REQUIRE_OK(ctx, ri_log_open_memory(ctx, "other", file.at, file.size, RI_CHUNK_LIMIT, &log));
    CHECK_ERROR(ctx, ri_log_read_frames(log, 0, 2.5, &pose, &at), RI_ERR_FORMAT, "not those of the first message");
    CHECK_ERROR(ctx, ri_log_read_frames(log, 0, 3.5, &pose, &at), RI_ERR_FORMAT, "quaternion is not of length 1");
    CHECK_OK(ctx, ri_log_read_frames(log, 0, 1.5, &pose, &at));
    ri_log_close(log);
    ri_bytes_free(&raw);
    ri_bytes_free(&file);
    ri_context_destroy(ctx);
}

TEST(every_failed_allocation_is_told)
{
    RiContext *plain;
    REQUIRE(ri_context_create(NULL, &plain) == RI_OK);
    REQUIRE_OK(plain, write_log(plain, true));
    ri_context_destroy(plain);
    RiStatus status = RI_ERR_MEMORY;
    for (long n = 1; n < 500 && status != RI_OK; n++) {
        Faults faults = {.fail_at = n};
        const RiAllocator memory = faults_allocator(&faults);
        RiContext *ctx;
        RiLog *log = NULL;
        RiLogEvent *events = NULL;
        RiPose poses[FRAMES];
        char *data = NULL;
        size_t size;
        double at;
        int count;
        if (ri_context_create(&memory, &ctx) != RI_OK)
            continue;
        status = ri_log_open(ctx, path, &log);
        if (status == RI_OK)
            status = ri_log_read_frames(log, 0, 20.0, poses, &at);
        if (status == RI_OK)
            status = ri_log_read_frames(log, 0, 2.0, poses, &at);
        if (status == RI_OK)
            status = ri_log_read_events(log, NULL, 0.0, 30.0, &events, &count);
        if (status == RI_OK)
            status = ri_log_read_attachment(log, "scene.json", &data, &size);
        CHECK(status == RI_OK || status == RI_ERR_MEMORY);
        if (log) {
            ri_log_release(log, events);
            ri_log_release(log, data);
        }
        ri_log_close(log);
        ri_context_destroy(ctx);
        CHECK_INT(faults.live, 0);
    }
    CHECK(status == RI_OK);
    unlink(path);
}

TEST_MAIN(CASE(poses_come_back_as_written_at_any_time), CASE(a_log_that_was_not_closed_shows_its_whole_chunks),
          CASE(events_are_found_by_topic_and_time), CASE(a_damaged_attachment_is_told_and_a_missing_one_too),
          CASE(lz4_chunks_and_messages_out_of_order_are_read), CASE(poses_of_other_tools_that_cannot_be_shown_are_told),
          CASE(every_failed_allocation_is_told))
