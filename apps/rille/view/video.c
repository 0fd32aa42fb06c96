// SPDX-License-Identifier: Apache-2.0
/// \file
/// Videos: PNG pictures into ffmpeg's standard input.
#include "view/video.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rille/file.h>

#include "view/browser.h"

extern char **environ;

/// The file's name without its ending, as a folder for numbered pictures.
static bool open_folder(Video *v)
{
    const char *slash = strrchr(v->path, '/'), *dot = strrchr(v->path, '.');
    const size_t n = dot && (!slash || dot > slash + 1) && dot > v->path ? (size_t)(dot - v->path) : strlen(v->path);
    snprintf(v->folder, sizeof v->folder, "%.*s_frames", (int)(n < PATH_MAX - 64 ? n : PATH_MAX - 64), v->path);
    if (mkdir(v->folder, 0777) == 0 || errno == EEXIST)
        return true;
    cli_error("%s: cannot create the folder for pictures: %s", v->folder, strerror(errno));
    return false;
}

/// A random name beside the video, with its ending, by which ffmpeg knows the format.
static void name_part(Video *v)
{
    struct stat info;
    char beside[RI_BESIDE_PATH + RI_BESIDE_MORE];
    if (stat(v->path, &info) == 0 && !S_ISREG(info.st_mode))
        return; // a pipe or a device: nothing to be renamed
    const char *slash = strrchr(v->path, '/'), *dot = strrchr(v->path, '.');
    ri_beside_name(v->path, beside);
    snprintf(v->part, sizeof v->part, "%.*s%.60s", PATH_MAX - 64, beside, dot && (!slash || dot > slash) ? dot : "");
}

static bool start_ffmpeg(Video *v, char *program)
{
    char rate[40], file[PATH_MAX + 8];
    int ends[2];
    posix_spawn_file_actions_t files;
    snprintf(rate, sizeof rate, "%.9g", v->fps);
    name_part(v);
    snprintf(file, sizeof file, "file:%s", *v->part ? v->part : v->path);
    // Sides are made even and colours common, as players want them.
    const char *const words[] = {
        program,    "-loglevel", "error", "-y", "-f", "image2pipe", "-framerate",
        rate,       "-c:v",      "png",   "-i", "-",  "-vf",        "pad=ceil(iw/2)*2:ceil(ih/2)*2",
        "-pix_fmt", "yuv420p",   "-an",   file, NULL};
    char *argv[sizeof words / sizeof *words];
    memcpy(argv, words, sizeof argv);
    if (pipe2(ends, O_CLOEXEC) != 0 || posix_spawn_file_actions_init(&files) != 0) {
        cli_error("no pipe to ffmpeg: %s", strerror(errno));
        return false;
    }
    posix_spawn_file_actions_adddup2(&files, ends[0], 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    const int code = posix_spawn(&v->pid, program, &files, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    close(ends[0]);
    v->to = ends[1];
    if (code == 0)
        return true;
    close(v->to);
    cli_error("%s: cannot be started: %s", program, strerror(code));
    return false;
}

bool video_open(Video *v, const char *path, double fps)
{
    char program[PATH_MAX];
    *v = (Video){.path = path, .fps = fps, .to = -1};
    if (browser_find_program("ffmpeg", program))
        return start_ffmpeg(v, program);
    if (!open_folder(v))
        return false;
    cli_error("note: ffmpeg is not in PATH, so pictures are written to %s/ instead of a video", v->folder);
    return true;
}

static bool write_all(int fd, const unsigned char *data, size_t size)
{
    while (size > 0) {
        const ssize_t n = write(fd, data, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        data += n;
        size -= (size_t)n;
    }
    return true;
}

bool video_add(Video *v, const unsigned char *png, size_t size)
{
    v->count++;
    if (!*v->folder) {
        if (write_all(v->to, png, size))
            return true;
        cli_error("%s: ffmpeg accepts no more pictures", v->path);
        return false;
    }
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/%05d.png", v->folder, v->count);
    RiBeside beside;
    int code = ri_beside_open(&beside, path);
    if (code == 0)
        code = ri_beside_write(&beside, png, size);
    const int closing = ri_beside_close(&beside, code == 0);
    code = code ? code : closing;
    if (code != 0)
        cli_error("%s: cannot write the file: %s", path, strerror(code));
    return code == 0;
}

bool video_close(Video *v, bool fine)
{
    int state = 0;
    if (!*v->folder) {
        if (!fine)
            kill(v->pid, SIGTERM);
        close(v->to);
        while (waitpid(v->pid, &state, 0) < 0 && errno == EINTR)
            ;
    }
    if (fine && (!WIFEXITED(state) || WEXITSTATUS(state) != 0)) {
        cli_error("%s: ffmpeg failed; it says above what it did not like", v->path);
        fine = false;
    }
    if (fine && *v->part && rename(v->part, v->path) != 0) {
        cli_error("%s: cannot write the file: %s", v->path, strerror(errno));
        fine = false;
    }
    if (!fine && *v->part)
        unlink(v->part);
    if (fine)
        printf("%s: %d pictures, %.9g a second\n", *v->folder ? v->folder : v->path, v->count, v->fps);
    return fine;
}
