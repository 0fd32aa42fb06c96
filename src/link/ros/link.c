// SPDX-License-Identifier: Apache-2.0
/// \file
/// A link's life cycle, its pace and its queues.
///
///     simulation's thread: ri_ros_wait (inbox -> commands), tick, ri_ros_stepped (state -> messages -> outbox)
///     publishing thread:   outbox -> transport
///     transport's threads: network -> inbox
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "link/ros/work.h"

enum { INBOX = 4096, INBOX_BYTES = 64 << 20, OBEYED = 512 };
static const double late = 0.25; ///< [s] behind the clock, after which the clock is set again
static const double again = 0.1; ///< [s] after which lock-step sends the state again to peers that came late
static const double nap = 1e-3;  ///< of the publishing thread at pace `free` [s]
enum { NAPS = 3 };               ///< in a row before it sleeps

double ri_ros_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void ri_ros_tell(RiRos *r, const char *format, ...)
{
    va_list args;
    if (r->note_count == RI_ROS_NOTES)
        return; // nobody reads them
    char *to = r->notes[(r->note_first + r->note_count++) % RI_ROS_NOTES];
    va_start(args, format);
    vsnprintf(to, RI_ROS_NOTE, format, args);
    va_end(args);
}

const char *ri_ros_note(RiRos *r)
{
    if (r->note_count == 0)
        return NULL;
    memcpy(r->note, r->notes[r->note_first], sizeof r->note);
    r->note_first = (r->note_first + 1) % RI_ROS_NOTES;
    r->note_count--;
    return r->note;
}

// --- out -----------------------------------------------------------------------------------------

/// The next message to publish; NULL: none has come. To wake a sleeping thread costs the simulation
/// more than to make the message. At pace `free`, where no message is due by the wall clock, the
/// publishing thread naps between messages and looks by itself.
static RiRosMessage *next_message(RiRos *r, bool flowing)
{
    const int naps = flowing && r->options.pace == RI_ROS_FREE ? NAPS : 0;
    RiRosMessage *m = ri_ros_queue_take(&r->outbox, naps ? 0.0 : 1.0);
    for (int i = 0; i < naps && !m; i++) {
        ri_ros_queue_nap(&r->outbox, nap);
        m = ri_ros_queue_take(&r->outbox, i + 1 < naps ? 0.0 : 1.0);
    }
    return m;
}

/// The publishing thread.
static void *publish(void *user)
{
    RiRos *r = user;
    bool flowing = false;
    for (;;) {
        RiRosMessage *m = next_message(r, flowing);
        flowing = m != NULL;
        if (!m && ri_ros_queue_is_done(&r->outbox))
            return NULL;
        if (!m)
            continue;
        if (!r->transport->publish(r->self, m))
            atomic_fetch_add(&r->streams[m->endpoint].dropped, 1);
        ri_ros_message_unref(m);
    }
}

void ri_ros_send(RiRos *r, RiRosMessage *m)
{
    if (!m)
        return;
    const int endpoint = m->endpoint;
    RiRosStream *s = &r->streams[endpoint];
    if (ri_ros_queue_put(&r->outbox, m, r->options.pace == RI_ROS_LOCKSTEP)) {
        s->count++;
        s->seq++;
        r->stats.sent++;
    } else {
        atomic_fetch_add(&s->dropped, 1);
    }
}

static bool is_sense(RiRosKind kind)
{
    return kind == RI_ROS_IMAGE || kind == RI_ROS_COMPRESSED || kind == RI_ROS_POINTS || kind == RI_ROS_SLICES;
}

bool ri_ros_is_read(const RiRos *r, int endpoint)
{
    return r->endpoints[endpoint].qos.durability == RI_ROS_TRANSIENT_LOCAL ||
           r->transport->peers(r->self, endpoint) > 0;
}

static void send_endpoint(RiRos *r, int i)
{
    const RiRosEndpoint *e = &r->endpoints[i];
    if (!ri_ros_is_read(r, i))
        return;
    if (is_sense(e->kind))
        ri_ros_sense(r, i);
    else
        ri_ros_send(r, ri_ros_make(r, i));
}

/// What is due at this tick; `all`: everything that goes by time.
static void send_due(RiRos *r, bool all)
{
    const long long tick = ri_sim_tick(r->sim);
    r->next_due = LLONG_MAX;
    for (int i = 0; i < r->count; i++) {
        const long long period = r->streams[i].period;
        if (!r->endpoints[i].out || period <= 0)
            continue;
        const long long next = (tick / period + 1) * period;
        r->next_due = next < r->next_due ? next : r->next_due;
        if (all || next - period == tick)
            send_endpoint(r, i);
    }
}

