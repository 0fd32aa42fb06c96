// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille run`: the files of a run, settings, checkpoints and resuming, signals, the prompt, exit
/// codes.
#include <rille/record.h>

#include <signal.h>
#include <sys/resource.h>
#include <time.h>

#define SCRATCH RILLE_BINARY_DIR "/test_cli_run"
#include "check.h"
#include "cli/run.h"
#include "data.h"

/// Starts the command with its standard input from a file; its output goes to out.txt and err.txt.
static pid_t start(const char *input, const char *const *words)
{
    pid_t pid = -1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, SCRATCH "/out.txt", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_addopen(&actions, 2, SCRATCH "/err.txt", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    char *argv[32] = {(char *)(uintptr_t)COMMAND};
    for (int i = 0; words[i] && i < 30; i++)
        argv[i + 1] = (char *)(uintptr_t)words[i]; // posix_spawn does not write to them
    if (posix_spawn(&pid, COMMAND, &actions, NULL, argv, environ) != 0)
        pid = -1;
    posix_spawn_file_actions_destroy(&actions);
    return pid;
}

static Run finish(pid_t pid)
{
    int status = 0;
    Run r = {.code = -1};
    if (waitpid(pid, &status, 0) == pid && WIFEXITED(status))
        r.code = WEXITSTATUS(status);
    r.out = slurp(SCRATCH "/out.txt");
    r.err = slurp(SCRATCH "/err.txt");
    return r;
}

/// Runs with commands for the prompt.
static Run talk(const char *commands, const char *const *words)
{
    write_file(SCRATCH "/in.txt", commands, strlen(commands));
    return finish(start(SCRATCH "/in.txt", words));
}
#define TALK(commands, ...) talk(commands, (const char *const[]){__VA_ARGS__, NULL})

/// Removes a folder of an earlier test run; only files that runs write are in it.
static void clear(const char *folder)
{
    static const char *const names[] = {"summary.json", "log.mcap",          "config.yaml",
                                        "report.html",  "latest.checkpoint", "last_good.checkpoint",
                                        "notes.txt"};
    char path[1024];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/// Waits until a file is there, at most ten seconds.
static bool wait_for(const char *path)
{
    for (int i = 0; i < 1000 && !exists(path); i++)
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    return exists(path);
}

/// A text of a summary, such as its hash; the caller's buffer.
static const char *text_of(const char *summary, const char *key, char *out, size_t size)
{
    const char *found = json_find(summary, key);
    snprintf(out, size, "%.*s", found && *found == '"' ? (int)strcspn(found + 1, "\"") : 0, found ? found + 1 : "");
    return out;
}

/// A tenth of a second of a scene: it ends well, its books close, its files are there.
static void run_scene(const char *name)
{
    static const char *const files[] = {"summary.json", "log.mcap", "config.yaml", "report.html"};
    char folder[512], path[600];
    snprintf(folder, sizeof folder, SCRATCH "/%s", name);
    clear(folder);
    Run r = RUN("run", name, "--out", folder, "--duration", "0.1", "--json", "--quiet");
    if (r.code == 3 && strstr(r.err, "this build has no")) { // an optional part
        printf("     skipped: %s", r.err);
        run_free(&r);
        return;
    }
    if (r.code != 0 || *r.err)
        CHECK_FAIL("%s: %d, %s", name, r.code, r.err);
    CHECK(json_is_valid(r.out));
    CHECK(json_is_text(r.out, "scene", name));
    CHECK(json_is_text(r.out, "stop_reason", "duration"));
    const double tick = json_get(r.out, "tick_s"); // whole ticks only: driven without dynamics they may be long
    CHECK_CLOSE(json_get(r.out, "sim_s"), tick > 0.1 + 1e-9 ? 0.0 : 0.1, 1e-9);
    if (!(fabs(json_get(r.out, "energy_balance")) <= 1e-6))
        CHECK_FAIL("%s: energy balance %g", name, json_get(r.out, "energy_balance"));
    for (size_t k = 0; k < 4; k++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[k]);
        if (!exists(path))
            CHECK_FAIL("%s is missing", path);
    }
    run_free(&r);
    clear(folder);
}

TEST(every_scene_runs_leaves_its_files_and_closes_its_energy_books)
{
    Run parameters = RUN("run", "mer_sand", "--parameters", "--set", "speed=3");
    CHECK_INT(parameters.code, 0);
    CHECK(strstr(parameters.out, " speed ") && strstr(parameters.out, " 3 cm/s ") &&
          strstr(parameters.out, "of the rover"));
    CHECK(strstr(parameters.out, "terrain.cell") && !strstr(parameters.out, "finished"));
    run_free(&parameters);
    Run none = RUN("run", "euler_disk", "--parameters");
    CHECK_INT(none.code, 0);
    CHECK(strstr(none.out, "has no parameters"));
    run_free(&none);
    Run names = RUN("run", "--list-scenes");
    int count = 0;
    setenv("RILLE_DATA", data_folder(), 0);
    for (char *name = strtok(names.out, "\n"); name; name = strtok(NULL, "\n"), count++)
        if (!skips_scene(name))
            run_scene(name);
    CHECK(count > 50);
    run_free(&names);
}

TEST(the_summary_has_its_keys_and_the_printed_one_is_the_written_one)
{
    static const char *const keys[] = {"wall_s",
                                       "sim_s",
                                       "rtf",
                                       "steps",
                                       "state_hash",
                                       "energy_balance",
                                       "final_pose.position[2]",
                                       "final_pose.rpy[2]",
                                       "stop_reason",
                                       "validity",
                                       "scene",
                                       "robot",
                                       "integrator",
                                       "seed",
                                       "version"};
    clear(SCRATCH "/keys");
    Run r = RUN("run", "pendulum", "--out", SCRATCH "/keys", "--duration", "0.1", "--json", "-q");
    char *written = slurp(SCRATCH "/keys/summary.json");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!json_find(r.out, keys[i]))
            CHECK_FAIL("key %s is missing", keys[i]);
    CHECK(strcmp(written, r.out) == 0);
    CHECK_INT(json_get(r.out, "steps"), 100);
    char hash[64];
    CHECK_INT(strlen(text_of(r.out, "state_hash", hash, sizeof hash)), 16);
    free(written);
    run_free(&r);
}

