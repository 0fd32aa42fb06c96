// SPDX-License-Identifier: Apache-2.0
/// \file
/// Temporary files and folders of the benches, with names that nobody can guess and lay a link at.
#ifndef RILLE_BENCH_TEMPORARY_H
#define RILLE_BENCH_TEMPORARY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline const char *bench_temporary_folder(void)
{
    const char *set = getenv("TMPDIR");
    return set && *set ? set : "/tmp";
}

/// Creates an empty file with the ending (".mcap") in `folder` and writes its path; "" if that
/// fails, where nothing can be written to. The caller removes it.
static inline void bench_temporary(const char *folder, const char *ending, char *out, size_t size)
{
    const int n = snprintf(out, size, "%s/rille-bench-XXXXXX%s", folder, ending);
    const int file = n > 0 && (size_t)n < size ? mkstemps(out, (int)strlen(ending)) : -1;
    if (file >= 0)
        close(file);
    else
        out[0] = '\0';
}

#endif
