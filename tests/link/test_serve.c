// SPDX-License-Identifier: Apache-2.0
/// \file
/// The variable server, seen from sockets: what it answers, who gets in, that clients in lock-step
/// repeat a run bit by bit, and that nothing a client does stops the simulation.
#include "check.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <rille/rille.h>

static const char token[] = "0123456789abcdef";

/// A server in a thread of its own while the test is the client.
typedef struct Rig {
    RiContext *ctx;
    RiScene *scene;
    RiServe *serve;
    pthread_t thread;
    atomic_int stop, turn; ///< the last RiServeTurn
    atomic_llong ticks;
    char path[100];
    int port;
    char note[512];
} Rig;

static void *drive(void *user)
{
    Rig *r = user;
    RiSim *sim = ri_scene_sim(r->scene);
    RiServeTurn turn = RI_SERVE_WAIT;
    while (!atomic_load(&r->stop) && turn < RI_SERVE_QUIT) {
        turn = ri_serve_turn(r->serve, 0.02);
        if (turn == RI_SERVE_TICK) {
            ri_serve_ticked(r->serve, ri_sim_step(sim));
            atomic_store(&r->ticks, ri_sim_tick(sim));
        }
    }
    atomic_store(&r->turn, turn);
    return NULL;
}

static void keep_note(void *user, const char *text)
{
    Rig *r = user;
    if (strstr(text, "refused"))
        snprintf(r->note, sizeof r->note, "%s", text);
}

static bool rig_start(Rig *r, const char *scene, RiServeOptions o)
{
    static int number;
    char path[512];
    *r = (Rig){0};
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", RILLE_SOURCE_DIR, scene);
    snprintf(r->path, sizeof r->path, "/tmp/rille-serve-%d-%d", (int)getpid(), number++);
    o.path = r->path;
    o.listen = "127.0.0.1";
    o.token = token;
    o.folder = RILLE_BINARY_DIR;
    o.note = keep_note;
    o.user = r;
    if (ri_context_create(NULL, &r->ctx) != RI_OK || ri_scene_load(r->ctx, path, NULL, &r->scene) != RI_OK ||
        ri_scene_build(r->scene) != RI_OK || ri_serve_create(r->ctx, ri_scene_sim(r->scene), &o, &r->serve) != RI_OK) {
        CHECK_FAIL("%s", ri_context_message(r->ctx));
        return false;
    }
    r->port = ri_serve_port(r->serve);
    return pthread_create(&r->thread, NULL, drive, r) == 0;
}

static void rig_stop(Rig *r)
{
    atomic_store(&r->stop, 1);
    pthread_join(r->thread, NULL);
    ri_serve_destroy(r->serve);
    CHECK(access(r->path, F_OK) != 0);
    ri_scene_destroy(r->scene);
    ri_context_destroy(r->ctx);
}

static int with_timeout(int fd)
{
    const struct timeval patience = {20, 0};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return fd;
}

static int go_local(const Rig *r)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    snprintf(at.sun_path, sizeof at.sun_path, "%s", r->path);
    const int fd = with_timeout(socket(AF_UNIX, SOCK_STREAM, 0));
    if (connect(fd, (struct sockaddr *)&at, sizeof at) != 0)
        CHECK_FAIL("cannot connect: %s", strerror(errno));
    return fd;
}

static int go_tcp(const Rig *r)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)r->port)};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int fd = with_timeout(socket(AF_INET, SOCK_STREAM, 0));
    if (connect(fd, (struct sockaddr *)&at, sizeof at) != 0)
        CHECK_FAIL("cannot connect: %s", strerror(errno));
    return fd;
}

/// The next line, without its end; "" if the server closed the connection.
static const char *read_line(int fd, char line[4096])
{
    size_t n = 0;
    while (n < 4095 && recv(fd, line + n, 1, 0) == 1 && line[n] != '\n')
        n++;
    line[n] = '\0';
    return line;
}

