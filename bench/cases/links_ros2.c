// SPDX-License-Identifier: Apache-2.0
/// \file
/// ROS 2: a reader in a process of its own, over the loopback. Latency is from the call after the
/// tick (ri_ros_stepped) to the reader's program.
///
///     this process: simulation at 1 kHz, link      shared: wall clock of every tick      child: Cyclone reader
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <rille/version.h>

#include "bench/links.h"
#include "link/ros/work.h"

enum { TICKS = 4000, WARM = 1000, CLOUDS = 30, POINTS = 65536, SLICE = 8192, DOMAIN = 97 };

/// What both processes see.
typedef struct Shared {
    double sent[TICKS]; ///< wall clock [s]
    double came[TICKS]; ///< the same where it was read; 0: never
    atomic_int count;   ///< messages that the child has read
    atomic_bool stop;
} Shared;

static Shared *share(void)
{
    Shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return s == MAP_FAILED ? NULL : s;
}

/// A node with one topic. The options must outlive it.
static bool open_one(RiContext *ctx, RiRosOptions *o, RiRosEndpoint *e, RiRosQueue *inbox, const char *type,
                     const char *name, bool out, void **self)
{
    *o = ri_ros_options_default();
    o->domain = DOMAIN;
    o->node = out ? "bench_writer" : "bench_reader";
    *e = (RiRosEndpoint){.type = ri_ros_type_find(type), .out = out, .qos = {.on = true, .depth = 200}};
    snprintf(e->name, sizeof e->name, "%s", name);
    const RiRosSetup setup = {.ctx = ctx, .options = o, .space = "/", .endpoints = e, .count = 1, .inbox = inbox};
    return ri_ros_dds.open(&setup, self) == RI_OK;
}

/// The child: reads one topic until it is told to stop.
static void read_topic(Shared *s, const char *type, const char *name, double tick)
{
    RiContext *ctx;
    RiRosOptions o;
    RiRosEndpoint e;
    RiRosQueue inbox;
    void *self;
    if (ri_context_create(NULL, &ctx) != RI_OK || !ri_ros_queue_init(&inbox, 100000, (size_t)1 << 30) ||
        !open_one(ctx, &o, &e, &inbox, type, name, false, &self))
        _exit(1);
    while (!atomic_load(&s->stop)) {
        RiRosMessage *m = ri_ros_queue_take(&inbox, 0.05);
        if (!m)
            continue;
        const double now = links_clock();
        RiRosReader r;
        ri_ros_read_begin(&r, RI_ROS_CDR, m->bytes, m->size);
        const double k = tick > 0.0 ? round(ri_ros_get_header(&r, NULL, 0) / tick) : -1.0;
        if (k >= 0.0 && k < TICKS)
            s->came[(int)k] = now;
        atomic_fetch_add(&s->count, 1);
        ri_ros_message_unref(m);
    }
    _exit(0);
}

static pid_t start_reader(Shared *s, const char *type, const char *name, double tick, bool usual_buffers)
{
    const pid_t pid = fork();
    if (pid != 0)
        return pid;
    if (usual_buffers)
        setenv(
            "CYCLONEDDS_URI",
            "<CycloneDDS><Domain id=\"any\"><General><Interfaces><NetworkInterface address=\"127.0.0.1\"/></Interfaces>"
            "<AllowMulticast>false</AllowMulticast></General><Discovery><ParticipantIndex>auto</ParticipantIndex>"
            "<MaxAutoParticipantIndex>32</MaxAutoParticipantIndex><Peers><Peer address=\"127.0.0.1\"/></Peers>"
            "</Discovery><Internal><SocketReceiveBufferSize min=\"default\" max=\"default\"/></Internal></Domain>"
            "</CycloneDDS>",
            1);
    read_topic(s, type, name, tick);
    _exit(0);
}

