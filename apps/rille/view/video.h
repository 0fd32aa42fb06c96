// SPDX-License-Identifier: Apache-2.0
/// \file
/// Pictures one after another: a video made by ffmpeg, or, where there is none, numbered files in a
/// folder.
///
/// Functions return false after printing what went wrong.
#ifndef RILLE_APP_VIDEO_H
#define RILLE_APP_VIDEO_H

#include <sys/types.h>

#include "cli.h"

typedef struct Video {
    const char *path;
    char folder[PATH_MAX]; ///< "": ffmpeg is used
    char part[PATH_MAX];   ///< what ffmpeg writes, beside the path and renamed at the end; "": a special file, in place
    pid_t pid;             ///< of ffmpeg
    int to;                ///< its input
    int count;
    double fps;
} Video;

bool video_open(Video *v, const char *path, double fps);
bool video_add(Video *v, const unsigned char *png, size_t size);
/// Ends the video; `fine` false: it is to be given up. Prints what has been written.
bool video_close(Video *v, bool fine);

#endif
