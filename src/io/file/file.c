// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whole files, read with a limit. The size that the system states is only a first guess: pipes
/// state none and files may grow while they are read, so the limit is checked against what arrives.
///
/// A pipe may have no writer, or one that says nothing: it is waited for, but not for ever. Devices
/// have no end and are refused.
#include "io/file/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/opened.h"

enum { PATIENCE = 60, MOMENT = 2, STEP = 50 }; ///< waits for a pipe: [s] for the next byte, [s] for a writer, [ms]
enum { PIPE_LIMIT = 1 << 30 };                 ///< [bytes]

typedef struct Buffer {
    char *text;
    size_t size, capacity;
} Buffer;

static RiStatus file_error(RiContext *ctx, const char *path, const char *what, int code)
{
    char text[128];
    const char *reason = strerror_r(code, text, sizeof text);
    const RiStatus status = code == ENOENT || code == ENOTDIR ? RI_ERR_NOT_FOUND : RI_ERR_IO;
    return ri_error(ctx, status, "%s: cannot %s the file: %s", path, what, reason);
}

static RiStatus too_big(RiContext *ctx, const char *path, size_t limit)
{
    return ri_error(ctx, RI_ERR_LIMIT, "%s: the file is larger than the %zu bytes allowed here", path, limit);
}

/// Makes room for at least one more byte and the final zero.
static RiStatus make_room(RiContext *ctx, Buffer *b)
{
    if (b->capacity - b->size >= 2)
        return RI_OK;
    const size_t bigger = 2 * b->capacity;
    char *text = ri_resize(ctx, b->text, bigger, 1);
    if (!text)
        return ri_error_memory(ctx);
    b->text = text;
    b->capacity = bigger;
    return RI_OK;
}

/// Whether a writer of the pipe was there and has gone.
static bool has_ended(int file)
{
    struct pollfd now = {.fd = file, .events = POLLIN};
    return poll(&now, 1, 0) > 0 && (now.revents & POLLHUP) != 0;
}

/// Waits a step for a pipe: long for a writer that is there, a moment for one that has not come
/// yet.
static RiStatus wait_step(RiContext *ctx, const char *path, int file, bool has_writer, int *waited)
{
    struct pollfd wait = {.fd = file, .events = POLLIN};
    if (*waited >= 1000 * (has_writer ? PATIENCE : MOMENT))
        return ri_error(ctx, RI_ERR_IO, "%s: cannot read the file: it is a pipe, and %s for %d s", path,
                        has_writer ? "nothing has come" : "nothing has been written to it", *waited / 1000);
    (void)poll(&wait, 1, STEP);
    *waited += STEP;
    return RI_OK;
}

static RiStatus read_all(RiContext *ctx, const char *path, int file, size_t limit, bool is_pipe, Buffer *b)
{
    for (int waited = 0;;) {
        RI_TRY(make_room(ctx, b));
        const ssize_t got = read(file, b->text + b->size, b->capacity - b->size - 1);
        if (got < 0 && errno == EINTR)
            continue;
        const bool silent = got < 0 && errno == EAGAIN, alone = got == 0 && b->size == 0 && !has_ended(file);
        if (is_pipe && (silent || alone)) {
            RI_TRY(wait_step(ctx, path, file, silent, &waited));
            continue;
        }
        if (got < 0)
            return file_error(ctx, path, "read", errno);
        waited = 0;
        b->size += (size_t)got;
        if (b->size > limit)
            return too_big(ctx, path, limit);
        if (got == 0)
            break;
    }
    b->text[b->size] = '\0';
    return RI_OK;
}

/// Leaves out the byte order mark that some editors put before UTF-8 text: no format of ours begins
/// with it.
static void skip_mark(Buffer *b)
{
    static const char mark[] = "\xef\xbb\xbf";
    if (b->size < 3 || memcmp(b->text, mark, 3) != 0)
        return;
    b->size -= 3;
    memmove(b->text, b->text + 3, b->size + 1);
}

static RiStatus read_open_file(RiContext *ctx, const char *path, int file, size_t limit, Buffer *b)
{
    struct stat info;
    if (fstat(file, &info) != 0)
        return file_error(ctx, path, "inspect", errno);
    if (S_ISDIR(info.st_mode))
        return file_error(ctx, path, "read", EISDIR);
    const bool is_pipe = S_ISFIFO(info.st_mode);
    if (!S_ISREG(info.st_mode) && !is_pipe)
        return ri_error(ctx, RI_ERR_IO, "%s: cannot read the file: neither a regular file nor a pipe", path);
    if (is_pipe && limit > PIPE_LIMIT)
        limit = PIPE_LIMIT;
    const size_t stated = info.st_size > 0 ? (size_t)info.st_size : 0;
    if (stated > limit)
        return too_big(ctx, path, limit);
    b->capacity = stated + 4096; // beyond the stated size, so that one read sees the end
    b->text = ri_alloc(ctx, b->capacity, 1);
    if (!b->text)
        return ri_error_memory(ctx);
    RI_TRY(read_all(ctx, path, file, limit, is_pipe, b));
    skip_mark(b);
    return RI_OK;
}

RiStatus ri_file_read(RiContext *ctx, const char *path, size_t limit, char **out_text, size_t *out_size)
{
    *out_text = NULL;
    *out_size = 0;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return file_error(ctx, path, "open", errno);
    ri_context_opened(ctx, path);
    Buffer b = {0};
    const RiStatus status = read_open_file(ctx, path, file, limit, &b);
    close(file);
    if (status != RI_OK) {
        ri_release(ctx, b.text);
        return status;
    }
    *out_text = b.text;
    *out_size = b.size;
    return RI_OK;
}

FILE *ri_file_open(const char *path)
{
    struct stat info;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    const bool regular = fstat(file, &info) == 0 && S_ISREG(info.st_mode);
    FILE *stream = regular ? fdopen(file, "rb") : NULL;
    if (!stream) {
        const int code = regular ? errno : EINVAL;
        close(file);
        errno = code;
    }
    return stream;
}