static const char *ask(int fd, const char *request, char line[4096])
{
    char text[4096];
    const int n = snprintf(text, sizeof text, "%s\n", request);
    if (send(fd, text, (size_t)n, MSG_NOSIGNAL) != n)
        return "(closed)";
    return read_line(fd, line);
}

#define CHECK_ASK(fd, request, wanted)                                                                                 \
    do {                                                                                                               \
        char line_[4096];                                                                                              \
        const char *got_ = ask(fd, request, line_);                                                                    \
        if (strncmp(got_, wanted, strlen(wanted)) != 0)                                                                \
            CHECK_FAIL("%s: '%s', expected '%s...'", request, got_, wanted);                                           \
    } while (0)

TEST(values_are_listed_read_and_set)
{
    Rig r;
    REQUIRE(rig_start(&r, "pendulum", ri_serve_options_default()));
    const int fd = go_local(&r);
    char line[4096];
    CHECK_ASK(fd, "get hinge_1.position time", "ok 1.5707963267948966 0");
    CHECK_ASK(fd, "list hinge_1.comm*", "`hinge_1.command` real input rw [N*m] -inf inf");
    CHECK(strcmp(read_line(fd, line), "ok 1") == 0);
    CHECK_ASK(fd, "describe hinge_1.command", "ok effort commanded from outside");
    CHECK_ASK(fd, "set `hinge_1.command` 250 N*cm", "ok 2.5");
    CHECK_ASK(fd, "get hinge_?.command", "ok 2.5 0");
    CHECK_ASK(fd, "set hinge_1.command 3 kg", "error ");
    CHECK_ASK(fd, "set hinge_1.effort 3", "error value 'hinge_1.effort' is read-only");
    CHECK_ASK(fd, "set hinge_1.comand 3", "error there is no value 'hinge_1.comand'; did you mean 'hinge_1.command'?");
    CHECK_ASK(fd, "get nothing*", "error no value matches");
    CHECK_ASK(fd, "step 10", "ok 0.01");
    CHECK_ASK(fd, "step -1", "error step: ");
    CHECK_ASK(fd, "stepp", "error unknown request 'stepp'; did you mean 'step'?");
    CHECK_ASK(fd, "", "error an empty line");
    CHECK_ASK(fd, "get `", "error a line has at most");
    CHECK_ASK(fd, "version", "ok rille ");
    close(fd);
    rig_stop(&r);
}

TEST(tcp_wants_the_token_first)
{
    Rig r;
    REQUIRE(rig_start(&r, "pendulum", ri_serve_options_default()));
    char line[4096];
    int fd = go_tcp(&r);
    CHECK_ASK(fd, "get time", "error the first line is 'token TOKEN'");
    CHECK(*read_line(fd, line) == '\0'); // and the door is shut
    close(fd);
    fd = go_tcp(&r);
    CHECK_ASK(fd, "token 0123456789abcdeg", "error wrong token");
    CHECK(*read_line(fd, line) == '\0');
    close(fd);
    fd = go_tcp(&r);
    CHECK_ASK(fd, "token 0123456789abcdef", "ok rille");
    CHECK_ASK(fd, "get time", "ok 0");
    close(fd);
    struct stat info;
    CHECK(stat(r.path, &info) == 0 && (info.st_mode & 0777) == 0600);
    rig_stop(&r);
}

/// A frame to the server, and its answer's head; the payload goes into `out`.
static int cycle_frame(int fd, const double *x, int count, double *out, int most)
{
    unsigned char head[8] = {(unsigned char)(8 * count), 0, 0, 0, 2, 0, 0, 0};
    char text[512];
    CHECK(send(fd, head, 8, MSG_NOSIGNAL) == 8); // in two pieces: a frame may come in parts
    CHECK(send(fd, x, 8 * (size_t)count, MSG_NOSIGNAL) == 8 * count);
    if (recv(fd, head, 8, MSG_WAITALL) != 8)
        return -1;
    const size_t size = head[0] | (size_t)head[1] << 8;
    if (head[4] != 130) {
        CHECK(size < sizeof text && recv(fd, text, size, MSG_WAITALL) == (ssize_t)size);
        return -2;
    }
    CHECK(size <= 8 * (size_t)most && recv(fd, out, size, MSG_WAITALL) == (ssize_t)size);
    return head[5];
}

