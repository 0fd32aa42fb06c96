// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille contact` as a user meets it.
#define SCRATCH RILLE_BINARY_DIR "/contact"
#include "run.h"

#include "check.h"

static const char block[] = "3\n1\n0\n3\n3\n3 3\n0.5 0 0\n0 0.5 0\n0 0 0.5\n-1 3 4\n0.5\n";

static void setup(void)
{
    run_setup();
    write_file(SCRATCH "/block.dat", block, sizeof block - 1);
}

static void write_text(const char *path, const char *text)
{
    write_file(path, text, strlen(text));
}

static void expect(Run r, int code, const char *out, const char *err)
{
    CHECK_INT(r.code, code);
    if (!strstr(r.out, out))
        CHECK_FAIL("output '%s' lacks '%s'", r.out, out);
    if (!strstr(r.err, err))
        CHECK_FAIL("messages '%s' lack '%s'", r.err, err);
    run_free(&r);
}

TEST(a_solved_problem_is_shown_with_residual_and_time)
{
    setup();
    expect(RUN("contact", "solve", SCRATCH "/block.dat"), 0, "1 contacts, solved by ours: residual", "");
    expect(RUN("contact", "solve", SCRATCH "/block.dat", "--json"), 0, "\"contact\": [\n    \"slide\"", "");
    expect(RUN("contact", "solve", RILLE_SOURCE_DIR "/fuzz/corpus/cone/global.hdf5"), 0, "slide", "");
}

TEST(a_problem_is_written_and_read_again)
{
    setup();
    expect(RUN("contact", "solve", RILLE_SOURCE_DIR "/fuzz/corpus/cone/global.hdf5", "--write", SCRATCH "/again.dat"),
           0, "", "");
    expect(RUN("contact", "solve", SCRATCH "/again.dat"), 0, "solved", "");
}

TEST(a_problem_without_solution_ends_with_code_1_and_the_reason)
{
    setup();
    write_text(SCRATCH "/hopeless.dat", "3 1 0 3 3 3 3 0 0 0 0 1 0 0 0 1 -1 0 0 0.5");
    expect(RUN("contact", "solve", SCRATCH "/hopeless.dat"), 1, "inconsistent", "contact 0 closes at -1");
}

TEST(bad_input_is_named)
{
    setup();
    write_text(SCRATCH "/bad.dat", "3\n1\n0\n3\n3\n3 3\n0.5 x");
    expect(RUN("contact", "solve", SCRATCH "/bad.dat"), 2, "", "bad.dat:7: W[1] is 'x'");
    expect(RUN("contact", "solve", SCRATCH "/none.dat"), 2, "", "none.dat");
    expect(RUN("contact", "solve"), 2, "", "which file?");
    expect(RUN("contact", "solve", SCRATCH "/block.dat", "--tolerance", "0"), 2, "", "--tolerance");
    expect(RUN("contact", "solve", SCRATCH "/block.dat", "--solver", "magic"), 2, "", "'magic' is not known");
    expect(RUN("contact", "slove"), 2, "", "did you mean 'solve'");
}

TEST_MAIN(CASE(a_solved_problem_is_shown_with_residual_and_time), CASE(a_problem_is_written_and_read_again),
          CASE(a_problem_without_solution_ends_with_code_1_and_the_reason), CASE(bad_input_is_named))