/// Topics that do not go by time: once at the start.
static void send_latched(RiRos *r)
{
    for (int i = 0; i < r->count; i++)
        if (r->endpoints[i].out && r->streams[i].period == 0 &&
            r->endpoints[i].qos.durability == RI_ROS_TRANSIENT_LOCAL)
            ri_ros_send(r, ri_ros_make(r, i));
}

void ri_ros_stepped(RiRos *r)
{
    if (r->paused && r->steps > 0)
        r->steps--;
    if (ri_sim_tick(r->sim) < r->next_due && !r->reels)
        return; // most ticks
    const double begin = ri_ros_clock();
    if (r->reels)
        ri_ros_shoot(r);
    if (ri_sim_tick(r->sim) >= r->next_due)
        send_due(r, false);
    r->stats.cost += ri_ros_clock() - begin;
}

// --- in ------------------------------------------------------------------------------------------

static void refuse(RiRos *r, int endpoint, const char *why)
{
    RiRosStream *s = &r->streams[endpoint];
    r->stats.refused++;
    if (strcmp(s->last_refusal, why) == 0)
        return; // told already
    snprintf(s->last_refusal, sizeof s->last_refusal, "%s", why);
    ri_ros_tell(r, "%s: refused: %s", r->endpoints[endpoint].name, why);
}

/// Whether a message is this cycle's answer. Those with a stamp must carry the time that they
/// answer.
static bool is_answer(RiRos *r, const RiRosMessage *m)
{
    const double stamp = ri_ros_stamp(r, m);
    if (r->streams[m->endpoint].answered || (!isnan(stamp) && fabs(stamp - ri_sim_time(r->sim)) > 1e-6)) {
        r->stats.late++;
        return false;
    }
    r->streams[m->endpoint].answered = true;
    return true;
}

static void obey(RiRos *r, RiRosMessage *m)
{
    char why[RI_ROS_WHY] = "";
    RiRosStream *s = &r->streams[m->endpoint];
    s->count++;
    r->stats.received++;
    if (r->endpoints[m->endpoint].keep_all && !is_answer(r, m)) {
        ri_ros_message_unref(m);
        return;
    }
    if (ri_ros_obey(r, m, why))
        s->last_refusal[0] = '\0';
    else
        refuse(r, m->endpoint, why);
    ri_ros_message_unref(m);
}

/// Carries out what waits; a flood cannot keep the simulation from its ticks.
static void obey_all(RiRos *r, double seconds)
{
    RiRosMessage *m = ri_ros_queue_take(&r->inbox, seconds);
    if (!m)
        return;
    const double got = ri_ros_clock();
    for (int n = 0; m && n < OBEYED; n++) {
        obey(r, m);
        m = n + 1 < OBEYED ? ri_ros_queue_take(&r->inbox, 0.0) : NULL;
    }
    r->stats.cost += ri_ros_clock() - got;
}

// --- commands from elsewhere ---------------------------------------------------------------------

/// "geometry_msgs/msg/Twist" is "geometry_msgs/Twist".
static bool is_type(const char *type, const char *ours)
{
    const char *slash = strchr(ours, '/');
    const size_t n = slash ? (size_t)(slash - ours) : 0;
    return strcmp(type, ours) == 0 || (strncmp(type, ours, n) == 0 && strncmp(type + n, "/msg/", 5) == 0 &&
                                       strcmp(type + n + 5, ours + n + 1) == 0);
}

/// The name of a topic within the namespace; all of it outside of that.
static const char *within(const RiRos *r, const char *name)
{
    const size_t n = strlen(r->setup.space);
    return n > 1 && strncmp(name, r->setup.space, n) == 0 && name[n] == '/' ? name + n : name;
}

int ri_ros_find_command(const RiRos *r, const char *topic, const char *type)
{
    int found = -1;
    for (int i = 0; i < r->count; i++) {
        const RiRosEndpoint *e = &r->endpoints[i];
        if (e->out || e->kind == RI_ROS_PAUSE || e->kind == RI_ROS_STEP || e->kind == RI_ROS_RESET ||
            !is_type(type, e->type->name))
            continue;
        if (strcmp(e->name, topic) == 0)
            return i;
        const char *own = within(r, e->name);
        const size_t n = strlen(topic), tail = strlen(own);
        if (n >= tail && strcmp(topic + n - tail, own) == 0)
            found = i;
    }
    return found;
}