/// 500 ticks of a controller that is a client; the hash at the end.
static void lock_step(const char *bad, char hash[4096])
{
    Rig r;
    REQUIRE(rig_start(&r, "pendulum", ri_serve_options_default()));
    const int fd = go_local(&r);
    double x[3] = {0};
    CHECK_ASK(fd, "bind 0 1 hinge_1.command -> hinge_1.position hinge_1.velocity", "ok 1 in 2 out");
    CHECK_ASK(fd, "binary", "ok binary");
    for (int i = 0; i < 500; i++) {
        const bool spoil = bad && i == 250;
        const double u = spoil ? strtod(bad, NULL) : -20.0 * x[1] - 4.0 * x[2];
        CHECK_INT(cycle_frame(fd, &u, 1, x, 3), spoil ? 2 : 0);
    }
    CHECK_CLOSE(x[0], 0.5, 1e-9);
    unsigned char head[8] = {4, 0, 0, 0, 1, 0, 7, 0};
    CHECK(send(fd, head, 8, MSG_NOSIGNAL) == 8 && send(fd, "hash", 4, MSG_NOSIGNAL) == 4);
    CHECK(recv(fd, head, 8, MSG_WAITALL) == 8 && head[4] == 129 && head[6] == 7);
    const size_t size = head[0];
    CHECK(recv(fd, hash, size, MSG_WAITALL) == (ssize_t)size);
    hash[size] = '\0';
    close(fd);
    rig_stop(&r);
    if (bad)
        CHECK(strstr(r.note, "set-point refused, the last good one is held: value 'hinge_1.command'"));
}

TEST(lock_step_repeats_a_run_bit_by_bit)
{
    char a[4096] = "a", b[4096] = "b";
    lock_step(NULL, a);
    lock_step(NULL, b);
    CHECK(strlen(a) == 19 && strcmp(a, b) == 0);
}

TEST(a_set_point_that_is_not_finite_is_held_and_flagged)
{
    char a[4096] = "a", b[4096] = "b";
    lock_step("nan", a);
    lock_step("inf", b);
    CHECK(strlen(a) == 19 && strcmp(a, b) == 0); // both held the set-point of the tick before
}

TEST(a_stepped_run_equals_one_without_server)
{
    Rig r;
    char line[4096], path[512], wanted[64];
    RiContext *ctx;
    RiScene *scene;
    REQUIRE(rig_start(&r, "pendulum", ri_serve_options_default()));
    const int fd = go_local(&r);
    CHECK_ASK(fd, "subscribe 500 hinge_1.position energy.*", "ok 0 ");
    const char *answer = ask(fd, "step 300", line);
    for (int i = 0; i < 150; i++, answer = read_line(fd, line)) // samples come before the answer
        CHECK(strncmp(answer, "data 0 ", 7) == 0);
    CHECK(strncmp(answer, "ok 0.3", 6) == 0);
    snprintf(path, sizeof path, "%s/scenes/pendulum.yaml", RILLE_SOURCE_DIR);
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, ri_scene_load(ctx, path, NULL, &scene));
    REQUIRE_OK(ctx, ri_scene_build(scene));
    for (int i = 0; i < 300; i++)
        CHECK_OK(ctx, ri_sim_step(ri_scene_sim(scene)));
    snprintf(wanted, sizeof wanted, "ok %016llx", (unsigned long long)ri_sim_hash(ri_scene_sim(scene)));
    CHECK_ASK(fd, "hash", wanted);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
    close(fd);
    rig_stop(&r);
}