TEST(another_robot_of_the_same_structure_runs_in_a_scene)
{
    char *urdf = slurp(RILLE_SOURCE_DIR "/robots/arm.urdf"), *mass = strstr(urdf, "<mass value=\"3.0\"/>");
    REQUIRE(mass != NULL);
    memcpy(mass, "<mass value=\"5.0\"/>", strlen("<mass value=\"5.0\"/>"));
    write_file(SCRATCH "/heavier.urdf", urdf, strlen(urdf));
    free(urdf);
    clear(SCRATCH "/robot");
    Run own = RUN("run", "arm_hold", "--out", SCRATCH "/robot", "--duration", "0.2", "--json", "-q");
    char hash[64], other[64];
    text_of(own.out, "state_hash", hash, sizeof hash);
    CHECK_INT(own.code, 0);
    run_free(&own);
    clear(SCRATCH "/robot");
    Run r = RUN("run", "arm_hold", "--robot", SCRATCH "/heavier.urdf", "--out", SCRATCH "/robot", "--duration", "0.2",
                "--json", "-q");
    CHECK_INT(r.code, 0);
    CHECK(strcmp(text_of(r.out, "state_hash", other, sizeof other), hash) != 0); // it is the heavier one that moves
    run_free(&r);
    r = RUN("run", "pendulum", "--robot", SCRATCH "/heavier.urdf", "--out", SCRATCH "/robot", "-q");
    CHECK_INT(r.code, 2);
    CHECK(strstr(r.err, "not structurally similar") != NULL);
    run_free(&r);
    r = RUN("run", "arm_hold", "--robot", SCRATCH "/nothing.urdf", "--out", SCRATCH "/robot", "-q");
    CHECK(r.code != 0 && strstr(r.err, "nothing.urdf") != NULL);
    run_free(&r);
}

