// SPDX-License-Identifier: Apache-2.0
/// \file
/// Python: what a call of `sim.step()` adds to a tick, what reading a thousand values as an array
/// costs, and an update of a device written in Python. An interpreter of its own measures
/// (bench/links_python.py).
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/links.h"
#include "cli.h"

#ifdef RILLE_PYTHON

/// What one round of the script says [us]; NAN where it says nothing.
typedef struct Round {
    double step, read, numpy, device;
} Round;

/// Starts the interpreter on the script; NULL, or what it prints. *out_child is to be waited for.
static FILE *start_script(pid_t *out_child)
{
    static char script[] = RILLE_SOURCE_DIR "/bench/links_python.py", python[] = RILLE_PYTHON;
    char folder[PATH_MAX], path[PATH_MAX + 8];
    int ends[2];
    if (!cli_program_folder(folder) || pipe2(ends, O_CLOEXEC) != 0)
        return NULL;
    snprintf(path, sizeof path, "%s/python", folder);
    *out_child = fork();
    if (*out_child == 0) {
        char *const words[] = {python, script, NULL};
        setenv("PYTHONPATH", path, 1);
        dup2(ends[1], STDOUT_FILENO);
        execv(python, words);
        _exit(127);
    }
    close(ends[1]);
    FILE *said = *out_child > 0 ? fdopen(ends[0], "r") : NULL;
    if (!said)
        close(ends[0]);
    return said;
}

static Round run_script(void)
{
    Round r = {NAN, NAN, NAN, NAN};
    char name[32];
    double value;
    pid_t child = -1;
    FILE *out = start_script(&child);
    while (out && fscanf(out, "%31s %lf", name, &value) == 2) {
        double *const to = strcmp(name, "step") == 0    ? &r.step
                           : strcmp(name, "read") == 0  ? &r.read
                           : strcmp(name, "numpy") == 0 ? &r.numpy
                                                        : &r.device;
        *to = value;
    }
    if (out)
        fclose(out);
    if (child > 0)
        waitpid(child, NULL, 0);
    return r;
}

static void measure(BenchRun *run, double *table)
{
    const int n = run->repeats;
    for (int i = 0; i < n; i++) {
        const Round r = run_script();
        table[i] = r.step;
        table[n + i] = r.read;
        table[2 * n + i] = r.numpy;
        table[3 * n + i] = r.device;
    }
    if (!isfinite(table[0])) {
        bench_fail(run, "python", "the module rille cannot be used: build the target rille_python");
        return;
    }
    links_limit(run, "python_step_overhead", "us", table, 2.0);
    links_limit(run, "python_read_1000_memoryview", "us", table + n, 5.0);
    if (isfinite(table[2 * n]))
        links_limit(run, "python_read_1000_numpy", "us", table + 2 * n, 5.0);
    links_limit(run, "python_device_update", "us", table + 3 * n, 5.0);
}

void links_python(BenchRun *run)
{
    if (!bench_wants(run, "python"))
        return;
    double *table = calloc(4 * (size_t)run->repeats, sizeof *table);
    if (table)
        measure(run, table);
    else
        bench_fail(run, "python", "out of memory");
    free(table);
}

#else

void links_python(BenchRun *run)
{
    if (bench_wants(run, "python"))
        fprintf(stderr, "rille bench: this build has no Python module: install python3-dev\n");
}

#endif