TEST(checkpoints_bring_a_state_back_and_stay_in_their_folder)
{
    Rig r;
    char hash[4096];
    REQUIRE(rig_start(&r, "pendulum", ri_serve_options_default()));
    const int fd = go_local(&r);
    CHECK_ASK(fd, "step 100", "ok 0.1");
    CHECK_ASK(fd, "checkpoint serve_test", "ok ");
    snprintf(hash, sizeof hash, "%s", ask(fd, "hash", (char[4096]){0}));
    CHECK_ASK(fd, "step 50", "ok 0.15");
    CHECK_ASK(fd, "restore serve_test", "ok 0.1");
    CHECK_ASK(fd, "hash", hash);
    CHECK_ASK(fd, "checkpoint ../serve_test", "error the name of a checkpoint");
    CHECK_ASK(fd, "restore /etc/passwd", "error the name of a checkpoint");
    CHECK_ASK(fd, "restore never_written", "error ");
    close(fd);
    rig_stop(&r);
}

TEST(a_running_simulation_goes_on_whatever_clients_do)
{
    Rig r;
    RiServeOptions o = ri_serve_options_default();
    o.running = true;
    REQUIRE(rig_start(&r, "imu_rest", o));
    static char junk[300000];
    for (int kind = 0; kind < 6; kind++) {
        const int fd = kind % 2 ? go_local(&r) : go_tcp(&r);
        fcntl(fd, F_SETFL, O_NONBLOCK);
        for (size_t i = 0; i < sizeof junk; i++)
            junk[i] = (char)(kind < 2 ? 'x' : kind < 4 ? (char)(i * 31 + (size_t)kind) : "get *\n"[i % 6]);
        for (int i = 0; i < 20; i++)
            (void)!send(fd, junk, sizeof junk, MSG_NOSIGNAL); // and never read
        const long long before = atomic_load(&r.ticks);
        for (int i = 0; i < 2000 && atomic_load(&r.ticks) < before + 20; i++)
            usleep(1000);
        CHECK(atomic_load(&r.ticks) >= before + 20);
        close(fd);
    }
    const int fd = go_local(&r); // and others are still served
    CHECK_ASK(fd, "status", "ok running");
    CHECK_ASK(fd, "step", "error the simulation is running");
    CHECK_ASK(fd, "pause", "ok ");
    close(fd);
    rig_stop(&r);
}

TEST(a_crowd_of_silent_connections_keeps_nobody_out)
{
    Rig r;
    int crowd[40];
    REQUIRE(rig_start(&r, "pendulum", ri_serve_options_default()));
    for (int i = 0; i < 40; i++)
        crowd[i] = go_tcp(&r);
    const int fd = go_tcp(&r);
    CHECK_ASK(fd, "token 0123456789abcdef", "ok rille");
    CHECK_ASK(fd, "step", "ok 0.001");
    for (int i = 0; i < 40; i++)
        close(crowd[i]);
    close(fd);
    rig_stop(&r);
}

/// How the server's thread ends, or goes on, after a client in lock-step has gone.
static int lose(RiServeLost lost, double patience, bool hang)
{
    Rig r;
    RiServeOptions o = ri_serve_options_default();
    o.lost = lost;
    o.patience = patience;
    if (!rig_start(&r, "pendulum", o))
        return -1;
    const int fd = go_local(&r);
    CHECK_ASK(fd, "step 5", "ok 0.005");
    if (!hang)
        close(fd);
    for (int i = 0; i < 300 && atomic_load(&r.turn) < RI_SERVE_QUIT && atomic_load(&r.ticks) < 50; i++)
        usleep(1000);
    const long long ticks = atomic_load(&r.ticks);
    const int turn = atomic_load(&r.turn);
    if (hang)
        close(fd);
    rig_stop(&r);
    return turn == RI_SERVE_LOST ? 2 : ticks > 5 ? 1 : 0;
}

