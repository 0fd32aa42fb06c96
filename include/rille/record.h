// SPDX-License-Identifier: Apache-2.0
/// \file
/// Records: what a run leaves behind, as MCAP files that standard tools and Foxglove read.
///
///     signals, poses, events --(RiRecord)--> log.mcap --(RiLog)--> series, poses; CSV; plots
///
/// A *group* is a set of signals written together; it becomes a channel with a ROS 2 message schema
/// of float64 fields (CDR encoding), named after the signals with dots turned into underscores,
/// units in the schema's comments and in the channel's metadata. Poses become tf2_msgs/TFMessage.
/// Chunks are compressed with zstd and indexed; a file that was not closed (a killed run) is read
/// up to its last whole chunk.
///
/// Threads and ownership: a record or a log belongs to one thread.
#ifndef RILLE_RECORD_H
#define RILLE_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include <rille/context.h>
#include <rille/math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RiRecord RiRecord;

typedef struct RiRecordOptions {
    size_t chunk_size; ///< [bytes] before compression; default 1 MiB
    int level;         ///< zstd level; 0 stores without compression; default 1
} RiRecordOptions;

/// The defaults that its fields name.
RiRecordOptions ri_record_options_default(void);

/// Creates the file (an existing one is replaced). `options` may be NULL.
RI_MUST_CHECK RiStatus ri_record_create(RiContext *ctx, const char *path, const RiRecordOptions *options,
                                        RiRecord **out_record);
/// Closes without finishing if ri_record_close was not called.
void ri_record_destroy(RiRecord *r);

/// Declares a group of signals under a topic ("/robot/joints"). Groups are declared before anything
/// is written to them.
RI_MUST_CHECK RiStatus ri_record_add_signals(RiRecord *r, const char *topic, int count, const char *const *names,
                                             const char *const *units, int *out_group);
/// Declares a group of frames: poses in the frame `parent`.
RI_MUST_CHECK RiStatus ri_record_add_frames(RiRecord *r, const char *topic, const char *parent, int count,
                                            const char *const *names, int *out_group);
/// Declares a channel of text events.
RI_MUST_CHECK RiStatus ri_record_add_events(RiRecord *r, const char *topic, int *out_group);

/// Declares a channel of lists of numbers whose length changes (rille/msg/Numbers: float32[] data).
RI_MUST_CHECK RiStatus ri_record_add_numbers(RiRecord *r, const char *topic, int *out_group);

/// Declares a channel of messages of any ROS 2 type: its name ("sensor_msgs/msg/PointCloud2") and
/// its definition with those of its parts.
RI_MUST_CHECK RiStatus ri_record_add_messages(RiRecord *r, const char *topic, const char *type, const char *definition,
                                              int *out_group);

/// Writes one message at `time` [s] (>= 0). Does not allocate in the steady state. RI_ERR_IO on a
/// full disk, with what was written before still readable.
RI_MUST_CHECK RiStatus ri_record_signals(RiRecord *r, int group, double time, const double *values);
/// Writes the poses of a group of frames, as many as it was defined with.
RI_MUST_CHECK RiStatus ri_record_frames(RiRecord *r, int group, double time, const RiPose *poses);
/// Writes a line of text.
RI_MUST_CHECK RiStatus ri_record_event(RiRecord *r, int group, double time, const char *text);
/// Writes an array of numbers whose length may change.
RI_MUST_CHECK RiStatus ri_record_numbers(RiRecord *r, int group, double time, int count, const float *numbers);

/// `data` is the message in CDR, its head of four bytes included; at most 64 MiB.
RI_MUST_CHECK RiStatus ri_record_message(RiRecord *r, int group, double time, const void *data, size_t size);

/// A named text kept in the file (configuration, report); may be called any time before close.
RI_MUST_CHECK RiStatus ri_record_attach(RiRecord *r, const char *name, const char *media_type, const void *data,
                                        size_t size);

/// Finishes the file: last chunk, indexes, statistics, footer.
RI_MUST_CHECK RiStatus ri_record_close(RiRecord *r);

// --- reading -------------------------------------------------------------------------------------

typedef struct RiLog RiLog;

/// Opens a log by its index; a file without one is scanned. RI_ERR_FORMAT names file and byte on
/// damage; logs of other tools open as far as their channels have schemas of float64 fields.
RI_MUST_CHECK RiStatus ri_log_open(RiContext *ctx, const char *path, RiLog **out_log);
/// Closes the log; NULL does nothing.
void ri_log_close(RiLog *log);

/// Number of signals.
int ri_log_signal_count(const RiLog *log);
/// Name of a signal; borrowed, valid with the log.
const char *ri_log_signal_name(const RiLog *log, int signal);
/// Unit of a signal; "" for plain numbers. Borrowed.
const char *ri_log_signal_unit(const RiLog *log, int signal);
/// Index of a signal by name; -1 if there is none.
int ri_log_find_signal(const RiLog *log, const char *name);
/// Time of the first message [s].
double ri_log_start(const RiLog *log);
/// Time of the last message [s].
double ri_log_end(const RiLog *log);
/// False if the file was not closed or is damaged at its end.
bool ri_log_is_complete(const RiLog *log);
/// Topic of the index-th channel that holds no signals (poses, events, messages of other tools),
/// NULL after the last.
const char *ri_log_other_channel(const RiLog *log, int index);

/// Times and values of a signal between two times (inclusive). The arrays are allocated from the
/// log's context; release them with ri_log_release.
RI_MUST_CHECK RiStatus ri_log_read(RiLog *log, int signal, double from, double to, double **out_times,
                                   double **out_values, int *out_count);
/// Releases what a function of this log handed out; NULL does nothing.
void ri_log_release(RiLog *log, void *block);

