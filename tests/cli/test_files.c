// SPDX-License-Identifier: Apache-2.0
/// \file
/// Files that the command writes: closed descriptors do not get into them, two runs do not share a
/// folder, and a file that cannot be written whole leaves the old one as it was.
#define SCRATCH RILLE_BINARY_DIR "/test-files"

#include "run.h"

#include <glob.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>

#include <rille/record.h>

#include "check.h"

/// Runs a line of the shell; its exit code, or -1 if it died by a signal.
RI_PRINTF(1, 2) static int shell(const char *format, ...)
{
    char line[2000];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    const int state = system(line);
    return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

static void fresh(const char *folder)
{
    CHECK(shell("rm -rf '%s'", folder) == 0);
}

/// How many files match a glob.
static int count(const char *pattern)
{
    glob_t found;
    const int n = glob(pattern, 0, NULL, &found) == 0 ? (int)found.gl_pathc : 0;
    if (n)
        globfree(&found);
    return n;
}

static bool is_whole_log(const char *path)
{
    RiContext *ctx;
    RiLog *log = NULL;
    if (ri_context_create(NULL, &ctx) != RI_OK)
        abort();
    const bool whole = ri_log_open(ctx, path, &log) == RI_OK && ri_log_is_complete(log);
    ri_log_close(log);
    ri_context_destroy(ctx);
    return whole;
}

TEST(closed_descriptors_do_not_get_into_the_log)
{
    static const char *const closed[] = {"2>&-", "<&- 2>&-", ">/dev/null <&- 2>&-"};
    for (size_t i = 0; i < sizeof closed / sizeof *closed; i++) {
        fresh(SCRATCH "/closed");
        CHECK_INT(shell(COMMAND " run pendulum --duration 0.2 --quiet --out " SCRATCH "/closed %s", closed[i]), 0);
        CHECK(is_whole_log(SCRATCH "/closed/log.mcap"));
    }
}

TEST(a_closed_standard_output_is_an_error_and_the_log_is_whole)
{
    fresh(SCRATCH "/output");
    CHECK_INT(shell("echo 'step 5' | " COMMAND " run pendulum -i --out " SCRATCH "/output >&- 2>" SCRATCH "/err.txt"),
              3);
    CHECK(is_whole_log(SCRATCH "/output/log.mcap"));
}

TEST(a_second_run_into_a_folder_is_refused)
{
    fresh(SCRATCH "/lock");
    Run r = RUN("run", "pendulum", "--duration", "0.1", "--out", SCRATCH "/lock", "--quiet");
    CHECK_INT(r.code, 0);
    run_free(&r);
    char *before = slurp(SCRATCH "/lock/summary.json");
    const int folder = open(SCRATCH "/lock", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    CHECK(flock(folder, LOCK_EX | LOCK_NB) == 0); // as a run that goes on
    r = RUN("run", "pendulum", "--duration", "0.2", "--out", SCRATCH "/lock");
    CHECK_INT(r.code, 2);
    CHECK(strstr(r.err, "another run is writing to this folder") != NULL);
    run_free(&r);
    char *after = slurp(SCRATCH "/lock/summary.json");
    CHECK(strcmp(before, after) == 0);
    free(before);
    free(after);
    close(folder);
    r = RUN("run", "pendulum", "--duration", "0.2", "--out", SCRATCH "/lock");
    CHECK_INT(r.code, 0);
    run_free(&r);
}

TEST(a_run_holds_its_folder_until_it_ends)
{
    fresh(SCRATCH "/held");
    CHECK_INT(shell("{ echo 'step 1'; sleep 3; } | " COMMAND " run pendulum -i --out " SCRATCH
                    "/held >/dev/null 2>&1 & "
                    "for i in $(seq 100); do test -e " SCRATCH "/held/log.mcap && break; sleep 0.02; done; " COMMAND
                    " run pendulum --duration 0.1 --out " SCRATCH "/held >/dev/null 2>" SCRATCH "/held.txt"),
              2);
    char *said = slurp(SCRATCH "/held.txt");
    CHECK(strstr(said, "another run is writing") != NULL);
    free(said);
}

TEST(a_checkpoint_of_a_page_keeps_its_folder_usable_and_stays)
{
    fresh(SCRATCH "/page");
    Run r = RUN("run", "pendulum", "--duration", "0.1", "--out", SCRATCH "/page", "--quiet");
    run_free(&r);
    write_file(SCRATCH "/page/pendulum-3.checkpoint", "x", 1);
    write_file(SCRATCH "/page/log.mcap.abcdef.part", "x", 1); // of a killed run
    r = RUN("run", "pendulum", "--duration", "0.1", "--out", SCRATCH "/page", "--quiet");
    CHECK_INT(r.code, 0);
    run_free(&r);
    CHECK(access(SCRATCH "/page/pendulum-3.checkpoint", F_OK) == 0);
    CHECK(access(SCRATCH "/page/log.mcap.abcdef.part", F_OK) != 0);
    write_file(SCRATCH "/page/thesis.checkpoint", "x", 1);
    r = RUN("run", "pendulum", "--duration", "0.1", "--out", SCRATCH "/page", "--quiet");
    CHECK_INT(r.code, 2);
    run_free(&r);
}

/// Runs the command where no file may grow beyond `bytes`; it must end by itself with code 3.
static void check_keeps(const char *path, const char *words)
{
    static const char old[] = "the old content\n";
    write_file(path, old, sizeof old - 1);
    const int code = shell("ulimit -f 1; " COMMAND " %s '%s' >/dev/null 2>" SCRATCH "/limit.txt", words, path);
    if (code != 3)
        CHECK_FAIL("%s %s: exit code %d", words, path, code);
    char *now = slurp(path), part[600];
    if (strcmp(now, old) != 0)
        CHECK_FAIL("%s %s: the old file is gone", words, path);
    snprintf(part, sizeof part, "%s.*", path);
    CHECK_INT(count(part), 0);
    free(now);
}

TEST(a_file_that_cannot_be_written_leaves_the_old_one)
{
    fresh(SCRATCH "/whole");
    Run r = RUN("run", "pendulum", "--duration", "1", "--out", SCRATCH "/whole", "--quiet");
    CHECK_INT(r.code, 0);
    run_free(&r);
    check_keeps(SCRATCH "/x.csv", "plot " SCRATCH "/whole/log.mcap '*' --csv");
    check_keeps(SCRATCH "/x.svg", "plot " SCRATCH "/whole/log.mcap 'energy.work' --out");
    check_keeps(SCRATCH "/x.png", "plot " SCRATCH "/whole/log.mcap 'energy.work' --out");
    check_keeps(SCRATCH "/x.yaml", "place place_walls --out");
    check_keeps(SCRATCH "/made.ply", "terrain make moulin --out");
}

TEST(a_log_beyond_the_limit_of_files_is_an_error_not_a_death)
{
    fresh(SCRATCH "/xfsz");
    const int code =
        shell("ulimit -f 16; " COMMAND " run snake_servo --out " SCRATCH "/xfsz >/dev/null 2>" SCRATCH "/xfsz.txt");
    CHECK_INT(code, 3);
    char *said = slurp(SCRATCH "/xfsz.txt");
    CHECK(strstr(said, "File too large") != NULL);
    free(said);
}

TEST(special_files_are_written_in_place_and_not_replaced)
{
    struct stat before, after;
    Run r = RUN("run", "pendulum", "--duration", "0.1", "--out", SCRATCH "/special", "--quiet");
    run_free(&r);
    fresh(SCRATCH "/pipe");
    CHECK(mkfifo(SCRATCH "/pipe", 0600) == 0 && stat(SCRATCH "/pipe", &before) == 0);
    CHECK_INT(shell("echo 'save " SCRATCH "/pipe' | " COMMAND " run pendulum -i --out " SCRATCH
                    "/special >/dev/null 2>" SCRATCH "/special.txt"),
              2);
    CHECK(stat(SCRATCH "/pipe", &after) == 0 && S_ISFIFO(after.st_mode) && after.st_ino == before.st_ino);
    char *said = slurp(SCRATCH "/special.txt");
    CHECK(strstr(said, "not a regular file") != NULL);
    free(said);
    // A pipe without a reader is an error, not a wait for ever; a link keeps pointing to the file.
    CHECK_INT(shell("timeout 10 " COMMAND " plot " SCRATCH "/special/log.mcap energy.work --csv " SCRATCH
                    "/pipe 2>/dev/null"),
              3);
    CHECK_INT(shell(COMMAND " plot " SCRATCH "/special/log.mcap energy.work --csv /dev/stdout | grep -q energy.work"),
              0);
    CHECK_INT(
        shell(
            "cd " SCRATCH " && echo old >target.csv && ln -sf target.csv link.csv && " COMMAND
            " plot special/log.mcap energy.work --csv link.csv && test -L link.csv && grep -q energy.work target.csv"),
        0);
}

int main(int argc, char **argv)
{
    run_setup();
    const CheckCase cases[] = {CASE(closed_descriptors_do_not_get_into_the_log),
                               CASE(a_closed_standard_output_is_an_error_and_the_log_is_whole),
                               CASE(a_second_run_into_a_folder_is_refused),
                               CASE(a_run_holds_its_folder_until_it_ends),
                               CASE(a_checkpoint_of_a_page_keeps_its_folder_usable_and_stays),
                               CASE(a_file_that_cannot_be_written_leaves_the_old_one),
                               CASE(a_log_beyond_the_limit_of_files_is_an_error_not_a_death),
                               CASE(special_files_are_written_in_place_and_not_replaced)};
    return check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
}
