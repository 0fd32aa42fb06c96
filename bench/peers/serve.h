// SPDX-License-Identifier: Apache-2.0
/// \file
/// A peer program: a line server around one engine, so that the runner can go round-robin through
/// all engines.
///
///     > hello NAME VERSION                     on start
///     < CASE QUANTITY SECONDS                  > value MICROSECONDS | none
///     < check CASE [QUANTITY]                  > check A B C D      | none     (%.17g, quantity fd if not given)
///
/// Models are built on first use and kept. The program ends when its input ends.
#ifndef RI_BENCH_SERVE_H
#define RI_BENCH_SERVE_H

#include "../engine.h"

enum { PEER_MAX_MODELS = 32 };

typedef struct PeerModels {
    const BenchEngine *engine;
    int count;
    char names[PEER_MAX_MODELS][32];
    void *models[PEER_MAX_MODELS]; ///< NULL: the engine does not offer this mechanism
} PeerModels;

static inline void *peer_model(PeerModels *set, const char *name)
{
    for (int i = 0; i < set->count; i++)
        if (strcmp(set->names[i], name) == 0)
            return set->models[i];
    if (set->count == PEER_MAX_MODELS)
        return NULL;
    BenchMechanism *mechanism = bench_mechanism_create(name);
    void *model = mechanism ? set->engine->open(mechanism) : NULL;
    snprintf(set->names[set->count], sizeof set->names[0], "%s", name);
    set->models[set->count++] = model;
    return model; // mechanism and model live as long as the program
}

static inline void peer_check(PeerModels *set, const char *name, const char *quantity)
{
    double c[BENCH_CHECKS] = {0.0, 0.0, 0.0, 0.0};
    void *model = peer_model(set, name);
    if (!model || !set->engine->find(model, quantity) || !set->engine->check(model, quantity, c))
        printf("none\n");
    else
        printf("check %.17g %.17g %.17g %.17g\n", c[0], c[1], c[2], c[3]);
}

static inline void peer_value(PeerModels *set, const char *name, const char *quantity, double seconds)
{
    void *model = peer_model(set, name);
    const BenchCall call = model ? set->engine->find(model, quantity) : NULL;
    if (!call)
        printf("none\n");
    else
        printf("value %.9g\n", bench_time(call, model, seconds));
}

static inline int peer_serve(const BenchEngine *engine, const char *version)
{
    PeerModels set;
    memset(&set, 0, sizeof set);
    set.engine = engine;
    printf("hello %s %s\n", engine->name, version);
    fflush(stdout);
    char line[256], a[32], b[32], c[32];
    while (fgets(line, sizeof line, stdin)) {
        const int fields = sscanf(line, "%31s %31s %31s", a, b, c);
        if (fields >= 2 && strcmp(a, "check") == 0)
            peer_check(&set, b, fields == 3 ? c : "fd");
        else if (fields == 3)
            peer_value(&set, a, b, strtod(c, NULL));
        else
            printf("none\n");
        fflush(stdout);
    }
    return 0;
}

#endif
