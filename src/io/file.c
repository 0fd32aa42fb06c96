// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whole files into memory: one allocation when the file's size is known, none larger than the limit.
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

static RiStatus system_error(RiContext *ctx, const char *path, int code)
{
    char text[128];
    const RiStatus status = code == ENOENT || code == ENOTDIR ? RI_ERR_NOT_FOUND : RI_ERR_IO;
    return ri_error(ctx, status, "%s: cannot read: %s", path, strerror_r(code, text, sizeof text));
}

/// Fills `text` with up to `size` bytes; *out_size tells how many there were.
static RiStatus read_all(RiContext *ctx, const char *path, int fd, char *text, size_t size, size_t *out_size)
{
    size_t have = 0;
    while (have < size) {
        const ssize_t n = read(fd, text + have, size - have);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return system_error(ctx, path, errno);
        if (n == 0)
            break;
        have += (size_t)n;
    }
    text[have] = '\0';
    *out_size = have;
    return RI_OK;
}

static RiStatus read_open(RiContext *ctx, const char *path, int fd, size_t limit, char **out_text, size_t *out_size)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return system_error(ctx, path, errno);
    if (!S_ISREG(info.st_mode))
        return ri_error(ctx, RI_ERR_IO, "%s: cannot read: not a regular file", path);
    if ((unsigned long long)info.st_size > limit)
        return ri_error(ctx, RI_ERR_LIMIT, "%s: file of %lld bytes, at most %zu are allowed", path,
                        (long long)info.st_size, limit);
    const size_t size = (size_t)info.st_size;
    char *text = ri_alloc(ctx, size + 1, 1);
    if (!text)
        return ri_error_memory(ctx);
    const RiStatus status = read_all(ctx, path, fd, text, size, out_size);
    if (status != RI_OK) {
        ri_release(ctx, text);
        return status;
    }
    *out_text = text;
    return RI_OK;
}

RiStatus ri_file_read(RiContext *ctx, const char *path, size_t limit, char **out_text, size_t *out_size)
{
    *out_text = NULL;
    *out_size = 0;
    // O_NONBLOCK: opening a named pipe must not wait for a writer; it changes nothing for regular files.
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return system_error(ctx, path, errno);
    const RiStatus status = read_open(ctx, path, fd, limit, out_text, out_size);
    close(fd);
    return status;
}