TEST(what_leaves_its_assumptions_is_in_summary_and_events)
{
    clear(SCRATCH "/validity");
    Run r = RUN("run", "snake_servo", "--out", SCRATCH "/validity", "--duration", "1", "--json", "-q");
    CHECK(json_is_text(r.out, "validity[0].name", "bend_1.velocity_limit"));
    const double first = json_get(r.out, "validity[0].first_time");
    CHECK(first > 0.0 && first < 1.0 && json_get(r.out, "validity[0].count") >= 1.0);
    char *page = slurp(SCRATCH "/validity/report.html");
    CHECK(strstr(page, "validity: bend_1.velocity_limit: the joint is faster") != NULL);
    free(page);
    run_free(&r);
    clear(SCRATCH "/validity");
    r = RUN("run", "pendulum", "--out", SCRATCH "/validity", "--duration", "0.1", "--json", "-q");
    CHECK(json_find(r.out, "validity") != NULL && json_find(r.out, "validity[0]") == NULL);
    run_free(&r);
}

/// A run whose numbers are sound and whose robot is lost ends with exit code 1 and the reason.
TEST(lost_robots_and_made_up_energy_end_with_code_1)
{
    static const struct {
        const char *scene, *setting, *duration, *reason;
    } lost[] = {
        {"fido_tilt_table", "slope=45 deg", "4", "it slides away"},
        {"climb_walls", "contact.screw_ice.friction=0.01", "8", "mission 'mission': did not hold its weight"},
        {"exomars_rough", "contact.wheel_touches=1", "1", "contact.energy_gain: lifting the robot"},
        {"mer_drive", "integrator=semi-implicit", "3", "plausible.speed"},
    };
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
        clear(SCRATCH "/lost");
        Run r = RUN("run", lost[i].scene, "--set", lost[i].setting, "--duration", lost[i].duration, "--out",
                    SCRATCH "/lost", "-q");
        CHECK_INT(r.code, 1);
        if (!strstr(r.err, lost[i].reason))
            CHECK_FAIL("%s: '%s' lacks '%s'", lost[i].scene, r.err, lost[i].reason);
        run_free(&r);
    }
    clear(SCRATCH "/lost");
    Run r = RUN("run", "fido_tilt_table", "--duration", "4", "--out", SCRATCH "/lost", "-q");
    CHECK_INT(r.code, 0);
    run_free(&r);
}

TEST(the_log_holds_the_chosen_values_at_their_rate_and_the_configuration)
{
    clear(SCRATCH "/log");
    Run r = RUN("run", "pendulum", "--out", SCRATCH "/log", "--duration", "1.005", "-q");
    CHECK_INT(r.code, 0);
    RiContext *ctx;
    RiLog *log;
    double *times, *values;
    int count;
    REQUIRE_OK(ctx, ri_context_create(NULL, &ctx));
    REQUIRE_OK(ctx, ri_log_open(ctx, SCRATCH "/log/log.mcap", &log));
    CHECK(ri_log_is_complete(log));
    const int signal = ri_log_find_signal(log, "hinge_1.position");
    REQUIRE(signal >= 0);
    CHECK(ri_log_find_signal(log, "hinge_1.effort") < 0);
    REQUIRE_OK(ctx, ri_log_read(log, signal, 0.0, 10.0, &times, &values, &count));
    REQUIRE(count == 102); // 0, 0.01 ... 1, and the end
    CHECK_CLOSE(values[0], 1.5707963267948966, 1e-15);
    CHECK_CLOSE(times[1], 0.01, 1e-9);
    CHECK_CLOSE(times[101], 1.005, 1e-9);
    ri_log_release(log, times);
    ri_log_release(log, values);
    ri_log_close(log);
    ri_context_destroy(ctx);
    run_free(&r);
}

TEST(the_report_stands_alone_and_draws_the_plots)
{
    clear(SCRATCH "/page");
    Run r = RUN("run", "pendulum", "--out", SCRATCH "/page", "--duration", "1", "-q");
    char *page = slurp(SCRATCH "/page/report.html");
    CHECK(strstr(page, "<h2>Angles</h2>") && strstr(page, ">hinge_2.position<"));
    CHECK(strstr(page, "<svg ") && strstr(page, "end of the run: duration"));
    CHECK(!strstr(page, "src=") && !strstr(page, "href=\"http") && !strstr(page, "href=\"/") && !strstr(page, "url(") &&
          !strstr(page, "<script") && !strstr(page, "nan"));
    CHECK(strstr(page, "</html>"));
    free(page);
    run_free(&r);
}

