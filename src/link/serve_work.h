// SPDX-License-Identifier: Apache-2.0
/// \file
/// The variable server's inside: clients, their bindings and subscriptions. Sockets are in serve.c;
/// what requests mean is in serve_session.c, which sees bytes only and is what the fuzz target
/// drives.
///
///     bytes in --(ri_session_feed)--> requests --> values, ticks wanted --> bytes out
#ifndef RI_LINK_SERVE_WORK_H
#define RI_LINK_SERVE_WORK_H

#include <rille/serve.h>

#include "link/text.h"

enum {
    SERVE_CLIENTS = 32,
    SERVE_INPUT = 256 * 1024,       ///< longest request [bytes]
    SERVE_OUTPUT = 4 * 1024 * 1024, ///< that may wait for a client [bytes]; samples beyond half of it are dropped
    SERVE_BINDINGS = 8,
    SERVE_SUBSCRIPTIONS = 16,
    SERVE_PICKED = 16384, ///< values of one binding or subscription
    SERVE_BATCH = 64,     ///< requests of one client in a row before it is the turn of others
    SERVE_WORDS = 4096    ///< of a line
};

/// Frames: size of the payload (u32), kind (u8), flags (u8), tag (u16), payload; little-endian.
enum { FRAME_HEAD = 8 };
enum {
    FRAME_TEXT = 1,  ///< a request as text; the answer has FRAME_REPLY
    FRAME_CYCLE = 2, ///< doubles for the inputs of binding `tag`
    FRAME_DATA = 3,  ///< to the client: a sample of subscription `tag`: time, values
    FRAME_EVENT = 4, ///< to the client: text
    FRAME_REPLY = 128
};
enum { FLAG_ERROR = 1, FLAG_HELD = 2, FLAG_ENDED = 4 };

/// Inputs and outputs that go together with a number of ticks.
typedef struct ServeBinding {
    bool used;
    int ticks;
    int *in, *out;
    int in_count, out_count;
    double *x; ///< [out_count]
} ServeBinding;

typedef struct ServeSubscription {
    bool used;
    long long period; ///< [ticks]
    int *values;
    int count;
    double *x; ///< [count]
    long long dropped;
} ServeSubscription;

typedef struct ServeClient {
    int fd; ///< -1: not in use
    int number;
    bool trusted, binary, closing;
    double since, heard; ///< wall clock: when it came, when it last said something [s]
    char *in;            ///< [SERVE_INPUT]
    size_t in_size;
    RiText out;
    size_t out_sent;
    ServeBinding bindings[SERVE_BINDINGS];
    ServeSubscription subscriptions[SERVE_SUBSCRIPTIONS];
    uint16_t tag;  ///< of the frame being answered
    bool stepping; ///< has stepped the simulation: it is missed when it goes
} ServeClient;

struct RiServe {
    RiContext *ctx;
    RiAllocator memory; ///< the context's
    RiSim *sim;
    RiServeOptions options;
    char path[108], token[RI_SERVE_TOKEN + 1], *folder;
    int local, tcp, port; ///< listening sockets, -1
    ServeClient clients[SERVE_CLIENTS];
    int next_number;
    RiServeCounts counts;

    bool running, quit, lost, ended;
    double speed;
    double begun, begun_time; ///< wall clock and simulated time at which pacing began [s]
    double looked;            ///< wall clock of the last look at the sockets [s]
    long long ticks_wanted;   ///< for the client `stepper`
    ServeClient *stepper;     ///< who waits for ticks; NULL: nobody
    int stepper_binding;      ///< what it gets afterwards; -1: the time
    bool stepper_held;        ///< a set-point of its cycle was refused
    ServeClient *spin;        ///< who is likely to ask again at once
    char why[256];
    char noted[512]; ///< the last refusal that was noted, so that a stream of NaN gives one note
};

double ri_serve_clock(void);
/// Bytes that came from a client; carries out all complete requests, at most SERVE_BATCH of them.
/// True if complete ones are left.
bool ri_session_feed(RiServe *s, ServeClient *c, const void *data, size_t size);
/// A client comes, and goes.
bool ri_session_open(RiServe *s, ServeClient *c, bool trusted);
void ri_session_close(RiServe *s, ServeClient *c);
/// Answers a client whose ticks have been made.
void ri_session_stepped(RiServe *s, const char *error);
/// Puts what is subscribed into the clients' output.
void ri_session_sample(RiServe *s);
/// Tells a client something it did not ask for.
void ri_session_event(RiServe *s, ServeClient *c, const char *text);
void ri_serve_note(RiServe *s, const char *format, ...) RI_PRINTF(2, 3);

#endif
