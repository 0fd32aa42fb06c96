// SPDX-License-Identifier: Apache-2.0
/// \file
/// The child process around a foreign importer.
///
/// The parent trusts nothing that comes through the pipe: the count is checked against the limit, memory grows only with
/// bytes that have arrived, coordinates must be finite. Waiting has one deadline for everything; then the child is
/// killed. It is reaped on every path.
///
/// A child of a process with threads has only the thread that forked. glibc makes malloc usable there; a lock that
/// another thread held in some other library would stay locked, and the deadline turns that into an error.
#include "io/mesh_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "io/mesh_build.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SHADOW_MEMORY 1 // sanitizers reserve terabytes of address space
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HAS_SHADOW_MEMORY 1
#endif
#endif
#ifndef HAS_SHADOW_MEMORY
#define HAS_SHADOW_MEMORY 0
#endif

static const rlim_t memory_limit = (rlim_t)2 << 30; ///< of the import, on top of what the parent has [bytes]

enum { BATCH = 512, TRIANGLE_BYTES = 9 * (int)sizeof(double) };

// ---- In the child

void ri_mesh_guard_write(int fd, const void *data, size_t size)
{
    const char *p = data;
    while (size > 0) {
        const ssize_t n = write(fd, p, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            _exit(3);
        p += n;
        size -= (size_t)n;
    }
}

void ri_mesh_guard_refuse(int fd, const char *reason)
{
    const size_t length = strnlen(reason, 400);
    const RiMeshGuardHeader header = {RI_MESH_GUARD_MAGIC, RI_MESH_GUARD_REFUSED, length};
    ri_mesh_guard_write(fd, &header, sizeof header);
    ri_mesh_guard_write(fd, reason, length);
}

/// Bytes of address space that this process has (inherited from the parent); 0 if unknown.
static rlim_t address_space(void)
{
    char text[64] = "";
    const int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    const ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    return n > 0 ? (rlim_t)strtoul(text, NULL, 10) * (rlim_t)sysconf(_SC_PAGESIZE) : 0;
}

static void set_limit(__rlimit_resource_t what, rlim_t soft)
{
    const struct rlimit limit = {soft, soft};
    (void)setrlimit(what, &limit); // may already be lower; the deadline in the parent is the last guard
}

/// Own signals, no output, no other files, limits. The result goes to descriptor 3.
static void enter_child(int fd, double seconds)
{
    static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE,  SIGILL, SIGINT,
                                  SIGTERM, SIGPIPE, SIGHUP, SIGXCPU, SIGCHLD};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    // Out of the way first: the pipe or /dev/null may stand on a number that is about to be taken.
    const int result = fcntl(fd, F_DUPFD, 10), nothing = fcntl(open("/dev/null", O_RDWR), F_DUPFD, 10);
    if (dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0 || dup2(nothing, 2) < 0 || dup2(result, 3) < 0)
        _exit(4);
    // Also closes what other threads were writing to: their readers must see the end of their own child.
    close_range(4, ~0u, 0);
    if (!HAS_SHADOW_MEMORY)
        set_limit(RLIMIT_AS, address_space() + memory_limit);
    set_limit(RLIMIT_CPU, (rlim_t)seconds + 1);
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_FSIZE, 0);
}

// ---- In the parent

typedef struct Guard {
    RiMeshBuild *build;
    pid_t child;
    int fd; ///< read end of the pipe
    double seconds;
    struct timespec deadline;
    int is_late;
} Guard;

/// Milliseconds until the deadline, rounded up; 0 if it has passed.
static int milliseconds_left(const Guard *guard)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double left =
        (double)(guard->deadline.tv_sec - now.tv_sec) + 1e-9 * (double)(guard->deadline.tv_nsec - now.tv_nsec);
    return left > 0.0 ? (int)ceil(1e3 * left) : 0;
}

/// Reads exactly `size` bytes; 0 if the child ended or the deadline passed before.
static int receive(Guard *guard, void *data, size_t size)
{
    char *p = data;
    while (size > 0) {
        struct pollfd wait = {.fd = guard->fd, .events = POLLIN};
        const int ready = poll(&wait, 1, milliseconds_left(guard));
        if (ready == 0) {
            guard->is_late = 1;
            return 0;
        }
        const ssize_t n = ready > 0 ? read(guard->fd, p, size) : -1;
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return 0;
        p += n;
        size -= (size_t)n;
    }
    return 1;
}

/// Ends the child if it still runs, and reaps it. A child that has died keeps its own status.
static int end_child(const Guard *guard)
{
    int status = 0;
    kill(guard->child, SIGKILL);
    while (waitpid(guard->child, &status, 0) < 0)
        if (errno != EINTR)
            return 0; // reaped by someone else (SIGCHLD ignored): its status is lost
    return status;
}

