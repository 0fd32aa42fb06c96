// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sockets of the variable server. All of them are non-blocking and belong to the simulation's
/// thread: a client in lock-step is answered without a change of thread, and a simulation that runs
/// by itself looks at its sockets once a millisecond of the wall clock.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "link/serve_work.h"

static const double look_period = 1e-3;   ///< between looks at the sockets while ticks are made [s]
static const double spin_time = 30e-6;    ///< that a client in lock-step is waited for without sleeping [s]
static const double greeting_time = 10.0; ///< within which a stranger must show the token [s]

double ri_serve_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void ri_serve_note(RiServe *s, const char *format, ...)
{
    char text[512];
    va_list args;
    if (!s->options.note)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    s->options.note(s->options.user, text);
}

// --- clients -------------------------------------------------------------------------------------

static void drop(RiServe *s, ServeClient *c, const char *why)
{
    const bool missed = c->stepping && !s->ended && !s->quit;
    close(c->fd);
    c->fd = -1;
    s->counts.clients--;
    ri_session_close(s, c);
    ri_serve_note(s, "client %d is gone: %s", c->number, why);
    if (!missed)
        return;
    if (s->options.lost == RI_SERVE_LOST_RUN && !s->running) {
        s->running = true;
        s->speed = s->options.speed;
        s->begun = ri_serve_clock();
        s->begun_time = ri_sim_time(s->sim);
    } else if (s->options.lost == RI_SERVE_LOST_STOP) {
        s->quit = s->lost = true;
        snprintf(s->why, sizeof s->why, "client %d, which stepped the simulation, is gone: %.160s", c->number, why);
    }
}