// Poses: a channel of tf2_msgs/TFMessage is a *frame group*. Its messages must all name the same
// frames, as those of our logs do.

/// Number of groups of frames.
int ri_log_frame_group_count(const RiLog *log);

typedef struct RiLogFrames {
    const char *topic, *parent; ///< all poses are in this frame
    int count;
    const char *const *names; ///< [count]; valid until the log is closed
} RiLogFrames;
/// What a group holds, from its first message. RI_ERR_NOT_FOUND if there is no message,
/// RI_ERR_FORMAT if its frames have several parents.
RI_MUST_CHECK RiStatus ri_log_frames(RiLog *log, int group, RiLogFrames *out_frames);
/// Poses of all frames of a group at the last message at or before `time`; before the first
/// message, those of the first. *out_time is the message's time [s]. Chunks last used are kept, so
/// that going back and forth is quick.
RI_MUST_CHECK RiStatus ri_log_read_frames(RiLog *log, int group, double time, RiPose *out_poses, double *out_time);

/// Whether there is a channel of lists of numbers (rille/msg/Numbers) under a topic.
bool ri_log_has_numbers(const RiLog *log, const char *topic);
/// The list of the last message at or before `time`, cut to `most` numbers; *out_count is 0 before
/// the first message. RI_ERR_NOT_FOUND if there is no such channel.
RI_MUST_CHECK RiStatus ri_log_read_numbers(RiLog *log, const char *topic, double time, int most, float *out_numbers,
                                           int *out_count);

/// The last message at or before `time` of the channel of a topic, as stored (ri_record_message);
/// *out_size is 0 before the first one. Valid until the next call with this log. RI_ERR_NOT_FOUND
/// if there is no such channel.
RI_MUST_CHECK RiStatus ri_log_read_message(RiLog *log, const char *topic, double time, const void **out_data,
                                           size_t *out_size, double *out_time);

/// A text of a channel of std_msgs/String.
typedef struct RiLogEvent {
    double time; ///< [s]
    const char *topic;
    const char *text;
} RiLogEvent;
/// Events between two times (inclusive) on a topic (NULL: on all), in the order of time; release
/// *out_events with ri_log_release.
RI_MUST_CHECK RiStatus ri_log_read_events(RiLog *log, const char *topic, double from, double to,
                                          RiLogEvent **out_events, int *out_count);

/// A number of a message: its time [s], its topic and where it is in the message. The texts are
/// valid during the call; a status other than RI_OK ends the reading.
typedef RiStatus (*RiNumberFn)(void *user, double time, const char *topic, const char *field, double x);
/// Every number of the log's signals and of ROS 2 messages of these types, in the order of the
/// file: sensor_msgs/JointState ("JOINT.position", ".velocity", ".effort"), std_msgs/Float64
/// ("data") and Float64MultiArray ("data.0"), geometry_msgs/Twist and TwistStamped ("linear.x",
/// "angular.z"), geometry_msgs/PoseStamped and nav_msgs/Odometry ("pose.x", "pose.qw"). Other
/// messages are passed over. RI_ERR_FORMAT for one that is cut short.
RI_MUST_CHECK RiStatus ri_log_each_number(RiLog *log, RiNumberFn fn, void *user);

/// A message of a bag as it is: its time [s], topic, type ("geometry_msgs/msg/Twist") and bytes with
/// their encapsulation (CDR). Valid during the call.
typedef RiStatus (*RiMessageFn)(void *user, double time, const char *topic, const char *type, const void *bytes,
                                size_t size);
/// Every message of channels in CDR, in the order of the file.
RI_MUST_CHECK RiStatus ri_log_each_message(RiLog *log, RiMessageFn fn, void *user);

/// Number of attachments.
int ri_log_attachment_count(const RiLog *log);
/// Name of an attachment; borrowed, valid with the log.
const char *ri_log_attachment_name(const RiLog *log, int attachment);
/// The bytes of the attachment of that name (of several, the last), followed by a zero; release
/// them with ri_log_release. RI_ERR_NOT_FOUND if there is none, RI_ERR_FORMAT if it does not match
/// its checksum.
RI_MUST_CHECK RiStatus ri_log_read_attachment(RiLog *log, const char *name, char **out_data, size_t *out_size);

/// Writes the signals whose names match one of the globs as CSV: a time column, then one per
/// signal; rows are the union of times, empty where a signal has no sample. `count` 0 means all.
RI_MUST_CHECK RiStatus ri_log_write_csv(RiLog *log, const char *const *globs, int count, const char *path);

/// Values of one signal.
typedef struct RiLogSeries {
    double *times, *values;
    size_t count, room_times, room_values;
} RiLogSeries;
/// Reads several signals in one pass over the file. `out` has `count` series; on failure they are
/// empty.
RI_MUST_CHECK RiStatus ri_log_read_many(RiLog *log, const int *signals, int count, double from, double to,
                                        RiLogSeries *out);
/// Releases the arrays of `count` series and empties them.
void ri_log_free_series(RiLog *log, RiLogSeries *series, int count);
/// Signals that match at least one glob, each once, in the order of the globs (`count` 0: all). A
/// glob that matches nothing is RI_ERR_NOT_FOUND, with a suggestion. Release *out_signals with
/// ri_log_release.
RI_MUST_CHECK RiStatus ri_log_select(RiLog *log, const char *const *globs, int count, int **out_signals,
                                     int *out_count);
/// ri_log_write_csv of the samples between two times (inclusive).
RI_MUST_CHECK RiStatus ri_log_write_csv_range(RiLog *log, const char *const *globs, int count, double from, double to,
                                              const char *path);

#ifdef __cplusplus
}
#endif
#endif