bool ri_ros_command(RiRos *r, int topic, const void *bytes, size_t size)
{
    RiRosMessage *m = ri_ros_message_new(topic, size);
    char why[RI_ROS_WHY] = "out of memory";
    r->streams[topic].count++;
    r->stats.received++;
    if (m) {
        memcpy(m->bytes, bytes, size);
        m->size = size;
        why[0] = '\0';
    }
    const bool good = m && ri_ros_obey(r, m, why);
    if (good)
        r->streams[topic].last_refusal[0] = '\0';
    else
        refuse(r, topic, why);
    ri_ros_message_unref(m);
    return good;
}

void ri_ros_keep(RiRos *r)
{
    ri_ros_follow(r);
}

// --- pace ----------------------------------------------------------------------------------------

void ri_ros_reset_pace(RiRos *r)
{
    r->wall0 = ri_ros_clock();
    r->time0 = ri_sim_time(r->sim);
    if (r->asked > 0.0)
        r->asked = r->told = r->wall0; // answers that have come hold
}

void ri_ros_reset_cycle(RiRos *r)
{
    r->cycle_done = -1;
    r->next_due = 0;
    ri_ros_forget_shots(r);
    r->asked = r->told = 0.0;
    for (int i = 0; i < r->count; i++)
        r->streams[i].answered = false;
}

static bool all_answered(const RiRos *r)
{
    for (int i = 0; i < r->count; i++)
        if (r->endpoints[i].keep_all && !r->streams[i].answered)
            return false;
    return true;
}

static void name_missing(const RiRos *r, char *out, size_t room)
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < r->count; i++)
        if (r->endpoints[i].keep_all && !r->streams[i].answered && used < room)
            used += (size_t)snprintf(out + used, room - used, "%s%s (%d publishers)", used ? ", " : "",
                                     r->endpoints[i].name, r->transport->peers(r->self, i));
}

/// A cycle begins: its answers are outstanding.
static void begin_cycle(RiRos *r)
{
    for (int i = 0; i < r->count; i++)
        r->streams[i].answered = false;
    r->asked = r->told = ri_ros_clock();
    r->timed_out = false;
}

/// Lock-step: whether the cycle that begins at this tick has its commands.
static RiRosTurn cycle_turn(RiRos *r, double seconds)
{
    const long long tick = ri_sim_tick(r->sim);
    char missing[160];
    if (tick % r->cycle != 0 || r->cycle_done == tick)
        return RI_ROS_TURN_STEP;
    if (r->asked == 0.0)
        begin_cycle(r);
    if (!all_answered(r))
        obey_all(r, fmin(seconds, again));
    if (r->asked == 0.0 || (r->paused && r->steps == 0))
        return RI_ROS_TURN_WAIT; // one of the messages was a reset or a pause
    const double now = ri_ros_clock();
    if (!all_answered(r) && now - r->asked >= r->options.timeout) {
        name_missing(r, missing, sizeof missing);
        ri_ros_tell(r, "lock-step at %.9g s: no command within %.3g s on %s", ri_sim_time(r->sim), r->options.timeout,
                    missing);
        if (!r->options.hold)
            return RI_ROS_TURN_END;
    } else if (!all_answered(r)) {
        if (now - r->told >= again) {
            r->told = now;
            send_due(r, true);
        }
        return RI_ROS_TURN_WAIT;
    }
    r->cycle_done = tick;
    r->asked = 0.0;
    return RI_ROS_TURN_STEP;
}

/// Real time: whether the wall clock has come to the next tick.
static RiRosTurn clock_turn(RiRos *r, double seconds)
{
    const double time = ri_sim_time(r->sim);
    const double ahead = (time - r->time0) / r->options.speed - (ri_ros_clock() - r->wall0);
    if (ahead < -late)
        ri_ros_reset_pace(r); // the machine is too slow: go on from here
    if (ahead <= 0.0)
        return RI_ROS_TURN_STEP;
    obey_all(r, fmin(ahead, seconds));
    return ahead <= seconds && !r->paused ? RI_ROS_TURN_STEP : RI_ROS_TURN_WAIT;
}

