// SPDX-License-Identifier: Apache-2.0
/// \file
/// Runs scenes for some ticks and prints their state hashes, one line each: two machines, libraries
/// or modes agree if the lines do.
///
///     scene_hashes [--ticks N] [--flush] [--trap] [--root FOLDER] [SCENE...]      all scenes of the project without names
///
/// --flush runs with subnormal numbers flushed to zero, --trap ends a scene by SIGFPE at the first
/// subnormal operand (both x86-64 only: exit code 77 elsewhere). A first line "libm" is a hash of
/// what the C library computes: it tells whether libraries differ.
#include <rille/scene.h>

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

enum { MOST = 400 };

typedef struct Request {
    int ticks;
    bool flush, trap;
    const char *root;
    const char *names[MOST];
    int count;
} Request;

/// Bits of the C library's elementary functions at many arguments.
static uint64_t hash_library(void)
{
    uint64_t h = 1469598103934665603u;
    for (int i = 1; i < 20000; i++) {
        volatile double x = 1e-2 * i; // not folded by the compiler
        const double y[] = {exp(-x), sin(x), pow(x, 1.37), atan(x), tan(x), log(x)};
        for (size_t k = 0; k < sizeof y / sizeof *y; k++) {
            uint64_t bits;
            memcpy(&bits, &y[k], sizeof bits);
            h = (h ^ bits) * 1099511628211u;
        }
    }
    return h;
}

#if defined(__x86_64__)
/// Names the place of the first subnormal operand.
static void trapped(int signal_number)
{
    (void)signal_number;
    static const char text[] = "subnormal operand\n";
    (void)!write(2, text, sizeof text - 1);
    _exit(3);
}

static void set_mode(const Request *q)
{
    if (q->flush)
        _mm_setcsr(_mm_getcsr() | 0x8040u); // FTZ and DAZ
    if (q->trap) {
        signal(SIGFPE, trapped);
        _mm_setcsr((_mm_getcsr() & ~0x3fu) & ~0x100u); // flags cleared, denormal operands not masked
    }
}
#endif

static RiStatus open_scene(RiContext *ctx, const Request *q, const char *name, RiScene **out)
{
    char path[1024], robots[1024], terrains[1024];
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", q->root, name);
    snprintf(robots, sizeof robots, "%s/robots", q->root);
    snprintf(terrains, sizeof terrains, "%s/terrains", q->root);
    const char *const robot_paths[] = {robots}, *terrain_paths[] = {terrains, getenv("RILLE_DATA")};
    RiSceneOptions options = ri_scene_options_default();
    options.robot_paths = robot_paths;
    options.robot_path_count = 1;
    options.terrain_paths = terrain_paths;
    options.terrain_path_count = terrain_paths[1] ? 2 : 1;
    *out = NULL;
    RI_TRY(ri_scene_load(ctx, path, &options, out));
    return ri_scene_build(*out);
}

/// Runs one scene. A scene whose data are not there is said to be missing: RILLE_DATA.
static int run_scene(const Request *q, const char *name)
{
    RiContext *ctx = NULL;
    RiScene *scene = NULL;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return 1;
    RiStatus status = open_scene(ctx, q, name, &scene);
    if (status != RI_OK) {
        const bool data = strstr(ri_context_message(ctx), "folders of data") != NULL;
        const bool part = status == RI_ERR_UNSUPPORTED; // this build lacks an optional part
        printf("%s %s\n", name, data ? "needs-data" : part ? "needs-part" : "failed");
        fprintf(stderr, "%s: %s\n", name, ri_context_message(ctx));
        return data || part ? 0 : 1;
    }
    RiSim *s = ri_scene_sim(scene);
#if defined(__x86_64__)
    set_mode(q); // for steps: Qhull computes with subnormal numbers on purpose while hulls are built
#endif
    int k = 0;
    for (; k < q->ticks && status == RI_OK && ri_sim_time(s) < ri_scene_duration(scene) - 1e-9; k++)
        status = ri_sim_step(s);
    const uint64_t hash = ri_sim_hash(s);
    printf("%s %016" PRIx64 " %d%s\n", name, hash, k, status == RI_OK ? "" : " failed");
    fflush(stdout);
    ri_scene_destroy(scene);
    ri_context_destroy(ctx);
    return status == RI_OK ? 0 : 1;
}

/// Each scene has a process of its own: modes and traps end with it.
static int run_apart(const Request *q, const char *name)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        const int failed = run_scene(q, name);
        fflush(stdout);
        _exit(failed);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return 1;
    if (WIFSIGNALED(status) || WEXITSTATUS(status) == 3)
        printf("%s %s\n", name, WIFSIGNALED(status) ? "died" : "subnormal");
    return status != 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void list_scenes(Request *q)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/scenes", q->root);
    DIR *folder = opendir(path);
    for (struct dirent *e; folder && (e = readdir(folder)) && q->count < MOST;) {
        const size_t size = strlen(e->d_name);
        if (size > 5 && strcmp(e->d_name + size - 5, ".yaml") == 0)
            q->names[q->count++] = strndup(e->d_name, size - 5);
    }
    if (folder)
        closedir(folder);
    qsort(q->names, (size_t)q->count, sizeof *q->names, by_name);
}

int main(int argc, char **argv)
{
    Request q = {.ticks = 400, .root = RILLE_SOURCE_DIR};
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--ticks") == 0 && i + 1 < argc)
            q.ticks = atoi(argv[++i]);
        else if (strcmp(argv[i], "--root") == 0 && i + 1 < argc)
            q.root = argv[++i];
        else if (strcmp(argv[i], "--flush") == 0)
            q.flush = true;
        else if (strcmp(argv[i], "--trap") == 0)
            q.trap = true;
        else if (q.count < MOST)
            q.names[q.count++] = argv[i];
    }
#if !defined(__x86_64__)
    if (q.flush || q.trap)
        return 77;
#endif
    printf("libm %016" PRIx64 "\n", hash_library());
    const bool listed = q.count == 0;
    if (listed)
        list_scenes(&q);
    for (int i = 0; i < q.count; i++)
        failed += run_apart(&q, q.names[i]);
    for (int i = 0; i < q.count && listed; i++)
        free((char *)q.names[i]);
    return failed || q.count == 0;
}
