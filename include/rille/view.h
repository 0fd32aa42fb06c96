// SPDX-License-Identifier: Apache-2.0
/// \file
/// The viewer's server: shows runs to web pages, live or from a log, and brings back what their
/// users ask for.
///
///     simulation thread:  ri_view_frame (one copy) ----> service thread ----> pages (HTTP, WebSocket)
///                         ri_view_poll  <--(commands)--- service thread <---- pages
///
/// docs/viewer-protocol.md describes the messages. State is the server's: scene,
/// values, events and tiles are kept and sent to every page that comes, whenever it comes; of the
/// frames the latest wins. A page that cannot keep up misses frames, and one that does not read its
/// answers is sent away. The simulation never waits for a page.
///
/// Upper half: the server itself, for any program. Lower half: a scene's simulation or logs shown
/// with it (RiLive, RiReplay).
///
/// Threads and ownership: a view has one service thread of its own. Its functions are called from
/// one other thread, that of the simulation. Its memory comes from the options' allocator, which
/// both threads use.
#ifndef RILLE_VIEW_H
#define RILLE_VIEW_H

#include <stdint.h>

#include <rille/mesh.h>
#include <rille/record.h>
#include <rille/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RiView RiView;

enum { RI_VIEW_RUNS = 2 };

typedef struct RiViewOptions {
    const char *listen; ///< IPv4 address to listen at; NULL: 127.0.0.1, this machine only
    int port;           ///< 0: a free one
    const char *token;  ///< 16 to 64 letters or digits; NULL: 128 random bits
    const char *const *
        origins; ///< pages of other servers that may connect ("https://app.foxglove.dev"); the token is asked for all the same
    int origin_count;
    bool replay;                  ///< what pages are told: a log is shown, not a running simulation
    double start, end;            ///< of the runs [s]
    const RiAllocator *allocator; ///< used from two threads; NULL: malloc, realloc, free
} RiViewOptions;

/// The defaults that its fields name.
RiViewOptions ri_view_options_default(void);

/// Starts the server. RI_ERR_UNSUPPORTED in a build without libwebsockets, RI_ERR_IO if the port is
/// taken. `options` may be NULL.
RI_MUST_CHECK RiStatus ri_view_create(RiContext *ctx, const RiViewOptions *options, RiView **out_view);
/// Stops the service thread; pages see the connection end.
void ri_view_destroy(RiView *view);

/// Address of the page, token included.
const char *ri_view_url(const RiView *view);
/// Port on which pages are served.
int ri_view_port(const RiView *view);
/// Pages connected now.
int ri_view_client_count(const RiView *view);

/// Pages are greeted from here on: runs, scenes and values are declared. Until then they wait.
void ri_view_ready(RiView *view);

// --- what pages are shown ------------------------------------------------------------------------

/// Declares a run (at most RI_VIEW_RUNS), before its frames.
typedef struct RiViewRun {
    const char *name;              ///< shown in the page
    const char *scene;             ///< the scene's name
    int bodies, springs, contacts; ///< most in a frame
    const char *const *names;      ///< [bodies], for programs that show frames by name; may be NULL
} RiViewRun;
/// Declares it and gives its number. RI_ERR_LIMIT: too many runs or bodies.
RI_MUST_CHECK RiStatus ri_view_add_run(RiView *view, const RiViewRun *def, int *out_run);

/// Keeps a message for all pages, present and future. A message of the same key replaces the
/// earlier one. Text is JSON of the protocol.
RI_MUST_CHECK RiStatus ri_view_keep(RiView *view, uint64_t key, bool text, const void *data, size_t size);

/// Keeps a mesh, in the form that pages fetch as /mesh/N.
RI_MUST_CHECK RiStatus ri_view_add_mesh(RiView *view, const void *data, size_t size, int *out_number);

typedef enum RiViewEventKind {
    RI_VIEW_EVENT_NOTE,
    RI_VIEW_EVENT_STOP,
    RI_VIEW_EVENT_COMMAND,
    RI_VIEW_EVENT_VALIDITY,
    RI_VIEW_EVENT_CHECKPOINT
} RiViewEventKind;
/// An event for the timeline. At most 4096 are kept; later ones are counted in the last.
void ri_view_event(RiView *view, int run, RiViewEventKind kind, double time, const char *text);

