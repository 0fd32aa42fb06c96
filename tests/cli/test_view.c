// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille view --png` and `--video`: what they draw, and what they say when they cannot. Tests that
/// need Chromium are skipped without it.
#include "check.h"

#include <png.h>

#define SCRATCH RILLE_BINARY_DIR "/test_cli_view"
#include "needs.h"
#include "run.h"

static void expect(Run r, int code, const char *part)
{
    if (r.code != code || !strstr(r.err, part))
        CHECK_FAIL("exit code %d, expected %d with '%s'; it said: %s", r.code, code, part, r.err);
    run_free(&r);
}

TEST(wrong_options_are_told)
{
    run_setup();
    expect(RUN("view", "pendulum", "--png", "a.png", "--video", "a.mp4"), 2, "do not go together");
    expect(RUN("view", "pendulum", "--camera", "orbit"), 2, "are for --png and --video");
    expect(RUN("view", "pendulum", "--png", "a.png", "--from", "1"), 2, "--from and --to are for --video");
    expect(RUN("view", "pendulum", "--png", "a.png", "--size", "100"), 2, "WIDTHxHEIGHT");
    expect(RUN("view", "pendulum", "--png", "a.png", "--size", "100x90000"), 2, "from 16 to 8192");
    expect(RUN("view", "pendulum", "--png", "a.png", "--at", "1e3"), 2, "goes from 0 s to 10 s");
    expect(RUN("view", "pendulum", "--video", "a.mp4", "--from", "3", "--to", "2"), 2, "lies after");
    expect(RUN("view", "pendulum", "--video", "a.mp4", "--fps", "0"), 2, "--fps expects a number from 0.1 to 240");
}

TEST(a_missing_or_broken_browser_is_told)
{
    run_setup();
    setenv("RILLE_BROWSER", "/no/such/browser", 1);
    expect(RUN("view", "pendulum", "--png", SCRATCH "/a.png"), 3, "RILLE_BROWSER");
    setenv("RILLE_BROWSER", "false", 1);
    expect(RUN("view", "pendulum", "--png", SCRATCH "/a.png"), 3, "the browser");
    static const char script[] = "#!/bin/sh\necho no library today >&2\nexit 1\n";
    write_file(SCRATCH "/browser", script, sizeof script - 1);
    chmod(SCRATCH "/browser", 0755);
    setenv("RILLE_BROWSER", SCRATCH "/browser", 1);
    expect(RUN("view", "pendulum", "--png", SCRATCH "/a.png"), 3, "last words: no library today");
    unsetenv("RILLE_BROWSER");
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/no/such/folder", 1);
    expect(RUN("view", "pendulum", "--png", SCRATCH "/a.png"), 3, "drawn by Chromium, but chromium");
    setenv("PATH", path, 1);
    free(path);
}

/// Number of different colours, at most 1000; 0 if it is no picture of that size.
static int count_colours(const char *path, unsigned width, unsigned height)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    unsigned seen[1000];
    int count = 0;
    if (!png_image_begin_read_from_file(&image, path))
        return 0;
    image.format = PNG_FORMAT_RGBA;
    unsigned char *pixels = malloc(PNG_IMAGE_SIZE(image));
    const bool read = pixels && png_image_finish_read(&image, NULL, pixels, 0, NULL);
    for (unsigned i = 0; read && image.width == width && image.height == height && i < width * height; i++) {
        unsigned colour;
        int k = 0;
        memcpy(&colour, pixels + 4 * (size_t)i, 4);
        while (k < count && seen[k] != colour)
            k++;
        if (k == count && count < 1000)
            seen[count++] = colour;
    }
    png_image_free(&image);
    free(pixels);
    return count;
}

TEST(a_scene_and_its_log_become_pictures_that_are_not_blank)
{
    NEEDS_CHROMIUM();
    run_setup();
    Run r = RUN("view", "ball_over_dunes", "--png", SCRATCH "/scene.png", "--at", "0.5", "--size", "200x150");
    CHECK_INT(r.code, 0);
    CHECK(strstr(r.out, "200 x 150, at 0.5 s") != NULL);
    run_free(&r);
    CHECK(count_colours(SCRATCH "/scene.png", 200, 150) > 100);
    r = RUN("run", "pendulum", "--duration", "1", "--out", SCRATCH "/run", "--pictures", "-q");
    CHECK_INT(r.code, 0);
    run_free(&r);
    char *report = slurp(SCRATCH "/run/report.html");
    CHECK(strstr(report, "<figcaption>0 s<") && strstr(report, "<figcaption>1 s<") &&
          strstr(report, "data:image/png;base64,iVBOR"));
    free(report);
    expect(RUN("view", SCRATCH "/run/log.mcap", "--png", SCRATCH "/a.png", "--camera", "nose"), 2,
           "there is no camera 'nose'; there are orbit, chase, plan, fixed");
}