/// Says how the child ended without a result.
static RiStatus explain(Guard *guard)
{
    RiContext *ctx = guard->build->ctx;
    const char *file = guard->build->file;
    const int status = end_child(guard);
    guard->child = 0;
    if (guard->is_late)
        return ri_error(ctx, RI_ERR_FORMAT, "%s: the importer timed out after %g s and was stopped", file,
                        guard->seconds);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        return ri_error(ctx, RI_ERR_FORMAT, "%s: the importer timed out after %g s of processor time", file,
                        guard->seconds);
    if (WIFSIGNALED(status))
        return ri_error(ctx, RI_ERR_FORMAT, "%s: the importer crashed on this file (signal %d, %s)", file,
                        WTERMSIG(status), sigabbrev_np(WTERMSIG(status)) ? sigabbrev_np(WTERMSIG(status)) : "?");
    return ri_error(ctx, RI_ERR_FORMAT, "%s: the importer ended without a result (exit code %d)", file,
                    WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

/// The importer's own reason, on one line and printable.
static RiStatus explain_refusal(Guard *guard, uint64_t length)
{
    char reason[401];
    const size_t n = length < sizeof reason ? (size_t)length : sizeof reason - 1;
    if (!receive(guard, reason, n))
        return explain(guard);
    for (size_t i = 0; i < n; i++)
        if (reason[i] < ' ' || reason[i] > '~')
            reason[i] = ' ';
    reason[n] = '\0';
    return ri_error(guard->build->ctx, RI_ERR_FORMAT, "%s: the importer rejected the file: %s", guard->build->file,
                    reason);
}

static RiStatus add_triangle(Guard *guard, const double *corner)
{
    uint32_t index[3];
    for (size_t k = 0; k < 3; k++) {
        const RiVec3 p = {corner[3 * k], corner[3 * k + 1], corner[3 * k + 2]};
        if (!ri_mesh_is_finite(p))
            return ri_error(guard->build->ctx, RI_ERR_FORMAT, "%s: point (%g, %g, %g) of triangle %zu is not finite",
                            guard->build->file, p.x, p.y, p.z, guard->build->triangle_count);
        RI_TRY(ri_mesh_build_merge(guard->build, p, &index[k]));
    }
    return ri_mesh_build_triangle(guard->build, index[0], index[1], index[2]);
}

static RiStatus receive_triangles(Guard *guard, uint64_t count)
{
    double batch[BATCH][9];
    while (count > 0) {
        const size_t n = count < BATCH ? (size_t)count : BATCH;
        if (!receive(guard, batch, n * TRIANGLE_BYTES))
            return explain(guard);
        for (size_t i = 0; i < n; i++)
            RI_TRY(add_triangle(guard, batch[i]));
        count -= n;
    }
    return RI_OK;
}

static RiStatus receive_mesh(Guard *guard)
{
    RiMeshGuardHeader header;
    if (!receive(guard, &header, sizeof header))
        return explain(guard);
    if (header.magic != RI_MESH_GUARD_MAGIC ||
        (header.kind != RI_MESH_GUARD_MESH && header.kind != RI_MESH_GUARD_REFUSED))
        return ri_error(guard->build->ctx, RI_ERR_FORMAT, "%s: the importer gave a damaged result", guard->build->file);
    if (header.kind == RI_MESH_GUARD_REFUSED)
        return explain_refusal(guard, header.size);
    if (header.size > RI_MESH_MAX_TRIANGLES)
        return ri_error(guard->build->ctx, RI_ERR_LIMIT, "%s: %llu triangles, at most %zu are allowed",
                        guard->build->file, (unsigned long long)header.size, RI_MESH_MAX_TRIANGLES);
    return receive_triangles(guard, header.size);
}

static RiStatus system_error(RiContext *ctx, const char *path, const char *what, int code)
{
    char text[128];
    const RiStatus status = code == ENOENT || code == ENOTDIR ? RI_ERR_NOT_FOUND : RI_ERR_IO;
    return ri_error(ctx, status, "%s: %s: %s", path, what, strerror_r(code, text, sizeof text));
}

/// Refuses what need not be tried: missing, unreadable, empty and huge files.
static RiStatus check_file(RiContext *ctx, const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0 || access(path, R_OK) != 0)
        return system_error(ctx, path, "cannot read", errno);
    if (!S_ISREG(info.st_mode))
        return ri_error(ctx, RI_ERR_IO, "%s: cannot read: not a regular file", path);
    if (info.st_size == 0)
        return ri_error(ctx, RI_ERR_FORMAT, "%s: byte 0: the file is empty", path);
    if ((unsigned long long)info.st_size > RI_MESH_MAX_BYTES)
        return ri_error(ctx, RI_ERR_LIMIT, "%s: file of %lld bytes, at most %zu are allowed", path,
                        (long long)info.st_size, RI_MESH_MAX_BYTES);
    return RI_OK;
}

/// Forks; the child runs the importer and never returns.
static RiStatus start_child(Guard *guard, RiMeshImporter *importer)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return system_error(guard->build->ctx, guard->build->file, "cannot make a pipe for the importer", errno);
    guard->child = fork();
    if (guard->child == 0) {
        enter_child(ends[1], guard->seconds);
        importer(guard->build->file, 3);
        _exit(0);
    }
    const int code = errno;
    close(ends[1]);
    guard->fd = ends[0];
    if (guard->child > 0)
        return RI_OK;
    close(ends[0]);
    return system_error(guard->build->ctx, guard->build->file, "cannot start the importer", code);
}

static void set_deadline(Guard *guard)
{
    clock_gettime(CLOCK_MONOTONIC, &guard->deadline);
    const double whole = floor(guard->seconds);
    guard->deadline.tv_sec += (time_t)whole;
    guard->deadline.tv_nsec += (long)(1e9 * (guard->seconds - whole)); // milliseconds_left needs no carry
}

RiStatus ri_mesh_guard_run(RiContext *ctx, const char *path, RiMeshImporter *importer, double seconds,
                           RiMesh **out_mesh)
{
    *out_mesh = NULL;
    RI_TRY(check_file(ctx, path));
    RiMeshBuild build;
    ri_mesh_build_init(&build, ctx, path);
    Guard guard = {.build = &build, .seconds = seconds};
    set_deadline(&guard);
    RI_TRY(start_child(&guard, importer));
    RiStatus status = receive_mesh(&guard);
    if (guard.child)
        end_child(&guard);
    close(guard.fd);
    if (status == RI_OK)
        status = ri_mesh_build_finish(&build, out_mesh);
    ri_mesh_build_free(&build);
    return status;
}
