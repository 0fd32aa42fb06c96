// SPDX-License-Identifier: Apache-2.0
/// \file
/// Other engines' contact: a scene written for their programs (protocol:
/// bench/peers/contact_scene.h), and their traces read back.
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "study/study_contact.h"

extern char **environ;

static const double TICK = 2e-3, GRAVITY = 3.71, SERVO = 270.0;

bool contact_peer_find(const ContactModel *m, const char *folder, char path[], size_t size)
{
    char own[PATH_MAX];
    if (!folder) {
        const ssize_t n = readlink("/proc/self/exe", own, sizeof own - 16);
        if (n <= 0)
            return false;
        own[n] = '\0';
        strcpy(strrchr(own, '/'), "/bench/peers");
        folder = own;
    }
    return snprintf(path, size, "%s/%s", folder, m->program) < (int)size && access(path, X_OK) == 0;
}

// --- the scene -----------------------------------------------------------------------------------

static void put_line(FILE *out, const char *key, const RiContactLine *line)
{
    for (int i = 0; i < line->count; i++)
        fprintf(out, "%s %.17g %.17g\n", key, line->t[i], line->y[i]);
}

static void put_wheel(FILE *out, const RiSpec *spec, const char *link, const RiJointSpec *joint)
{
    const bool driven = joint && strncmp(joint->name, "drive_", 6) == 0;
    double radius = 0.0, width = 0.0;
    for (int i = 0; i < spec->wheel_count; i++)
        if (strcmp(spec->wheels[i].link, link) == 0) {
            radius = spec->wheels[i].radius + spec->wheels[i].grouser_height;
            width = spec->wheels[i].width;
        }
    fprintf(out, " %.17g %.17g %d %.17g\n", radius, width, driven, joint ? joint->armature : 0.0);
}

/// A link and what hangs on it. `joint` NULL: the root, which stands on its grousers.
static void put_body(FILE *out, const RiSpec *spec, const RiLinkSpec *l, const RiJointSpec *joint)
{
    const bool hinge = joint && !joint->locked;
    const RiPose at = joint ? joint->origin : ri_pose_identity();
    const RiQuat q = ri_quat_from_mat3(&at.R);
    const RiVec3 axis = joint ? joint->axis : ri_vec3(0.0, 0.0, 1.0);
    const bool limited = hinge && joint->has_limits && isfinite(joint->lower) && isfinite(joint->upper);
    const RiMat3 *I = &l->inertia;
    fprintf(out, "body %s %s %s %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g", l->name,
            joint ? joint->parent : "-",
            !joint  ? "free"
            : hinge ? "hinge"
                    : "fixed",
            at.p.x, at.p.y, joint ? at.p.z : 5e-3, q.w, q.x, q.y, q.z, axis.x, axis.y, axis.z,
            limited ? joint->lower : 0.0, limited ? joint->upper : 0.0);
    fprintf(out, " %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g", l->mass, l->com.x, l->com.y, l->com.z,
            I->m[0][0], I->m[1][1], I->m[2][2], I->m[0][1], I->m[0][2], I->m[1][2]);
    put_wheel(out, spec, l->name, joint);
    for (int i = 0; i < spec->joint_count; i++)
        if (strcmp(spec->joints[i].parent, l->name) == 0)
            put_body(out, spec, ri_spec_find_link(spec, spec->joints[i].child), &spec->joints[i]);
}

static const RiLinkSpec *root_of(const RiSpec *spec)
{
    for (int i = 0; i < spec->link_count; i++) {
        bool child = false;
        for (int j = 0; j < spec->joint_count; j++)
            child |= strcmp(spec->joints[j].child, spec->links[i].name) == 0;
        if (!child)
            return &spec->links[i];
    }
    return NULL;
}

