// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#undef RILLE_ASSERTS
#define RILLE_ASSERTS 1
#include "base/assert.h"

/// Runs the check in a child process. Returns the signal that ended it, 0 for none, and what it
/// wrote to standard error.
static int signal_of(int value, char *text, size_t room)
{
    int ends[2];
    if (pipe(ends) != 0)
        return -1;
    const pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        signal(SIGABRT, SIG_DFL);
        dup2(ends[1], 2);
        RI_ASSERT(value == 3);
        _exit(0);
    }
    close(ends[1]);
    const ssize_t size = read(ends[0], text, room - 1);
    text[size > 0 ? size : 0] = '\0';
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST(a_failed_assert_aborts_and_names_file_line_and_expression)
{
    char text[400];
    CHECK_INT(signal_of(4, text, sizeof text), SIGABRT);
    CHECK(strstr(text, "test_assert.c:") && strstr(text, "signal_of") && strstr(text, "value == 3"));
}

TEST(an_assert_that_holds_does_nothing)
{
    char text[400];
    CHECK_INT(signal_of(3, text, sizeof text), 0);
    CHECK(text[0] == '\0');
}

TEST_MAIN(CASE(a_failed_assert_aborts_and_names_file_line_and_expression), CASE(an_assert_that_holds_does_nothing))