TEST(the_saved_configuration_gives_the_same_run)
{
    char a[64], b[64];
    clear(SCRATCH "/first");
    clear(SCRATCH "/second");
    Run first = RUN("run", "arm_hold", "--out", SCRATCH "/first", "--duration", "1.5 s", "--set", "seed=5", "--json",
                    "--save-config", SCRATCH "/saved.yaml");
    Run second = RUN("run", SCRATCH "/first/config.yaml", "--out", SCRATCH "/second", "--json");
    CHECK(strcmp(text_of(first.out, "state_hash", a, sizeof a), text_of(second.out, "state_hash", b, sizeof b)) == 0);
    CHECK_INT(strlen(a), 16);
    CHECK_INT(json_get(second.out, "seed"), 5);
    Run third = RUN("run", SCRATCH "/saved.yaml", "--out", SCRATCH "/second", "--json");
    CHECK(strcmp(a, text_of(third.out, "state_hash", b, sizeof b)) == 0);
    run_free(&third);
    run_free(&first);
    run_free(&second);
}

/// The hash of a resumed run is that of an uninterrupted one.
static void check_resume(const char *scene, const char *setting)
{
    char a[64], b[64];
    clear(SCRATCH "/whole");
    clear(SCRATCH "/part");
    clear(SCRATCH "/rest");
    Run whole = RUN("run", scene, "--out", SCRATCH "/whole", "--duration", "1.2", "--json", "-q", "--set", setting);
    Run part = RUN("run", scene, "--out", SCRATCH "/part", "--duration", "0.9", "--set", "checkpoint.every=0.5", "-q",
                   "--set", setting);
    Run rest = RUN("run", scene, "--out", SCRATCH "/rest", "--duration", "1.2", "--json", "-q", "--set", setting,
                   "--resume", SCRATCH "/part/latest.checkpoint");
    CHECK_INT(part.code, 0);
    CHECK_INT(rest.code, 0);
    CHECK_CLOSE(json_get(rest.out, "start_s"), 0.5, 1e-9);
    text_of(whole.out, "state_hash", a, sizeof a);
    text_of(rest.out, "state_hash", b, sizeof b);
    if (strlen(a) != 16 || strcmp(a, b) != 0)
        CHECK_FAIL("%s, %s: resumed %s, uninterrupted %s (%s)", scene, setting, b, a, rest.err);
    run_free(&whole);
    run_free(&part);
    run_free(&rest);
}

TEST(a_resumed_run_ends_with_the_hash_of_an_uninterrupted_one)
{
    check_resume("pendulum", "integrator=rk4");
    check_resume("imu_rest", "seed=3"); // noise
    check_resume("arm_hold", "integrator=implicit");
    check_resume("arm_hold", "integrator=rk4");
    check_resume("stiff_spring", "seed=1");
    check_resume("rover_suspension", "integrator=semi-implicit");
    check_resume("mer_rocks", "mode=kinematic");
}

TEST(the_log_of_a_resumed_run_starts_at_the_checkpoint)
{
    check_resume("pendulum", "seed=1");
    RiContext *ctx;
    RiLog *log;
    REQUIRE_OK(ctx, ri_context_create(NULL, &ctx));
    REQUIRE_OK(ctx, ri_log_open(ctx, SCRATCH "/rest/log.mcap", &log));
    CHECK_CLOSE(ri_log_start(log), 0.5, 1e-9);
    CHECK_CLOSE(ri_log_end(log), 1.2, 1e-9);
    ri_log_close(log);
    ri_context_destroy(ctx);
}

TEST(a_setting_that_the_checkpoint_overrules_is_told)
{
    check_resume("pendulum", "seed=1");
    clear(SCRATCH "/told");
    Run r = RUN("run", "pendulum", "--out", SCRATCH "/told", "--resume", SCRATCH "/part/latest.checkpoint", "--set",
                "hinge_1.position=10 deg");
    CHECK_INT(r.code, 0);
    CHECK(strstr(r.err, "note: hinge_1.position = "));
    CHECK(strstr(r.err, "comes from the checkpoint"));
    CHECK(strstr(r.out, "the log starts at the checkpoint, 0.5 s"));
    run_free(&r);
}