RiRosTurn ri_ros_wait(RiRos *r, double seconds)
{
    const bool lockstep = r->options.pace == RI_ROS_LOCKSTEP;
    const long long tick = ri_sim_tick(r->sim);
    RiRosTurn turn = RI_ROS_TURN_STEP;
    if (!lockstep)
        obey_all(r, 0.0);
    if (r->paused && r->steps == 0) {
        obey_all(r, seconds);
        if (ri_sim_tick(r->sim) == tick)
            ri_ros_reset_pace(r);
        return RI_ROS_TURN_WAIT;
    }
    if (lockstep)
        turn = cycle_turn(r, seconds);
    else if (r->options.pace == RI_ROS_REAL_TIME && !r->paused)
        turn = clock_turn(r, seconds);
    if (turn == RI_ROS_TURN_STEP)
        ri_ros_follow(r);
    return turn;
}

// --- without peers -------------------------------------------------------------------------------

static RiStatus open_nobody(const RiRosSetup *setup, void **out_self)
{
    *out_self = (void *)setup;
    return RI_OK;
}

static bool publish_to_nobody(void *self, RiRosMessage *m)
{
    (void)self;
    (void)m;
    return true;
}

static int count_nobody(void *self, int endpoint)
{
    (void)self;
    (void)endpoint;
    return 0;
}

static void close_nobody(void *self)
{
    (void)self;
}

static const RiRosTransport nobody = {.name = "no peers",
                                      .open = open_nobody,
                                      .publish = publish_to_nobody,
                                      .peers = count_nobody,
                                      .close = close_nobody};

// --- life cycle ----------------------------------------------------------------------------------

/// What a node calls itself and its names begin with.
static void set_names(RiRos *r)
{
    snprintf(r->setup.space, sizeof r->setup.space, "/%s", r->options.space);
    ri_ros_join_name(r->node, sizeof r->node, r->setup.space, r->options.node);
}

static RiStatus open_queues(RiRos *r)
{
    r->inbox_made = ri_ros_queue_init(&r->inbox, INBOX, INBOX_BYTES);
    r->outbox_made = r->inbox_made && ri_ros_queue_init(&r->outbox, r->options.queue, (size_t)r->options.queue_bytes);
    return r->outbox_made ? RI_OK : ri_error(r->ctx, RI_ERR_MEMORY, "out of memory");
}

/// Lock-step needs a topic that it can wait for: without one it would run freely.
static RiStatus check_answers(const RiRos *r)
{
    bool any = r->options.pace != RI_ROS_LOCKSTEP;
    for (int i = 0; i < r->count; i++)
        any |= r->endpoints[i].keep_all;
    return any ? RI_OK
               : ri_error(r->ctx, RI_ERR_ARGUMENT,
                          "ros: lock-step has nothing to wait for: no topic of answers '%s' is on (docs/ros.md)",
                          r->options.answers);
}

static RiStatus open_link(RiRos *r)
{
    const double tick = ri_sim_options(r->sim)->tick;
    set_names(r);
    RI_TRY(ri_ros_find_joints(r));
    RI_TRY(ri_ros_find_topics(r));
    RI_TRY(check_answers(r));
    ri_ros_find_drive(r);
    RI_TRY(open_queues(r));
    r->cycle = (long long)fmax(1.0, round(1.0 / (r->options.cycle * tick)));
    r->gravity = ri_sim_options(r->sim)->gravity;
    if (!(r->start_state = malloc(ri_sim_state_size(r->sim) + 1)))
        return ri_error(r->ctx, RI_ERR_MEMORY, "out of memory");
    ri_sim_save_state(r->sim, r->start_state);
    const int lidars = ri_scene_lidar_count(r->scene);
    if (lidars > 0 && !(r->reels = calloc((size_t)lidars, sizeof *r->reels)))
        return ri_error(r->ctx, RI_ERR_MEMORY, "out of memory");
    r->setup.ctx = r->ctx;
    r->setup.options = &r->options;
    r->setup.endpoints = r->endpoints;
    r->setup.count = r->count;
    r->setup.inbox = &r->inbox;
    RI_TRY(r->transport->open(&r->setup, &r->self));
    if (pthread_create(&r->publisher, NULL, publish, r) != 0)
        return ri_error(r->ctx, RI_ERR_IO, "%s: cannot start a thread", r->transport->name);
    r->threaded = true;
    ri_ros_reset_cycle(r);
    ri_ros_reset_pace(r);
    send_latched(r);
    send_due(r, true);
    return RI_OK;
}