/// Sends what waits; a client that lets too much pile up, or has gone, is dropped.
static void flush(RiServe *s, ServeClient *c)
{
    RiText *out = &c->out;
    while (c->out_sent < out->size) {
        const ssize_t n = send(c->fd, out->at + c->out_sent, out->size - c->out_sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            break;
        if (n < 0) {
            drop(s, c, "it cannot be written to");
            return;
        }
        c->out_sent += (size_t)n;
    }
    if (c->out_sent > 0 && (c->out_sent == out->size || c->out_sent > 65536)) {
        memmove(out->at, out->at + c->out_sent, out->size - c->out_sent);
        out->size -= c->out_sent;
        c->out_sent = 0;
    }
    if (out->failed || out->size - c->out_sent > SERVE_OUTPUT)
        drop(s, c, "it does not read its answers");
    else if (c->closing && out->size == 0)
        drop(s, c, "turned away");
}

/// Reads what has come; false when the client has been dropped.
static bool receive(RiServe *s, ServeClient *c, int flags)
{
    char data[65536];
    const size_t room = SERVE_INPUT - c->in_size;
    if (room == 0)
        return true;
    const ssize_t n = recv(c->fd, data, room < sizeof data ? room : sizeof data, flags | MSG_DONTWAIT);
    if (n < 0)
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR || (drop(s, c, strerror(errno)), false);
    if (n == 0) {
        drop(s, c, "it closed the connection");
        return false;
    }
    c->heard = ri_serve_clock();
    (void)ri_session_feed(s, c, data, (size_t)n);
    return true;
}

/// A place for a new client: a free one, or that of the oldest who has not shown the token.
static ServeClient *find_place(RiServe *s)
{
    ServeClient *oldest = NULL;
    for (ServeClient *c = s->clients; c < s->clients + SERVE_CLIENTS; c++) {
        if (c->fd < 0)
            return c;
        if (!c->trusted && (!oldest || c->since < oldest->since))
            oldest = c;
    }
    if (oldest) {
        s->counts.turned_away++;
        drop(s, oldest, "it did not show the token in time");
    }
    return oldest;
}

/// Whether the program at the other end of a local socket belongs to our user, or to the machine's
/// owner.
static bool is_own(int fd)
{
    struct ucred who;
    socklen_t size = sizeof who;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 && (who.uid == geteuid() || who.uid == 0);
}

static void admit(RiServe *s, int listener)
{
    const int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), on = 1;
    if (fd < 0)
        return;
    ServeClient *c = find_place(s);
    const bool local = listener == s->local;
    if (!c || (local && !is_own(fd))) {
        static const char full[] = "error the server has no place for another client\n";
        (void)!send(fd, full, sizeof full - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        close(fd);
        s->counts.turned_away++;
        return;
    }
    if (!local)
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    c->fd = fd;
    s->counts.clients++;
    if (!ri_session_open(s, c, local))
        drop(s, c, "out of memory");
    else
        ri_serve_note(s, "client %d came by %s", c->number, local ? "the local socket" : "TCP");
}

// --- waiting -------------------------------------------------------------------------------------

/// Strangers who do not speak, and clients in lock-step whose silence lasts too long.
static void look_at_silence(RiServe *s, double now)
{
    char text[64];
    for (ServeClient *c = s->clients; c < s->clients + SERVE_CLIENTS; c++) {
        if (c->fd < 0)
            continue;
        if (!c->trusted && now - c->since > greeting_time) {
            s->counts.turned_away++;
            drop(s, c, "it did not show the token in time");
        } else if (c->stepping && s->options.patience > 0.0 && s->stepper != c && !s->running && !s->ended &&
                   now - c->heard > s->options.patience) {
            snprintf(text, sizeof text, "silent for more than %.9g s", s->options.patience);
            drop(s, c, text);
        }
    }
}

/// Requests that have come already; true if some are left.
static bool work_off(RiServe *s)
{
    bool more = false;
    for (ServeClient *c = s->clients; c < s->clients + SERVE_CLIENTS; c++)
        if (c->fd >= 0 && c->in_size > 0 && s->stepper != c)
            more |= ri_session_feed(s, c, NULL, 0);
    return more;
}

static int gather(const RiServe *s, struct pollfd *fds, int *out_client)
{
    int n = 0;
    const int listeners[] = {s->local, s->tcp};
    for (int i = 0; i < 2; i++)
        if (listeners[i] >= 0) {
            out_client[n] = -1;
            fds[n++] = (struct pollfd){.fd = listeners[i], .events = POLLIN};
        }
    for (int i = 0; i < SERVE_CLIENTS; i++) {
        const ServeClient *c = &s->clients[i];
        const int wants = (c->in_size < SERVE_INPUT ? POLLIN : 0) | (c->out.size > c->out_sent ? POLLOUT : 0);
        if (c->fd < 0)
            continue;
        out_client[n] = i;
        fds[n++] = (struct pollfd){.fd = c->fd, .events = (short)wants};
    }
    return n;
}

/// Waits for the client in lock-step without sleeping: its next request usually comes within
/// microseconds.
static bool spin(RiServe *s)
{
    ServeClient *c = s->spin;
    s->spin = NULL;
    for (const double until = ri_serve_clock() + spin_time; c && ri_serve_clock() < until;) {
        const size_t before = c->in_size;
        const long long requests = s->counts.requests;
        if (!receive(s, c, 0))
            return true;
        if (s->counts.requests != requests)
            return true;
        if (c->in_size != before)
            return false; // a part of a request
    }
    return false;
}

/// Looks at all sockets, at most for `wait` seconds.
static void look(RiServe *s, double wait)
{
    struct pollfd fds[SERVE_CLIENTS + 2];
    int client[SERVE_CLIENTS + 2];
    if (s->spin && wait > 0.0 && spin(s))
        return;
    if (work_off(s) || s->ticks_wanted > 0 || s->quit)
        wait = 0.0;
    for (ServeClient *c = s->clients; c < s->clients + SERVE_CLIENTS; c++)
        if (c->fd >= 0 && (c->out.size > c->out_sent || c->closing || c->out.failed))
            flush(s, c);
    const int n = gather(s, fds, client);
    const struct timespec timeout = {(time_t)floor(wait), (long)((wait - floor(wait)) * 1e9)};
    const int ready = ppoll(fds, (nfds_t)n, &timeout, NULL);
    for (int i = 0; ready > 0 && i < n; i++) {
        ServeClient *c = client[i] >= 0 ? &s->clients[client[i]] : NULL;
        if (!c && (fds[i].revents & POLLIN))
            admit(s, fds[i].fd);
        else if (c && c->fd == fds[i].fd && (fds[i].revents & (POLLIN | POLLHUP | POLLERR))) {
            if (c->in_size == SERVE_INPUT && (fds[i].revents & (POLLHUP | POLLERR)))
                drop(s, c, "it closed the connection");
            else if (receive(s, c, 0) && c->out.size > c->out_sent)
                flush(s, c);
        } else if (c && c->fd == fds[i].fd && (fds[i].revents & POLLOUT)) {
            flush(s, c);
        }
    }
    s->looked = ri_serve_clock();
    look_at_silence(s, s->looked);
}

/// Seconds until the next tick of a simulation that runs by itself; INFINITY if it does not.
static double due_in(const RiServe *s, double now)
{
    if (s->ended || !s->running)
        return INFINITY;
    if (s->speed <= 0.0)
        return 0.0;
    return s->begun + (ri_sim_time(s->sim) - s->begun_time) / s->speed - now;
}

RiServeTurn ri_serve_turn(RiServe *s, double seconds)
{
    double now = ri_serve_clock();
    const double until = now + seconds;
    for (;;) {
        const bool ticking = s->ticks_wanted > 0 || due_in(s, now) <= 0.0;
        if (ticking && now - s->looked < look_period && !s->quit)
            return RI_SERVE_TICK;
        const double due = due_in(s, now), left = until - now;
        look(s, ticking || left <= 0.0 ? 0.0 : fmin(due, left));
        now = ri_serve_clock();
        if (s->quit) {
            for (ServeClient *c = s->clients; c < s->clients + SERVE_CLIENTS; c++)
                if (c->fd >= 0)
                    flush(s, c);
            return s->lost ? RI_SERVE_LOST : RI_SERVE_QUIT;
        }
        if (s->ticks_wanted > 0 || due_in(s, now) <= 0.0)
            return RI_SERVE_TICK;
        if (now >= until)
            return RI_SERVE_WAIT;
    }
}

/// Answers the client that waits for ticks.
static void answer_stepper(RiServe *s, const char *error)
{
    ServeClient *c = s->stepper;
    if (!c)
        return;
    ri_session_stepped(s, error);
    flush(s, c);
    if (c->fd >= 0)
        s->spin = c;
}

void ri_serve_ticked(RiServe *s, RiStatus status)
{
    if (status != RI_OK) {
        s->running = false;
        answer_stepper(s, ri_context_message(s->ctx));
        return;
    }
    ri_session_sample(s);
    if (ri_sim_stopped(s->sim))
        ri_serve_end(s, ri_sim_stopped(s->sim));
    else if (s->ticks_wanted > 0 && --s->ticks_wanted == 0)
        answer_stepper(s, NULL);
}

void ri_serve_end(RiServe *s, const char *why)
{
    char text[300];
    if (s->ended)
        return;
    s->ended = true;
    s->running = false;
    snprintf(s->why, sizeof s->why, "%s", why);
    snprintf(text, sizeof text, "end %s", s->why);
    answer_stepper(s, NULL);
    for (ServeClient *c = s->clients; c < s->clients + SERVE_CLIENTS; c++)
        if (c->fd >= 0 && c->trusted) {
            ri_session_event(s, c, text);
            flush(s, c);
        }
}

const char *ri_serve_why(const RiServe *s)
{
    return s->why;
}

RiServeCounts ri_serve_counts(const RiServe *s)
{
    return s->counts;
}

// --- life cycle ----------------------------------------------------------------------------------

RiServeOptions ri_serve_options_default(void)
{
    return (RiServeOptions){.lost = RI_SERVE_LOST_PAUSE};
}

static void *resize_block(void *user, void *block, size_t size)
{
    return ri_resize(user, block, size, 1);
}

static void release_block(void *user, void *block)
{
    ri_release(user, block);
}

static RiStatus take_token(RiServe *s, const char *token)
{
    static const char letters[] = "0123456789abcdef";
    unsigned char random[16];
    if (token) {
        const size_t n = strlen(token);
        if (n < 16 || n > RI_SERVE_TOKEN ||
            token[strspn(token, "0123456789abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_")])
            return ri_error(s->ctx, RI_ERR_ARGUMENT,
                            "serve: a token has 16 to %d letters, digits, '-' or '_'; this one has %zu characters",
                            RI_SERVE_TOKEN, n);
        memcpy(s->token, token, n + 1);
        return RI_OK;
    }
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return ri_error(s->ctx, RI_ERR_IO, "serve: the system gives no random numbers for a token");
    for (size_t i = 0; i < sizeof random; i++) {
        s->token[2 * i] = letters[random[i] >> 4];
        s->token[2 * i + 1] = letters[random[i] & 15];
    }
    return RI_OK;
}

/// Removes a socket that a dead server has left; false if a living one is there.
static bool clear_path(const struct sockaddr_un *at)
{
    struct stat info;
    if (lstat(at->sun_path, &info) != 0)
        return true;
    if (!S_ISSOCK(info.st_mode))
        return false;
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const bool dead = fd >= 0 && connect(fd, (const struct sockaddr *)at, sizeof *at) != 0 && (errno == ECONNREFUSED);
    if (fd >= 0)
        close(fd);
    return dead && unlink(at->sun_path) == 0;
}

static RiStatus listen_local(RiServe *s, const char *path)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    if (!path)
        return RI_OK;
    if (strlen(path) >= sizeof at.sun_path || !*path)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "serve: the path of a local socket has 1 to %zu bytes: '%.200s'",
                        sizeof at.sun_path - 1, path);
    memcpy(at.sun_path, path, strlen(path) + 1);
    if (!clear_path(&at))
        return ri_error(s->ctx, RI_ERR_IO, "serve: %s is in use, or is not a socket", path);
    s->local = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    // The mode is set before the name appears: nobody else gets in between.
    if (s->local < 0 || fchmod(s->local, 0600) != 0 || bind(s->local, (struct sockaddr *)&at, sizeof at) != 0 ||
        chmod(path, 0600) != 0 || listen(s->local, 4 * SERVE_CLIENTS) != 0)
        return ri_error(s->ctx, RI_ERR_IO, "serve: cannot listen at %s: %s", path, strerror(errno));
    memcpy(s->path, path, strlen(path) + 1);
    return RI_OK;
}

