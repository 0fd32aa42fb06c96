// SPDX-License-Identifier: Apache-2.0
/// \file
/// Chromium over its DevTools pipe.
#include "view/browser.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run/run.h"

enum { MESSAGE = 8192, MOST = 256 << 20, PIECE = 64 << 10 };

static const double patience = 60.0; ///< for an answer [s]

extern char **environ;

// --- the program ---------------------------------------------------------------------------------

bool browser_find_program(const char *name, char out_path[PATH_MAX])
{
    const char *path = getenv("PATH");
    if (strchr(name, '/') || !path) {
        snprintf(out_path, PATH_MAX, "%s", name);
        return access(out_path, X_OK) == 0;
    }
    while (*path) {
        const size_t n = strcspn(path, ":");
        const int length = snprintf(out_path, PATH_MAX, "%.*s/%s", (int)n, path, name);
        if (n > 0 && length < PATH_MAX && access(out_path, X_OK) == 0)
            return true;
        path += n + (path[n] == ':');
    }
    return false;
}

static bool find_browser(char out_path[PATH_MAX])
{
    static const char *const names[] = {"chromium", "chromium-browser", "google-chrome"};
    const char *chosen = getenv("RILLE_BROWSER");
    if (chosen && *chosen) {
        if (browser_find_program(chosen, out_path))
            return true;
        cli_error("there is no program '%s' (environment variable RILLE_BROWSER), so pictures cannot be drawn", chosen);
        return false;
    }
    for (int i = 0; i < 3; i++)
        if (browser_find_program(names[i], out_path))
            return true;
    cli_error("pictures are drawn by Chromium, but chromium, chromium-browser and google-chrome are not in PATH; "
              "install one or name it in the environment variable RILLE_BROWSER");
    return false;
}

static double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// --- start and end -------------------------------------------------------------------------------

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info;
    (void)kind;
    (void)walk;
    (void)remove(path); // a file that stays behind in the temporary folder harms nobody
    return 0;
}

/// What the browser said last, for messages about its failure.
static void tell_last_words(const Browser *b)
{
    char path[PATH_MAX], text[400];
    snprintf(path, sizeof path, "%.*s/messages", PATH_MAX - 16, b->folder);
    FILE *file = fopen(path, "re");
    if (!file)
        return;
    if (fseek(file, -(long)(sizeof text - 1), SEEK_END) != 0)
        rewind(file);
    const size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = '\0';
    for (size_t i = n; i > 0 && (text[i - 1] == '\n' || text[i - 1] == '\r'); i--)
        text[i - 1] = '\0';
    const char *line = strrchr(text, '\n');
    if (*text)
        cli_error("the browser's last words: %s", line ? line + 1 : text);
}

