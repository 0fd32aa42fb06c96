// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads a file in growing steps, so that pipes and files that lie about their size are read right as well.
#include "io/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"

/// Reads the stream to its end into a growing block.
static RiStatus read_all(RiContext *ctx, const char *path, FILE *file, size_t limit, char **text, size_t *size)
{
    size_t capacity = 0;
    for (;;) {
        if (capacity - *size < 2) {
            const size_t bigger = capacity ? 2 * capacity : 16384;
            char *grown = ri_resize(ctx, *text, bigger, 1);
            if (!grown)
                return ri_error_memory(ctx);
            *text = grown;
            capacity = bigger;
        }
        const size_t n = fread(*text + *size, 1, capacity - *size - 1, file);
        *size += n;
        if (*size > limit)
            return ri_error(ctx, RI_ERR_LIMIT, "%s: the file is larger than %zu bytes", path, limit);
        if (n == 0)
            break;
    }
    if (ferror(file))
        return ri_error(ctx, RI_ERR_IO, "%s: cannot read: %s", path, strerror(errno));
    (*text)[*size] = '\0';
    return RI_OK;
}

RiStatus ri_file_read(RiContext *ctx, const char *path, size_t limit, char **out_text, size_t *out_size)
{
    *out_text = NULL;
    *out_size = 0;
    FILE *file = fopen(path, "rbe");
    if (!file)
        return ri_error(ctx, errno == ENOENT ? RI_ERR_NOT_FOUND : RI_ERR_IO, "%s: cannot open: %s", path,
                        strerror(errno));
    struct stat info;
    char *text = NULL;
    size_t size = 0;
    RiStatus status = RI_OK;
    if (fstat(fileno(file), &info) == 0 && S_ISDIR(info.st_mode))
        status = ri_error(ctx, RI_ERR_IO, "%s: cannot read: it is a folder", path);
    else
        status = read_all(ctx, path, file, limit, &text, &size);
    fclose(file);
    if (status != RI_OK) {
        ri_release(ctx, text);
        return status;
    }
    *out_text = text;
    *out_size = size;
    return RI_OK;
}