/// A program in ffmpeg's place shows what it is given.
TEST(a_video_is_pictures_for_ffmpeg)
{
    static const char script[] =
        "#!/bin/sh\nfor last; do :; done\ncat >\"${last#file:}\"\necho \"$@\" >" SCRATCH "/words\n";
    NEEDS_CHROMIUM();
    run_setup();
    mkdir(SCRATCH "/bin", 0755);
    write_file(SCRATCH "/bin/ffmpeg", script, sizeof script - 1);
    chmod(SCRATCH "/bin/ffmpeg", 0755);
    char *before = strdup(getenv("PATH")), path[8192];
    snprintf(path, sizeof path, "%s:%s", SCRATCH "/bin", before);
    setenv("PATH", path, 1);
    Run r = RUN("view", "pendulum", "--video", SCRATCH "/a.mp4", "--from", "1", "--to", "1.2", "--fps", "10", "--size",
                "64x48");
    setenv("PATH", before, 1);
    free(before);
    CHECK_INT(r.code, 0);
    CHECK(strstr(r.out, "a.mp4: 3 pictures, 10 a second") != NULL);
    run_free(&r);
    char *words = slurp(SCRATCH "/words");
    CHECK(strstr(words, "-f image2pipe -framerate 10 -c:v png -i -") != NULL);
    free(words);
    CHECK(count_colours(SCRATCH "/a.mp4", 64, 48) > 10); // the first of them
}

/// The words of xdg-open can be read by every user: they hold the name of a file of mode 0600, not
/// the token.
TEST(the_token_is_not_on_the_command_line_of_the_browser)
{
    static const char script[] =
        "#!/bin/sh\necho \"$@\" >" SCRATCH "/opened\nstat -c %a \"$1\" >" SCRATCH "/mode\ncat \"$1\" >" SCRATCH
        "/door.new\nmv " SCRATCH "/door.new " SCRATCH "/door\nexit 4\n";
    mkdir(SCRATCH "/open", 0755);
    write_file(SCRATCH "/open/xdg-open", script, sizeof script - 1);
    chmod(SCRATCH "/open/xdg-open", 0755);
    unlink(SCRATCH "/door");
    const int state =
        system("PATH=" SCRATCH "/open:$PATH DISPLAY=:9 XDG_RUNTIME_DIR=" SCRATCH " timeout -s INT 20 " COMMAND
               " view pendulum --token 0123456789abcdef >" SCRATCH
               "/out.txt 2>&1 & for i in $(seq 200); do test -e " SCRATCH "/door && break; sleep 0.05; done; "
               "ps -o stat= --ppid $(pgrep -nf 'view pendulum --token 0123456789abcdef') | grep -c Z >" SCRATCH
               "/zombies; kill -INT $!; wait");
    CHECK(state != -1);
    char *words = slurp(SCRATCH "/opened"), *mode = slurp(SCRATCH "/mode"), *door = slurp(SCRATCH "/door"),
         *zombies = slurp(SCRATCH "/zombies");
    CHECK(strstr(words, "0123456789abcdef") == NULL);
    CHECK(strcmp(mode, "600\n") == 0);
    CHECK(strstr(door, "token=0123456789abcdef") != NULL);
    CHECK(strcmp(zombies, "0\n") == 0);
    words[strcspn(words, "\n")] = '\0';
    for (int i = 0; i < 100 && access(words, F_OK) == 0; i++)
        usleep(20000);
    CHECK(access(words, F_OK) != 0); // a browser that failed reads no more
    free(words);
    free(mode);
    free(door);
    free(zombies);
}

TEST_MAIN(CASE(wrong_options_are_told), CASE(the_token_is_not_on_the_command_line_of_the_browser),
          CASE(a_missing_or_broken_browser_is_told), CASE(a_scene_and_its_log_become_pictures_that_are_not_blank),
          CASE(a_video_is_pictures_for_ffmpeg))