/// Runs, expects an exit code and a part of the message.
static void expect(int code, const char *part, const char *const *words)
{
    Run r = run_words(words);
    CHECK_INT(r.code, code);
    if (!strstr(r.err, part))
        CHECK_FAIL("message '%s' lacks '%s'", r.err, part);
    run_free(&r);
}
#define EXPECT(code, part, ...) expect(code, part, (const char *const[]){__VA_ARGS__, NULL})

TEST(bad_checkpoints_are_refused_and_leave_no_folder)
{
    check_resume("pendulum", "seed=1");
    size_t size = 0;
    FILE *file = fopen(SCRATCH "/part/latest.checkpoint", "rb");
    static char data[1 << 16];
    REQUIRE(file);
    size = fread(data, 1, sizeof data, file);
    fclose(file);
    write_file(SCRATCH "/cut", data, size - 9);
    data[size / 2] ^= 4;
    write_file(SCRATCH "/flipped", data, size);
    clear(SCRATCH "/bad");
    EXPECT(2, "cut: the checkpoint is truncated", "run", "pendulum", "--out", SCRATCH "/bad", "--resume",
           SCRATCH "/cut");
    EXPECT(2, "flipped: the checkpoint is damaged", "run", "pendulum", "--out", SCRATCH "/bad", "--resume",
           SCRATCH "/flipped");
    EXPECT(2, "another simulation", "run", "pendulum", "--out", SCRATCH "/bad", "--set", "seed=2", "--resume",
           SCRATCH "/part/latest.checkpoint");
    EXPECT(2, "another simulation", "run", "arm_hold", "--out", SCRATCH "/bad", "--resume",
           SCRATCH "/part/latest.checkpoint");
    EXPECT(2, "nowhere", "run", "pendulum", "--out", SCRATCH "/bad", "--resume", SCRATCH "/nowhere");
    CHECK(!exists(SCRATCH "/bad"));
    EXPECT(2, "holds the run that is resumed", "run", "pendulum", "--out", SCRATCH "/part", "--resume",
           SCRATCH "/part/latest.checkpoint");
    CHECK(exists(SCRATCH "/part/log.mcap"));
}

TEST(wrong_words_and_settings_are_bad_input_with_a_suggestion)
{
    EXPECT(2, "did you mean 'pendulum'", "run", "pendlum");
    EXPECT(2, "the scene is missing", "run");
    EXPECT(2, "one argument too many", "run", "pendulum", "arm_hold");
    EXPECT(2, "--set expects NAME=VALUE", "run", "pendulum", "--set", "duration");
    EXPECT(2, "did you mean 'hinge_1.position'", "run", "pendulum", "--set", "hinge_1.positon=1");
    EXPECT(2, "takes rad", "run", "pendulum", "--set", "hinge_1.position=1 kg");
    EXPECT(2, "did you mean 'duration'", "run", "pendulum", "--set", "durration=1");
    EXPECT(2, "duration", "run", "pendulum", "--duration", "soon");
    EXPECT(2, "--realtime expects a factor above 0", "run", "pendulum", "--realtime=-1");
    EXPECT(2, "No such file", "run", "nowhere.yaml");
    EXPECT(2, "no value of 'pendulum' matches", "run", "pendulum", "--list", "zzz*");
}

TEST(values_and_scenes_are_listed)
{
    Run values = RUN("run", "pendulum", "--list", "hinge_?.position");
    CHECK_INT(values.code, 0);
    CHECK(strstr(values.out, "hinge_1.position") && strstr(values.out, "1.57079633 rad"));
    CHECK(strstr(values.out, "hinge_2.position") && !strstr(values.out, "velocity"));
    Run names = RUN("run", "--list-scenes");
    CHECK_INT(names.code, 0);
    CHECK(strstr(names.out, "arm_hold\n") && strstr(names.out, "wheel_testbed\n"));
    Run help = run_words((const char *const[]){NULL});
    CHECK(strstr(help.out, "  pendulum ") && strstr(help.out, "  mer_sand "));
    setenv("RILLE_SCENES", SCRATCH "/none", 1);
    EXPECT(2, "there is no scene 'pendulum'", "run", "pendulum");
    unsetenv("RILLE_SCENES");
    run_free(&values);
    run_free(&names);
    run_free(&help);
}

