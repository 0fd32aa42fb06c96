// SPDX-License-Identifier: Apache-2.0
/// \file
/// A browser without a screen that draws the viewer's page: Chromium, driven by its DevTools
/// protocol over a pair of pipes (--remote-debugging-pipe: JSON messages, each ended by a zero
/// byte). No port is opened; the browser ends when the pipes close.
///
/// Functions return false after printing what went wrong.
#ifndef RILLE_APP_BROWSER_H
#define RILLE_APP_BROWSER_H

#include <sys/types.h>

#include <rille/json.h>

#include "cli.h"

typedef struct Browser {
    pid_t pid;                     ///< of the browser and its process group; 0: none
    int to, from;                  ///< pipes, -1
    char folder[PATH_MAX];         ///< its profile, removed at the end; "": none
    char temporary[PATH_MAX + 16]; ///< "TMPDIR=folder"
    char *in;                      ///< bytes that have come
    size_t in_size, in_room, taken;
    int next_id;
    char session[128];         ///< the page's
    void (*serve)(void *user); ///< called some hundred times a second while an answer is awaited; may be NULL
    void *user;
    RiJson json; ///< of the last answer
} Browser;

/// A program by its name or path, as a shell would find it; false if there is none.
bool browser_find_program(const char *name, char out_path[PATH_MAX]);
/// Starts it with an empty page of that size. `b` must be zeroed but for `serve` and `user`.
bool browser_start(Browser *b, int width, int height);
/// Goes to an address.
bool browser_open(Browser *b, const char *url);
/// Waits until an expression is true. Expressions contain neither double quotes nor backslashes.
bool browser_wait(Browser *b, const char *expression, double seconds);
/// The number that an expression, or its promise, gives.
bool browser_number(Browser *b, const char *expression, double *out);
bool browser_text(Browser *b, const char *expression, char *out, size_t size);
/// A picture of the page as PNG; the caller frees it.
bool browser_picture(Browser *b, unsigned char **out_png, size_t *out_size);
/// Ends the browser with all its processes; may be called at any time, and again.
void browser_stop(Browser *b);

#endif
