// SPDX-License-Identifier: Apache-2.0
/// \file
/// Lanes: which robots fit, their constants side by side, and what surrounds the recursions of
/// lanes_kernel.c.
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "base/processor.h"
#include "dynamics/lanes.h"

static const RiLaneKernels *kernels(void)
{
#if defined(__x86_64__)
    switch (ri_isa_best()) {
    case RI_ISA_AVX512:
        return &ri_lane_kernels_avx512;
    case RI_ISA_AVX2:
        return &ri_lane_kernels_avx2;
    case RI_ISA_GENERIC:
    case RI_ISA_COUNT:
        break;
    }
#endif
    return &ri_lane_kernels_generic;
}

int ri_lanes_width(void)
{
    return kernels()->width;
}

// --- which robots fit ----------------------------------------------------------------------------

static bool takes_body(const RiHot *hot, bool root)
{
    const bool one = hot->ns == 1 && (hot->rev >= 0 || hot->type == RI_JOINT_PRISMATIC);
    return hot->nrotor == 0 && (root ? hot->type == RI_JOINT_FREE : one);
}

static bool takes(const RiDyn *d)
{
    const RiModel *m = d->m;
    if (m->nb < 1 || m->nloop > 0 || m->nregion != 1 || !d->extra)
        return false;
    for (int c = 0; c < m->nc; c++) {
        const RiNode *n = &d->node[c];
        if (n->rotor || n->region_root || n->at_world != (c == 0) || n->nv > RI_CLUSTER_COLUMNS)
            return false;
    }
    for (int i = 0; i < m->nb; i++)
        if (!takes_body(&d->hot[i], i == 0))
            return false;
    return true;
}

static bool same_node(const RiNode *a, const RiNode *b)
{
    return a->kind == b->kind && a->parent == b->parent && a->body == b->body && a->nbody == b->nbody && a->v == b->v &&
           a->nv == b->nv && a->s == b->s && a->ns == b->ns && a->col == b->col && a->fac == b->fac &&
           a->map == b->map && a->first == b->first;
}

static bool same_tree(const RiDyn *a, const RiDyn *b)
{
    const RiModel *m = a->m, *o = b->m;
    bool same = m->nb == o->nb && m->nc == o->nc && m->nv == o->nv && m->nq == o->nq && m->ns == o->ns &&
                m->nsq == o->nsq && m->ncol == o->ncol && m->nfac == o->nfac && m->nmap == o->nmap &&
                m->nrev == o->nrev;
    for (int c = 0; same && c < m->nc; c++)
        same = same_node(&a->node[c], &b->node[c]);
    for (int i = 0; same && i < m->nb; i++) {
        const RiHot *x = &a->hot[i], *y = &b->hot[i];
        same = x->type == y->type && x->sq == y->sq && x->s == y->s && x->ns == y->ns && x->rev == y->rev &&
               x->parent == y->parent && x->branched == y->branched;
    }
    return same;
}

// --- create --------------------------------------------------------------------------------------

/// Gives each body that has children a place for the sum of their inertias, from when the first of
/// them adds to it until it is reduced itself. Returns how many places there are; `room` has
/// nb + 1 numbers.
static int place_sums(const RiDyn *d, int *room, int *out_at)
{
    int count = 0, free = 0;
    for (int i = 0; i <= d->m->nb; i++)
        out_at[i] = -1;
    for (int c = d->m->nc - 1; c > 0; c--) {
        const RiNode *n = &d->node[c];
        if (out_at[n->parent] < 0)
            out_at[n->parent] = free > 0 ? room[--free] : count++;
        for (int i = n->body; i < n->body + n->nbody; i++)
            if (out_at[i] >= 0)
                room[free++] = out_at[i];
    }
    for (int i = 0; i <= d->m->nb; i++)
        out_at[i] = out_at[i] < 0 ? 0 : out_at[i]; // it is not read
    return count;
}

static size_t lay_out(RiLanes *w, char *block)
{
    const RiModel *m = w->d[0]->m;
    const size_t lane = (size_t)w->k->width * sizeof(double), bodies = (size_t)m->nb + 1, nv = (size_t)m->nv;
    size_t at = 0;
#define CARVE(field, count) w->field = ri_carve(block, &at, (size_t)(count), lane)
    CARVE(tree, 12 * m->nb);
    CARVE(body, 13 * m->nb);
    CARVE(G, m->nmap);
    CARVE(sn, m->nrev);
    CARVE(cs, m->nrev);
    CARVE(pose, 12 * bodies);
    CARVE(rigid, 13 * bodies);
    CARVE(col, 6 * m->ncol);
    CARVE(scol, 6 * m->ns);
    CARVE(vel, 6 * bodies);
    CARVE(bias, 6 * bodies);
    CARVE(gyro, 6 * bodies);
    CARVE(acc, 6 * bodies);
    CARVE(pA, 6 * bodies);
    CARVE(share, 6 * bodies);
    CARVE(IA, 36 * (size_t)w->sums);
    CARVE(Z, 6 * nv);
    CARVE(fac, m->nfac);
    CARVE(u, nv);
    CARVE(a, nv);
    CARVE(arm, m->ns);
    CARVE(load, nv);
#undef CARVE
    w->sum_at = ri_carve(block, &at, bodies, sizeof *w->sum_at);
    w->extra_on = ri_carve(block, &at, bodies, sizeof *w->extra_on);
    w->pushed = ri_carve(block, &at, bodies, sizeof *w->pushed);
    return at;
}