typedef struct RiViewContact {
    RiVec3 point, force; ///< world axes [m], [N]
} RiViewContact;
typedef struct RiViewSpring {
    RiVec3 from, to; ///< [m]
    double force;    ///< pull [N]
} RiViewSpring;

/// The progress of a run.
typedef struct RiViewStatus {
    double time, speed, rtf; ///< [s], asked and reached simulated seconds per second
    long long steps;
    bool paused, gravity_on;
    char stopped[160]; ///< why it ended, "" while it goes on
} RiViewStatus;

typedef struct RiViewFrame {
    RiViewStatus status;
    bool pulls; ///< the contacts are the pulls of a placement that is under way
    int bodies, contacts, springs;
    const RiPose *poses;
    const RiViewContact *contact;
    const RiViewSpring *spring;
} RiViewFrame;
/// Publishes the newest picture of a run: one pass over the frame; nothing is allocated and no lock
/// taken.
void ri_view_frame(RiView *view, int run, const RiViewFrame *frame);
/// Frames per second that the fastest page wants, 0 if there is no page; and the costly layers that
/// any page wants.
double ri_view_rate(const RiView *view);
enum {
    RI_VIEW_CONTACTS = 1,
    RI_VIEW_RUTS = 2,
    RI_VIEW_PATH = 4,
    RI_VIEW_PICTURES = 8, ///< of cameras
    RI_VIEW_CLOUDS = 16,  ///< of lidars
    RI_VIEW_SIGHTS = 32   ///< what cameras see of the ground
};
/// The costly layers that any page wants: bits of the list above.
int ri_view_layers(const RiView *view);

// --- what pages ask for --------------------------------------------------------------------------

typedef enum RiViewOp {
    RI_VIEW_PAUSE,
    RI_VIEW_RESUME,
    RI_VIEW_RESTART,
    RI_VIEW_CHECKPOINT,
    RI_VIEW_STEP,    ///< number: ticks
    RI_VIEW_SPEED,   ///< number: factor, 0: as fast as it goes
    RI_VIEW_SEEK,    ///< number: time [s]
    RI_VIEW_GRAVITY, ///< on
    RI_VIEW_SET,     ///< name, text
    RI_VIEW_GET,     ///< name
    RI_VIEW_MOVE,    ///< position, quaternion; on: find a hold on the ground there
    RI_VIEW_PLOT,    ///< name, from, to
    RI_VIEW_UNPLOT,
    RI_VIEW_LAYER, ///< name, on
    RI_VIEW_RATE,  ///< number
    RI_VIEW_OP_COUNT
} RiViewOp;
/// Name of an operation in the protocol; never NULL.
const char *ri_view_op_name(RiViewOp op);

/// A request of a page, checked for form.
typedef struct RiViewCommand {
    RiViewOp op;
    uint32_t client; ///< who asked
    bool has_id;
    double id; ///< of the request, given back in the answer
    int run;
    double number;
    bool on;
    char name[160], text[256];
    RiVec3 position;
    RiQuat quaternion;
    double from, to; ///< [s]
} RiViewCommand;

/// The next request; false if there is none. Costs one atomic read when there is none.
bool ri_view_poll(RiView *view, RiViewCommand *out_command);
/// Answers a request; nothing happens if it had no id or the page has gone. `value` may be NAN for
/// none.
void ri_view_answer(RiView *view, const RiViewCommand *command, bool ok, double value, const char *format, ...)
    RI_PRINTF(5, 6);

/// A plotted value's history. Samples are appended by the simulation's thread without a lock; pages
/// get them as they come.
typedef struct RiViewSeries RiViewSeries;
/// The series of a name, created with room for `capacity` samples if there is none. At most 64;
/// RI_ERR_LIMIT beyond.
RI_MUST_CHECK RiStatus ri_view_add_series(RiView *view, int run, const char *name, const char *unit, int capacity,
                                          RiViewSeries **out_series);
/// Series of a value; NULL if there is none.
RiViewSeries *ri_view_find_series(RiView *view, int run, const char *name);
/// Adds a sample; ignored when the series is full.
void ri_view_sample(RiViewSeries *series, double time, double value);
/// Forgets the samples of a run, after a restart.
void ri_view_clear_series(RiView *view, int run);
/// The page that sent `command` gets the series from now on.
void ri_view_subscribe(RiView *view, const RiViewCommand *command, RiViewSeries *series);

