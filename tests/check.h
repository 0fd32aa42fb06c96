// SPDX-License-Identifier: Apache-2.0
/// \file
/// The test harness: a test is a function whose name is a claim.
///
///     TEST(free_body_conserves_momentum) { CHECK_CLOSE(h1, h0, 1e-12); }
///     TEST_MAIN(free_body_conserves_momentum, ...)
///
/// Running the program runs all claims, or those whose names are given as arguments; it prints one
/// line per claim and returns non-zero if any failed.
#ifndef RI_TESTS_CHECK_H
#define RI_TESTS_CHECK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_failures;

#define TEST(name) static void name(void)

#define CHECK_FAIL(...)                                                                                                \
    do {                                                                                                               \
        if (check_failures++ < 20) {                                                                                   \
            fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                                            \
            fprintf(stderr, __VA_ARGS__);                                                                              \
            fputc('\n', stderr);                                                                                       \
        }                                                                                                              \
    } while (0)

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            CHECK_FAIL("failed: %s", #condition);                                                                      \
    } while (0)

/// Stops the test: what follows would make no sense.
#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            CHECK_FAIL("required: %s", #condition);                                                                    \
            return;                                                                                                    \
        }                                                                                                              \
    } while (0)

#define CHECK_INT(got, want)                                                                                           \
    do {                                                                                                               \
        const long long got_ = (long long)(got), want_ = (long long)(want);                                            \
        if (got_ != want_)                                                                                             \
            CHECK_FAIL("%s = %lld, expected %lld", #got, got_, want_);                                                 \
    } while (0)

/// |got - want| <= tolerance (absolute). NaN fails.
#define CHECK_CLOSE(got, want, tolerance)                                                                              \
    do {                                                                                                               \
        const double got_ = (got), want_ = (want), tol_ = (tolerance);                                                 \
        if (!(fabs(got_ - want_) <= tol_))                                                                             \
            CHECK_FAIL("%s = %.17g, expected %.17g +- %g (off by %g)", #got, got_, want_, tol_, got_ - want_);         \
    } while (0)

/// A failed call's status and a part of its message.
#define CHECK_ERROR(ctx, call, status, part)                                                                           \
    do {                                                                                                               \
        const RiStatus got_ = (call);                                                                                  \
        if (got_ != (status))                                                                                          \
            CHECK_FAIL("%s: status '%s', expected '%s' (%s)", #call, ri_status_text(got_), ri_status_text(status),     \
                       ri_context_message(ctx));                                                                       \
        else if (!strstr(ri_context_message(ctx), (part)))                                                             \
            CHECK_FAIL("%s: message '%s' does not contain '%s'", #call, ri_context_message(ctx), (part));              \
    } while (0)

#define CHECK_OK(ctx, call)                                                                                            \
    do {                                                                                                               \
        const RiStatus got_ = (call);                                                                                  \
        if (got_ != RI_OK)                                                                                             \
            CHECK_FAIL("%s: %s: %s", #call, ri_status_text(got_), ri_context_message(ctx));                            \
    } while (0)

#define REQUIRE_OK(ctx, call)                                                                                          \
    do {                                                                                                               \
        const RiStatus got_ = (call);                                                                                  \
        if (got_ != RI_OK) {                                                                                           \
            CHECK_FAIL("%s: %s: %s", #call, ri_status_text(got_), ri_context_message(ctx));                            \
            return;                                                                                                    \
        }                                                                                                              \
    } while (0)

typedef struct CheckCase {
    const char *name;
    void (*run)(void);
} CheckCase;

static inline int check_run(const CheckCase *cases, int count, int argc, char **argv)
{
    int failed = 0;
    for (int i = 0; i < count; i++) {
        int chosen = argc < 2;
        for (int k = 1; k < argc; k++)
            chosen |= strcmp(argv[k], cases[i].name) == 0;
        if (!chosen)
            continue;
        check_failures = 0;
        cases[i].run();
        printf("%s %s\n", check_failures ? "FAIL" : "ok  ", cases[i].name);
        failed += check_failures > 0;
    }
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#define CASE(name)                                                                                                     \
    {                                                                                                                  \
#name, name                                                                                                    \
    }
#define TEST_MAIN(...)                                                                                                 \
    int main(int argc, char **argv)                                                                                    \
    {                                                                                                                  \
        const CheckCase cases[] = {__VA_ARGS__};                                                                       \
        return check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);                                      \
    }

#endif
