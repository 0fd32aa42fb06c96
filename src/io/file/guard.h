// SPDX-License-Identifier: Apache-2.0
/// \file
/// Foreign code (assimp, GDAL) in a process of its own, so that its hangs, crashes and memory
/// hunger stay there.
///
///     parent: fork --> child: limits, work --(RiGuardHeader + bytes, over a socket)--> parent: check everything, use
///
/// A child works once and ends, or stays and answers requests until its socket is closed. No
/// function here touches a context: messages are held in `reason`, so that a child that stays may
/// be asked from any thread (by one at a time).
#ifndef RI_IO_GUARD_H
#define RI_IO_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include <rille/context.h>

/// What the child writes before its bytes: a result of `size` items, or a refusal followed by
/// `size` bytes of text.
typedef struct RiGuardHeader {
    uint32_t magic; ///< RI_GUARD_MAGIC
    uint32_t kind;
    uint64_t size;
} RiGuardHeader;

/// A refusal's kind is RI_GUARD_REFUSED + its RiStatus.
enum { RI_GUARD_MAGIC = 0x52694d47, RI_GUARD_RESULT = 1, RI_GUARD_REFUSED = 0x100 };

/// Runs in the child; reads requests from `fd` and writes results to it. Whatever it does, the
/// child ends with _exit afterwards.
typedef void RiGuardWork(void *user, int fd);

/// Set the first group before ri_guard_start; the rest is its own.
typedef struct RiGuard {
    const char *file;    ///< for messages
    const char *worker;  ///< "importer": the child in messages
    const char *verdict; ///< precedes the reason of a refusal; NULL: nothing
    double seconds;      ///< wall-clock limit of one piece of work
    size_t memory;       ///< address space of the child on top of what the parent has [bytes]
    bool stays;          ///< answers many requests: no limit on its processor time, not interrupted from the terminal
    bool writes;         ///< may write files

    pid_t child; ///< 0: none
    int fd;
    struct timespec deadline;
    bool is_late;
    char reason[600]; ///< of the last failure, starting with the file
} RiGuard;

/// Refuses what need not be tried: missing, unreadable, empty and huge files.
RI_MUST_CHECK RiStatus ri_guard_check_file(RiContext *ctx, const char *path, size_t most_bytes);

/// Forks and starts the clock. On failure there is no child and `reason` says why.
RI_MUST_CHECK RiStatus ri_guard_start(RiGuard *guard, RiGuardWork *work, void *user);
/// Ends the child and reaps it; may be called more than once.
void ri_guard_end(RiGuard *guard);
/// Gives the child `seconds` from now.
void ri_guard_restart_clock(RiGuard *guard);
/// False: the child has ended or is late; ri_guard_explain says which.
bool ri_guard_send(RiGuard *guard, const void *data, size_t size);
bool ri_guard_receive(RiGuard *guard, void *data, size_t size);
/// Receives a header. A refusal, a damaged header and a dead child are failures with a reason.
RI_MUST_CHECK RiStatus ri_guard_receive_header(RiGuard *guard, RiGuardHeader *out_header);
/// Says in `reason` how the child ended without a result; ends it.
RI_MUST_CHECK RiStatus ri_guard_explain(RiGuard *guard);

// --- for the work in the child

/// Writes all bytes; ends the process if nobody listens.
void ri_guard_write(int fd, const void *data, size_t size);
/// Reads all bytes; false at the end of requests.
bool ri_guard_read(int fd, void *data, size_t size);
/// Writes a refusal: `reason` follows the file's name in the message.
void ri_guard_refuse(int fd, RiStatus status, const char *reason);

#endif