static RiStatus write_scene(RiContext *ctx, FILE *out, const RiSpec *spec, const RiContactCase *c)
{
    const RiLinkSpec *root = root_of(spec);
    if (!root || spec->coupling_count || spec->loop_count)
        return ri_error(ctx, RI_ERR_ARGUMENT, "the other engines are given trees only: no couplings, no loops");
    fprintf(out,
            "friction %.17g\ntick %.17g\ngravity %.17g\nservo %.17g\nbrake %.17g\nduration %.17g\nperiod %.17g\nover "
            "%.17g\n",
            c->friction, TICK, GRAVITY, SERVO, c->brake, c->duration, 1e-3 * RI_CONTACT_PERIOD_MS,
            c->task == RI_CONTACT_STEP ? c->distance + 1.0 : 1e9);
    fprintf(out, "aside %d\nstep %.17g %.17g\n", c->aside, c->height, c->distance);
    put_line(out, "tilt", &c->tilt);
    put_line(out, "drive", &c->drive);
    put_body(out, spec, root, NULL);
    return ferror(out) ? ri_error(ctx, RI_ERR_IO, "the scene for other engines cannot be written") : RI_OK;
}

// --- the program ---------------------------------------------------------------------------------

/// Starts `path FILE [argument]`; what it prints comes out of *out_pipe.
static bool start(const char *path, const ContactModel *m, char *file, pid_t *out_pid, FILE **out_pipe)
{
    int ends[2];
    char name[] = "contact", argument[32];
    snprintf(argument, sizeof argument, "%s", m->argument ? m->argument : "");
    char *arguments[] = {name, file, m->argument ? argument : NULL, NULL};
    if (pipe(ends) != 0)
        return false;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    const bool good = posix_spawn(out_pid, path, &actions, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    *out_pipe = good ? fdopen(ends[0], "r") : NULL;
    if (!*out_pipe)
        close(ends[0]);
    return *out_pipe != NULL;
}

/// Reads everything that the program says; true if it said all of it.
static RiStatus read_answer(RiContext *ctx, ContactModel *m, FILE *in, RiContactTrace *trace, bool *out_whole)
{
    char line[512];
    *out_whole = false;
    while (fgets(line, sizeof line, in)) {
        RiContactSample s;
        if (sscanf(line, "hello %47[^\n]", m->version) == 1)
            continue;
        if (sscanf(line, "end %lf", &trace->cpu) == 1) {
            *out_whole = true;
            continue;
        }
        if (sscanf(line, "%lf %lf %lf %lf %lf %lf %lf %lf %lf", &s.t, &s.tilt, &s.x, &s.y, &s.z, &s.roll, &s.pitch,
                   &s.yaw, &s.turned) != RI_CONTACT_NUMBERS)
            return ri_error(ctx, RI_ERR_IO, "%s: '%.*s' is no sample", m->program, (int)strcspn(line, "\r\n"), line);
        RI_TRY(ri_contact_trace_add(ctx, trace, &s));
    }
    return RI_OK;
}

static RiStatus ask(RiContext *ctx, ContactModel *m, const char *path, char *file, RiContactTrace *trace)
{
    pid_t pid;
    FILE *in;
    int ended = 0;
    bool whole = false;
    if (!start(path, m, file, &pid, &in))
        return ri_error(ctx, RI_ERR_IO, "%s: cannot be started: %s", path, strerror(errno));
    const RiStatus status = read_answer(ctx, m, in, trace, &whole);
    fclose(in);
    while (waitpid(pid, &ended, 0) < 0 && errno == EINTR)
        ;
    RI_TRY(status);
    return whole ? RI_OK : ri_error(ctx, RI_ERR_IO, "%s: ended before it was through", path);
}

RiStatus contact_peer_run(RiContext *ctx, const RiSpec *spec, ContactModel *m, const char *path, const RiContactCase *c,
                          RiContactTrace *trace)
{
    char file[] = "/tmp/rille-contact-XXXXXX";
    const int number = mkstemp(file);
    FILE *out = number >= 0 ? fdopen(number, "w") : NULL;
    if (!out)
        return ri_error(ctx, RI_ERR_IO, "%s: cannot be written: %s", file, strerror(errno));
    trace->count = 0;
    RiStatus status = write_scene(ctx, out, spec, c);
    if (fclose(out) != 0 && status == RI_OK)
        status = ri_error(ctx, RI_ERR_IO, "%s: cannot be written", file);
    if (status == RI_OK)
        status = ask(ctx, m, path, file, trace);
    unlink(file);
    return status;
}
