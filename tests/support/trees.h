// SPDX-License-Identifier: Apache-2.0
/// \file
/// Runs a claim over many random trees and says which tree broke it. For tests that include
/// check.h.
#ifndef RI_TESTS_SUPPORT_TREES_H
#define RI_TESTS_SUPPORT_TREES_H

#include "check.h"

#include "support/robots.h"

/// Number of random trees per claim; sanitizers are slow, so they see the first ones only.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { TREE_COUNT = 40 };
#else
enum { TREE_COUNT = 220 };
#endif

/// value <= bound, with the tree's number in the message. NaN fails.
#define CHECK_SMALL(robot, value, bound)                                                                               \
    do {                                                                                                               \
        const double value_ = (value), bound_ = (bound);                                                               \
        if (!(value_ <= bound_))                                                                                       \
            CHECK_FAIL("robot %llu (%d links, nv %d): %s = %.3g, allowed %.3g",                                        \
                       (unsigned long long)(robot)->plan.seed, (robot)->nl, (robot)->nv, #value, value_, bound_);      \
    } while (0)

static inline void over_trees(int count, void (*claim)(Robot *))
{
    for (int seed = 0; seed < count; seed++) {
        Robot r = robot_make((uint64_t)seed);
        claim(&r);
        robot_close(&r);
    }
}

#endif
