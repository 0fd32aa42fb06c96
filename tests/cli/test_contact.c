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
    expect(RUN("contact", "solve", SCRATCH "/block.dat"), 0, "1 contact, solved by ours: residual", "");
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

TEST(several_problems_are_solved_one_line_each_and_bad_ones_do_not_hide_the_others)
{
    setup();
    write_text(SCRATCH "/hopeless.dat", "3 1 0 3 3 3 3 0 0 0 0 1 0 0 0 1 -1 0 0 0.5");
    expect(RUN("contact", "solve", SCRATCH "/block.dat", SCRATCH "/block.dat"), 0, "2 of 2 solved", "");
    expect(RUN("contact", "solve", SCRATCH "/hopeless.dat", SCRATCH "/block.dat"), 1, "1 of 2 solved", "closes at -1");
    expect(RUN("contact", "solve", SCRATCH "/none.dat", SCRATCH "/block.dat"), 2, "1 of 2 solved", "none.dat");
    expect(RUN("contact", "solve", SCRATCH "/block.dat", SCRATCH "/block.dat", "--json"), 0, "[\n  {\n", "");
    expect(RUN("contact", "solve", SCRATCH "/block.dat", SCRATCH "/block.dat", "--out", SCRATCH "/x.csv"), 2, "",
           "--out takes one problem, 2 files");
}

/// A block of 2 kg and 5 m/s with friction 0.5 that closes at 1 m/s: r = (2, -0.6, -0.8), u = (0,
/// 2.7, 3.6).
TEST(the_solution_is_written_as_csv_with_all_digits)
{
    setup();
    char line[512];
    double mu, r[3], u[3];
    expect(RUN("contact", "solve", SCRATCH "/block.dat", "--out", SCRATCH "/solution.csv"), 0, "", "");
    FILE *in = fopen(SCRATCH "/solution.csv", "r");
    REQUIRE(in);
    REQUIRE(fgets(line, sizeof line, in));
    CHECK(strcmp(line, "contact,state,mu,r_N,r_T1,r_T2,u_N,u_T1,u_T2\n") == 0);
    REQUIRE(fscanf(in, "0,slide,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &mu, &r[0], &r[1], &r[2], &u[0], &u[1], &u[2]) == 7);
    fclose(in);
    const double expected_r[3] = {2.0, -0.6, -0.8}, expected_u[3] = {0.0, 2.7, 3.6};
    for (int k = 0; k < 3; k++) {
        CHECK_CLOSE(r[k], expected_r[k], 1e-14);
        CHECK_CLOSE(u[k], expected_u[k], 1e-14);
    }
    expect(RUN("contact", "solve", SCRATCH "/block.dat", "--out", SCRATCH "/none/x.csv"), 3, "", "none/x.csv");
    expect(RUN("contact", "solve", SCRATCH "/block.dat", "--out", SCRATCH "/x.csv", "--solver", "all"), 2, "",
           "--out takes one solution");
}

/// Where Siconos is not built in, its rows say so. Its solvers leak a little, which is not ours to
/// mend.
TEST(all_solvers_are_shown_side_by_side)
{
    setup();
    setenv("ASAN_OPTIONS", "exitcode=99:detect_leaks=0", 1);
    expect(RUN("contact", "solve", SCRATCH "/block.dat", "--solver", "all"), 0, "siconos-nsgs", "");
    expect(RUN("contact", "solve", SCRATCH "/block.dat", "--solver", "all", "--json"), 0, "\"siconos-admm\"", "");
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
    expect(RUN("contact", "solve", SCRATCH "/block.dat", "--max-iterations", "1.5"), 2, "", "not a whole number");
    expect(RUN("contact", "solve", SCRATCH), 3, "", "Is a directory");
    write_text(SCRATCH "/empty.dat", "");
    expect(RUN("contact", "solve", SCRATCH "/empty.dat"), 2, "", "empty.dat: the file is empty");
    expect(RUN("contact", "slove"), 2, "", "did you mean 'solve'");
}

TEST_MAIN(CASE(a_solved_problem_is_shown_with_residual_and_time), CASE(a_problem_is_written_and_read_again),
          CASE(a_problem_without_solution_ends_with_code_1_and_the_reason),
          CASE(several_problems_are_solved_one_line_each_and_bad_ones_do_not_hide_the_others),
          CASE(the_solution_is_written_as_csv_with_all_digits), CASE(all_solvers_are_shown_side_by_side),
          CASE(bad_input_is_named))