TEST(a_folder_with_other_files_is_left_alone)
{
    clear(SCRATCH "/mine");
    mkdir(SCRATCH "/mine", 0755);
    write_file(SCRATCH "/mine/notes.txt", "x", 1);
    EXPECT(2, "holds other files ('notes.txt')", "run", "pendulum", "--out", SCRATCH "/mine");
    CHECK(!exists(SCRATCH "/mine/summary.json"));
    EXPECT(2, "Not a directory", "run", "pendulum", "--out", SCRATCH "/mine/notes.txt");
    unlink(SCRATCH "/mine/notes.txt");
    EXPECT(0, "", "run", "pendulum", "--out", SCRATCH "/mine", "--duration", "0.1");
    EXPECT(0, "replacing the run in", "run", "pendulum", "--out", SCRATCH "/mine", "--duration", "0.1");
}

TEST(a_folder_that_cannot_be_made_is_an_environment_failure)
{
    EXPECT(3, "cannot create the folder", "run", "pendulum", "--out", "/proc/rille/out");
}

TEST(a_full_disk_ends_the_run_with_what_fits_written)
{
    clear(SCRATCH "/full");
    struct rlimit old, small;
    REQUIRE(getrlimit(RLIMIT_FSIZE, &old) == 0);
    small = old;
    small.rlim_cur = 300000; // each file; SIGXFSZ is ignored, so writes fail as on a full disk
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    Run r = RUN("run", "pendulum", "--out", SCRATCH "/full", "--duration", "400", "-q");
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_DFL);
    CHECK_INT(r.code, 3);
    CHECK(strstr(r.err, "log.mcap: cannot write"));
    char *summary = slurp(SCRATCH "/full/summary.json");
    CHECK(json_is_text(summary, "stop_reason", "error"));
    CHECK(json_get(summary, "end_s") > 1.0 && json_get(summary, "end_s") < 399.0);
    RiContext *ctx;
    RiLog *log;
    REQUIRE_OK(ctx, ri_context_create(NULL, &ctx));
    CHECK_OK(ctx, ri_log_open(ctx, SCRATCH "/full/log.mcap", &log));
    ri_log_close(log);
    ri_context_destroy(ctx);
    free(summary);
    run_free(&r);
}

TEST(a_diverging_run_names_the_coordinate_and_keeps_the_last_good_state)
{
    clear(SCRATCH "/diverged");
    Run r = RUN("run", "stiff_spring", "--set", "integrator=semi-implicit", "--out", SCRATCH "/diverged");
    CHECK_INT(r.code, 1);
    CHECK(strstr(r.err, "plausible.speed") && strstr(r.err, "coordinate 'base.v"));
    CHECK(strstr(r.out, "last_good.checkpoint"));
    char *summary = slurp(SCRATCH "/diverged/summary.json");
    CHECK(json_is_text(summary, "stop_reason", "diverged"));
    CHECK(json_is_valid(summary));
    CHECK(exists(SCRATCH "/diverged/report.html"));
    clear(SCRATCH "/after");
    Run again = RUN("run", "stiff_spring", "--set", "integrator=semi-implicit", "--out", SCRATCH "/after", "--resume",
                    SCRATCH "/diverged/last_good.checkpoint", "--json");
    CHECK_INT(again.code, 1); // the same state diverges in the same tick
    CHECK_INT(json_get(again.out, "steps"), 0);
    free(summary);
    run_free(&r);
    run_free(&again);
}

TEST(an_interrupted_run_writes_everything_and_can_go_on)
{
    clear(SCRATCH "/stopped");
    clear(SCRATCH "/onward");
    static const char *const words[] = {"run", "pendulum", "--duration",       "1e5", "--realtime",
                                        "20",  "--out",    SCRATCH "/stopped", "-q",  NULL};
    const pid_t pid = start("/dev/null", words);
    REQUIRE(wait_for(SCRATCH "/stopped/log.mcap"));
    kill(pid, SIGUSR1);
    CHECK(wait_for(SCRATCH "/stopped/latest.checkpoint"));
    kill(pid, SIGINT);
    Run r = finish(pid);
    CHECK_INT(r.code, 1);
    char *summary = slurp(SCRATCH "/stopped/summary.json"), *page = slurp(SCRATCH "/stopped/report.html");
    CHECK(json_is_text(summary, "stop_reason", "interrupted"));
    CHECK(strstr(page, "checkpoint written on request") && strstr(page, "end of the run: interrupted"));
    Run onward = RUN("run", "pendulum", "--duration", "0.001", "--out", SCRATCH "/onward", "--json", "--resume",
                     SCRATCH "/stopped/latest.checkpoint");
    char a[64], b[64];
    CHECK(strcmp(text_of(summary, "state_hash", a, sizeof a), text_of(onward.out, "state_hash", b, sizeof b)) == 0);
    free(summary);
    free(page);
    run_free(&r);
    run_free(&onward);
}

