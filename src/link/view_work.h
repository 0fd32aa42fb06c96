// SPDX-License-Identifier: Apache-2.0
/// \file
/// The view's inside: what the simulation's thread and the service thread share.
///
///     simulation thread                                service thread
///       frame slots (three buffers per run)   ------>   newest picture, to each page at its rate
///       kept messages, meshes                 ------>   to each page once per version
///       outbox (answers, subscriptions)       ------>   to one page
///       series (append-only arrays)           ------>   to pages that plot them
///                                     commands  <----   requests, checked
///
/// Invariants: frames and samples cross without a lock (an atomic exchange, an atomic counter).
/// Everything else is guarded by `lock`, which neither side holds for longer than it takes to copy.
/// Kept data are never freed while the service thread lives unless under `lock`; the service thread
/// copies under it, too.
#ifndef RI_LINK_VIEW_WORK_H
#define RI_LINK_VIEW_WORK_H

#include <pthread.h>
#include <stdatomic.h>

#include <rille/json.h>
#include <rille/version.h>
#include <rille/view.h>

#include "link/text.h"

enum {
    VIEW_COMMANDS = 256,      ///< requests waiting for the simulation
    VIEW_CLIENTS = 256,       ///< pages at once
    VIEW_SERIES = 64,         ///< plotted values
    VIEW_PLOTS = 32,          ///< of one page
    VIEW_EVENTS = 4096,       ///< kept
    VIEW_OUTBOX = 1024,       ///< answers not yet taken by the service thread
    VIEW_MESSAGE = 16 * 1024, ///< longest request [bytes]
    VIEW_QUEUE = 256 * 1024,  ///< answers that a page has not read yet [bytes]
    VIEW_KEPT = 512 << 20,    ///< of kept messages and meshes together [bytes]
    VIEW_HEAD = 24,           ///< bytes of a frame before its bodies
    VIEW_TOKEN = 64
};

/// A frame as it goes over the wire, and the state of its run.
typedef struct ViewPicture {
    RiViewStatus status;
    uint32_t seq;
    size_t size;
    unsigned char *data;
} ViewPicture;

/// Three buffers: the writer has one, the reader one, and the newest complete one is exchanged.
typedef struct ViewSlot {
    char *name, *scene;
    char **names; ///< of the bodies; NULL: not known
    int bodies, springs, contacts;
    ViewPicture pictures[3];
    int back, front;   ///< writer's, reader's
    atomic_int newest; ///< index, plus VIEW_FRESH if the reader has not seen it
    uint32_t seq;      ///< of the last frame written
} ViewSlot;
enum { VIEW_FRESH = 4 };

typedef struct ViewItem {
    uint64_t key, version;
    bool text;
    void *data;
    size_t size;
} ViewItem;

typedef struct ViewMesh {
    void *data;
    size_t size;
} ViewMesh;

struct RiViewSeries {
    int run, capacity;
    char *name, *unit;
    double *samples;       ///< time, value, time, value ...
    atomic_int count;      ///< samples that are there
    atomic_int generation; ///< grows, under the lock, when the series is cleared
};

/// Something for one page.
typedef struct ViewLetter {
    uint32_t client;
    char *text; ///< an answer, or NULL:
    double id;  ///< a subscription with this id ...
    int series; ///< ... to this series, from and to these times
    double from, to;
} ViewLetter;

/// Answers that one page will not get: there was no room or no memory for them.
typedef struct ViewLost {
    uint32_t client;
    int answers;
} ViewLost;

typedef struct ViewServer ViewServer;

struct RiView {
    RiContext *ctx; ///< of the simulation's thread
    RiAllocator memory;
    char token[VIEW_TOKEN + 1], url[256], host[64];
    bool replay, open; ///< open: listens beyond this machine
    double start, end;
    char **origins;
    int origin_count, port;

    pthread_mutex_t lock;
    ViewSlot slots[RI_VIEW_RUNS];
    atomic_int slot_count, ready;
    ViewItem *items; ///< in the order of their versions
    int item_count, item_capacity;
    uint64_t version; ///< of the newest item
    ViewMesh *meshes;
    int mesh_count, mesh_capacity;
    size_t kept; ///< bytes
    int event_count;
    RiViewSeries *series[VIEW_SERIES];
    atomic_int series_count;
    ViewLetter outbox[VIEW_OUTBOX];
    int outbox_count;
    ViewLost lost[VIEW_CLIENTS]; ///< reported to pages in the next round
    int lost_count;
    RiViewCommand commands[VIEW_COMMANDS];
    int command_first, command_count;
    atomic_int commands_waiting;

    atomic_int clients, layers;
    _Atomic double rate;
    ViewServer *server;
};

void *ri_view_alloc(RiView *v, size_t size); ///< NULL if there is no memory
void ri_view_release(RiView *v, void *block);
char *ri_view_copy(RiView *v, const char *text);

// --- for the service thread ----------------------------------------------------------------------

/// Newest picture of a run, NULL before the first. Valid until the next call for that run.
const ViewPicture *ri_view_newest(RiView *v, int run);
/// Hands a request to the simulation; false if too many wait.
bool ri_view_push(RiView *v, const RiViewCommand *command);

/// Starts and stops the service thread (server.c).
RI_MUST_CHECK RiStatus ri_server_start(RiView *v, const char *listen);
void ri_server_stop(RiView *v);

// --- messages (message.c) ------------------------------------------------------------------------

void ri_message_hello(RiView *v, RiText *out);
void ri_message_status(RiText *out, int run, const RiViewStatus *s, double wall, int clients, long long dropped);
void ri_message_answer(RiText *out, double id, bool ok, double value, const char *text);
/// Tells a page that this many of its answers were lost.
void ri_message_lost(RiText *out, int answers);
/// Samples [first, last) of a series, thinned to what a plot can show if there are very many.
void ri_message_series(RiText *out, double id, const RiViewSeries *s, int first, int last, bool append);

/// Wall clock [s], monotonic.
double ri_view_clock(void);

#endif
