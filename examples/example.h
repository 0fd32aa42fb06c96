// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the examples share: stop with the library's message when a call fails, and check the result
/// at the end.
#ifndef RILLE_EXAMPLE_H
#define RILLE_EXAMPLE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <rille/rille.h>

/// Calls something that can fail; a failure prints the context's message and ends the program.
#define MUST(ctx, call)                                                                                                \
    do {                                                                                                               \
        if ((call) != RI_OK) {                                                                                         \
            fprintf(stderr, "%s\n", ri_context_message(ctx));                                                          \
            exit(EXIT_FAILURE);                                                                                        \
        }                                                                                                              \
    } while (0)

/// An example knows what must come out.
#define EXPECT_CLOSE(got, want, tolerance)                                                                             \
    do {                                                                                                               \
        const double got_ = (got), want_ = (want);                                                                     \
        if (!(fabs(got_ - want_) <= (tolerance))) {                                                                    \
            fprintf(stderr, "%s is %.12g, expected %.12g\n", #got, got_, want_);                                       \
            exit(EXIT_FAILURE);                                                                                        \
        }                                                                                                              \
    } while (0)

#endif
