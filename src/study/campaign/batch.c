// SPDX-License-Identifier: Apache-2.0
/// \file
/// A batch: K simulations of a scene. All share the first one's model and terrain, which are
/// immutable. Threads take groups of robots from a counter; nothing else that is written is shared
/// between groups. The robots of a group step together where their scene allows it
/// (sim/lockstep.h), one per lane of a vector register.
#include <rille/campaign.h>

#include <pthread.h>
#include <stdatomic.h>

#include "base/assert.h"
#include "base/memory.h"
#include "io/scene/scene.h"
#include "sim/lockstep.h"

typedef struct Robot {
    RiContext *ctx;
    RiScene *scene;
    RiSim *sim;
    void *start; ///< state at the start
    RiStatus status;
} Robot;

/// Robots that step together.
typedef struct Group {
    RiLockstep *lockstep; ///< NULL: one after the other
    int first, count;
} Group;

struct RiBatch {
    RiContext *ctx;
    Robot *robots;
    Group *groups;
    int count, ticks, group_count;
    int size; ///< robots that a thread takes at once
    atomic_int next;
};

enum { MOST = 100000, THREADS = 256, LANES = 32 };

/// What the robots are made from: a file, or the text of one.
typedef struct Origin {
    const char *path, *text; ///< NULL text: the file
    size_t size;
    const RiSceneOptions *options;
} Origin;

static RiStatus open_robot(RiBatch *b, int i, const Origin *from)
{
    Robot *r = &b->robots[i];
    RI_TRY(ri_context_create(NULL, &r->ctx));
    RiStatus status = from->text ? ri_scene_parse(r->ctx, from->path, from->text, from->size, from->options, &r->scene)
                                 : ri_scene_load(r->ctx, from->path, from->options, &r->scene);
    if (status == RI_OK && i > 0)
        ri_scene_lend(r->scene, b->robots[0].scene);
    if (status == RI_OK)
        status = ri_scene_build(r->scene);
    if (status != RI_OK)
        return ri_error(b->ctx, status, "robot %d: %s", i, ri_context_message(r->ctx));
    r->sim = ri_scene_sim(r->scene);
    r->start = ri_alloc(r->ctx, ri_sim_state_size(r->sim), 1);
    if (!r->start)
        return ri_error_memory(b->ctx);
    ri_sim_save_state(r->sim, r->start);
    return RI_OK;
}

/// Neighbours become groups. A batch of one robot, and one whose scene cannot go in step, has
/// groups without a lockstep.
static RiStatus make_groups(RiBatch *b)
{
    const int width = ri_lockstep_width();
    RI_ASSERT(width <= LANES);
    b->group_count = (b->count + width - 1) / width;
    b->groups = ri_alloc_zero(b->ctx, (size_t)b->group_count, sizeof *b->groups);
    if (!b->groups)
        return ri_error_memory(b->ctx);
    for (int g = 0; g < b->group_count; g++) {
        Group *x = &b->groups[g];
        RiSim *sims[LANES];
        x->first = g * width;
        x->count = b->count - x->first < width ? b->count - x->first : width;
        for (int i = 0; i < x->count; i++)
            sims[i] = b->robots[x->first + i].sim;
        if (x->count > 1)
            RI_TRY(ri_lockstep_create(b->ctx, x->count, sims, &x->lockstep));
    }
    return RI_OK;
}

static RiStatus create(RiContext *ctx, const Origin *from, int count, RiBatch **out_batch)
{
    *out_batch = NULL;
    if (count < 1 || count > MOST)
        return ri_error(ctx, RI_ERR_ARGUMENT, "a batch has 1 to %d robots, not %d", MOST, count);
    RiBatch *b = ri_alloc_zero(ctx, 1, sizeof *b);
    if (!b)
        return ri_error_memory(ctx);
    b->ctx = ctx;
    b->robots = ri_alloc_zero(ctx, (size_t)count, sizeof *b->robots);
    RiStatus status = b->robots ? RI_OK : ri_error_memory(ctx);
    while (status == RI_OK && b->count < count) {
        b->count++;
        status = open_robot(b, b->count - 1, from);
    }
    if (status == RI_OK)
        status = make_groups(b);
    if (status == RI_OK)
        *out_batch = b;
    else
        ri_batch_destroy(b);
    return status;
}

