// SPDX-License-Identifier: Apache-2.0
/// \file
/// The Foxglove WebSocket protocol, version 1, as a server of channels: poses of each run as
/// tf2_msgs/TFMessage, and each value whose history is kept as a channel of its own. Schemas are
/// ROS 2 messages in CDR, as in our logs.
#ifndef RI_LINK_FOXGLOVE_H
#define RI_LINK_FOXGLOVE_H

#define RI_FOXGLOVE_PROTOCOL "foxglove.websocket.v1"

#ifdef RILLE_HAVE_WEBSOCKETS
#include "link/server.h"

enum { FOX_SUBSCRIPTIONS = 128 };

typedef struct FoxSubscription {
    bool used;
    uint32_t id, channel;
    uint32_t seq; ///< of the last frame sent
    int sent;     ///< samples sent
    int generation;
} FoxSubscription;

typedef struct FoxClient {
    bool greeted;
    int runs, series; ///< advertised
    int next;         ///< subscription whose turn it is
    FoxSubscription subscriptions[FOX_SUBSCRIPTIONS];
} FoxClient;

/// A whole text message of the client.
void ri_fox_receive(ViewServer *s, Client *c, const char *text, size_t size);
bool ri_fox_has_news(ViewServer *s, Client *c, double now);
/// The next message, into s->out; false if there is none.
bool ri_fox_next(ViewServer *s, Client *c, double now, bool *out_text);
#endif

#endif
