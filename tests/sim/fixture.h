// SPDX-License-Identifier: Apache-2.0
/// \file
/// A scene at work in a test of the simulation, with a context of its own.
#ifndef RI_TESTS_SIM_FIXTURE_H
#define RI_TESTS_SIM_FIXTURE_H

#include <rille/scene.h>
#include <rille/sim.h>

#include "check.h"
#include "io/faults.h"

#define SCENES RILLE_SOURCE_DIR "/scenes/"

typedef struct Fixture {
    RiContext *ctx;
    RiScene *scene;
    RiSim *sim;
} Fixture;

/// A scene from its text, as if it stood beside those of the project.
static inline Fixture parse(const char *text)
{
    Fixture f;
    if (ri_context_create(NULL, &f.ctx) != RI_OK)
        abort();
    if (ri_scene_parse(f.ctx, SCENES "test.yaml", text, strlen(text), NULL, &f.scene) != RI_OK ||
        ri_scene_build(f.scene) != RI_OK) {
        fprintf(stderr, "%s\n", ri_context_message(f.ctx));
        abort();
    }
    f.sim = ri_scene_sim(f.scene);
    return f;
}

static inline void close_all(Fixture *f)
{
    ri_scene_destroy(f->scene);
    ri_context_destroy(f->ctx);
}

/// To a time, or to where the scene stops by itself.
static inline void run_to(Fixture *f, double time)
{
    while (ri_sim_time(f->sim) < time - 1e-9 && !ri_sim_stopped(f->sim))
        REQUIRE_OK(f->ctx, ri_sim_step(f->sim));
}

static inline double value(Fixture *f, const char *name)
{
    double x = NAN;
    CHECK_OK(f->ctx, ri_values_eval(ri_sim_values(f->sim), name, &x));
    return x;
}

/// Fails allocations of a scene that is read and built: each of the first `all`, then every
/// `step`-th, until none is left to fail.
static inline void fail_allocations(const char *text, long all, long step)
{
    bool done = false;
    for (long at = 0; !done && at < 100000; at = at < all ? at + 1 : at + step) {
        Faults faults = {0, at, 0};
        const RiAllocator allocator = faults_allocator(&faults);
        RiContext *ctx;
        RiScene *scene = NULL;
        if (ri_context_create(&allocator, &ctx) != RI_OK)
            continue;
        RiStatus status = ri_scene_parse(ctx, SCENES "test.yaml", text, strlen(text), NULL, &scene);
        if (status == RI_OK)
            status = ri_scene_build(scene);
        CHECK(status == RI_OK || status == RI_ERR_MEMORY);
        done = status == RI_OK;
        ri_scene_destroy(scene);
        ri_context_destroy(ctx);
        CHECK_INT(faults.live, 0);
    }
    CHECK(done);
}

#endif
