// SPDX-License-Identifier: Apache-2.0
/// \file
/// Records and logs: what is written comes back to the bit, whatever happens to the file never
/// crashes the reader and never gives other numbers without a word.
#include "check.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <rille/record.h>

#include "faults.h"
#include "io/record/log_work.h"
#include "io/record/record_work.h"

static const char path[] = RILLE_BINARY_DIR "/test_record.mcap", csv_path[] = RILLE_BINARY_DIR "/test_record.csv";

static const char *const names[] = {"arm.elbow.position", "arm.elbow_position", "wheel FL, \"slip\"", "7th"};
static const char *const units[] = {"rad", "rad", "", "N*m"};
enum { SIGNALS = 4 };

static double value(int signal, int sample)
{
    if (signal == 2 && sample % 7 == 3)
        return NAN;
    return sin(0.01 * sample + signal) * (signal + 1) + 1e-3 * sample;
}

static double time_of(int sample)
{
    return sample / 1000.0; // the nearest number to whole milliseconds
}

static RiContext *context(void)
{
    RiContext *ctx = NULL;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        abort();
    return ctx;
}

typedef struct Groups {
    int joints, force, frames, events;
} Groups;

static RiStatus declare(RiRecord *r, Groups *g)
{
    static const char *const frame_names[] = {"base", "link1"}, *const force[] = {"tip.force"}, *const newton[] = {"N"};
    RI_TRY(ri_record_add_signals(r, "/robot/joints", SIGNALS, names, units, &g->joints));
    RI_TRY(ri_record_add_signals(r, "/robot/force", 1, force, newton, &g->force));
    RI_TRY(ri_record_add_frames(r, "/tf", "world", 2, frame_names, &g->frames));
    return ri_record_add_events(r, "/events", &g->events);
}

/// Joints at every sample, the force at every third, poses at every tenth, an event at 5.
static RiStatus write_sample(RiRecord *r, const Groups *g, int k)
{
    double x[SIGNALS];
    for (int i = 0; i < SIGNALS; i++)
        x[i] = value(i, k);
    RI_TRY(ri_record_signals(r, g->joints, time_of(k), x));
    const double force = 10.0 * k;
    if (k % 3 == 0)
        RI_TRY(ri_record_signals(r, g->force, time_of(k), &force));
    const RiPose poses[2] = {ri_pose_identity(), {ri_mat3_rpy(0.1, 0.2, 0.01 * k), {k, 0.0, 1.0}}};
    if (k % 10 == 0)
        RI_TRY(ri_record_frames(r, g->frames, time_of(k), poses));
    return k == 5 ? ri_record_event(r, g->events, time_of(k), "wheel lost ground") : RI_OK;
}

