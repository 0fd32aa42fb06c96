// SPDX-License-Identifier: Apache-2.0
/// \file
/// A bounded queue of messages between two threads. What does not fit is dropped and counted.
#ifndef RI_LINK_ROS_QUEUE_H
#define RI_LINK_ROS_QUEUE_H

#include <pthread.h>

#include "link/ros/wire.h"

typedef struct RiRosQueue {
    pthread_mutex_t lock;
    pthread_cond_t filled, emptied, crowded;
    RiRosMessage **ring;
    int room, first, count;
    size_t bytes, most_bytes;
    long long dropped;
    bool closed;
} RiRosQueue;

/// False: no memory.
bool ri_ros_queue_init(RiRosQueue *q, int room, size_t most_bytes);
/// Ends waits of both sides; may be called from any thread.
void ri_ros_queue_close(RiRosQueue *q);
void ri_ros_queue_free(RiRosQueue *q);

/// Takes over a message. False: it did not fit (or the queue is closed) and is gone. `wait`: waits
/// for room instead.
bool ri_ros_queue_put(RiRosQueue *q, RiRosMessage *m, bool wait);
/// The oldest message; NULL after `seconds` without one, or when closed and empty.
RiRosMessage *ri_ros_queue_take(RiRosQueue *q, double seconds);
/// Waits until `seconds` are over, more than half of the room is taken, or the queue is closed. A
/// single message does not end it, so that whoever puts messages need not wake anybody.
void ri_ros_queue_nap(RiRosQueue *q, double seconds);
/// Closed, and nothing is left in it.
bool ri_ros_queue_is_done(RiRosQueue *q);
long long ri_ros_queue_dropped(RiRosQueue *q);

#endif
