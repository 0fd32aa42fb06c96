// SPDX-License-Identifier: Apache-2.0
/// \file
/// The child process around foreign code.
///
/// Waiting has one deadline for everything; then the child is killed. It is reaped on every path.
///
/// A child of a process with threads has only the thread that forked. glibc makes malloc usable
/// there; a lock that another thread held in some other library would stay locked, and the deadline
/// turns that into an error.
#include "io/file/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/opened.h"

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

// ---- In the child

void ri_guard_write(int fd, const void *data, size_t size)
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

bool ri_guard_read(int fd, void *data, size_t size)
{
    char *p = data;
    while (size > 0) {
        const ssize_t n = read(fd, p, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        size -= (size_t)n;
    }
    return true;
}

void ri_guard_refuse(int fd, RiStatus status, const char *reason)
{
    const size_t length = strnlen(reason, 400);
    const RiGuardHeader header = {RI_GUARD_MAGIC, RI_GUARD_REFUSED + (uint32_t)status, length};
    ri_guard_write(fd, &header, sizeof header);
    ri_guard_write(fd, reason, length);
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

static void set_limits(const RiGuard *guard)
{
    if (!HAS_SHADOW_MEMORY)
        set_limit(RLIMIT_AS, address_space() + guard->memory);
    if (!guard->stays)
        set_limit(RLIMIT_CPU, (rlim_t)guard->seconds + 1);
    set_limit(RLIMIT_CORE, 0);
    if (!guard->writes)
        set_limit(RLIMIT_FSIZE, 0);
}

/// Own signals, no output, no other files, limits. The result goes to descriptor 3.
static void enter_child(const RiGuard *guard, int fd)
{
    static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE,  SIGILL, SIGINT,
                                  SIGTERM, SIGPIPE, SIGHUP, SIGXCPU, SIGCHLD};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
    if (guard->stays)
        signal(SIGINT, SIG_IGN); // the parent may be finishing its work; the socket's end is ours
    signal(SIGXFSZ, SIG_IGN);    // a forbidden write fails instead
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    // Out of the way first: the socket or /dev/null may stand on a number that is about to be
    // taken.
    const int result = fcntl(fd, F_DUPFD, 10), nothing = fcntl(open("/dev/null", O_RDWR), F_DUPFD, 10);
    if (dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0 || dup2(nothing, 2) < 0 || dup2(result, 3) < 0)
        _exit(4);
    // Also closes what other threads were writing to: their readers must see the end of their own
    // child.
    close_range(4, ~0u, 0);
    set_limits(guard);
}

// ---- In the parent

RI_PRINTF(3, 4) static RiStatus fail(RiGuard *guard, RiStatus status, const char *format, ...)
{
    const int n = snprintf(guard->reason, sizeof guard->reason, "%.180s: ", guard->file);
    va_list args;
    va_start(args, format);
    vsnprintf(guard->reason + n, sizeof guard->reason - (size_t)n, format, args);
    va_end(args);
    return status;
}

void ri_guard_restart_clock(RiGuard *guard)
{
    clock_gettime(CLOCK_MONOTONIC, &guard->deadline);
    const double whole = floor(guard->seconds);
    guard->deadline.tv_sec += (time_t)whole;
    guard->deadline.tv_nsec += (long)(1e9 * (guard->seconds - whole)); // milliseconds_left needs no carry
}

/// Milliseconds until the deadline, rounded up; 0 if it has passed.
static int milliseconds_left(const RiGuard *guard)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double left =
        (double)(guard->deadline.tv_sec - now.tv_sec) + 1e-9 * (double)(guard->deadline.tv_nsec - now.tv_nsec);
    return left > 0.0 ? (int)ceil(1e3 * left) : 0;
}

/// Waits for the socket; false at the deadline.
static bool is_ready(RiGuard *guard, short event)
{
    struct pollfd wait = {.fd = guard->fd, .events = event};
    const int ready = poll(&wait, 1, milliseconds_left(guard));
    guard->is_late |= ready == 0;
    return ready > 0 || (ready < 0 && errno == EINTR);
}

bool ri_guard_receive(RiGuard *guard, void *data, size_t size)
{
    char *p = data;
    while (size > 0) {
        if (!guard->child || !is_ready(guard, POLLIN))
            return false;
        const ssize_t n = recv(guard->fd, p, size, MSG_DONTWAIT);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n <= 0)
            return false;
        p += n;
        size -= (size_t)n;
    }
    return true;
}

bool ri_guard_send(RiGuard *guard, const void *data, size_t size)
{
    const char *p = data;
    while (size > 0) {
        if (!guard->child || !is_ready(guard, POLLOUT))
            return false;
        const ssize_t n = send(guard->fd, p, size, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n <= 0)
            return false;
        p += n;
        size -= (size_t)n;
    }
    return true;
}