/// Copies columns of padded threes, one lane.
static void put_threes(double *to, int width, int lane, const double *from, int columns)
{
    for (int k = 0; k < columns; k++)
        for (int r = 0; r < 3; r++)
            to[(3 * k + r) * width + lane] = from[4 * k + r];
}

static void fill_constants(RiLanes *w)
{
    const RiModel *m = w->d[0]->m;
    const int width = w->k->width;
    for (int l = 0; l < width; l++) {
        const RiDyn *d = w->d[l];
        for (int i = 0; i < m->nb; i++) {
            const RiHot *hot = &d->hot[i];
            double *tree = w->tree + (size_t)(12 * i * width), *body = w->body + (size_t)(13 * i * width);
            put_threes(tree, width, l, hot->tree_R, 3);
            put_threes(tree + 9 * width, width, l, hot->tree_p, 1);
            put_threes(body, width, l, hot->J, 3);
            put_threes(body + 9 * width, width, l, hot->com, 1);
            body[12 * width + l] = hot->com[3];
        }
        for (int i = 0; i < m->nmap; i++)
            w->G[i * width + l] = d->G[i];
    }
}

RiStatus ri_lanes_create(RiContext *ctx, int count, RiDyn *const *d, RiLanes **out)
{
    *out = NULL;
    const RiLaneKernels *k = kernels();
    RI_ASSERT(count >= 1 && count <= k->width);
    for (int i = 0; i < count; i++)
        if (!takes(d[i]) || !same_tree(d[0], d[i]))
            return RI_OK;
    RiLanes *w = ri_alloc_zero(ctx, 1, sizeof *w);
    if (!w)
        return ri_error_memory(ctx);
    w->ctx = ctx;
    w->k = k;
    w->count = count;
    w->same = true;
    for (int l = 0; l < k->width; l++) {
        w->d[l] = d[l < count ? l : 0];
        w->same &= w->d[l]->m == d[0]->m;
    }
    const size_t bodies = (size_t)d[0]->m->nb + 1;
    int *sums = ri_alloc_zero(ctx, 2 * bodies, sizeof *sums);
    w->sums = sums ? place_sums(d[0], sums + bodies, sums) : 0;
    w->block = sums ? ri_alloc_zero(ctx, lay_out(w, NULL) + 64, 1) : NULL;
    if (!w->block) {
        ri_release(ctx, sums);
        ri_release(ctx, w);
        return ri_error_memory(ctx);
    }
    lay_out(w, (char *)w->block + (64 - (uintptr_t)w->block % 64) % 64);
    memcpy(w->sum_at, sums, bodies * sizeof *sums);
    ri_release(ctx, sums);
    fill_constants(w);
    *out = w;
    return RI_OK;
}

void ri_lanes_destroy(RiLanes *w)
{
    if (!w)
        return;
    ri_release(w->ctx, w->block);
    ri_release(w->ctx, w);
}

// --- calls ---------------------------------------------------------------------------------------

void ri_lanes_place(RiLanes *w, const double *const *q, const double *const *v, unsigned mask)
{
    for (int l = 0; l < w->count; l++)
        if (mask >> l & 1)
            ri_dyn_begin_place(w->d[l], q[l], v[l]);
    w->k->place(w, mask);
    for (int l = 0; l < w->count; l++)
        if (mask >> l & 1) {
            ri_dyn_end_place(w->d[l]);
            w->current[l] = true;
            w->stamp[l] = w->d[l]->placed;
        }
}

/// Lanes whose robots were placed by themselves since take over their places.
static void refresh(RiLanes *w, unsigned mask)
{
    bool good = true;
    for (int l = 0; l < w->count; l++)
        good &= !(mask >> l & 1) || (w->current[l] && w->stamp[l] == w->d[l]->placed);
    if (good)
        return;
    w->k->place(w, 0);
    for (int l = 0; l < w->count; l++) {
        w->current[l] = true;
        w->stamp[l] = w->d[l]->placed;
    }
}

/// Numbers of each robot's coordinates, side by side.
static void collect(RiLanes *w, const double *const *from, unsigned mask)
{
    const int width = w->k->width, nv = w->d[0]->m->nv;
    for (int l = 0; l < w->count; l++)
        for (int i = 0; i < nv && mask >> l & 1; i++)
            w->load[i * width + l] = from[l][i];
}

unsigned ri_lanes_forward(RiLanes *w, const double *const *tau, double *const *out_a, unsigned mask)
{
    for (int l = 0; l < w->count; l++) {
        RI_ASSERT(!(mask >> l & 1) || w->d[l]->stage >= RI_DYN_MOVING);
        if (!w->d[l]->node[0].free_root) // something is added to the root's own coordinates
            mask &= ~(1u << l);
    }
    if (!mask)
        return 0;
    refresh(w, mask);
    collect(w, tau, mask);
    const unsigned good = w->k->forward(w, mask);
    for (int l = 0; l < w->count; l++)
        if (good >> l & 1) {
            RiDyn *d = w->d[l];
            memcpy(out_a[l], d->a, (size_t)d->m->nv * sizeof *d->a);
            d->articulated = 0; // Z and the factors are in the lanes
            d->stage = RI_DYN_ACCELERATED;
        }
    return good;
}

void ri_lanes_mean_power(RiLanes *w, const double *const *a, double h, unsigned mask, RiMeanPower *out)
{
    double powers[RI_LANES_MOST][3];
    refresh(w, mask);
    collect(w, a, mask);
    w->k->mean_power(w, h, mask, powers);
    for (int l = 0; l < w->count; l++)
        if (mask >> l & 1) {
            out[l] = (RiMeanPower){powers[l][0], powers[l][1], powers[l][2]};
            w->d[l]->shared = true;
        }
}
