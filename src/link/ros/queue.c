// SPDX-License-Identifier: Apache-2.0
/// \file
/// The queue between the simulation's thread and those of a link.
#include "link/ros/queue.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

bool ri_ros_queue_init(RiRosQueue *q, int room, size_t most_bytes)
{
    pthread_condattr_t attr;
    *q = (RiRosQueue){.room = room, .most_bytes = most_bytes};
    q->ring = calloc((size_t)room, sizeof *q->ring);
    pthread_mutex_init(&q->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&q->filled, &attr);
    pthread_cond_init(&q->emptied, &attr);
    pthread_cond_init(&q->crowded, &attr);
    pthread_condattr_destroy(&attr);
    return q->ring != NULL;
}

void ri_ros_queue_close(RiRosQueue *q)
{
    pthread_mutex_lock(&q->lock);
    q->closed = true;
    pthread_cond_broadcast(&q->filled);
    pthread_cond_broadcast(&q->emptied);
    pthread_cond_broadcast(&q->crowded);
    pthread_mutex_unlock(&q->lock);
}

void ri_ros_queue_free(RiRosQueue *q)
{
    for (int i = 0; q->ring && i < q->count; i++)
        ri_ros_message_unref(q->ring[(q->first + i) % q->room]);
    free(q->ring);
    pthread_cond_destroy(&q->filled);
    pthread_cond_destroy(&q->emptied);
    pthread_cond_destroy(&q->crowded);
    pthread_mutex_destroy(&q->lock);
}

/// A message that is larger than the whole allowance goes through alone.
static bool fits(const RiRosQueue *q, const RiRosMessage *m)
{
    return q->count < q->room && (q->count == 0 || q->bytes + m->size <= q->most_bytes);
}

static bool is_crowded(const RiRosQueue *q)
{
    return q->count > q->room / 2 || q->bytes > q->most_bytes / 2;
}

bool ri_ros_queue_put(RiRosQueue *q, RiRosMessage *m, bool wait)
{
    pthread_mutex_lock(&q->lock);
    while (wait && !q->closed && !fits(q, m))
        pthread_cond_wait(&q->emptied, &q->lock);
    const bool taken = !q->closed && fits(q, m);
    if (taken) {
        q->ring[(q->first + q->count++) % q->room] = m;
        q->bytes += m->size;
        pthread_cond_signal(&q->filled);
        if (is_crowded(q))
            pthread_cond_signal(&q->crowded);
    } else {
        q->dropped++;
    }
    pthread_mutex_unlock(&q->lock);
    if (!taken)
        ri_ros_message_unref(m);
    return taken;
}

/// When a wait ends.
static struct timespec end_of_wait(double seconds)
{
    struct timespec t;
    const double whole = floor(seconds);
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += (time_t)whole;
    t.tv_nsec += (long)((seconds - whole) * 1e9);
    if (t.tv_nsec >= 1000000000L) {
        t.tv_nsec -= 1000000000L;
        t.tv_sec++;
    }
    return t;
}

RiRosMessage *ri_ros_queue_take(RiRosQueue *q, double seconds)
{
    RiRosMessage *m = NULL;
    pthread_mutex_lock(&q->lock);
    if (q->count == 0 && !q->closed && seconds > 0.0) {
        const struct timespec until = end_of_wait(seconds);
        while (q->count == 0 && !q->closed)
            if (pthread_cond_timedwait(&q->filled, &q->lock, &until) == ETIMEDOUT)
                break;
    }
    if (q->count > 0) {
        m = q->ring[q->first];
        q->first = (q->first + 1) % q->room;
        q->count--;
        q->bytes -= m->size;
        pthread_cond_signal(&q->emptied);
    }
    pthread_mutex_unlock(&q->lock);
    return m;
}

void ri_ros_queue_nap(RiRosQueue *q, double seconds)
{
    const struct timespec until = end_of_wait(seconds);
    pthread_mutex_lock(&q->lock);
    while (!q->closed && !is_crowded(q))
        if (pthread_cond_timedwait(&q->crowded, &q->lock, &until) == ETIMEDOUT)
            break;
    pthread_mutex_unlock(&q->lock);
}

bool ri_ros_queue_is_done(RiRosQueue *q)
{
    pthread_mutex_lock(&q->lock);
    const bool done = q->closed && q->count == 0;
    pthread_mutex_unlock(&q->lock);
    return done;
}

long long ri_ros_queue_dropped(RiRosQueue *q)
{
    pthread_mutex_lock(&q->lock);
    const long long dropped = q->dropped;
    pthread_mutex_unlock(&q->lock);
    return dropped;
}
