// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille plot`: lists, draws, writes, and says what is wrong.
#include "check.h"

#include <unistd.h>

#include "../../apps/common/cli.c"
#include "../../apps/common/cli_describe.c"
#include "../../apps/rille/view/cmd_plot.c"
#include "../../apps/rille/view/plot_terminal.c"

static const char log_path[] = RILLE_BINARY_DIR "/test_cli_plot.mcap",
                  out_path[] = RILLE_BINARY_DIR "/test_cli_plot.txt",
                  svg_path[] = RILLE_BINARY_DIR "/test_cli_plot.svg",
                  csv_path[] = RILLE_BINARY_DIR "/test_cli_plot.csv";

static RiStatus write_log(RiContext *ctx)
{
    static const char *const names[] = {"arm.elbow.position", "arm.elbow.torque"}, *const units[] = {"rad", "N*m"};
    RiRecord *r;
    int group;
    RI_TRY(ri_record_create(ctx, log_path, NULL, &r));
    RiStatus status = ri_record_add_signals(r, "/arm", 2, names, units, &group);
    for (int k = 0; k < 1000 && status == RI_OK; k++) {
        const double x[] = {sin(0.01 * k), 0.1 * k};
        status = ri_record_signals(r, group, k / 100.0, x);
    }
    if (status == RI_OK)
        status = ri_record_close(r);
    ri_record_destroy(r);
    return status;
}

/// Runs the command with its output in a file and returns the exit code; the text is in `out`.
static int run(char *out, size_t size, int argc, const char *const *words)
{
    char *argv[16] = {0}, copies[16][256];
    for (int i = 0; i < argc; i++) {
        snprintf(copies[i], sizeof copies[i], "%s", words[i]);
        argv[i] = copies[i];
    }
    fflush(stdout);
    fflush(stderr);
    const int saved_out = dup(1), saved_err = dup(2);
    FILE *f = fopen(out_path, "w+");
    dup2(fileno(f), 1);
    dup2(fileno(f), 2);
    const int code = cmd_plot(argc, argv);
    fflush(stdout);
    fflush(stderr);
    dup2(saved_out, 1);
    dup2(saved_err, 2);
    close(saved_out);
    close(saved_err);
    rewind(f);
    out[fread(out, 1, size - 1, f)] = '\0';
    fclose(f);
    return code;
}

static char text[1 << 20];
#define RUN(...)                                                                                                       \
    run(text, sizeof text, (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)),                         \
        (const char *const[]){__VA_ARGS__})

TEST(without_a_name_the_signals_are_listed)
{
    CHECK_INT(RUN("plot", log_path), 0);
    CHECK(strstr(text, "2 signals, 0 s to 9.99 s\n") && strstr(text, "  arm.elbow.torque [N*m]\n"));
}

TEST(a_misspelt_name_gets_a_suggestion)
{
    CHECK_INT(RUN("plot", log_path, "arm.elbow.torqe"), 2);
    CHECK(strstr(text, "did you mean 'arm.elbow.torque'?"));
    CHECK_INT(RUN("plot", "/no/such.mcap", "x"), 2);
    CHECK(strstr(text, "/no/such.mcap: cannot open"));
    CHECK_INT(RUN("plot", log_path, "arm*", "--csv", "/dev/full"), 3);
}

TEST(the_terminal_shows_axes_and_a_rising_line)
{
    setenv("COLUMNS", "60", 1);
    setenv("LC_ALL", "C", 1);
    CHECK_INT(RUN("plot", log_path, "arm.elbow.torque"), 0);
    CHECK(strstr(text, "* arm.elbow.torque [N*m]\n") && strstr(text, "time [s]") && strstr(text, "80 +"));
    const char *first = strchr(text, '\n') + 1;
    CHECK(strchr(first, '*') - first > 50); // the highest point stands at the right
    setenv("LC_ALL", "C.UTF-8", 1);
    CHECK_INT(RUN("plot", log_path, "arm.*"), 0);
    CHECK(strstr(text, "\u2514\u2500") && strstr(text, "arm.elbow.position [deg]"));
}

TEST(files_are_written_for_the_asked_time)
{
    CHECK_INT(RUN("plot", log_path, "arm.*", "--out", svg_path, "--csv", csv_path, "--from", "1", "--to", "2"), 0);
    CHECK(text[0] == '\0');
    FILE *f = fopen(csv_path, "r");
    REQUIRE(f);
    int lines = 0;
    for (int c; (c = fgetc(f)) != EOF;)
        lines += c == '\n';
    fclose(f);
    CHECK_INT(lines, 102);
    CHECK_INT(access(svg_path, R_OK), 0);
}

TEST(a_dash_is_standard_output)
{
    CHECK_INT(RUN("plot", log_path, "arm.*", "--csv", "-", "--to", "0.005"), 0);
    CHECK(strcmp(text, "time [s],arm.elbow.position [rad],arm.elbow.torque [N*m]\n0,0,0\n") == 0);
    CHECK(access("-", F_OK) != 0);
}

static int count_of(const char *part)
{
    int count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        count++;
    return count;
}

TEST(several_logs_are_compared_signal_by_signal)
{
    setenv("LC_ALL", "C", 1);
    CHECK_INT(RUN("plot", log_path, log_path, "arm.elbow.torque"), 0);
    CHECK_INT(count_of("arm.elbow.torque (test_cli_plot)"), 2);
    CHECK_INT(RUN("plot", log_path, log_path, "arm.*", "--out", svg_path), 0);
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {CASE(without_a_name_the_signals_are_listed),
                               CASE(a_misspelt_name_gets_a_suggestion),
                               CASE(the_terminal_shows_axes_and_a_rising_line),
                               CASE(files_are_written_for_the_asked_time),
                               CASE(a_dash_is_standard_output),
                               CASE(several_logs_are_compared_signal_by_signal)};
    RiContext *ctx = NULL;
    if (ri_context_create(NULL, &ctx) != RI_OK || write_log(ctx) != RI_OK)
        return EXIT_FAILURE;
    ri_context_destroy(ctx);
    return check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
}
