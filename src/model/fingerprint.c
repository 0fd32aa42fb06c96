// SPDX-License-Identifier: Apache-2.0
/// \file
/// Hash of a model: all numbers of its bodies, joints, couplings and loops. Test:
/// tests/sim/test_fingerprint.c.
#include "base/hash.h"
#include "model/tree.h"

/// The numbers from one field of a joint's description to another one: doubles without gaps, so a
/// new field among them counts.
#define FIELDS(h, j, first, last)                                                                                      \
    ri_hash(h, &(j)->first, offsetof(RiJointSpec, last) + sizeof(j)->last - offsetof(RiJointSpec, first))

static uint64_t hash_joint(uint64_t h, const RiJointSpec *j)
{
    h = ri_hash_mix(ri_hash_text(h, j->name), (uint64_t)j->type);
    h = ri_hash_mix(h, (uint64_t)(j->locked | j->independent << 1 | j->has_limits << 2));
    h = FIELDS(h, j, origin, position);
    return FIELDS(h, j, lower, stop_restitution);
}

static uint64_t hash_body(uint64_t h, const RiBodyData *b)
{
    h = ri_hash_mix(ri_hash_mix(h, (uint64_t)b->parent), (uint64_t)b->joint);
    h = ri_hash(h, &b->tree, sizeof b->tree);
    h = ri_hash(h, &b->mass, sizeof b->mass);
    h = ri_hash(h, &b->com, sizeof b->com);
    return ri_hash(h, &b->inertia, sizeof b->inertia);
}

static uint64_t hash_loop(uint64_t h, const RiLoopData *l)
{
    for (int i = 0; i < l->closure_count; i++) {
        const RiClosure *c = &l->closures[i];
        h = ri_hash_mix(ri_hash_mix(ri_hash_mix(h, (uint64_t)c->type), (uint64_t)c->body_a), (uint64_t)c->body_b);
        h = ri_hash(ri_hash(h, &c->pose_a, sizeof c->pose_a), &c->pose_b, sizeof c->pose_b);
        h = ri_hash(h, &c->distance, sizeof c->distance);
    }
    for (int i = 0; i < l->linear_count; i++) {
        const RiLinearRow *r = &l->linear[i];
        h = ri_hash(h, r->s, (size_t)r->count * sizeof *r->s);
        h = ri_hash(h, r->factor, (size_t)r->count * sizeof *r->factor);
        h = ri_hash(h, &r->offset, sizeof r->offset);
    }
    return h;
}

uint64_t ri_model_fingerprint(const RiModel *m, uint64_t h)
{
    h = ri_hash_text(h, m->name);
    for (int i = 0; i < m->nj; i++)
        h = hash_joint(h, &m->joints[i].spec);
    for (int i = 0; i < m->nb; i++)
        h = hash_body(h, &m->bodies[i]);
    for (int i = 0; i < m->nc; i++)
        if (m->clusters[i].offset)
            h = ri_hash(h, m->clusters[i].offset, (size_t)m->clusters[i].ns * sizeof(double));
    for (int i = 0; i < m->nloop; i++)
        h = hash_loop(h, &m->loops[i]);
    return ri_hash(h, m->map, (size_t)m->nmap * sizeof *m->map);
}
