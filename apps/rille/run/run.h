// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the files of `rille run` share.
///
///     words --(run_parse)--> RunArgs --(run_open)--> Run { scene, simulation } --(run_loop or run_prompt)--> outcome
///                                                    Run --(run_folder, run_log, run_finish)--> files of the run
#ifndef RILLE_APP_RUN_H
#define RILLE_APP_RUN_H

#include <stdio.h>
#include <sys/stat.h>

#include <rille/ros.h>

#include "cli.h"
#include "view/view.h"

/// The command line.
typedef struct RunArgs {
    const char *scene;
    RiSetting *settings;
    int setting_count;
    const char **packages; ///< -p
    int package_count;
    const char *out, *save_config, *resume, *list, *robot, *ruts, *dump_contact;
    bool ros, ros1; ///< --ros2 or --ros1; the latter
    bool realtime, list_scenes, parameters, interactive, quiet, json, view, pictures;
    int view_port; ///< 0: a free one
    double factor; ///< simulated seconds per second of the wall clock, with --realtime

    const char *replay; ///< bag with commands, NULL
    RiSetting *replay_map;
    int replay_map_count;
    bool serve, serve_wait; ///< a variable server; which begins paused
    bool serve_stay;        ///< the server outlives the run's end: `rille serve`
    const char *serve_path, *serve_token;
    char *serve_address; ///< of TCP, NULL; its colon is cut off
    int serve_port;
    RiServeLost serve_lost;
    double serve_patience; ///< [s]
} RunArgs;

/// How a run ended.
typedef enum RunStop {
    RUN_GOING,
    RUN_DURATION,    ///< the scene's duration is reached
    RUN_CONDITION,   ///< a stop condition became true
    RUN_QUIT,        ///< the prompt was left
    RUN_INTERRUPTED, ///< SIGINT or SIGTERM
    RUN_DIVERGED,    ///< the motion is not finite any more
    RUN_ERROR        ///< a command or a file failed
} RunStop;

/// Something that happened, for report and log.
typedef struct RunEvent {
    double time; ///< [s]
    char text[240];
} RunEvent;

/// The log file of a run; zeroed is none.
typedef struct RunLog {
    RiRecord *record;
    int values, frames, hashes, events; ///< groups, -1
    int contacts, springs;              ///< the same
    RiRutLog *ruts;                     ///< NULL: none
    RiPlanLog *plan;                    ///< NULL: none
    RiSensorLog *sensor_log;            ///< NULL: none
    RiSensors *sensors;
    float *list; ///< [list_room] numbers of a contact's or spring's list
    int list_room;
    int *picked; ///< [picked_count] indices of the logged values
    int picked_count;
    double *row;                   ///< [picked_count]
    RiPose *poses;                 ///< [links]
    long long period, hash_period; ///< [ticks]
    long long last;                ///< tick of the last row, -1
} RunLog;

/// What the sentences about a run are made of (run_story.c).
typedef struct RunStory {
    long long period;                 ///< ticks between samples
    int *slips, *sinkages, *energies; ///< indices of values
    int slip_count, sinkage_count, energy_count;
    bool floating;
    double start[3], last[3];              ///< position of the base [m]
    double heading;                        ///< at the start [rad]
    double way, sinkage_most;              ///< [m]
    double slip_sum, slip_most, tilt_most; ///< [-], [-], [rad]
    double energy_at_start;                ///< [J]
    long long slip_samples;
} RunStory;

enum { RUN_PICTURES = 2 + 16 };

typedef struct RunReplay RunReplay;

typedef struct Run {
    const RunArgs *args;
    RiContext *ctx;
    RiReport *report;
    RiScene *scene;
    RiSim *sim;
    char scene_path[PATH_MAX];
    char folder[PATH_MAX]; ///< of the files of the run
    int lock;              ///< descriptor of the locked folder, -1
    RunLog log;
    RunEvent *events;
    int event_count;
    bool events_lost; ///< there was no memory for one
    int violations;   ///< validity flags seen raised
    RunStory story;
    RiPerception *eyes; ///< with --pictures; NULL
    ViewPicture pictures[RUN_PICTURES];
    int picture_count;

    RiView *view; ///< with --view
    RiLive *live;
    RiRos *ros;        ///< with --ros2 or --ros1
    RiServe *serve;    ///< with --serve
    RunReplay *replay; ///< with --replay-commands

    // outcome
    RunStop stop;
    RiStatus status;   ///< of what failed, RI_OK
    char detail[512];  ///< the stop condition, or what went wrong
    double start_time; ///< [s], 0 unless resumed
    long long start_tick;
    double wall;      ///< spent stepping [s]
    int bad_commands; ///< wrong commands at the prompt
    double lag;       ///< largest delay behind the wall clock, with --realtime [s]
} Run;