static RiStatus listen_tcp(RiServe *s, const char *address, int port)
{
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM}, *at = NULL;
    struct sockaddr_storage own;
    socklen_t size = sizeof own;
    char service[16];
    const int on = 1;
    if (!address)
        return RI_OK;
    if (port < 0 || port > 65535)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "serve: a port is from 0 to 65535, not %d", port);
    snprintf(service, sizeof service, "%d", port);
    if (getaddrinfo(address, service, &hints, &at) != 0)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "serve: '%.100s' is not a numeric address such as 127.0.0.1", address);
    s->tcp = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const bool good = s->tcp >= 0 && setsockopt(s->tcp, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                      bind(s->tcp, at->ai_addr, at->ai_addrlen) == 0 && listen(s->tcp, 4 * SERVE_CLIENTS) == 0 &&
                      getsockname(s->tcp, (struct sockaddr *)&own, &size) == 0;
    freeaddrinfo(at);
    if (!good)
        return ri_error(s->ctx, RI_ERR_IO, "serve: cannot listen at %s, port %d: %s", address, port, strerror(errno));
    s->port = ntohs(own.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&own)->sin6_port
                                              : ((struct sockaddr_in *)&own)->sin_port);
    return RI_OK;
}

static RiStatus start(RiServe *s, const RiServeOptions *o)
{
    if (!o->path && !o->listen)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "serve: neither a local socket nor a TCP address is given");
    if (!(o->speed >= 0.0) || !(o->patience >= 0.0))
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "serve: speed %g and patience %g must not be negative", o->speed,
                        o->patience);
    if (o->folder) {
        s->folder = ri_alloc(s->ctx, strlen(o->folder) + 1, 1);
        if (!s->folder)
            return ri_error_memory(s->ctx);
        memcpy(s->folder, o->folder, strlen(o->folder) + 1);
    }
    RI_TRY(take_token(s, o->token));
    RI_TRY(listen_local(s, o->path));
    return listen_tcp(s, o->listen, o->port);
}

