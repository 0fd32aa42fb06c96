// SPDX-License-Identifier: Apache-2.0
/// \file
/// Files that are written beside their place and renamed.
///
/// The name beside is random and the file is created exclusively: two writers of one path do not
/// meet, and a link that somebody has laid into a shared folder is not followed.
#include "io/file/beside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LETTERS = 6 };
static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz234567"; // 32: five bits each

static uint64_t random_bits(void)
{
    uint64_t bits;
    if (getrandom(&bits, sizeof bits, GRND_NONBLOCK) == (ssize_t)sizeof bits)
        return bits;
    struct timespec now; // early at boot: the exclusive creation still protects
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_nsec * 2654435761U ^ (uint64_t)getpid();
}

void ri_beside_name(const char *path, char out[RI_BESIDE_PATH + RI_BESIDE_MORE])
{
    uint64_t bits = random_bits();
    char letters[LETTERS + 1] = "";
    for (int i = 0; i < LETTERS; i++, bits >>= 5)
        letters[i] = alphabet[bits & 31];
    snprintf(out, RI_BESIDE_PATH + RI_BESIDE_MORE, "%.*s.%s.part", RI_BESIDE_PATH - 1, path, letters);
}

bool ri_beside_is_part(const char *name, const char *of)
{
    const size_t n = strlen(of);
    return strncmp(name, of, n) == 0 && name[n] == '.' && strspn(name + n + 1, alphabet) == LETTERS &&
           strcmp(name + n + 1 + LETTERS, ".part") == 0;
}

/// A special file is opened as it is. Without O_NONBLOCK a pipe without a reader would be waited
/// for.
static int open_in_place(RiBeside *b)
{
    b->in_place = true;
    b->file = open(b->path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (b->file < 0)
        return errno;
    const int flags = fcntl(b->file, F_GETFL);
    return flags >= 0 && fcntl(b->file, F_SETFL, flags & ~O_NONBLOCK) == 0 ? 0 : errno;
}

static int open_stdout(RiBeside *b)
{
    b->in_place = true;
    (void)fflush(stdout); // what was printed before comes first
    b->file = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    return b->file < 0 ? errno : 0;
}

static int create_beside(RiBeside *b, bool exists, mode_t mode)
{
    for (int attempt = 0; attempt < 100; attempt++) {
        ri_beside_name(b->path, b->beside);
        b->file = open(b->beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (b->file >= 0 || errno != EEXIST)
            break;
    }
    if (b->file < 0)
        return errno;
    if (exists)
        (void)fchmod(b->file, mode & 0777); // a file system without modes has none to keep
    return 0;
}

int ri_beside_open(RiBeside *b, const char *path)
{
    struct stat info;
    *b = (RiBeside){.file = -1};
    const size_t n = strlen(path);
    if (n == 0)
        return ENOENT;
    if (n >= sizeof b->path)
        return ENAMETOOLONG;
    memcpy(b->path, path, n + 1);
    if (strcmp(path, "-") == 0)
        return open_stdout(b);
    const bool exists = stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode))
        return EISDIR;
    if (exists && !S_ISREG(info.st_mode))
        return open_in_place(b);
    char real[PATH_MAX];
    if (exists && access(path, W_OK) != 0)
        return errno; // a file that is write-protected is not replaced
    if (exists && realpath(path, real))
        snprintf(b->path, sizeof b->path, "%s", real);
    return create_beside(b, exists, info.st_mode);
}

FILE *ri_beside_stream(RiBeside *b, const char *path)
{
    int code = ri_beside_open(b, path);
    if (code == 0 && !(b->stream = fdopen(b->file, "w"))) {
        code = errno;
        (void)ri_beside_close(b, false);
    }
    errno = code;
    return b->stream;
}

int ri_beside_write(RiBeside *b, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        const ssize_t n = write(b->file, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? errno : EIO;
        at += n;
        size -= (size_t)n;
    }
    return 0;
}

/// Brings a rename to the disk. Some file systems cannot do that; the file is whole there, too.
static void sync_folder(const char *path)
{
    char folder[RI_BESIDE_PATH];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    const int file = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return;
    (void)fsync(file);
    close(file);
}

/// Closes the stream or the descriptor; 0 or errno of the first failure.
static int close_file(RiBeside *b)
{
    int code = 0;
    errno = EIO; // a stream keeps no reason for an earlier failure
    if (b->stream && (ferror(b->stream) || fflush(b->stream) != 0))
        code = errno;
    if (code == 0 && b->durable && fsync(b->file) != 0)
        code = errno;
    const int closed = b->stream ? fclose(b->stream) : close(b->file);
    if (closed != 0 && code == 0)
        code = errno;
    b->stream = NULL;
    b->file = -1;
    return code;
}

int ri_beside_close(RiBeside *b, bool keep)
{
    if (b->file < 0)
        return 0;
    int code = close_file(b);
    if (b->in_place)
        return code;
    if (keep && code == 0 && rename(b->beside, b->path) != 0)
        code = errno;
    if (!keep || code != 0)
        unlink(b->beside);
    else if (b->durable)
        sync_folder(b->path);
    return code;
}