// --- stepping (run_loop.c) ---
/// Catches SIGINT, SIGTERM and SIGUSR1 from here on.
void run_catch_signals(bool interactive);
/// True once after an interruption.
bool run_take_interrupt(void);
bool run_is_interrupted(void); ///< the same, without taking it
/// One tick with log and checkpoints; false when the run is over (stop, status and detail are set).
bool run_tick(Run *run);
/// To the end of the scene's duration.
void run_loop(Run *run);
/// Ends the run because something failed: the message is the context's.
void run_fail(Run *run, RiStatus status);
/// Notes that something happened, now.
void run_note(Run *run, const char *format, ...) RI_PRINTF(2, 3);
const char *run_stop_name(RunStop stop);

// --- what happened (run_story.c) ---
void run_story_begin(Run *run);
void run_story_tick(Run *run);
void run_story_free(Run *run);
/// A few plain sentences: way, slip, sinkage, energy, checks, validity.
const char *run_story(const Run *run, char *out, size_t size);
/// The same on the standard output, in lines.
void run_print_story(const Run *run);

// --- pictures for the report (run_pictures.c) ---
void run_pictures_begin(Run *run);
void run_pictures_tick(Run *run);
void run_pictures_end(Run *run);
void run_pictures_free(Run *run);

// --- files (run_files.c) ---
/// Chooses and creates the folder of the run; false (with a message and *out_code) if it cannot be
/// used.
bool run_make_folder(Run *run, CliExit *out_code);
/// Removes what an earlier run left; or, after a failure to start, what this one did.
void run_clear_folder(const Run *run, bool failed);
/// DIR/name.
void run_path(const Run *run, const char *name, char out_path[PATH_MAX]);
/// Writes a checkpoint DIR/name.
RiStatus run_checkpoint(Run *run, const char *name);
/// Has the contact problems written as --dump-contact asks; false with a message if there are none.
bool run_watch_contact(Run *run);
/// Whether the ground has a memory that --ruts can write; false with a message.
bool run_check_ruts(const Run *run);
/// Writes the ground around the ruts as --ruts asks; nothing without it.
RiStatus run_write_ruts(Run *run);
/// Summary and report; the log is closed before.
RiStatus run_write_results(Run *run);
enum { RUN_CHECK_TEXT = 320 };
/// What came of a check of the scene, as a line.
const char *run_check(const Run *run, int check, char text[RUN_CHECK_TEXT]);
double run_span(const Run *run); ///< simulated time of this run [s]
double run_rtf(const Run *run);  ///< simulated seconds per second of the wall clock
/// What became of a climber's mission.
typedef struct RunMission {
    char name[128]; ///< of its device; "": there is none
    const char *phase, *failure;
    double held, distance; ///< [s], [m] vertically, before a failure
    double phase_number, mobility, hold;
} RunMission;
/// The next mission from a place on; the place moves on.
RunMission run_mission(const Run *run, int *from);
/// The soils that wheels or screws may sink into; NULL where none do.
const RiSoilMap *run_soft_ground(const Run *run);
double run_balance(const Run *run);      ///< relative energy that the books do not explain
double run_method_share(const Run *run); ///< relative energy that a first-order method itself took out
/// One sentence on what left its model's assumptions.
const char *run_validity(const Run *run, char *out, size_t size);
/// The summary as JSON.
void run_print_summary(const Run *run, FILE *out);

// --- pages that watch (run_view.c) ---
/// Starts the server, if it is wanted, and prints its address.
RiStatus run_view_open(Run *run);
/// Carries out what pages ask for, and waits while the run is paused or ahead of its speed.
void run_view_wait(Run *run);
/// Shows the end and stops the server.
void run_view_close(Run *run);

// --- ROS (run_ros.c) ---
/// Opens the link, if it is wanted, and says where it is.
RiStatus run_ros_open(Run *run);
/// Carries out commands and waits until the next tick is due; ends the run where lock-step waited
/// in vain.
void run_ros_wait(Run *run);
/// After each tick.
void run_ros_stepped(Run *run);
/// Says what was sent and lost, and closes the link.
void run_ros_close(Run *run);

// --- the variable server (run_serve.c) ---
/// Starts it, if it is wanted, and prints where it is.
RiStatus run_serve_open(Run *run);
/// Carries out what clients ask for until a tick is due; false when the run is over.
bool run_serve_wait(Run *run);
/// A tick has been made, or failed.
void run_serve_ticked(Run *run);
/// Tells clients the end and stops the server.
void run_serve_close(Run *run);

// --- commands from a bag (run_replay.c) ---
/// Reads the bag, if there is one; false after a message.
bool run_replay_open(Run *run, CliExit *out_code);
/// Sets what is due before a tick; compares what was measured, after it.
void run_replay_before(Run *run);
void run_replay_after(Run *run);
void run_replay_print(const Run *run, FILE *out);
/// DIR/replay.csv: every field of the bag, what became of it, and differences.
RiStatus run_replay_write(Run *run);
void run_replay_free(Run *run);

// --- log (run_log.c) ---
RiStatus run_log_open(Run *run);
/// Writes what is due at this tick.
RiStatus run_log_tick(Run *run);
RiStatus run_log_event(Run *run, double time, const char *text);
/// Last row, configuration, end of file.
RiStatus run_log_close(Run *run);
void run_log_free(Run *run);

// --- prompt (run_prompt.c) ---
/// Reads and carries out commands until the input ends.
void run_prompt(Run *run);

#endif