static RiStatus write_log(RiContext *ctx, const RiRecordOptions *options, int samples, bool close_it)
{
    RiRecord *r = NULL;
    Groups g;
    RiStatus status = ri_record_create(ctx, path, options, &r);
    if (status == RI_OK)
        status = declare(r, &g);
    for (int k = 0; k < samples && status == RI_OK; k++)
        status = write_sample(r, &g, k);
    if (status == RI_OK)
        status = ri_record_attach(r, "config.yaml", "text/yaml", "robot: snake\n", 13);
    if (status == RI_OK && close_it)
        status = ri_record_close(r);
    ri_record_destroy(r);
    return status;
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/// Whether the joints are there exactly, or up to a point (`prefix`). Writes how many samples there
/// are.
static bool joints_are_right(RiLog *log, bool prefix, int samples, int *out_count)
{
    *out_count = 0;
    for (int i = 0; i < SIGNALS; i++) {
        double *t = NULL, *x = NULL;
        int n = 0;
        const int signal = ri_log_find_signal(log, names[i]);
        if (signal < 0)
            return prefix && ri_log_signal_count(log) == 0;
        bool right = ri_log_read(log, signal, -INFINITY, INFINITY, &t, &x, &n) == RI_OK;
        right &= n <= samples && (prefix || n == samples);
        for (int k = 0; k < n && right; k++)
            right &= same_bits(t[k], time_of(k)) && same_bits(x[k], value(i, k));
        ri_log_release(log, t);
        ri_log_release(log, x);
        if (!right)
            return false;
        *out_count = n;
    }
    return true;
}

static uint8_t *read_back(size_t *size)
{
    FILE *f = fopen(path, "rb");
    static uint8_t bytes[1 << 20];
    *size = f ? fread(bytes, 1, sizeof bytes, f) : 0;
    if (f)
        fclose(f);
    return bytes;
}

static RiRecordOptions small_chunks(int level)
{
    return (RiRecordOptions){.chunk_size = 2048, .level = level};
}

// --- round trips ---------------------------------------------------------------------------------

TEST(signals_come_back_to_the_bit)
{
    RiContext *ctx = context();
    for (int level = 0; level <= 3; level++) {
        const RiRecordOptions options = small_chunks(level);
        RiLog *log = NULL;
        int n;
        REQUIRE_OK(ctx, write_log(ctx, level == 3 ? NULL : &options, 1000, true));
        REQUIRE_OK(ctx, ri_log_open(ctx, path, &log));
        CHECK(ri_log_is_complete(log));
        CHECK(joints_are_right(log, false, 1000, &n));
        CHECK_INT(ri_log_signal_count(log), SIGNALS + 1);
        CHECK(strcmp(ri_log_signal_name(log, 2), names[2]) == 0);
        CHECK(strcmp(ri_log_signal_unit(log, 3), "N*m") == 0);
        CHECK(strcmp(ri_log_signal_unit(log, 2), "") == 0);
        CHECK(ri_log_signal_name(log, SIGNALS + 1) == NULL);
        CHECK_INT(ri_log_find_signal(log, "nobody"), -1);
        CHECK_CLOSE(ri_log_start(log), 0.0, 0.0);
        CHECK_CLOSE(ri_log_end(log), 0.999, 0.0);
        CHECK(strcmp(ri_log_other_channel(log, 0), "/tf") == 0);
        CHECK(strcmp(ri_log_other_channel(log, 1), "/events") == 0);
        CHECK(ri_log_other_channel(log, 2) == NULL);
        ri_log_close(log);
    }
    ri_context_destroy(ctx);
}

TEST(a_time_range_is_inclusive_and_reads_only_its_chunks)
{
    RiContext *ctx = context();
    const RiRecordOptions options = small_chunks(1);
    RiLog *log = NULL;
    double *t, *x;
    int n;
    REQUIRE_OK(ctx, write_log(ctx, &options, 1000, true));
    size_t size;
    uint8_t *bytes = read_back(&size);
    REQUIRE_OK(ctx, ri_log_open_memory(ctx, "log", bytes, size, RI_CHUNK_LIMIT, &log));
    REQUIRE(log->chunk_count > 20);
    for (size_t i = 0; i < log->chunk_count; i++) // every chunk that lies outside of the range is destroyed
        if (log->chunks[i].end < 500000000u || log->chunks[i].start > 510000000u)
            memset(bytes + log->chunks[i].offset, 0xee, (size_t)log->chunks[i].length);
    REQUIRE_OK(ctx, ri_log_read(log, 0, 0.5, 0.51, &t, &x, &n));
    CHECK_INT(n, 11);
    CHECK_CLOSE(t[0], 0.5, 0.0);
    CHECK_CLOSE(x[10], value(0, 510), 0.0);
    ri_log_release(log, t);
    ri_log_release(log, x);
    CHECK_ERROR(ctx, ri_log_read(log, 0, 0.4, 0.51, &t, &x, &n), RI_ERR_FORMAT, "log: byte ");
    CHECK(t == NULL && x == NULL && n == 0);
    CHECK_OK(ctx, ri_log_read(log, 0, 2.0, 3.0, &t, &x, &n));
    CHECK_INT(n, 0);
    CHECK_ERROR(ctx, ri_log_read(log, 99, 0.0, 1.0, &t, &x, &n), RI_ERR_ARGUMENT, "no signal 99");
    ri_log_close(log);
    ri_context_destroy(ctx);
}

TEST(samples_out_of_order_are_sorted_and_equal_times_keep_their_order)
{
    RiContext *ctx = context();
    RiRecord *r = NULL;
    RiLog *log = NULL;
    int group, n;
    const char *const name[] = {"x"};
    const double times[] = {2.0, 1.0, 2.0, 0.5}, values[] = {20.0, 10.0, 21.0, 5.0};
    double *t, *x;
    REQUIRE_OK(ctx, ri_record_create(ctx, path, NULL, &r));
    REQUIRE_OK(ctx, ri_record_add_signals(r, "x", 1, name, NULL, &group));
    for (int i = 0; i < 4; i++)
        CHECK_OK(ctx, ri_record_signals(r, group, times[i], &values[i]));
    CHECK_OK(ctx, ri_record_close(r));
    ri_record_destroy(r);
    REQUIRE_OK(ctx, ri_log_open(ctx, path, &log));
    REQUIRE_OK(ctx, ri_log_read(log, 0, 0.0, 9.0, &t, &x, &n));
    REQUIRE(n == 4);
    const double want[] = {5.0, 10.0, 20.0, 21.0};
    for (int i = 0; i < 4; i++)
        CHECK_CLOSE(x[i], want[i], 0.0);
    ri_log_release(log, t);
    ri_log_release(log, x);
    ri_log_close(log);
    ri_context_destroy(ctx);
}

TEST(big_messages_and_long_events_get_chunks_of_their_own)
{
    enum { COUNT = 1000 };
    RiContext *ctx = context();
    RiRecord *r = NULL;
    RiLog *log = NULL;
    int group, events, n;
    static char text[COUNT][16], long_event[10000];
    const char *list[COUNT];
    double x[COUNT], *t, *y;
    for (int i = 0; i < COUNT; i++) {
        snprintf(text[i], sizeof text[i], "s.%d", i);
        list[i] = text[i];
        x[i] = i;
    }
    memset(long_event, 'e', sizeof long_event - 1);
    const RiRecordOptions options = small_chunks(1);
    REQUIRE_OK(ctx, ri_record_create(ctx, path, &options, &r));
    REQUIRE_OK(ctx, ri_record_add_events(r, "/events", &events));
    CHECK_OK(ctx, ri_record_event(r, events, 0.0, long_event));
    REQUIRE_OK(ctx, ri_record_add_signals(r, "/many", COUNT, list, NULL, &group));
    for (int k = 0; k < 5; k++)
        CHECK_OK(ctx, ri_record_signals(r, group, k, x));
    CHECK_OK(ctx, ri_record_event(r, events, 5.0, long_event));
    CHECK_OK(ctx, ri_record_close(r));
    ri_record_destroy(r);
    REQUIRE_OK(ctx, ri_log_open(ctx, path, &log));
    REQUIRE_OK(ctx, ri_log_read(log, COUNT - 1, 0.0, 9.0, &t, &y, &n));
    CHECK_INT(n, 5);
    CHECK_CLOSE(y[4], COUNT - 1, 0.0);
    ri_log_release(log, t);
    ri_log_release(log, y);
    ri_log_close(log);
    ri_context_destroy(ctx);
}

TEST(a_chunk_of_definitions_alone_does_not_move_the_start)
{
    RiContext *ctx = context();
    RiRecord *r = NULL;
    RiLog *log = NULL;
    int first, second;
    static char long_name[3000];
    memset(long_name, 'n', sizeof long_name - 1);
    const char *const a[] = {long_name}, *const b[] = {"b"};
    const double x = 1.0;
    const RiRecordOptions options = small_chunks(1);
    REQUIRE_OK(ctx, ri_record_create(ctx, path, &options, &r));
    REQUIRE_OK(ctx, ri_record_add_signals(r, "/a", 1, a, NULL, &first));
    REQUIRE_OK(ctx, ri_record_add_signals(r, "/b", 1, b, NULL, &second));
    CHECK_OK(ctx, ri_record_signals(r, second, 5.0, &x));
    CHECK_INT(r->chunk_count, 1);
    CHECK_OK(ctx, ri_record_close(r));
    ri_record_destroy(r);
    REQUIRE_OK(ctx, ri_log_open(ctx, path, &log));
    CHECK_CLOSE(ri_log_start(log), 5.0, 0.0);
    CHECK_CLOSE(ri_log_end(log), 5.0, 0.0);
    CHECK_INT(ri_log_find_signal(log, long_name), 0);
    ri_log_close(log);
    ri_context_destroy(ctx);
}

TEST(an_empty_record_is_an_empty_log)
{
    RiContext *ctx = context();
    RiRecord *r = NULL;
    RiLog *log = NULL;
    REQUIRE_OK(ctx, ri_record_create(ctx, path, NULL, &r));
    CHECK_OK(ctx, ri_record_close(r));
    CHECK_OK(ctx, ri_record_close(r));
    ri_record_destroy(r);
    REQUIRE_OK(ctx, ri_log_open(ctx, path, &log));
    CHECK(ri_log_is_complete(log));
    CHECK_INT(ri_log_signal_count(log), 0);
    CHECK_CLOSE(ri_log_end(log), 0.0, 0.0);
    CHECK_OK(ctx, ri_log_write_csv(log, NULL, 0, csv_path));
    ri_log_close(log);
    ri_context_destroy(ctx);
}

// --- bad calls -----------------------------------------------------------------------------------

TEST(bad_calls_are_refused_and_the_record_goes_on)
{
    RiContext *ctx = context();
    RiRecord *r = NULL;
    int group, other, events;
    const char *const twice[] = {"a", "a"}, *const a[] = {"a"}, *const line[] = {"a\nb"}, *const b[] = {"b"};
    const double x = 1.0;
    const RiRecordOptions tiny = {.chunk_size = 1}, wild = {.chunk_size = 4096, .level = 50};
    CHECK_ERROR(ctx, ri_record_create(ctx, path, &tiny, &r), RI_ERR_ARGUMENT, "chunk_size 1 ");
    CHECK_ERROR(ctx, ri_record_create(ctx, path, &wild, &r), RI_ERR_ARGUMENT, "level 50");
    CHECK_ERROR(ctx, ri_record_create(ctx, "/no/such/folder/x.mcap", NULL, &r), RI_ERR_IO, "/no/such/folder/x.mcap");
    REQUIRE_OK(ctx, ri_record_create(ctx, path, NULL, &r));
    CHECK_ERROR(ctx, ri_record_add_signals(r, "/t", 2, twice, NULL, &group), RI_ERR_ARGUMENT,
                "'a' is declared already");
    CHECK_ERROR(ctx, ri_record_add_signals(r, "/t", 1, line, NULL, &group), RI_ERR_ARGUMENT, "control characters");
    CHECK_ERROR(ctx, ri_record_add_signals(r, "/t", 0, a, NULL, &group), RI_ERR_ARGUMENT, "count 0");
    CHECK_ERROR(ctx, ri_record_add_signals(r, "", 1, a, NULL, &group), RI_ERR_ARGUMENT, "topic");
    REQUIRE_OK(ctx, ri_record_add_signals(r, "/t", 1, a, NULL, &group));
    CHECK_ERROR(ctx, ri_record_add_signals(r, "/t", 1, b, NULL, &other), RI_ERR_ARGUMENT, "'/t' is declared already");
    CHECK_ERROR(ctx, ri_record_add_signals(r, "/u", 1, a, NULL, &other), RI_ERR_ARGUMENT, "'a' is declared already");
    REQUIRE_OK(ctx, ri_record_add_events(r, "/events", &events));
    CHECK_ERROR(ctx, ri_record_signals(r, events, 0.0, &x), RI_ERR_ARGUMENT, "is not a group of signals");
    CHECK_ERROR(ctx, ri_record_signals(r, 7, 0.0, &x), RI_ERR_ARGUMENT, "7 is not a group");
    CHECK_ERROR(ctx, ri_record_signals(r, group, -1.0, &x), RI_ERR_ARGUMENT, "time -1");
    CHECK_ERROR(ctx, ri_record_signals(r, group, NAN, &x), RI_ERR_ARGUMENT, "time ");
    CHECK_ERROR(ctx, ri_record_signals(r, group, 3e9, &x), RI_ERR_ARGUMENT, "time 3e+09");
    CHECK_OK(ctx, ri_record_signals(r, group, 1.0, &x));
    CHECK_OK(ctx, ri_record_close(r));
    CHECK_ERROR(ctx, ri_record_signals(r, group, 1.0, &x), RI_ERR_ARGUMENT, "closed");
    ri_record_destroy(r);
    ri_record_destroy(NULL);
    ri_log_close(NULL);
    ri_context_destroy(ctx);
}

TEST(writing_in_the_steady_state_does_not_allocate)
{
    RiContext *ctx = context();
    RiRecord *r = NULL;
    Groups g;
    const RiRecordOptions options = {.chunk_size = 16384, .level = 1};
    REQUIRE_OK(ctx, ri_record_create(ctx, path, &options, &r));
    REQUIRE_OK(ctx, declare(r, &g));
    for (int k = 0; k < 1000; k++)
        CHECK_OK(ctx, write_sample(r, &g, k));
    const unsigned long long before = ri_context_allocation_count(ctx);
    for (int k = 1000; k < 21000; k++)
        CHECK_OK(ctx, write_sample(r, &g, k));
    CHECK_INT(ri_context_allocation_count(ctx), before);
    CHECK(r->chunk_count > 50);
    CHECK_OK(ctx, ri_record_close(r));
    ri_record_destroy(r);
    ri_context_destroy(ctx);
}

// --- damage --------------------------------------------------------------------------------------

TEST(an_unclosed_file_is_read_to_its_last_chunk)
{
    RiContext *ctx = context();
    RiLog *log = NULL;
    const RiRecordOptions options = small_chunks(1);
    int n;
    REQUIRE_OK(ctx, write_log(ctx, &options, 500, false));
    REQUIRE_OK(ctx, ri_log_open(ctx, path, &log));
    CHECK(!ri_log_is_complete(log));
    CHECK(joints_are_right(log, false, 500, &n)); // destroying saves the open chunk
    CHECK_CLOSE(ri_log_end(log), 0.499, 0.0);
    ri_log_close(log);
    ri_context_destroy(ctx);
}

TEST(a_file_cut_at_any_byte_gives_a_prefix)
{
    RiContext *ctx = context();
    const RiRecordOptions options = small_chunks(1);
    REQUIRE_OK(ctx, write_log(ctx, &options, 50, true));
    size_t size;
    const uint8_t *bytes = read_back(&size);
    int before = 0, n;
    for (size_t cut = 0; cut <= size; cut++) {
        uint8_t *copy = malloc(cut ? cut : 1); // exactly as long: the sanitizer sees a byte too far
        RiLog *log = NULL;
        memcpy(copy, bytes, cut);
        if (cut < MCAP_MAGIC_SIZE) {
            CHECK_ERROR(ctx, ri_log_open_memory(ctx, "cut", copy, cut, RI_CHUNK_LIMIT, &log), RI_ERR_FORMAT, "byte 0");
        } else {
            CHECK_OK(ctx, ri_log_open_memory(ctx, "cut", copy, cut, RI_CHUNK_LIMIT, &log));
            CHECK(log && joints_are_right(log, true, 50, &n));
            CHECK(log && n >= before && ri_log_is_complete(log) == (cut == size));
            before = n;
        }
        ri_log_close(log);
        free(copy);
    }
    CHECK_INT(before, 50);
    ri_context_destroy(ctx);
}

/// Flips each bit of each byte: the numbers are right, or there is an error; in an unclosed file
/// they may end early.
static void flip_all(bool closed)
{
    RiContext *ctx = context();
    const RiRecordOptions options = {.chunk_size = 1024, .level = 1};
    int n, detected = 0;
    REQUIRE_OK(ctx, write_log(ctx, &options, 25, closed));
    size_t size;
    uint8_t *bytes = read_back(&size);
    for (size_t i = 0; i < size; i++)
        for (int bit = 0; bit < 8; bit++) {
            RiLog *log = NULL;
            bytes[i] ^= (uint8_t)(1 << bit);
            const RiStatus status = ri_log_open_memory(ctx, "flip", bytes, size, RI_CHUNK_LIMIT, &log);
            ri_context_clear(ctx);
            const bool right = status == RI_OK && joints_are_right(log, !closed, 25, &n);
            const char *message = ri_context_message(ctx);
            const bool told = status != RI_OK || strncmp(message, "flip: byte ", 11) == 0;
            if (!right && !told)
                CHECK_FAIL("byte %zu bit %d: wrong numbers without a word (%s)", i, bit, message);
            detected += !right;
            ri_log_close(log);
            bytes[i] ^= (uint8_t)(1 << bit);
        }
    CHECK(detected > (int)size);
    ri_context_destroy(ctx);
}

TEST(a_flipped_bit_is_harmless_or_told)
{
    flip_all(true);
}

TEST(a_flipped_bit_in_an_unclosed_file_is_harmless_or_told_or_ends_it)
{
    flip_all(false);
}

TEST(a_full_disk_is_told_and_what_was_written_stays)
{
    RiContext *ctx = context();
    RiRecord *r = NULL;
    RiLog *log = NULL;
    Groups g;
    int n, k = 0;
    const RiRecordOptions options = small_chunks(1);
    struct rlimit before, small = {20000, 20000};
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
    small.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    REQUIRE_OK(ctx, ri_record_create(ctx, path, &options, &r));
    REQUIRE_OK(ctx, declare(r, &g));
    REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    RiStatus status = RI_OK;
    for (; k < 10000 && status == RI_OK; k++)
        status = write_sample(r, &g, k);
    CHECK_INT(status, RI_ERR_IO);
    CHECK(strstr(ri_context_message(ctx), path) && strstr(ri_context_message(ctx), "File too large"));
    CHECK_ERROR(ctx, ri_record_attach(r, "n", "t", "", 0), RI_ERR_IO, "File too large");
    CHECK_ERROR(ctx, ri_record_close(r), RI_ERR_IO, "File too large");
    ri_record_destroy(r);
    REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
    REQUIRE_OK(ctx, ri_log_open(ctx, path, &log));
    CHECK(joints_are_right(log, true, k, &n));
    CHECK(n > 100 && n >= k - 100);
    CHECK(!ri_log_is_complete(log));
    CHECK_ERROR(ctx, ri_record_create(ctx, "/dev/full", NULL, &r), RI_ERR_IO, "/dev/full: cannot write");
    CHECK_ERROR(ctx, ri_log_write_csv(log, NULL, 0, "/dev/full"), RI_ERR_IO, "/dev/full: cannot write");
    ri_log_close(log);
    ri_context_destroy(ctx);
}

TEST(files_that_are_not_logs_are_refused)
{
    RiContext *ctx = context();
    RiLog *log = NULL;
    CHECK_ERROR(ctx, ri_log_open(ctx, "/no/such/log.mcap", &log), RI_ERR_NOT_FOUND, "/no/such/log.mcap");
    CHECK_ERROR(ctx, ri_log_open(ctx, "/", &log), RI_ERR_IO, "regular file");
    CHECK_ERROR(ctx, ri_log_open(ctx, RILLE_SOURCE_DIR "/tests/io/test_record.c", &log), RI_ERR_FORMAT,
                "test_record.c: byte 0: not an MCAP file");
    CHECK(log == NULL);
    ri_context_destroy(ctx);
}

// --- other tools' files --------------------------------------------------------------------------

static void put_definitions(RiBytes *b, const char *schema, const char *encoding, int id)
{
    size_t at = ri_put_begin(b, MCAP_SCHEMA);
    ri_put_u16(b, (unsigned)id);
    ri_put_string(b, "pkg/msg/Type");
    ri_put_string(b, "ros2msg");
    ri_put_string(b, schema);
    ri_put_end(b, at);
    at = ri_put_begin(b, MCAP_CHANNEL);
    ri_put_u16(b, (unsigned)id);
    ri_put_u16(b, (unsigned)id);
    ri_put_string(b, id == 1 ? "/imu/accel" : "/other");
    ri_put_string(b, encoding);
    ri_put_u32(b, 0);
    ri_put_end(b, at);
}

/// A message of two numbers, big endian.
static void put_message(RiBytes *b, int id, uint64_t ns, double x, double y)
{
    const double numbers[2] = {x, y};
    const size_t at = ri_put_begin(b, MCAP_MESSAGE);
    ri_put_u16(b, (unsigned)id);
    ri_put_u32(b, 0);
    ri_put_u64(b, ns);
    ri_put_u64(b, ns);
    ri_put_u32(b, 0);
    for (int i = 0; i < 2; i++) {
        uint64_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        ri_put_u64(b, __builtin_bswap64(bits));
    }
    ri_put_end(b, at);
}

TEST(logs_of_other_tools_give_their_float64_channels)
{
    RiContext *ctx = context();
    RiBytes b;
    RiLog *log = NULL;
    double *t, *x;
    int n;
    ri_bytes_init(&b, ctx);
    ri_put_data(&b, ri_mcap_magic, sizeof ri_mcap_magic);
    put_definitions(
        &b, "# a comment\r\nfloat64 LIMIT=3.0\r\nfloat64 x # unit: m/s^2\r\n  float64   y 1.5\n=====\nMSG: z\nint8 z",
        "cdr", 1);
    put_definitions(&b, "float64 x\nint32 y\n", "cdr", 2);
    put_definitions(&b, "float64[3] x\n", "cdr", 3);
    put_definitions(&b, "float64 x\n", "json", 4);
    put_definitions(&b, "", "cdr", 5);
    put_message(&b, 1, 2000000000, 3.0, 4.0); // outside of chunks, no index
    put_message(&b, 2, 2500000000, 0.0, 0.0);
    put_message(&b, 77, 2500000000, 0.0, 0.0);
    put_message(&b, 1, 3000000000, 5.0, 6.0);
    REQUIRE_OK(ctx, ri_log_open_memory(ctx, "imu", b.at, b.size, RI_CHUNK_LIMIT, &log));
    CHECK_INT(ri_log_signal_count(log), 2);
    CHECK(strcmp(ri_log_signal_name(log, 0), "imu.accel.x") == 0);
    CHECK(strcmp(ri_log_signal_unit(log, 0), "m/s^2") == 0);
    CHECK(strcmp(ri_log_signal_name(log, 1), "imu.accel.y") == 0);
    CHECK(ri_log_other_channel(log, 3) != NULL && ri_log_other_channel(log, 4) == NULL);
    CHECK_CLOSE(ri_log_start(log), 2.0, 0.0);
    REQUIRE_OK(ctx, ri_log_read(log, 1, 0.0, 9.0, &t, &x, &n));
    CHECK_INT(n, 2);
    CHECK_CLOSE(x[0], 4.0, 0.0);
    CHECK_CLOSE(x[1], 6.0, 0.0);
    ri_log_release(log, t);
    ri_log_release(log, x);
    ri_log_close(log);
    ri_bytes_free(&b);
    ri_context_destroy(ctx);
}

/// A file with one chunk record that claims sizes.
static void put_chunk(RiBytes *b, const char *compression, uint64_t raw_size, const void *data, size_t size)
{
    ri_put_data(b, ri_mcap_magic, sizeof ri_mcap_magic);
    for (int i = 0; i < 2; i++) { // the second, whole chunk keeps the first from being the unfinished end
        const size_t at = ri_put_begin(b, MCAP_CHUNK);
        ri_put_u64(b, 0);
        ri_put_u64(b, 0);
        ri_put_u64(b, i == 0 ? raw_size : 0);
        ri_put_u32(b, 0);
        ri_put_string(b, i == 0 ? compression : "");
        ri_put_u64(b, i == 0 ? size : 0);
        ri_put_data(b, data, i == 0 ? size : 0);
        ri_put_end(b, at);
    }
    put_definitions(b, "float64 x\n", "cdr", 1);
}

TEST(chunks_that_claim_too_much_or_are_unknown_are_refused)
{
    static const struct {
        const char *compression;
        uint64_t size;
        RiStatus status;
        const char *message;
    } cases[] = {
        {"zstd", (uint64_t)1 << 40, RI_ERR_LIMIT, "hostile: byte 8: a chunk of 1099511627776 bytes"},
        {"zstd", 200 << 20, RI_ERR_FORMAT, "hostile: byte 8: the compressed data of a chunk are damaged"},
        {"", 77, RI_ERR_FORMAT, "hostile: byte 8: a chunk's lengths"},
        {"lz4", 77, RI_ERR_FORMAT, "hostile: byte 8: the compressed data of a chunk are damaged"},
        {"bz2", 77, RI_ERR_UNSUPPORTED, "compression 'bz2'"},
        {"rot13", 77, RI_ERR_FORMAT, "hostile: byte 8: a chunk with an unknown compression"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        RiContext *ctx = context();
        RiBytes b;
        RiLog *log = NULL;
        double *t, *x;
        int n;
        ri_bytes_init(&b, ctx);
        put_chunk(&b, cases[i].compression, cases[i].size, "12345678", 8);
        REQUIRE_OK(ctx, ri_log_open_memory(ctx, "hostile", b.at, b.size, RI_CHUNK_LIMIT, &log));
        CHECK(!ri_log_is_complete(log));
        CHECK_ERROR(ctx, ri_log_read(log, 0, 0.0, 1.0, &t, &x, &n), cases[i].status, cases[i].message);
        ri_log_close(log);
        ri_bytes_free(&b);
        ri_context_destroy(ctx);
    }
}

TEST(many_channels_of_one_large_schema_hit_the_limit)
{
    RiContext *ctx = context();
    RiBytes b, schema;
    RiLog *log = NULL;
    ri_bytes_init(&b, ctx);
    ri_bytes_init(&schema, ctx);
    for (int i = 0; i < 20000; i++)
        ri_put_data(&schema, "float64 x\n", 10);
    ri_put_u8(&schema, 0);
    ri_put_data(&b, ri_mcap_magic, sizeof ri_mcap_magic);
    put_definitions(&b, (const char *)schema.at, "cdr", 1);
    for (int i = 2; i < 65536; i++) {
        const size_t at = ri_put_begin(&b, MCAP_CHANNEL);
        ri_put_u16(&b, (unsigned)i);
        ri_put_u16(&b, 1);
        ri_put_string(&b, "t");
        ri_put_string(&b, "cdr");
        ri_put_u32(&b, 0);
        ri_put_end(&b, at);
    }
    CHECK_OK(ctx, ri_log_open_memory(ctx, "many", b.at, b.size, RI_CHUNK_LIMIT, &log));
    CHECK(log && ri_log_signal_count(log) <= LOG_SIGNALS && !ri_log_is_complete(log));
    ri_log_close(log);
    ri_bytes_free(&b);
    ri_bytes_free(&schema);
    ri_context_destroy(ctx);
}

// --- CSV -----------------------------------------------------------------------------------------

static char *read_csv(void)
{
    static char text[1 << 20];
    FILE *f = fopen(csv_path, "r");
    const size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    text[n] = '\0';
    if (f)
        fclose(f);
    return text;
}

TEST(csv_has_units_quotes_and_the_union_of_times)
{
    RiContext *ctx = context();
    RiLog *log = NULL;
    const RiRecordOptions options = small_chunks(1);
    const char *const globs[] = {"tip.*", "arm.elbow.position", "wheel*", "*elbow*"};
    REQUIRE_OK(ctx, write_log(ctx, &options, 20, true));
    REQUIRE_OK(ctx, ri_log_open(ctx, path, &log));
    CHECK_OK(ctx, ri_log_write_csv(log, globs, 4, csv_path));
    const char *text = read_csv();
    static const char head[] = "time [s],tip.force [N],arm.elbow.position [rad],\"wheel FL, \"\"slip\"\"\","
                               "arm.elbow_position [rad]\n0,0,0,";
    CHECK(strstr(text, head) == text);
    int lines = 0;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    CHECK_INT(lines, 21);
    CHECK(strstr(text, "\n0.001,,"));                   // the force has no sample then
    CHECK(strstr(text, "\n0.0030000000000000001,30,")); // here it has
    CHECK(strstr(text, ",nan,"));
    const char *const wrong[] = {"arm.elbow.positoin"}, *const part[] = {"force"}, *const none[] = {"q*q"};
    CHECK_ERROR(ctx, ri_log_write_csv(log, wrong, 1, csv_path), RI_ERR_NOT_FOUND, "did you mean 'arm.elbow.position'?");
    CHECK_ERROR(ctx, ri_log_write_csv(log, part, 1, csv_path), RI_ERR_NOT_FOUND, "did you mean 'tip.force'?");
    CHECK_ERROR(ctx, ri_log_write_csv(log, none, 1, csv_path), RI_ERR_NOT_FOUND, "the log has 5 signals");
    ri_log_close(log);
    ri_context_destroy(ctx);
}

// --- fault injection -----------------------------------------------------------------------------

static RiStatus read_everything(RiContext *ctx)
{
    RiLog *log = NULL;
    RI_TRY(ri_log_open(ctx, path, &log));
    int n;
    double *t = NULL, *x = NULL;
    RiStatus status = ri_log_read(log, 0, 0.0, 1.0, &t, &x, &n);
    ri_log_release(log, t);
    ri_log_release(log, x);
    if (status == RI_OK)
        status = ri_log_write_csv(log, NULL, 0, csv_path);
    ri_log_close(log);
    return status;
}

TEST(the_nth_failed_allocation_leaks_nothing)
{
    const RiRecordOptions options = small_chunks(1);
    for (int closed = 0; closed < 2; closed++) {
        RiStatus status = RI_ERR_MEMORY;
        int refused = 0;
        for (long at = 0; status == RI_ERR_MEMORY && at < 3000; at++) {
            Faults f = {.fail_at = at};
            const RiAllocator allocator = faults_allocator(&f);
            RiContext *ctx;
            status = ri_context_create(&allocator, &ctx);
            if (status == RI_OK) {
                status = write_log(ctx, &options, 40, closed);
                if (status == RI_OK)
                    status = read_everything(ctx);
                ri_context_destroy(ctx);
            }
            refused += status == RI_ERR_MEMORY;
            CHECK_INT(f.live, 0);
        }
        CHECK_INT(status, RI_OK);
        CHECK(refused > 50);
    }
}

TEST_MAIN(CASE(signals_come_back_to_the_bit), CASE(a_time_range_is_inclusive_and_reads_only_its_chunks),
          CASE(samples_out_of_order_are_sorted_and_equal_times_keep_their_order),
          CASE(big_messages_and_long_events_get_chunks_of_their_own), CASE(an_empty_record_is_an_empty_log),
          CASE(a_chunk_of_definitions_alone_does_not_move_the_start),
          CASE(bad_calls_are_refused_and_the_record_goes_on), CASE(writing_in_the_steady_state_does_not_allocate),
          CASE(an_unclosed_file_is_read_to_its_last_chunk), CASE(a_file_cut_at_any_byte_gives_a_prefix),
          CASE(a_flipped_bit_is_harmless_or_told),
          CASE(a_flipped_bit_in_an_unclosed_file_is_harmless_or_told_or_ends_it),
          CASE(a_full_disk_is_told_and_what_was_written_stays), CASE(files_that_are_not_logs_are_refused),
          CASE(logs_of_other_tools_give_their_float64_channels),
          CASE(chunks_that_claim_too_much_or_are_unknown_are_refused),
          CASE(many_channels_of_one_large_schema_hit_the_limit), CASE(csv_has_units_quotes_and_the_union_of_times),
          CASE(the_nth_failed_allocation_leaks_nothing))
