// SPDX-License-Identifier: Apache-2.0
/// \file
/// Starting, asking and ending peer programs. The two ends talk over a socket pair, because writing
/// to a peer that has died is then an error (MSG_NOSIGNAL) and not a signal.
#include "bench/bench_peers.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double wall_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void end(BenchPeer *peer)
{
    if (!peer->pid)
        return;
    close(peer->socket);
    kill(peer->pid, SIGKILL);
    while (waitpid(peer->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    peer->pid = 0;
}

/// Says why a peer is left out from now on.
static bool give_up(BenchPeer *peer, const char *why)
{
    fprintf(stderr, "rille bench: peer '%s' %s; it is left out\n", peer->label, why);
    end(peer);
    return false;
}

static bool send_line(BenchPeer *peer, const char *line)
{
    const size_t size = strlen(line);
    size_t sent = 0;
    while (sent < size) {
        const ssize_t n = send(peer->socket, line + sent, size - sent, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return give_up(peer, "has ended");
        sent += (size_t)n;
    }
    return true;
}

/// Takes one line out of the buffer if it holds one.
static bool take_line(BenchPeer *peer, char *line, size_t size)
{
    char *newline = memchr(peer->buffer, '\n', peer->used);
    if (!newline)
        return false;
    const size_t length = (size_t)(newline - peer->buffer);
    snprintf(line, size, "%.*s", (int)length, peer->buffer);
    peer->used -= length + 1;
    memmove(peer->buffer, newline + 1, peer->used);
    return true;
}

static bool read_line(BenchPeer *peer, double timeout, char *line, size_t size)
{
    const double deadline = wall_seconds() + timeout;
    while (!take_line(peer, line, size)) {
        const double left = deadline - wall_seconds();
        struct pollfd wait = {.fd = peer->socket, .events = POLLIN};
        const int ready = left > 0.0 ? poll(&wait, 1, (int)(1e3 * left) + 1) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return give_up(peer, "did not answer in time");
        const ssize_t n = recv(peer->socket, peer->buffer + peer->used, sizeof peer->buffer - peer->used, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return give_up(peer, peer->used == sizeof peer->buffer ? "sent a line that is too long" : "has ended");
        peer->used += (size_t)n;
    }
    return true;
}

/// The child's standard input and output are one end of the pair; its standard error is ours.
static bool spawn(BenchPeer *peer, const char *path)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    char name[] = "peer", *arguments[] = {name, NULL};
    const int failed = posix_spawn(&peer->pid, path, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    peer->socket = ends[0];
    if (failed) {
        peer->pid = 0;
        close(ends[0]);
    }
    return !failed;
}

static void start(BenchPeers *peers, const char *folder, const char *file)
{
    if (peers->count == BENCH_MAX_PEERS) {
        fprintf(stderr, "rille bench: more than %d peers; '%s' is left out\n", BENCH_MAX_PEERS, file);
        return;
    }
    BenchPeer *peer = &peers->list[peers->count];
    memset(peer, 0, sizeof *peer);
    snprintf(peer->label, sizeof peer->label, "%s", file);
    char path[4096], line[128], name[32], version[24];
    if (snprintf(path, sizeof path, "%s/%s", folder, file) >= (int)sizeof path || access(path, X_OK) != 0)
        return;
    if (!spawn(peer, path)) {
        fprintf(stderr, "rille bench: peer '%s' cannot be started: %s\n", path, strerror(errno));
        return;
    }
    if (!read_line(peer, peers->timeout, line, sizeof line))
        return;
    if (sscanf(line, "hello %31s %23s", name, version) != 2) {
        give_up(peer, "did not say hello");
        return;
    }
    snprintf(peer->label, sizeof peer->label, "%s %s", name, version);
    peers->count++;
}

static int is_peer(const struct dirent *entry)
{
    return strncmp(entry->d_name, "peer_", 5) == 0 && !strchr(entry->d_name, '.') &&
           (entry->d_type == DT_REG || entry->d_type == DT_LNK || entry->d_type == DT_UNKNOWN);
}

bool bench_peers_start(BenchPeers *peers, const char *folder, double timeout)
{
    peers->count = 0;
    peers->timeout = timeout;
    struct dirent **files = NULL;
    const int count = scandir(folder, &files, is_peer, alphasort);
    for (int i = 0; i < count; i++) {
        start(peers, folder, files[i]->d_name);
        free(files[i]);
    }
    free(files);
    return count >= 0;
}

void bench_peers_stop(BenchPeers *peers)
{
    for (int i = 0; i < peers->count; i++)
        end(&peers->list[i]);
    peers->count = 0;
}

bool bench_peer_time(BenchPeers *peers, int peer, const char *name, const char *quantity, double seconds,
                     double *out_us)
{
    BenchPeer *p = &peers->list[peer];
    char line[128];
    snprintf(line, sizeof line, "%s %s %g\n", name, quantity, seconds);
    if (!p->pid || !send_line(p, line) || !read_line(p, peers->timeout, line, sizeof line))
        return false;
    if (strcmp(line, "none") == 0)
        return false;
    if (sscanf(line, "value %lf", out_us) != 1 || !(*out_us > 0.0))
        return give_up(p, "gave no time");
    return true;
}

bool bench_peer_check(BenchPeers *peers, int peer, const char *name, const char *quantity, double out[4])
{
    BenchPeer *p = &peers->list[peer];
    char line[256];
    snprintf(line, sizeof line, "check %s %s\n", name, quantity);
    if (!p->pid || !send_line(p, line) || !read_line(p, peers->timeout, line, sizeof line))
        return false;
    if (strcmp(line, "none") == 0)
        return false;
    if (sscanf(line, "check %lf %lf %lf %lf", &out[0], &out[1], &out[2], &out[3]) != 4)
        return give_up(p, "gave no numbers to check");
    return true;
}