RiStatus ri_serve_create(RiContext *ctx, RiSim *sim, const RiServeOptions *options, RiServe **out_serve)
{
    *out_serve = NULL;
    RiServe *s = ri_alloc_zero(ctx, 1, sizeof *s);
    if (!s)
        return ri_error_memory(ctx);
    s->ctx = ctx;
    s->memory = (RiAllocator){resize_block, release_block, ctx};
    s->sim = sim;
    s->options = *options;
    s->local = s->tcp = -1;
    s->running = options->running;
    s->speed = options->speed;
    s->begun = ri_serve_clock();
    s->begun_time = ri_sim_time(sim);
    for (int i = 0; i < SERVE_CLIENTS; i++)
        s->clients[i].fd = -1;
    const RiStatus status = start(s, options);
    if (status != RI_OK) {
        ri_serve_destroy(s);
        return status;
    }
    *out_serve = s;
    return RI_OK;
}

void ri_serve_destroy(RiServe *s)
{
    if (!s)
        return;
    s->options.note = NULL;
    s->quit = true;
    for (ServeClient *c = s->clients; c < s->clients + SERVE_CLIENTS; c++)
        if (c->fd >= 0)
            drop(s, c, "");
    if (s->local >= 0)
        close(s->local);
    if (s->tcp >= 0)
        close(s->tcp);
    if (s->path[0])
        unlink(s->path);
    ri_release(s->ctx, s->folder);
    ri_release(s->ctx, s);
}

int ri_serve_port(const RiServe *s)
{
    return s->port;
}

const char *ri_serve_token(const RiServe *s)
{
    return s->token;
}
