// SPDX-License-Identifier: Apache-2.0
/// \file
/// Running the `rille` command in a test: its arguments, what it wrote, how it ended; and reading
/// its JSON. A test program defines SCRATCH first, a folder of its own.
#ifndef RI_TESTS_CLI_RUN_H
#define RI_TESTS_CLI_RUN_H

#include <ctype.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define COMMAND RILLE_BINARY_DIR "/rille"

extern char **environ;

/// What a run left behind; the texts are the caller's to free.
typedef struct Run {
    int code; ///< exit code, -1 if it was killed
    char *out, *err;
} Run;

static inline char *slurp(const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t size = 0, capacity = 1 << 16;
    char *text = malloc(capacity);
    if (!file || !text)
        abort();
    for (size_t got; (got = fread(text + size, 1, capacity - size - 1, file)) > 0;) {
        size += got;
        if (capacity - size < 2 && !(text = realloc(text, capacity *= 2)))
            abort();
    }
    fclose(file);
    text[size] = '\0';
    return text;
}

static inline void write_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
}

/// Runs the command with its standard output in the file `out_path`.
static inline Run run_to(const char *out_path, const char *const *words)
{
    const char *err_path = SCRATCH "/err.txt";
    Run r = {.code = -1};
    pid_t pid;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, out_path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_addopen(&actions, 2, err_path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    char *argv[32] = {(char *)(uintptr_t)COMMAND};
    for (int i = 0; words[i] && i < 30; i++)
        argv[i + 1] = (char *)(uintptr_t)words[i]; // posix_spawn does not write to them
    int status = 0;
    if (posix_spawn(&pid, COMMAND, &actions, NULL, argv, environ) == 0 && waitpid(pid, &status, 0) == pid &&
        WIFEXITED(status))
        r.code = WEXITSTATUS(status);
    posix_spawn_file_actions_destroy(&actions);
    r.err = slurp(err_path);
    return r;
}

static inline Run run_words(const char *const *words)
{
    Run r = run_to(SCRATCH "/out.txt", words);
    r.out = slurp(SCRATCH "/out.txt");
    return r;
}

/// RUN("robot", "check", "arm")
#define RUN(...) run_words((const char *const[]){__VA_ARGS__, NULL})

static inline void run_free(Run *r)
{
    free(r->out);
    free(r->err);
    *r = (Run){0};
}

/// Leaks and errors that the sanitizers find must not look like an exit code of ours.
static inline void run_setup(void)
{
    mkdir(SCRATCH, 0755);
    setenv("ASAN_OPTIONS", "exitcode=99:detect_leaks=1", 1);
    setenv("UBSAN_OPTIONS", "exitcode=99", 1);
    unsetenv("RILLE_ROBOTS");
}

// --- reading JSON: a strict recursive-descent reader that can stop at a path ---------------------

/// "a.b[2].c"; an empty path is the value itself. Names with dots or brackets cannot be asked for.
typedef struct JsonText {
    const char *at; ///< next character
    bool bad;
} JsonText;

static inline void json_blank(JsonText *t)
{
    t->at += strspn(t->at, " \t\r\n");
}

static inline bool json_take(JsonText *t, char c)
{
    json_blank(t);
    const bool there = *t->at == c;
    t->at += there;
    return there;
}

static inline void json_skip_string(JsonText *t)
{
    if (!json_take(t, '"')) {
        t->bad = true;
        return;
    }
    for (; *t->at != '"'; t->at++) {
        if ((unsigned char)*t->at < 0x20) { // end of text included
            t->bad = true;
            return;
        }
        if (*t->at != '\\')
            continue;
        t->at++;
        if (*t->at == 'u' && strspn(t->at + 1, "0123456789abcdefABCDEF") >= 4)
            t->at += 4;
        else if (!*t->at || !strchr("\"\\/bfnrt", *t->at)) {
            t->bad = true;
            return;
        }
    }
    t->at++;
}

static inline void json_skip_number(JsonText *t)
{
    const char *s = t->at + (*t->at == '-');
    const size_t whole = strspn(s, "0123456789");
    t->bad |= whole == 0 || (whole > 1 && *s == '0');
    s += whole;
    if (*s == '.') {
        const size_t digits = strspn(s + 1, "0123456789");
        t->bad |= digits == 0;
        s += 1 + digits;
    }
    if (*s == 'e' || *s == 'E') {
        s += 1 + (s[1] == '+' || s[1] == '-');
        const size_t digits = strspn(s, "0123456789");
        t->bad |= digits == 0;
        s += digits;
    }
    t->at = s;
}

/// Skips a value; where `path` leads into it, *out_found is set to where the path's end begins.
static inline void json_walk(JsonText *t, const char *path, const char **out_found)
{
    json_blank(t);
    if (path && !*path)
        *out_found = t->at;
    const char open = *t->at, close = open == '{' ? '}' : ']';
    if (open == '"') {
        json_skip_string(t);
    } else if (open == '{' || open == '[') {
        t->at++;
        if (json_take(t, close))
            return;
        for (int i = 0; !t->bad; i++) {
            const char *rest = NULL;
            if (open == '{') {
                json_blank(t);
                const char *key = t->at + 1;
                json_skip_string(t);
                const size_t n = t->bad ? 0 : (size_t)(t->at - key) - 1;
                const char *name = path && *path == '.' ? path + 1 : path;
                if (n && name && strncmp(name, key, n) == 0 && strchr(".[", name[n]))
                    rest = name + n; // strchr finds the end of the text, too
                t->bad |= !json_take(t, ':');
            } else if (path && *path == '[' && atoi(path + 1) == i) {
                rest = strchr(path, ']') + 1;
            }
            if (!t->bad)
                json_walk(t, rest, out_found);
            if (json_take(t, close))
                return;
            t->bad |= !json_take(t, ',');
        }
    } else if (strncmp(t->at, "true", 4) == 0 || strncmp(t->at, "null", 4) == 0) {
        t->at += 4;
    } else if (strncmp(t->at, "false", 5) == 0) {
        t->at += 5;
    } else {
        json_skip_number(t);
    }
}

/// Whether the text is one JSON value and nothing else.
static inline bool json_is_valid(const char *text)
{
    JsonText t = {.at = text};
    const char *unused = NULL;
    json_walk(&t, NULL, &unused);
    json_blank(&t);
    return !t.bad && *t.at == '\0';
}

/// Where the value at a path begins, NULL if there is none.
static inline const char *json_find(const char *text, const char *path)
{
    JsonText t = {.at = text};
    const char *found = NULL;
    json_walk(&t, path, &found);
    return t.bad ? NULL : found;
}

/// Number at a path; NaN if there is none.
__attribute__((format(printf, 2, 3))) static inline double json_get(const char *text, const char *path_format, ...)
{
    char path[256];
    va_list args;
    va_start(args, path_format);
    vsnprintf(path, sizeof path, path_format, args);
    va_end(args);
    const char *found = json_find(text, path);
    return found && (*found == '-' || isdigit((unsigned char)*found)) ? strtod(found, NULL) : (double)NAN;
}

static inline bool json_is_text(const char *text, const char *path, const char *expected)
{
    const char *found = json_find(text, path);
    const size_t n = strlen(expected);
    return found && *found == '"' && strncmp(found + 1, expected, n) == 0 && found[n + 1] == '"';
}

#endif
