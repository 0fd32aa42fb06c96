// SPDX-License-Identifier: Apache-2.0
/// \file
/// MuJoCo running the scenes of `rille bench snake` and `rille bench rover`: a robot from an XML
/// file on the field of bench/snake.h, step by step. A file with "rover" in its name is driven by
/// bench/rover.h: actuators 0 to 3 steer the wheels front left, front right, rear left, rear right,
/// the rest turn wheels.
///
///     < FILE.xml CONE SECONDS     > value MICROSECONDS    processor time per simulated second, over the next SECONDS of the motion
///     < check FILE.xml CONE       > check X Y Z CONTACTS  where the base is now, and the mean number of contacts
///
/// CONE is `elliptic` or `pyramidal`. The first request for a pair of both lets the robot settle.
/// Other requests are answered `none`.
#include <mujoco/mujoco.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../engine.h"
#include "../rover.h"
#include "../snake.h"

enum { MAX_SCENES = 4 };

typedef struct Scene {
    char key[300];
    mjModel *m;
    mjData *d;
    double time;
    double contacts;
    long steps;
    bool rover;
} Scene;

static void fill_field(mjModel *m)
{
    const double cell = 2.0 * BENCH_FIELD_HALF / (BENCH_FIELD - 1);
    for (int r = 0; r < BENCH_FIELD; r++)
        for (int c = 0; c < BENCH_FIELD; c++) {
            const double z = bench_ground(-BENCH_FIELD_HALF + c * cell, -BENCH_FIELD_HALF + r * cell);
            m->hfield_data[r * BENCH_FIELD + c] = (float)((0.25 + z) / 0.5);
        }
}

/// Steps until the motion has come to `time`. False: MuJoCo lost it.
static bool advance(Scene *s, double time)
{
    const int modules = s->rover ? 0 : s->m->nu / 3;
    while (s->d->time < time - 0.5 * s->m->opt.timestep) {
        const double t = fmax(0.0, s->d->time - BENCH_SETTLE);
        for (int i = 0; s->rover && i < s->m->nu; i++)
            s->d->ctrl[i] = i < 4 ? bench_rover_steer(i < 2 ? 1 : -1, t) : bench_rover_speed(t);
        for (int i = 0; i < modules; i++) {
            s->d->ctrl[3 * i] = bench_bend(i, t);
            s->d->ctrl[3 * i + 1] = bench_twist(i, t);
            s->d->ctrl[3 * i + 2] = bench_screw(i, t);
        }
        mj_step(s->m, s->d);
        s->contacts += s->d->ncon;
        s->steps++;
    }
    return s->d->warning[mjWARN_BADQACC].number == 0 && s->d->warning[mjWARN_BADQPOS].number == 0;
}

static bool open_scene(Scene *s, const char *file, const char *cone)
{
    char message[500] = "";
    if (strcmp(cone, "elliptic") != 0 && strcmp(cone, "pyramidal") != 0)
        return false;
    s->m = mj_loadXML(file, NULL, message, sizeof message);
    if (!s->m || s->m->nhfielddata != BENCH_FIELD * BENCH_FIELD) {
        fprintf(stderr, "peer_mujoco_scene: %s: %s\n", file, message);
        return false;
    }
    s->m->opt.cone = strcmp(cone, "elliptic") == 0 ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
    fill_field(s->m);
    s->rover = strstr(file, "rover") != NULL;
    s->d = mj_makeData(s->m);
    s->time = BENCH_SETTLE;
    return s->d && advance(s, s->time);
}

static Scene *find_scene(Scene *list, const char *file, const char *cone)
{
    char key[300];
    snprintf(key, sizeof key, "%.240s %.32s", file, cone);
    for (int i = 0; i < MAX_SCENES; i++) {
        if (strcmp(list[i].key, key) == 0)
            return list[i].d ? &list[i] : NULL;
        if (list[i].key[0])
            continue;
        snprintf(list[i].key, sizeof list[i].key, "%s", key);
        return open_scene(&list[i], file, cone) ? &list[i] : NULL;
    }
    return NULL;
}

static void answer_time(Scene *s, double seconds)
{
    const double start = bench_cpu_seconds();
    s->time += seconds;
    if (advance(s, s->time))
        printf("value %.9g\n", (bench_cpu_seconds() - start) * 1e6 / seconds);
    else
        printf("none\n");
}

int main(void)
{
    static Scene scenes[MAX_SCENES];
    char line[400], a[256], b[256], c[256];
    printf("hello mujoco %s\n", mj_versionString());
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        const int fields = sscanf(line, "%255s %255s %255s", a, b, c);
        const bool check = fields == 3 && strcmp(a, "check") == 0;
        const char *file = check ? b : a, *cone = check ? c : b;
        Scene *s = fields == 3 && strstr(file, ".xml") ? find_scene(scenes, file, cone) : NULL;
        if (!s)
            printf("none\n");
        else if (check)
            printf("check %.17g %.17g %.17g %.17g\n", s->d->qpos[0], s->d->qpos[1], s->d->qpos[2],
                   s->contacts / (double)s->steps);
        else
            answer_time(s, strtod(c, NULL));
        fflush(stdout);
    }
    return 0;
}
