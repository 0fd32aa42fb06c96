// SPDX-License-Identifier: Apache-2.0
/// \file
/// The variable server: other programs read and write the named values of a simulation, and step
/// it.
///
///     client --(TCP or local socket: lines of text, or frames)--> RiServe --(between ticks)--> RiSim
///
/// Requests, replies and frames: docs/variable-server.md. A program that owns a simulation asks
/// ri_serve_turn what to do next, makes the tick that is asked for, and says so with
/// ri_serve_ticked:
///
///     for (RiServeTurn turn; (turn = ri_serve_turn(serve, 0.1)) < RI_SERVE_QUIT;)
///         if (turn == RI_SERVE_TICK)
///             ri_serve_ticked(serve, ri_sim_step(sim));
///
/// Requests are carried out between ticks only, in the order in which they arrive, so a run whose
/// clients own time (requests `step` and `cycle`) is repeated bit by bit by equal requests.
///
/// Sockets listen on this machine unless asked otherwise. TCP always wants the token; the local
/// socket may be opened by its owner only.
///
/// Threads and ownership: a server belongs to the simulation's thread and has no other; it borrows
/// the simulation. Nothing that a client does makes ri_serve_turn wait longer than it is told to.
#ifndef RILLE_SERVE_H
#define RILLE_SERVE_H

#include <rille/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What happens when a client that steps the simulation goes away.
typedef enum RiServeLost {
    RI_SERVE_LOST_PAUSE, ///< the simulation waits for another client
    RI_SERVE_LOST_RUN,   ///< it runs on by itself, with the last set-points
    RI_SERVE_LOST_STOP   ///< ri_serve_turn answers RI_SERVE_LOST
} RiServeLost;

enum { RI_SERVE_TOKEN = 64 }; ///< longest token [bytes]

typedef struct RiServeOptions {
    const char *path;   ///< of the local socket; NULL: none. A socket left there by a dead server is replaced
    const char *listen; ///< address for TCP, "127.0.0.1"; NULL: no TCP
    int port;           ///< for TCP; 0: a free one
    const char *token;  ///< 16 to RI_SERVE_TOKEN letters, digits, '-' or '_'; NULL: a random one
    bool running;       ///< ticks are made without being asked for; default: the simulation waits
    double speed;       ///< simulated seconds per second while it runs; 0, the default: as fast as it can
    RiServeLost lost;   ///< default RI_SERVE_LOST_PAUSE
    /// Seconds that a client which steps may be silent before it is taken for lost; 0, the default:
    /// any
    double patience;
    const char *folder; ///< of checkpoints that clients ask for; NULL: they are refused
    /// Told about clients that come, go, or send what is refused; may be NULL. The text is valid
    /// during the call.
    void (*note)(void *user, const char *text);
    void *user;
} RiServeOptions;
/// The defaults that its fields name.
RiServeOptions ri_serve_options_default(void);

typedef struct RiServe RiServe;

/// Starts to listen. Options are copied. RI_ERR_ARGUMENT names the option, RI_ERR_IO the address
/// that cannot be used.
RI_MUST_CHECK RiStatus ri_serve_create(RiContext *ctx, RiSim *sim, const RiServeOptions *options, RiServe **out_serve);
/// Closes all connections and removes the local socket.
void ri_serve_destroy(RiServe *s);

/// Port of TCP; 0 without TCP.
int ri_serve_port(const RiServe *s);
/// The token that clients must send; borrowed.
const char *ri_serve_token(const RiServe *s);

/// What the owner of the simulation does next.
typedef enum RiServeTurn {
    RI_SERVE_WAIT, ///< nothing: ask again
    RI_SERVE_TICK, ///< make a tick, then call ri_serve_ticked
    RI_SERVE_QUIT, ///< end: a client asked for it
    RI_SERVE_LOST  ///< end: a client that stepped the simulation is gone (RI_SERVE_LOST_STOP)
} RiServeTurn;

/// Carries out requests until a tick is due, at most for `seconds` of the wall clock. Signals end
/// the wait.
RI_MUST_CHECK RiServeTurn ri_serve_turn(RiServe *s, double seconds);
/// A tick has been made, or failed: answers those who wait for it and sends what is subscribed.
void ri_serve_ticked(RiServe *s, RiStatus status);
/// The run has ended: clients are told why, later requests for ticks are refused with that
/// sentence.
void ri_serve_end(RiServe *s, const char *why);
/// Why the end was asked for, or came; "" before.
const char *ri_serve_why(const RiServe *s);

typedef struct RiServeCounts {
    int clients;        ///< connected now
    long long requests; ///< carried out or refused
    long long refused;  ///< set-points that were not finite, out of limits or read-only: the last good ones were held
    long long dropped;  ///< samples of subscriptions that a slow client did not fetch in time
    long long turned_away; ///< connections without the token, too many, or with malformed bytes
} RiServeCounts;
/// Counts since the server was opened.
RiServeCounts ri_serve_counts(const RiServe *s);

#ifdef __cplusplus
}
#endif
#endif