TEST(realtime_holds_the_run_back)
{
    clear(SCRATCH "/paced");
    Run r = RUN("run", "pendulum", "--duration", "0.6", "--realtime", "2", "--out", SCRATCH "/paced", "--json");
    CHECK_INT(r.code, 0);
    CHECK(json_get(r.out, "wall_s") > 0.29);
    CHECK(json_get(r.out, "rtf") < 2.05);
    CHECK(json_get(r.out, "largest_lag_s") >= 0.0);
    run_free(&r);
}

TEST(progress_is_told_in_plain_lines_unless_quiet)
{
    clear(SCRATCH "/lines");
    Run r = RUN("run", "pendulum", "--duration", "1", "--out", SCRATCH "/lines");
    CHECK(strstr(r.err, " 50 %  t = 0.5 s\n") && strstr(r.err, "100 %"));
    CHECK(strstr(r.out, "state hash") && strstr(r.out, "duration reached"));
    Run quiet = RUN("run", "pendulum", "--duration", "1", "--out", SCRATCH "/lines", "--quiet");
    CHECK(!*quiet.err && !*quiet.out);
    run_free(&r);
    run_free(&quiet);
}

TEST(the_prompt_steps_shows_sets_and_plots)
{
    clear(SCRATCH "/prompt");
    Run r =
        TALK("# a script\nstep\nstep 9\nshow time\nwatch hinge_1.velocity\nrun 100 ms\nset hinge_1.position 20 deg\n"
             "until time > 0.2\nplot hinge_1.position\nquit\n",
             "run", "pendulum", "-i", "--out", SCRATCH "/prompt");
    CHECK_INT(r.code, 0);
    CHECK(!*r.err);
    CHECK(strstr(r.out, "t = 0.001 s\n") && strstr(r.out, "t = 0.01 s\n") && strstr(r.out, "time = 0.01 s\n"));
    CHECK(strstr(r.out, "t = 0.11 s\nhinge_1.velocity = "));
    CHECK(strstr(r.out, "hinge_1.position = 0.34906585 rad"));
    CHECK(strstr(r.out, "t = 0.201 s"));
    CHECK(strstr(r.out, " hinge_1.position [deg]\n"));
    CHECK(strstr(r.out, "(prompt closed)"));
    char *summary = slurp(SCRATCH "/prompt/summary.json"), *page = slurp(SCRATCH "/prompt/report.html");
    CHECK(json_is_text(summary, "stop_reason", "quit"));
    CHECK_INT(json_get(summary, "steps"), 201);
    CHECK(strstr(page, "set hinge_1.position = 20 deg at the prompt"));
    free(summary);
    free(page);
    run_free(&r);
}

TEST(the_prompt_goes_back_to_a_checkpoint_with_equal_bits)
{
    char a[64], b[64];
    clear(SCRATCH "/prompt");
    clear(SCRATCH "/straight");
    Run r = TALK("run 0.3\nsave " SCRATCH "/here\nset gravity.z 1\nrun 0.4\nload " SCRATCH "/here\nrun 0.2\n", "run",
                 "pendulum", "-i", "--json", "--out", SCRATCH "/prompt");
    Run straight = RUN("run", "pendulum", "--duration", "0.5", "--json", "--out", SCRATCH "/straight");
    const char *json = strstr(r.out, "{\n");
    REQUIRE(json);
    CHECK_INT(r.code, 0);
    CHECK(strcmp(text_of(json, "state_hash", a, sizeof a), text_of(straight.out, "state_hash", b, sizeof b)) == 0);
    CHECK_CLOSE(json_get(json, "sim_s"), 0.9, 1e-9);
    CHECK_CLOSE(json_get(json, "end_s"), 0.5, 1e-9);
    run_free(&r);
    run_free(&straight);
}

