// SPDX-License-Identifier: Apache-2.0
/// \file
/// A file that is written from front to back. What a failed write left behind is cut off again, so that the file ends with
/// the last write that succeeded.
#include "io/sink.h"

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

RiStatus ri_sink_open(RiSink *s, RiContext *ctx, const char *path)
{
    *s = (RiSink){.ctx = ctx, .file = -1};
    const size_t n = strlen(path) + 1;
    s->path = ri_alloc(ctx, n, 1);
    if (!s->path)
        return ri_error_memory(ctx);
    memcpy(s->path, path, n);
    s->file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (s->file >= 0)
        return RI_OK;
    s->reason = errno;
    const RiStatus status = sink_error(s, path, "create");
    ri_release(ctx, s->path);
    s->path = NULL;
    return status;
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

RiStatus ri_sink_close(RiSink *s)
{
    RiStatus status = RI_OK;
    if (s->path && s->file >= 0 && close(s->file) != 0 && !s->reason) {
        s->reason = errno;
        status = sink_error(s, s->path, "close");
    }
    if (s->path)
        ri_release(s->ctx, s->path);
    s->path = NULL;
    s->file = -1;
    return status;
}