void browser_stop(Browser *b)
{
    if (b->pid > 0) {
        close(b->to);
        close(b->from);
        kill(-b->pid, SIGKILL);
        while (waitpid(b->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    b->pid = 0;
    // Helpers of the browser may write for a moment after its end.
    for (int i = 0; *b->folder && i < 50; i++) {
        nftw(b->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
        if (access(b->folder, F_OK) != 0)
            break;
        nanosleep(&(struct timespec){0, 20000000}, NULL);
    }
    b->folder[0] = '\0';
    free(b->in);
    b->in = NULL;
    b->in_size = b->in_room = b->taken = 0;
}

/// Moves the descriptor out of the way, for when the browser's are put into
/// place.
static int aside(int fd)
{
    const int high = fcntl(fd, F_DUPFD_CLOEXEC, 16);
    close(fd);
    return high;
}

/// Pipes in both directions: ours in b, the browser's in `theirs`.
static bool open_pipes(Browser *b, int theirs[2])
{
    int to[2], from[2];
    if (pipe2(to, O_CLOEXEC) != 0)
        return false;
    if (pipe2(from, O_CLOEXEC) != 0) {
        close(to[0]);
        close(to[1]);
        return false;
    }
    theirs[0] = aside(to[0]);
    b->to = aside(to[1]);
    b->from = aside(from[0]);
    theirs[1] = aside(from[1]);
    return theirs[0] >= 0 && theirs[1] >= 0 && b->to >= 0 && b->from >= 0;
}

/// The environment with our folder for temporary files: what the browser leaves in it goes with it.
/// The caller frees it.
static char **own_environment(Browser *b)
{
    size_t n = 0, kept = 0;
    while (environ[n])
        n++;
    char **list = calloc(n + 2, sizeof *list);
    if (!list)
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (strncmp(environ[i], "TMPDIR=", 7) != 0)
            list[kept++] = environ[i];
    snprintf(b->temporary, sizeof b->temporary, "TMPDIR=%s", b->folder);
    list[kept] = b->temporary;
    return list;
}

static int spawn(Browser *b, const char *program, const int theirs[2], char *const argv[])
{
    char messages[PATH_MAX];
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t plain, none;
    snprintf(messages, sizeof messages, "%.*s/messages", PATH_MAX - 16, b->folder);
    sigemptyset(&none);
    sigemptyset(&plain);
    sigaddset(&plain, SIGPIPE);
    sigaddset(&plain, SIGINT);
    sigaddset(&plain, SIGTERM);
    if (posix_spawn_file_actions_init(&files) != 0)
        return ENOMEM;
    if (posix_spawnattr_init(&how) != 0) {
        posix_spawn_file_actions_destroy(&files);
        return ENOMEM;
    }
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, 2, messages, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&files, theirs[0], 3);
    posix_spawn_file_actions_adddup2(&files, theirs[1], 4);
    posix_spawnattr_setpgroup(&how, 0);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &plain);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    char **with_folder = own_environment(b);
    const int code = with_folder ? posix_spawn(&b->pid, program, &files, &how, argv, with_folder) : ENOMEM;
    free(with_folder);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    return code;
}

static bool launch(Browser *b, const char *program, int width, int height)
{
    char window[64], profile[PATH_MAX + 32];
    // The window has bars of its own; where it leaves the page no room, the page is not drawn.
    snprintf(window, sizeof window, "--window-size=%d,%d", width > 800 ? width : 800,
             (height > 600 ? height : 600) + 200);
    snprintf(profile, sizeof profile, "--user-data-dir=%s/profile", b->folder);
    const char *const words[] = {program, "--headless=new", "--remote-debugging-pipe", "--use-angle=swiftshader",
                                 "--enable-unsafe-swiftshader", "--disable-dev-shm-usage",
                                 "--disable-background-networking", "--disable-component-update", "--disable-breakpad",
                                 "--disable-extensions", "--disable-sync", "--hide-scrollbars", "--mute-audio",
                                 "--no-first-run", "--no-default-browser-check", window, profile,
                                 // Its sandbox does not work for root, and only there it is
                                 // switched off.
                                 geteuid() == 0 ? "--no-sandbox" : "--disable-default-apps", "about:blank", NULL};
    char *argv[sizeof words / sizeof *words];
    int theirs[2] = {-1, -1};
    memcpy(argv, words, sizeof argv);
    if (!open_pipes(b, theirs)) {
        cli_error("no pipe to the browser: %s", strerror(errno));
        return false;
    }
    const int code = spawn(b, program, theirs, argv);
    close(theirs[0]);
    close(theirs[1]);
    if (code == 0)
        return true;
    close(b->to);
    close(b->from);
    b->pid = 0;
    cli_error("%s: cannot be started: %s", program, strerror(code));
    return false;
}

// --- messages ------------------------------------------------------------------------------------

/// Waits a moment for bytes; false at the end of the pipe.
static bool read_more(Browser *b)
{
    struct pollfd wait = {.fd = b->from, .events = POLLIN};
    if (b->serve)
        b->serve(b->user);
    if (poll(&wait, 1, 4) <= 0)
        return true;
    if (b->in_room - b->in_size < PIECE) {
        const size_t room = 2 * b->in_room + 2 * PIECE;
        char *more = room <= MOST ? realloc(b->in, room) : NULL;
        if (!more)
            return false;
        b->in = more;
        b->in_room = room;
    }
    const ssize_t n = read(b->from, b->in + b->in_size, b->in_room - b->in_size);
    if (n > 0)
        b->in_size += (size_t)n;
    return n > 0 || (n < 0 && errno == EINTR);
}

/// Drops the message read last.
static void drop(Browser *b)
{
    if (b->taken == 0)
        return;
    memmove(b->in, b->in + b->taken, b->in_size - b->taken);
    b->in_size -= b->taken;
    b->taken = 0;
}

/// Whether the next whole message answers request `id`; others (events) are passed over.
static bool take_answer(Browser *b, int id, size_t *searched)
{
    for (;;) {
        const char *end = b->in_size > *searched ? memchr(b->in + *searched, '\0', b->in_size - *searched) : NULL;
        double number;
        if (!end) {
            *searched = b->in_size;
            return false;
        }
        b->taken = (size_t)(end - b->in) + 1;
        *searched = 0;
        if (ri_json_parse(&b->json, b->in, b->taken - 1) &&
            ri_json_number(&b->json, ri_json_member(&b->json, 0, "id"), &number) && number == id)
            return true;
        drop(b);
    }
}

static bool await_answer(Browser *b, int id, double seconds)
{
    const double end = clock_now() + seconds;
    size_t searched = 0;
    while (!take_answer(b, id, &searched)) {
        if (run_is_interrupted()) {
            cli_error("interrupted");
            return false;
        }
        if (!read_more(b)) {
            cli_error("the browser ended unexpectedly");
            tell_last_words(b);
            return false;
        }
        if (clock_now() > end) {
            cli_error("the browser did not answer within %g s", seconds);
            return false;
        }
    }
    return true;
}

static bool send_all(int fd, const char *data, size_t size)
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

/// The index of member `a` of the answer's `result`, and of its member `b` (NULL: of `a` itself);
/// -1 if there is none.
static int result_member(const Browser *b, const char *first, const char *second)
{
    int at = ri_json_member(&b->json, 0, "result");
    at = at >= 0 ? ri_json_member(&b->json, at, first) : -1;
    return at >= 0 && second ? ri_json_member(&b->json, at, second) : at;
}

/// Sends a request and waits for its answer, which is then in b->json.
static bool call(Browser *b, const char *method, const char *parameters)
{
    char text[MESSAGE], why[300] = "";
    const int id = ++b->next_id;
    const int n = snprintf(text, sizeof text, "{\"id\":%d,\"method\":\"%s\",\"params\":{%s}%s%s%s}", id, method,
                           parameters, *b->session ? ",\"sessionId\":\"" : "", b->session, *b->session ? "\"" : "");
    drop(b);
    if (n < 0 || n >= MESSAGE || !send_all(b->to, text, (size_t)n + 1)) {
        cli_error("the browser does not listen");
        tell_last_words(b);
        return false;
    }
    if (!await_answer(b, id, patience))
        return false;
    const int error = ri_json_member(&b->json, 0, "error");
    if (error < 0)
        return true;
    ri_json_string(&b->json, ri_json_member(&b->json, error, "message"), why, sizeof why);
    cli_error("the browser refuses %s: %s", method, why);
    return false;
}

bool browser_start(Browser *b, int width, int height)
{
    char program[PATH_MAX], text[512], target[128];
    const char *temporary = getenv("TMPDIR");
    b->to = b->from = -1;
    if (!find_browser(program))
        return false;
    snprintf(b->folder, sizeof b->folder, "%.*s/rille-browser-XXXXXX", PATH_MAX - 64,
             temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(b->folder)) {
        cli_error("%s: no temporary folder for the browser: %s", b->folder, strerror(errno));
        b->folder[0] = '\0';
        return false;
    }
    signal(SIGPIPE, SIG_IGN); // a browser that ends is noticed by the failed write
    if (!launch(b, program, width, height) || !call(b, "Target.createTarget", "\"url\":\"about:blank\""))
        return false;
    if (!ri_json_string(&b->json, result_member(b, "targetId", NULL), target, sizeof target))
        return false;
    snprintf(text, sizeof text, "\"targetId\":\"%s\",\"flatten\":true", target);
    if (!call(b, "Target.attachToTarget", text) ||
        !ri_json_string(&b->json, result_member(b, "sessionId", NULL), b->session, sizeof b->session))
        return false;
    snprintf(text, sizeof text, "\"width\":%d,\"height\":%d,\"deviceScaleFactor\":1,\"mobile\":false", width, height);
    return call(b, "Emulation.setDeviceMetricsOverride", text);
}

bool browser_open(Browser *b, const char *url)
{
    char text[MESSAGE - 256], why[300];
    snprintf(text, sizeof text, "\"url\":\"%s\"", url);
    if (!call(b, "Page.navigate", text))
        return false;
    if (!ri_json_string(&b->json, result_member(b, "errorText", NULL), why, sizeof why))
        return true;
    cli_error("the browser cannot open the page: %s", why);
    return false;
}

// --- expressions ---------------------------------------------------------------------------------

/// Evaluates an expression; the token of its value, -1 after a message.
static int evaluate(Browser *b, const char *expression)
{
    char text[MESSAGE - 256], why[300] = "";
    snprintf(text, sizeof text, "\"expression\":\"%s\",\"returnByValue\":true,\"awaitPromise\":true", expression);
    if (!call(b, "Runtime.evaluate", text))
        return -1;
    const int exception = result_member(b, "exceptionDetails", "exception");
    if (exception >= 0) {
        ri_json_string(&b->json, ri_json_member(&b->json, exception, "description"), why, sizeof why);
        cli_error("the page failed: %s", why);
        return -1;
    }
    return result_member(b, "result", "value");
}

bool browser_wait(Browser *b, const char *expression, double seconds)
{
    const double end = clock_now() + seconds;
    char text[MESSAGE - 512];
    bool yes = false;
    snprintf(text, sizeof text, "Boolean(%s)", expression);
    while (!yes) {
        const int value = evaluate(b, text);
        if (value < 0)
            return false;
        if (ri_json_bool(&b->json, value, &yes) && yes)
            break;
        if (clock_now() > end) {
            cli_error("the page did not finish its picture within %g s", seconds);
            return false;
        }
        for (int i = 0; i < 10; i++)
            if (!read_more(b))
                break; // the next call tells
    }
    return true;
}

bool browser_number(Browser *b, const char *expression, double *out)
{
    const int value = evaluate(b, expression);
    return value >= 0 && ri_json_number(&b->json, value, out);
}

bool browser_text(Browser *b, const char *expression, char *out, size_t size)
{
    const int value = evaluate(b, expression);
    return value >= 0 && ri_json_string(&b->json, value, out, size);
}

// --- pictures ------------------------------------------------------------------------------------

static int digit_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/// Base64 -> bytes; the number of bytes.
static size_t decode(const char *text, size_t size, unsigned char *out)
{
    unsigned bits = 0;
    int have = 0;
    size_t n = 0;
    for (size_t i = 0; i < size; i++) {
        const int digit = digit_of(text[i]);
        if (digit < 0)
            continue;
        bits = bits << 6 | (unsigned)digit;
        have += 6;
        if (have >= 8) {
            have -= 8;
            out[n++] = (unsigned char)(bits >> have);
        }
    }
    return n;
}

bool browser_picture(Browser *b, unsigned char **out_png, size_t *out_size)
{
    static const unsigned char head[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    *out_png = NULL;
    if (!call(b, "Page.captureScreenshot", "\"format\":\"png\""))
        return false;
    const int data = result_member(b, "data", NULL);
    const RiJsonToken *token = data >= 0 ? &b->json.tokens[data] : NULL;
    const size_t size = token && token->type == RI_JSON_STRING ? (size_t)(token->end - token->start) : 0;
    unsigned char *png = malloc(size + 1);
    if (!png) {
        cli_no_memory();
        return false;
    }
    *out_size = decode(b->json.text + (token ? token->start : 0), size, png);
    if (*out_size < sizeof head || memcmp(png, head, sizeof head) != 0) {
        cli_error("the browser's picture is not a PNG file");
        free(png);
        return false;
    }
    *out_png = png;
    return true;
}