/// Ends the child if it still runs, and reaps it. A child that has died keeps its own status.
static int end_child(RiGuard *guard)
{
    int status = 0;
    if (!guard->child)
        return 0;
    kill(guard->child, SIGKILL);
    while (waitpid(guard->child, &status, 0) < 0)
        if (errno != EINTR) {
            status = 0; // reaped by someone else (SIGCHLD ignored): its status is lost
            break;
        }
    close(guard->fd);
    guard->child = 0;
    return status;
}

void ri_guard_end(RiGuard *guard)
{
    end_child(guard);
}

RiStatus ri_guard_explain(RiGuard *guard)
{
    const char *who = guard->worker;
    if (!guard->child)
        return guard->reason[0] ? RI_ERR_IO : fail(guard, RI_ERR_IO, "the %s has ended", who);
    const int status = end_child(guard);
    if (guard->is_late)
        return fail(guard, RI_ERR_FORMAT, "the %s timed out after %g s and was stopped", who, guard->seconds);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        return fail(guard, RI_ERR_FORMAT, "the %s timed out after %g s of processor time", who, guard->seconds);
    if (WIFSIGNALED(status))
        return fail(guard, RI_ERR_FORMAT, "the %s crashed on this file (signal %d, %s)", who, WTERMSIG(status),
                    sigabbrev_np(WTERMSIG(status)) ? sigabbrev_np(WTERMSIG(status)) : "?");
    return fail(guard, RI_ERR_FORMAT, "the %s ended without a result (exit code %d)", who,
                WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

/// The child's own reason, on one line and printable.
static RiStatus explain_refusal(RiGuard *guard, const RiGuardHeader *header)
{
    char reason[401];
    const uint32_t code = header->kind - RI_GUARD_REFUSED;
    const RiStatus status = code > RI_OK && code < RI_STATUS_COUNT ? (RiStatus)code : RI_ERR_FORMAT;
    const size_t n = header->size < sizeof reason ? (size_t)header->size : sizeof reason - 1;
    if (!ri_guard_receive(guard, reason, n))
        return ri_guard_explain(guard);
    for (size_t i = 0; i < n; i++)
        if (reason[i] < ' ' || reason[i] > '~')
            reason[i] = ' ';
    reason[n] = '\0';
    return fail(guard, status, "%s%s", guard->verdict ? guard->verdict : "", reason);
}

RiStatus ri_guard_receive_header(RiGuard *guard, RiGuardHeader *out_header)
{
    if (!ri_guard_receive(guard, out_header, sizeof *out_header))
        return ri_guard_explain(guard);
    if (out_header->magic == RI_GUARD_MAGIC && out_header->kind == RI_GUARD_RESULT)
        return RI_OK;
    if (out_header->magic == RI_GUARD_MAGIC && out_header->kind >= RI_GUARD_REFUSED)
        return explain_refusal(guard, out_header);
    ri_guard_end(guard);
    return fail(guard, RI_ERR_FORMAT, "the %s gave a damaged result", guard->worker);
}

RiStatus ri_guard_check_file(RiContext *ctx, const char *path, size_t most_bytes)
{
    struct stat info;
    char text[128];
    ri_context_opened(ctx, path);
    if (stat(path, &info) != 0 || access(path, R_OK) != 0) {
        const RiStatus status = errno == ENOENT || errno == ENOTDIR ? RI_ERR_NOT_FOUND : RI_ERR_IO;
        return ri_error(ctx, status, "%s: cannot read: %s", path, strerror_r(errno, text, sizeof text));
    }
    if (!S_ISREG(info.st_mode))
        return ri_error(ctx, RI_ERR_IO, "%s: cannot read: not a regular file", path);
    if (info.st_size == 0)
        return ri_error(ctx, RI_ERR_FORMAT, "%s: byte 0: the file is empty", path);
    if ((unsigned long long)info.st_size > most_bytes)
        return ri_error(ctx, RI_ERR_LIMIT, "%s: file of %lld bytes, at most %zu are allowed", path,
                        (long long)info.st_size, most_bytes);
    return RI_OK;
}

RiStatus ri_guard_start(RiGuard *guard, RiGuardWork *work, void *user)
{
    int ends[2];
    char text[128];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return fail(guard, RI_ERR_IO, "cannot make a socket for the %s: %s", guard->worker,
                    strerror_r(errno, text, sizeof text));
    guard->child = fork();
    if (guard->child == 0) {
        enter_child(guard, ends[1]);
        work(user, 3);
        _exit(0);
    }
    const int code = errno;
    close(ends[1]);
    guard->fd = ends[0];
    ri_guard_restart_clock(guard);
    if (guard->child > 0)
        return RI_OK;
    guard->child = 0;
    close(ends[0]);
    return fail(guard, RI_ERR_IO, "cannot start the %s: %s", guard->worker, strerror_r(code, text, sizeof text));
}
