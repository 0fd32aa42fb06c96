// SPDX-License-Identifier: Apache-2.0
/// \file
/// An allocator for tests that fails at one chosen call and counts what is not given back.
#ifndef RI_TESTS_FAULTS_H
#define RI_TESTS_FAULTS_H

#include <stdlib.h>

#include <rille/context.h>

typedef struct Faults {
    long call, fail_at; ///< the call with this number fails; -1: none
    long live;          ///< blocks not released
} Faults;

static inline void *faults_resize(void *user, void *block, size_t size)
{
    Faults *f = user;
    if (f->call++ == f->fail_at)
        return NULL;
    void *grown = realloc(block, size);
    f->live += !block && grown;
    return grown;
}

static inline void faults_release(void *user, void *block)
{
    Faults *f = user;
    f->live -= block != NULL;
    free(block);
}

static inline RiAllocator faults_allocator(Faults *f)
{
    return (RiAllocator){faults_resize, faults_release, f};
}

#endif