TEST(wrong_commands_at_the_prompt_are_told_and_fail_a_script)
{
    clear(SCRATCH "/prompt");
    Run r = TALK("stpe\nset hinge_1.positon 3\nset time 3\nstep 0.5\nstep -1\nrun x\nuntil\nuntil zzz > 1\nshow zzz\n"
                 "plot\nload " SCRATCH "/nowhere\nsave\nwatch zzz\nfrobnicate\nset\nstep\n",
                 "run", "pendulum", "-i", "--out", SCRATCH "/prompt");
    CHECK_INT(r.code, 2);
    static const char *const parts[] = {"did you mean 'step'",
                                        "did you mean 'hinge_1.position'",
                                        "'time' is read-only",
                                        "not '0.5'",
                                        "not '-1'",
                                        "until expects a condition",
                                        "no value matches 'zzz'",
                                        "plot expects",
                                        "nowhere: cannot open",
                                        "save expects a file",
                                        "'help' lists them",
                                        "set expects the name"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(r.err, parts[i]))
            CHECK_FAIL("'%s' was not said in:\n%s", parts[i], r.err);
    CHECK(strstr(r.out, "t = 0.001 s")); // it goes on after all that
    run_free(&r);
}

TEST(a_stop_condition_ends_the_run_well)
{
    static const char scene[] = "scene: falls\n"
                                "robot: {file: " RILLE_SOURCE_DIR "/robots/pendulum.yaml}\n"
                                "duration: 5 s\n"
                                "initial:\n  positions: {hinge_1: 90 deg}\n"
                                "stop: [\"hinge_1.position < 1\"]\n";
    write_file(SCRATCH "/falls.yaml", scene, sizeof scene - 1);
    clear(SCRATCH "/falls");
    Run r = RUN("run", SCRATCH "/falls.yaml", "--out", SCRATCH "/falls", "--json", "-q");
    CHECK_INT(r.code, 0);
    CHECK(json_is_text(r.out, "stop_reason", "condition"));
    CHECK(json_is_text(r.out, "stop_detail", "hinge_1.position < 1"));
    CHECK(json_get(r.out, "end_s") < 2.0);
    run_free(&r);
}

int main(int argc, char **argv)
{
    run_setup();
    unsetenv("RILLE_SCENES");
    const CheckCase cases[] = {CASE(every_scene_runs_leaves_its_files_and_closes_its_energy_books),
                               CASE(the_summary_has_its_keys_and_the_printed_one_is_the_written_one),
                               CASE(another_robot_of_the_same_structure_runs_in_a_scene),
                               CASE(what_leaves_its_assumptions_is_in_summary_and_events),
                               CASE(lost_robots_and_made_up_energy_end_with_code_1),
                               CASE(the_log_holds_the_chosen_values_at_their_rate_and_the_configuration),
                               CASE(the_report_stands_alone_and_draws_the_plots),
                               CASE(the_saved_configuration_gives_the_same_run),
                               CASE(a_resumed_run_ends_with_the_hash_of_an_uninterrupted_one),
                               CASE(the_log_of_a_resumed_run_starts_at_the_checkpoint),
                               CASE(a_setting_that_the_checkpoint_overrules_is_told),
                               CASE(bad_checkpoints_are_refused_and_leave_no_folder),
                               CASE(wrong_words_and_settings_are_bad_input_with_a_suggestion),
                               CASE(values_and_scenes_are_listed),
                               CASE(a_folder_with_other_files_is_left_alone),
                               CASE(a_folder_that_cannot_be_made_is_an_environment_failure),
                               CASE(a_full_disk_ends_the_run_with_what_fits_written),
                               CASE(a_diverging_run_names_the_coordinate_and_keeps_the_last_good_state),
                               CASE(an_interrupted_run_writes_everything_and_can_go_on),
                               CASE(realtime_holds_the_run_back),
                               CASE(progress_is_told_in_plain_lines_unless_quiet),
                               CASE(the_prompt_steps_shows_sets_and_plots),
                               CASE(the_prompt_goes_back_to_a_checkpoint_with_equal_bits),
                               CASE(wrong_commands_at_the_prompt_are_told_and_fail_a_script),
                               CASE(a_stop_condition_ends_the_run_well)};
    return check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
}