RiStatus ri_ros_create(RiContext *ctx, RiScene *scene, const RiRosOptions *options, RiRosVersion version,
                       RiRos **out_ros)
{
    const RiRosTransport *transport = version == RI_ROS_VERSION_2   ? &ri_ros_dds
                                      : version == RI_ROS_VERSION_1 ? &ri_ros_tcp
                                                                    : &nobody;
    return ri_ros_create_on(ctx, scene, options, transport, out_ros);
}

RiStatus ri_ros_create_on(RiContext *ctx, RiScene *scene, const RiRosOptions *options, const RiRosTransport *transport,
                          RiRos **out_ros)
{
    *out_ros = NULL;
    RiRos *r = calloc(1, sizeof *r);
    if (!r)
        return ri_error(ctx, RI_ERR_MEMORY, "out of memory");
    r->ctx = ctx;
    r->scene = scene;
    r->sim = ri_scene_sim(scene);
    r->options = options ? *options : *ri_scene_ros(scene);
    r->transport = transport;
    r->device = -1;
    const RiStatus status = open_link(r);
    if (status != RI_OK) {
        ri_ros_destroy(r);
        return status;
    }
    *out_ros = r;
    return RI_OK;
}

void ri_ros_destroy(RiRos *r)
{
    if (!r)
        return;
    if (r->outbox_made)
        ri_ros_queue_close(&r->outbox);
    if (r->threaded)
        pthread_join(r->publisher, NULL);
    if (r->self)
        r->transport->close(r->self);
    if (r->inbox_made)
        ri_ros_queue_free(&r->inbox);
    if (r->outbox_made)
        ri_ros_queue_free(&r->outbox);
    ri_ros_stop_following(r);
    ri_perception_destroy(r->perception);
    for (int i = 0; r->reels && i < ri_scene_lidar_count(r->scene); i++)
        free(r->reels[i].returns);
    free(r->reels);
    free(r->start_state);
    free(r->wheels);
    free(r->joints);
    free(r->joint_values);
    free(r->joint_numbers);
    free((void *)r->frames);
    free(r->frame_text);
    free(r->endpoints);
    free(r->streams);
    free(r);
}

// --- what others may know ------------------------------------------------------------------------

RiRosStats ri_ros_stats(const RiRos *r)
{
    RiRosStats s = r->stats;
    for (int i = 0; i < r->count; i++) {
        s.dropped += atomic_load(&r->streams[i].dropped);
        s.peers += r->transport->peers(r->self, i);
    }
    s.dropped += ri_ros_queue_dropped((RiRosQueue *)&r->inbox);
    return s;
}

int ri_ros_topic_count(const RiRos *r)
{
    return r->count;
}

RiRosTopicInfo ri_ros_topic(const RiRos *r, int index)
{
    const RiRosEndpoint *e = &r->endpoints[index];
    const RiRosStream *s = &r->streams[index];
    const double tick = ri_sim_options(r->sim)->tick;
    return (RiRosTopicInfo){.name = e->name,
                            .type = e->type->name,
                            .kind = e->kind,
                            .out = e->out,
                            .rate = s->period > 0 ? 1.0 / (tick * (double)s->period) : 0.0,
                            .count = s->count,
                            .dropped = atomic_load(&s->dropped),
                            .peers = r->transport->peers(r->self, index)};
}

const char *ri_ros_node_name(const RiRos *r)
{
    return r->node;
}

int ri_ros_joint_count(const RiRos *r)
{
    return r->joint_count;
}

RiRosJointInfo ri_ros_joint(const RiRos *r, int index)
{
    const RiRosJoint *j = &r->joints[index];
    const RiValues *t = ri_sim_values(r->sim);
    return (RiRosJointInfo){.name = j->name,
                            .position = j->to_position >= 0 ? ri_values_get(t, j->to_position)->name : NULL,
                            .velocity = j->to_velocity >= 0 ? ri_values_get(t, j->to_velocity)->name : NULL,
                            .effort = j->to_effort >= 0 ? ri_values_get(t, j->to_effort)->name : NULL,
                            .refusal = j->refusal};
}

bool ri_ros_type_facts(const char *type, char out_hash[72], char out_md5[33])
{
    _Static_assert(RI_ROS_HASH <= 72, "the caller's room");
    const RiRosType *t = ri_ros_type_find(type);
    return t && ri_ros_type_hash(t, out_hash) && ri_ros_type_md5(t, out_md5);
}