TEST(a_lost_client_pauses_runs_or_ends_the_simulation)
{
    CHECK_INT(lose(RI_SERVE_LOST_PAUSE, 0.0, false), 0);
    CHECK_INT(lose(RI_SERVE_LOST_RUN, 0.0, false), 1);
    CHECK_INT(lose(RI_SERVE_LOST_STOP, 0.0, false), 2);
    CHECK_INT(lose(RI_SERVE_LOST_STOP, 0.05, true), 2); // it hangs
}

TEST(one_client_steps_while_others_look)
{
    Rig r;
    REQUIRE(rig_start(&r, "pendulum", ri_serve_options_default()));
    const int a = go_local(&r), b = go_local(&r);
    char line[4096];
    CHECK(send(a, "step 1000000000\n", 16, MSG_NOSIGNAL) == 16);
    while (atomic_load(&r.ticks) < 10)
        usleep(1000);
    CHECK_ASK(b, "step", "error client 1 is stepping the simulation");
    CHECK_ASK(b, "get time", "ok ");
    CHECK_ASK(b, "pause", "ok ");
    CHECK(strstr(read_line(a, line), "error client 2 paused the simulation"));
    CHECK_ASK(b, "step", "ok ");
    CHECK_ASK(b, "quit", "ok");
    close(a);
    close(b);
    pthread_join(r.thread, NULL);
    CHECK_INT(atomic_load(&r.turn), RI_SERVE_QUIT);
    CHECK(pthread_create(&r.thread, NULL, drive, &r) == 0);
    rig_stop(&r);
}

TEST(wrong_options_are_refused_with_a_sentence)
{
    Rig r;
    RiServe *other;
    REQUIRE(rig_start(&r, "pendulum", ri_serve_options_default()));
    atomic_store(&r.stop, 1);
    pthread_join(r.thread, NULL);
    RiSim *sim = ri_scene_sim(r.scene);
    RiServeOptions o = ri_serve_options_default();
    CHECK_ERROR(r.ctx, ri_serve_create(r.ctx, sim, &o, &other), RI_ERR_ARGUMENT, "neither a local socket nor");
    o.path = r.path;
    CHECK_ERROR(r.ctx, ri_serve_create(r.ctx, sim, &o, &other), RI_ERR_IO, "is in use");
    o.path = RILLE_SOURCE_DIR "/README.md";
    CHECK_ERROR(r.ctx, ri_serve_create(r.ctx, sim, &o, &other), RI_ERR_IO, "is not a socket");
    o = (RiServeOptions){.listen = "localhost"};
    CHECK_ERROR(r.ctx, ri_serve_create(r.ctx, sim, &o, &other), RI_ERR_ARGUMENT, "numeric address");
    o = (RiServeOptions){.listen = "127.0.0.1", .port = r.port};
    CHECK_ERROR(r.ctx, ri_serve_create(r.ctx, sim, &o, &other), RI_ERR_IO, "cannot listen");
    o = (RiServeOptions){.listen = "127.0.0.1", .token = "short"};
    CHECK_ERROR(r.ctx, ri_serve_create(r.ctx, sim, &o, &other), RI_ERR_ARGUMENT, "a token has 16 to 64");
    CHECK(pthread_create(&r.thread, NULL, drive, &r) == 0);
    rig_stop(&r);
}

TEST_MAIN(CASE(values_are_listed_read_and_set), CASE(tcp_wants_the_token_first),
          CASE(lock_step_repeats_a_run_bit_by_bit), CASE(a_set_point_that_is_not_finite_is_held_and_flagged),
          CASE(a_stepped_run_equals_one_without_server), CASE(checkpoints_bring_a_state_back_and_stay_in_their_folder),
          CASE(a_running_simulation_goes_on_whatever_clients_do), CASE(a_crowd_of_silent_connections_keeps_nobody_out),
          CASE(a_lost_client_pauses_runs_or_ends_the_simulation), CASE(one_client_steps_while_others_look),
          CASE(wrong_options_are_refused_with_a_sentence))