static void end_reader(pid_t pid, Shared *s)
{
    atomic_store(&s->stop, true);
    waitpid(pid, NULL, 0);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// Latencies of the messages after the first second [us], sorted; how many came.
static int latencies(const Shared *s, double *out)
{
    int n = 0;
    for (int i = WARM; i < TICKS; i++)
        if (s->came[i] > 0.0)
            out[n++] = 1e6 * (s->came[i] - s->sent[i]);
    qsort(out, (size_t)n, sizeof *out, compare);
    return n;
}

/// Runs a scene in real time with joint states at every tick.
static bool stream_joints(BenchRun *run, Shared *s)
{
    RiContext *ctx;
    RiRos *ros = NULL;
    RiScene *scene = links_open_scene(run, "snake_servo", &ctx);
    if (!scene)
        return false;
    RiSim *sim = ri_scene_sim(scene);
    RiRosOptions o = ri_ros_options_default();
    o.domain = DOMAIN;
    o.topics[RI_ROS_JOINT_STATES].rate = 1.0 / ri_sim_options(sim)->tick;
    const double tick = ri_sim_options(sim)->tick;
    const pid_t pid = start_reader(s, "sensor_msgs/JointState", "/joint_states", tick, false);
    bool good = ri_ros_create(ctx, scene, &o, RI_ROS_VERSION_2, &ros) == RI_OK;
    for (double begin = links_clock(); good && ri_ros_topic(ros, 1).peers == 0 && links_clock() - begin < 10.0;)
        usleep(10000);
    usleep(200000);
    if (good)
        ri_ros_reset_pace(ros);
    while (good && ri_sim_tick(sim) < TICKS - 1) {
        if (ri_ros_wait(ros, 0.01) != RI_ROS_TURN_STEP)
            continue;
        good = ri_sim_step(sim) == RI_OK;
        s->sent[ri_sim_tick(sim)] = links_clock();
        ri_ros_stepped(ros);
    }
    if (!good)
        bench_fail(run, "ros2_joint_states_1khz_median", ri_context_message(ctx));
    usleep(300000);
    end_reader(pid, s);
    ri_ros_destroy(ros);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
    return good;
}

static void bench_joints(BenchRun *run)
{
    double *p50 = calloc((size_t)run->repeats, sizeof *p50), *p99 = calloc((size_t)run->repeats, sizeof *p99),
           *lost = calloc((size_t)run->repeats, sizeof *lost), *list = calloc(TICKS, sizeof *list);
    bool good = p50 && p99 && lost && list;
    for (int i = 0; good && i < run->repeats; i++) {
        Shared *s = share();
        good = s && stream_joints(run, s);
        const int n = good ? latencies(s, list) : 0;
        if (n > 0) {
            p50[i] = list[n / 2];
            p99[i] = list[(int)(0.99 * n)];
        }
        good &= n > 0;
        lost[i] = fmax(TICKS - WARM - 1 - n, 1e-3);
        if (s)
            munmap(s, sizeof *s);
    }
    if (good) {
        links_limit(run, "ros2_joint_states_1khz_median", "us", p50, 100.0);
        links_limit(run, "ros2_joint_states_1khz_p99", "us", p99, 1000.0);
        links_limit(run, "ros2_joint_states_1khz_lost", "", lost, 0.5);
    } else {
        bench_fail(run, "ros2_joint_states_1khz_median", "the reader heard nothing");
    }
    free(p50);
    free(p99);
    free(lost);
    free(list);
}

/// A cloud of points as sense.c lays it out.
static RiRosMessage *make_cloud(int points)
{
    static const char *const names[] = {"x", "y", "z", "intensity"};
    RiRosWriter w;
    ri_ros_write_begin(&w, RI_ROS_CDR, 0, 0, (size_t)points * 16 + 256);
    ri_ros_put_header(&w, 0.0, "lidar");
    ri_ros_put_u32(&w, 1);
    ri_ros_put_u32(&w, (uint32_t)points);
    ri_ros_put_u32(&w, 4);
    for (uint32_t i = 0; i < 4; i++) {
        ri_ros_put_string(&w, names[i]);
        ri_ros_put_u32(&w, 4 * i);
        ri_ros_put_u8(&w, 7);
        ri_ros_put_u32(&w, 1);
    }
    ri_ros_put_u8(&w, 0);
    ri_ros_put_u32(&w, 16);
    ri_ros_put_u32(&w, 16 * (uint32_t)points);
    uint8_t *at = ri_ros_put_room(&w, (size_t)points * 16, true);
    if (at)
        memset(at, 1, (size_t)points * 16);
    ri_ros_put_u8(&w, 1);
    return ri_ros_write_end(&w);
}

/// Sends CLOUDS scans at 10 Hz in messages of `points`; how many messages were lost.
static double lose_clouds(int points, bool usual_buffers)
{
    RiContext *ctx;
    RiRosOptions o;
    RiRosEndpoint e;
    RiRosQueue inbox;
    void *self = NULL;
    Shared *s = share();
    const int slices = POINTS / points, total = CLOUDS * slices;
    if (!s || ri_context_create(NULL, &ctx) != RI_OK || !ri_ros_queue_init(&inbox, 10, 1000))
        return INFINITY;
    const pid_t pid = start_reader(s, "sensor_msgs/PointCloud2", "/points", 0.0, usual_buffers);
    if (!open_one(ctx, &o, &e, &inbox, "sensor_msgs/PointCloud2", "/points", true, &self))
        return INFINITY;
    for (double begin = links_clock(); ri_ros_dds.peers(self, 0) == 0 && links_clock() - begin < 10.0;)
        usleep(10000);
    usleep(200000);
    RiRosMessage *m = make_cloud(points);
    for (int i = 0; m && i < total; i++) {
        ri_ros_dds.publish(self, m);
        usleep((useconds_t)(100000 / slices));
    }
    usleep(500000);
    const int came = atomic_load(&s->count);
    ri_ros_message_unref(m);
    end_reader(pid, s);
    ri_ros_dds.close(self);
    ri_ros_queue_free(&inbox);
    ri_context_destroy(ctx);
    munmap(s, sizeof *s);
    return total - came;
}

static void bench_clouds(BenchRun *run, const char *name, int points, bool usual_buffers)
{
    double *lost = calloc((size_t)run->repeats, sizeof *lost);
    for (int i = 0; lost && i < run->repeats; i++)
        lost[i] = fmax(lose_clouds(points, usual_buffers), 1e-3);
    if (lost)
        links_limit(run, name, "", lost, 0.5);
    free(lost);
}

/// Processor time of this thread [s]: others on the machine are not in it.
static double thread_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Some ticks, with the link or without; the thread's time.
static double time_ticks(RiSim *sim, RiRos *ros, int ticks, bool *good)
{
    const double begin = thread_time();
    for (int i = 0; *good && i < ticks; i++) {
        if (ros)
            ri_ros_wait(ros, 0.0);
        *good = ri_sim_step(sim) == RI_OK;
        if (ros)
            ri_ros_stepped(ros);
    }
    return thread_time() - begin;
}

/// What the link adds to the simulation's thread [%], with a reader of the joint states at the
/// default rates: blocks of ticks with and without it in turn.
static double step_cost(BenchRun *run)
{
    enum { BLOCKS = 40, BLOCK = 250 };
    RiContext *ctx;
    RiRos *ros = NULL;
    Shared *s = share();
    RiScene *scene = s ? links_open_scene(run, "mer_sand", &ctx) : NULL;
    if (!scene)
        return INFINITY;
    RiRosOptions o = ri_ros_options_default();
    double with = 0.0, without = 0.0;
    o.domain = DOMAIN;
    o.pace = RI_ROS_FREE;
    const pid_t pid = start_reader(s, "sensor_msgs/JointState", "/joint_states", 0.0, false);
    bool good = ri_ros_create(ctx, scene, &o, RI_ROS_VERSION_2, &ros) == RI_OK;
    for (double begin = links_clock(); good && ri_ros_topic(ros, 1).peers == 0 && links_clock() - begin < 10.0;)
        usleep(10000);
    time_ticks(ri_scene_sim(scene), ros, 2 * BLOCK, &good); // the first ticks touch memory for the first time
    for (int i = 0; i < BLOCKS; i++) {
        const bool first = i % 2 == 0; // neither kind always comes before the other
        double *const times[2] = {first ? &with : &without, first ? &without : &with};
        *times[0] += time_ticks(ri_scene_sim(scene), first ? ros : NULL, BLOCK, &good);
        *times[1] += time_ticks(ri_scene_sim(scene), first ? NULL : ros, BLOCK, &good);
    }
    end_reader(pid, s);
    ri_ros_destroy(ros);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
    munmap(s, sizeof *s);
    return good ? fmax(100.0 * (with / without - 1.0), 1e-3) : INFINITY;
}

void links_ros2(BenchRun *run)
{
    if (!strstr(ri_version_features(), "ros2: yes"))
        return; // this build has no ROS 2
    if (bench_wants(run, "ros2_joint_states_1khz_median"))
        bench_joints(run);
    if (bench_wants(run, "ros2_clouds_65k_whole_lost"))
        bench_clouds(run, "ros2_clouds_65k_whole_lost", POINTS, false);
    if (bench_wants(run, "ros2_clouds_65k_slices_lost"))
        bench_clouds(run, "ros2_clouds_65k_slices_lost", SLICE, true);
    if (bench_wants(run, "ros2_step_cost")) {
        double *cost = calloc((size_t)run->repeats, sizeof *cost);
        for (int i = 0; cost && i < run->repeats; i++)
            cost[i] = step_cost(run);
        if (cost)
            links_limit(run, "ros2_step_cost", "%", cost, 3.0);
        free(cost);
    }
}
