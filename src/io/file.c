// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whole files, read with a limit. The size that the system states is only a first guess: pipes state none and files may
/// grow while they are read, so the limit is checked against what arrives.
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

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

static RiStatus read_all(RiContext *ctx, const char *path, int file, size_t limit, Buffer *b)
{
    for (;;) {
        RI_TRY(make_room(ctx, b));
        const ssize_t got = read(file, b->text + b->size, b->capacity - b->size - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return file_error(ctx, path, "read", errno);
        b->size += (size_t)got;
        if (b->size > limit)
            return too_big(ctx, path, limit);
        if (got == 0)
            break;
    }
    b->text[b->size] = '\0';
    return RI_OK;
}

static RiStatus read_open_file(RiContext *ctx, const char *path, int file, size_t limit, Buffer *b)
{
    struct stat info;
    if (fstat(file, &info) != 0)
        return file_error(ctx, path, "inspect", errno);
    if (S_ISDIR(info.st_mode))
        return file_error(ctx, path, "read", EISDIR);
    const size_t stated = info.st_size > 0 ? (size_t)info.st_size : 0;
    if (stated > limit)
        return too_big(ctx, path, limit);
    b->capacity = stated + 4096; // beyond the stated size, so that one read sees the end
    b->text = ri_alloc(ctx, b->capacity, 1);
    if (!b->text)
        return ri_error_memory(ctx);
    return read_all(ctx, path, file, limit, b);
}

RiStatus ri_file_read(RiContext *ctx, const char *path, size_t limit, char **out_text, size_t *out_size)
{
    *out_text = NULL;
    *out_size = 0;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return file_error(ctx, path, "open", errno);
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
