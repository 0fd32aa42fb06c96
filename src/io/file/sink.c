// SPDX-License-Identifier: Apache-2.0
/// \file
/// A file that is written from front to back. What a failed write left behind is cut off again, so
/// that a growing file ends with the last write that succeeded.
#include "io/file/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

static RiStatus sink_error(RiSink *s, const char *path, const char *what)
{
    char text[128];
    return ri_error(s->ctx, RI_ERR_IO, "%s: cannot %s the file: %s", path, what,
                    strerror_r(s->reason, text, sizeof text));
}

static void release(RiSink *s)
{
    ri_release(s->ctx, s->path);
    ri_release(s->ctx, s->beside);
    s->path = NULL;
    s->beside = NULL;
    s->file = -1;
}

/// Sets the sink up with its own copy of the path.
static RiStatus begin(RiSink *s, RiContext *ctx, const char *path)
{
    *s = (RiSink){.ctx = ctx, .file = -1};
    const size_t n = strlen(path) + 1;
    s->path = ri_alloc(ctx, n, 1);
    if (!s->path)
        return ri_error_memory(ctx);
    memcpy(s->path, path, n);
    return RI_OK;
}

static RiStatus refuse(RiSink *s, const char *path, int code)
{
    s->reason = code;
    const RiStatus status = sink_error(s, path, "create");
    release(s);
    return status;
}

RiStatus ri_sink_open(RiSink *s, RiContext *ctx, const char *path)
{
    RI_TRY(begin(s, ctx, path));
    s->beside = ri_alloc(ctx, 1, sizeof *s->beside);
    if (!s->beside) {
        release(s);
        return ri_error_memory(ctx);
    }
    const int code = ri_beside_open(s->beside, path);
    s->file = s->beside->file;
    return code == 0 ? RI_OK : refuse(s, path, code);
}

RiStatus ri_sink_open_growing(RiSink *s, RiContext *ctx, const char *path)
{
    RI_TRY(begin(s, ctx, path));
    s->file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
    if (s->file < 0)
        return refuse(s, path, errno); // ENXIO: a pipe that nobody reads
    const int flags = fcntl(s->file, F_GETFL);
    (void)fcntl(s->file, F_SETFL, flags & ~O_NONBLOCK);
    return RI_OK;
}

RiStatus ri_sink_write(RiSink *s, const void *data, size_t size)
{
    const char *at = data;
    size_t left = s->reason ? 0 : size;
    while (left > 0) {
        const ssize_t n = write(s->file, at, left);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            s->reason = errno;
            if (ftruncate(s->file, (off_t)s->size) != 0) {
                // a pipe or a device: the part stays, and readers stop before it
            }
            break;
        }
        at += n;
        left -= (size_t)n;
    }
    if (s->reason)
        return sink_error(s, s->path, "write");
    s->size += size;
    return RI_OK;
}

RiStatus ri_sink_close(RiSink *s, RiStatus so_far)
{
    if (!s->path)
        return so_far;
    const bool keep = so_far == RI_OK && !s->reason;
    const int code = s->beside ? ri_beside_close(s->beside, keep) : close(s->file) == 0 ? 0 : errno;
    RiStatus status = so_far;
    if (so_far == RI_OK && code != 0 && !s->reason) {
        s->reason = code;
        status = sink_error(s, s->path, "close");
    }
    release(s);
    return status;
}

RiStatus ri_file_write(RiContext *ctx, const char *path, const void *data, size_t size)
{
    RiSink sink;
    RI_TRY(ri_sink_open(&sink, ctx, path));
    return ri_sink_close(&sink, ri_sink_write(&sink, data, size));
}