RiStatus ri_batch_create(RiContext *ctx, const char *scene, const RiSceneOptions *options, int count,
                         RiBatch **out_batch)
{
    return create(ctx, &(const Origin){.path = scene, .options = options}, count, out_batch);
}

RiStatus ri_batch_parse(RiContext *ctx, const char *path, const char *text, size_t size, const RiSceneOptions *options,
                        int count, RiBatch **out_batch)
{
    return create(ctx, &(const Origin){path, text, size, options}, count, out_batch);
}

void ri_batch_destroy(RiBatch *b)
{
    if (!b)
        return;
    for (int g = 0; b->groups && g < b->group_count; g++)
        ri_lockstep_destroy(b->groups[g].lockstep);
    ri_release(b->ctx, b->groups);
    for (int i = b->count - 1; i >= 0; i--) { // the first one has lent its model and terrain to the others
        Robot *r = &b->robots[i];
        if (r->ctx)
            ri_release(r->ctx, r->start);
        ri_scene_destroy(r->scene);
        ri_context_destroy(r->ctx);
    }
    ri_release(b->ctx, b->robots);
    ri_release(b->ctx, b);
}

int ri_batch_count(const RiBatch *b)
{
    return b->count;
}

RiSim *ri_batch_sim(const RiBatch *b, int i)
{
    return b->robots[i].sim;
}

RiStatus ri_batch_status(const RiBatch *b, int i)
{
    return b->robots[i].status;
}

const char *ri_batch_message(const RiBatch *b, int i)
{
    return b->robots[i].status == RI_OK ? "" : ri_context_message(b->robots[i].ctx);
}

static bool moves(const Robot *r)
{
    return r->status == RI_OK && !ri_sim_stopped(r->sim);
}

static void step_one(Robot *r, int ticks)
{
    for (int k = 0; k < ticks && moves(r); k++)
        r->status = ri_sim_step(r->sim);
}

/// Ticks in step, as long as two robots of the group move; the last one goes on alone.
static void step_group(RiBatch *b, const Group *x)
{
    Robot *robots = b->robots + x->first;
    RiStatus status[LANES];
    for (int k = 0; k < b->ticks; k++) {
        unsigned mask = 0;
        for (int i = 0; i < x->count; i++)
            mask |= (unsigned)moves(&robots[i]) << i;
        if ((mask & (mask - 1)) == 0) {
            for (int i = 0; i < x->count; i++)
                step_one(&robots[i], b->ticks - k);
            return;
        }
        ri_lockstep_step(x->lockstep, mask, status);
        for (int i = 0; i < x->count; i++)
            if (mask >> i & 1)
                robots[i].status = status[i];
    }
}

/// Takes groups, or single robots where there are not enough groups for all threads.
static void *work(void *user)
{
    RiBatch *b = user;
    for (int i; (i = atomic_fetch_add(&b->next, 1)) * b->size < b->count;) {
        if (b->size > 1 && b->groups[i].lockstep)
            step_group(b, &b->groups[i]);
        else
            for (int k = i * b->size; k < (i + 1) * b->size && k < b->count; k++)
                step_one(&b->robots[k], b->ticks);
    }
    return NULL;
}

RiStatus ri_batch_step(RiBatch *b, int ticks, int threads)
{
    pthread_t ids[THREADS];
    int started = 0;
    b->ticks = ticks;
    b->size = threads <= b->group_count ? ri_lockstep_width() : 1;
    atomic_store(&b->next, 0);
    for (int t = 1; t < threads && t < b->count && t < THREADS; t++)
        if (pthread_create(&ids[started], NULL, work, b) == 0) // with fewer threads it takes longer, nothing else
            started++;
    work(b);
    for (int t = 0; t < started; t++)
        pthread_join(ids[t], NULL);
    for (int i = 0; i < b->count; i++)
        if (b->robots[i].status != RI_OK)
            return ri_error(b->ctx, b->robots[i].status, "robot %d: %s", i, ri_context_message(b->robots[i].ctx));
    return RI_OK;
}

RiStatus ri_batch_reset(RiBatch *b)
{
    for (int i = 0; i < b->count; i++) {
        const RiStatus status = ri_sim_load_state(b->robots[i].sim, b->robots[i].start);
        if (status != RI_OK)
            return ri_error(b->ctx, status, "robot %d: %s", i, ri_context_message(b->robots[i].ctx));
        b->robots[i].status = RI_OK;
    }
    return RI_OK;
}