// --- a scene, live -------------------------------------------------------------------------------

/// Puts what a replay needs into a log: the `scene` message as attachment "scene.json", and the
/// meshes it names as "mesh/N". A mesh file that cannot be read is left out.
RI_MUST_CHECK RiStatus ri_view_attach_scene(RiContext *ctx, const RiScene *scene, RiRecord *record);

/// Ruts into a log, for replays: channels `/ruts` and `/ruts/delta_1` to `_5` (docs/records.md).
/// Declared before the first write; record and ruts must outlive it.
typedef struct RiRutLog RiRutLog;
/// A writer of ruts into a record; both must outlive it.
RI_MUST_CHECK RiStatus ri_rut_log_create(RiContext *ctx, RiRecord *record, const RiRuts *ruts, RiRutLog **out_log);
/// Destroys it; NULL does nothing.
void ri_rut_log_destroy(RiRutLog *log);
/// Rounds depths to multiples of `step` [m]: a coarser log, which is smaller. 0, as at first:
/// exact.
void ri_rut_log_set_step(RiRutLog *log, double step);
/// Writes what has changed, at most twice a second.
RI_MUST_CHECK RiStatus ri_rut_log_write(RiRutLog *log, double time);

/// Planned paths of rovers with a device `locomotion` into a log: channel `/plan`
/// (docs/records.md). NULL in *out_log if there are none. Record and values must outlive it.
typedef struct RiPlanLog RiPlanLog;
/// A writer of planned ways into a record; record and values must outlive it.
RI_MUST_CHECK RiStatus ri_plan_log_create(RiContext *ctx, RiRecord *record, const RiValues *values,
                                          RiPlanLog **out_log);
/// Destroys it; NULL does nothing.
void ri_plan_log_destroy(RiPlanLog *log);
/// Writes the ways if they have changed since the last call.
RI_MUST_CHECK RiStatus ri_plan_log_write(RiPlanLog *log, double time);

typedef struct RiLive RiLive;

typedef struct RiLiveOptions {
    double speed;       ///< simulated seconds per second; 0: as fast as it goes; default 1
    bool paused;        ///< at the start
    bool may_restart;   ///< default true; false where a log is written
    const char *folder; ///< for checkpoints; NULL: the working directory
} RiLiveOptions;
/// The defaults that its fields name.
RiLiveOptions ri_live_options_default(void);

/// Shows one or two built scenes (A/B, stepped in lockstep). View and scenes must outlive it.
RI_MUST_CHECK RiStatus ri_live_create(RiContext *ctx, RiView *view, RiScene *const *scenes, int count,
                                      const RiLiveOptions *options, RiLive **out_live);
/// Destroys it; NULL does nothing.
void ri_live_destroy(RiLive *live);
/// Between ticks: carries out requests, publishes what is due. Reads the clock.
void ri_live_serve(RiLive *live);
/// The run whose tick is due by clock, speed and pause; -1: none, sleep a little.
int ri_live_due(RiLive *live);
/// Tells of a tick's outcome: samples plots; a failure or a stop condition ends the run.
void ri_live_stepped(RiLive *live, int run, RiStatus status);
/// Ends a run for the page: "duration is over".
void ri_live_stop(RiLive *live, int run, const char *why);
/// Whether a page has paused the run.
bool ri_live_is_paused(const RiLive *live);

// --- logs ----------------------------------------------------------------------------------------

typedef struct RiReplay RiReplay;

/// Shows one or two logs (A/B). RI_ERR_FORMAT says what a log of another tool lacks. A log without
/// the attachment "scene.json" is shown as balls at its frames. View and logs must outlive it.
RI_MUST_CHECK RiStatus ri_replay_create(RiContext *ctx, RiView *view, RiLog *const *logs, const char *const *names,
                                        int count, RiReplay **out_replay);
/// Destroys it; NULL does nothing.
void ri_replay_destroy(RiReplay *replay);
/// Carries out requests, moves on by the clock, publishes. To be called some hundred times a
/// second.
void ri_replay_serve(RiReplay *replay);

#ifdef __cplusplus
}
#endif
#endif
