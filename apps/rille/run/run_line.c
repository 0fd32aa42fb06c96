// SPDX-License-Identifier: Apache-2.0
/// \file
/// Lines from the standard input.
#include "run/run_line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef RILLE_HAVE_EDIT
#include <histedit.h>
#endif

struct RunLine {
    const char *prompt;
    RunWordFn words;
    void *user;
    char *text; ///< plain lines
    size_t room;
#ifdef RILLE_HAVE_EDIT
    EditLine *edit; ///< NULL: plain
    History *history;
#endif
};

#ifdef RILLE_HAVE_EDIT

static char *show_prompt(EditLine *edit)
{
    RunLine *line = NULL;
    el_get(edit, EL_CLIENTDATA, &line);
    static char none[] = "";
    return line ? (char *)(size_t)line->prompt : none; // libedit does not write to it
}

/// Where the longest common beginning of two words ends.
static size_t common(const char *a, const char *b)
{
    size_t n = 0;
    while (a[n] && a[n] == b[n])
        n++;
    return n;
}

/// Completes the word before the cursor as far as all candidates agree; lists them if that is no
/// further.
static unsigned char complete(EditLine *edit, int key)
{
    (void)key;
    RunLine *line = NULL;
    el_get(edit, EL_CLIENTDATA, &line);
    const LineInfo *info = el_line(edit);
    const char *word = info->cursor;
    while (word > info->buffer && word[-1] != ' ')
        word--;
    const size_t typed = (size_t)(info->cursor - word);
    const bool first = word == info->buffer;
    const char *best = NULL, *w;
    size_t agree = 0;
    int count = 0;
    for (int i = 0; (w = line->words(line->user, first, i)); i++) {
        if (strncmp(w, word, typed) != 0)
            continue;
        const size_t same = best ? common(best, w) : strlen(w);
        agree = best && agree < same ? agree : same;
        best = w;
        count++;
    }
    if (!best)
        return CC_ERROR;
    char more[256];
    snprintf(more, sizeof more, "%.*s%s", (int)(agree - typed), best + typed, count == 1 ? " " : "");
    if (*more)
        return el_insertstr(edit, more) == 0 ? CC_REFRESH : CC_ERROR;
    putchar('\n');
    for (int i = 0, shown = 0; (w = line->words(line->user, first, i)) && shown < 60; i++)
        if (strncmp(w, word, typed) == 0 && ++shown)
            printf("%s  ", w);
    putchar('\n');
    return CC_REDISPLAY;
}

static void open_editor(RunLine *line)
{
    HistEvent event;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || !(line->edit = el_init("rille", stdin, stdout, stderr)))
        return;
    line->history = history_init();
    el_set(line->edit, EL_CLIENTDATA, line);
    el_set(line->edit, EL_PROMPT, show_prompt);
    el_set(line->edit, EL_EDITOR, "emacs");
    el_set(line->edit, EL_ADDFN, "rille-complete", "Complete a command or a value", complete);
    el_set(line->edit, EL_BIND, "^I", "rille-complete", NULL);
    if (line->history) {
        history(line->history, &event, H_SETSIZE, 500);
        el_set(line->edit, EL_HIST, history, line->history);
    }
}

static const char *read_edited(RunLine *line)
{
    int count = 0;
    errno = 0;
    const char *text = el_gets(line->edit, &count);
    if (!text || count <= 0)
        return errno == EINTR ? "" : NULL;
    HistEvent event;
    if (line->history && text[strspn(text, " \t\r\n")])
        history(line->history, &event, H_ENTER, text);
    char *copy = realloc(line->text, (size_t)count + 1);
    if (!copy)
        return NULL;
    line->text = copy;
    memcpy(copy, text, (size_t)count);
    copy[strcspn(copy, "\r\n")] = '\0';
    copy[count] = '\0';
    return copy;
}

#endif

RunLine *run_line_open(const char *prompt, RunWordFn words, void *user)
{
    RunLine *line = calloc(1, sizeof *line);
    if (!line)
        return NULL;
    line->prompt = prompt;
    line->words = words;
    line->user = user;
#ifdef RILLE_HAVE_EDIT
    open_editor(line);
#endif
    return line;
}

void run_line_close(RunLine *line)
{
    if (!line)
        return;
#ifdef RILLE_HAVE_EDIT
    if (line->history)
        history_end(line->history);
    if (line->edit)
        el_end(line->edit);
#endif
    free(line->text);
    free(line);
}

const char *run_line_read(RunLine *line)
{
#ifdef RILLE_HAVE_EDIT
    if (line->edit)
        return read_edited(line);
#endif
    if (isatty(STDIN_FILENO)) {
        fputs(line->prompt, stdout);
        fflush(stdout);
    }
    errno = 0;
    const ssize_t n = getline(&line->text, &line->room, stdin);
    if (n < 0) {
        const bool interrupted = errno == EINTR;
        clearerr(stdin);
        return interrupted ? "" : NULL;
    }
    line->text[strcspn(line->text, "\r\n")] = '\0';
    return line->text;
}
