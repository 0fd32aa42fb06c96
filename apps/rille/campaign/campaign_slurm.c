// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille campaign submit --slurm`: an array job whose tasks are workers. Each task takes runs from
/// the store until none are left; what became of them is in the store, not in the accounting of the
/// cluster.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "campaign/campaign.h"

extern char **environ;

/// A word in single quotes of the shell.
static void quote(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", out);
        else
            fputc(*text, out);
    }
    fputc('\'', out);
}

/// The store as tasks on other nodes see it.
static void full_url(const Campaign *c, char out[PATH_MAX])
{
    char *full = ri_store_is_url(c->url) ? NULL : realpath(c->url, NULL);
    snprintf(out, PATH_MAX, "%s", full ? full : c->url);
    free(full);
}

/// Into a file of mode 0600, since the URL may hold a password; closes it.
static bool write_script(const Campaign *c, int file, const char *path)
{
    char program[PATH_MAX] = "", url[PATH_MAX];
    FILE *out = fdopen(file, "w");
    if (!out || readlink("/proc/self/exe", program, sizeof program - 1) <= 0) {
        cli_error("%s: cannot be written: %s", path, strerror(errno));
        if (out)
            fclose(out);
        else
            close(file);
        return false;
    }
    full_url(c, url);
    fprintf(out, "#!/bin/sh\n#SBATCH --job-name=rille-campaign\nexec ");
    quote(out, program);
    fprintf(out, " campaign worker ");
    quote(out, url);
    fprintf(out, " --lease %g --experiment ", c->args->lease);
    quote(out, c->plan->name);
    fputc('\n', out);
    const bool bad = ferror(out) != 0;
    if (fclose(out) == 0 && !bad)
        return true;
    cli_error("%s: cannot be written: %s", path, strerror(errno));
    return false;
}

/// The folder of the tasks' logs: --out, or beside a store that is a file, or here. It is made, and
/// given as sbatch's option with a file for each task; a % of the path is doubled, as sbatch wants.
static bool log_option(const Campaign *c, char *out, size_t size)
{
    char url[PATH_MAX], folder[PATH_MAX + 16];
    full_url(c, url);
    snprintf(folder, sizeof folder, "%s%s", ri_store_is_url(c->url) ? "rille-campaign" : url, ".slurm");
    if (c->args->out)
        snprintf(folder, sizeof folder, "%s", c->args->out);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        cli_error("%s: the folder of the tasks' logs cannot be made: %s", folder, strerror(errno));
        return false;
    }
    size_t n = (size_t)snprintf(out, size, "--output=");
    for (const char *p = folder; *p && n + 16 < size; p++) {
        if (*p == '%')
            out[n++] = '%';
        out[n++] = *p;
    }
    snprintf(out + n, size - n, "/%%A_%%a.log");
    if (!c->args->quiet)
        printf("the tasks' logs are in %s\n", folder);
    return true;
}

/// Runs sbatch without a shell; its answer goes to the terminal.
static CliExit submit(const Campaign *c, const char *script)
{
    char array[32], partition[128] = "", logs[2 * PATH_MAX];
    if (!log_option(c, logs, sizeof logs))
        return CLI_ENVIRONMENT;
    snprintf(array, sizeof array, "--array=0-%d", c->args->tasks - 1);
    char *argv[6] = {"sbatch", array, logs, NULL};
    int n = 3, status = 0;
    if (c->args->partition) {
        snprintf(partition, sizeof partition, "--partition=%s", c->args->partition);
        argv[n++] = partition;
    }
    char copy[PATH_MAX];
    snprintf(copy, sizeof copy, "%s", script);
    argv[n++] = copy;
    argv[n] = NULL;
    pid_t pid;
    fflush(NULL);
    const int code = posix_spawnp(&pid, "sbatch", NULL, NULL, argv, environ);
    if (code != 0) {
        cli_error("sbatch cannot be started: %s", strerror(code));
        return CLI_ENVIRONMENT;
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return CLI_DONE;
    cli_error("sbatch refused the job");
    return CLI_ENVIRONMENT;
}

/// Until the store says that all runs are finished.
static CliExit wait_for_runs(Campaign *c)
{
    for (;;) {
        RiStoreCounts n;
        int stopped;
        RiStatus status = ri_store_apply_stop(c->store, c->plan, &stopped);
        if (status == RI_OK)
            status = ri_store_counts(c->store, &n);
        if (status != RI_OK)
            return cli_fail(c->ctx, status);
        if (n.runs[RI_RUN_WAITING] + n.runs[RI_RUN_LEASED] == 0)
            return campaign_print_results(c);
        if (campaign_interrupted())
            return CLI_RUN_FAILED;
        poll(NULL, 0, 1000);
    }
}

int campaign_submit(int argc, char **argv)
{
    CampaignArgs args;
    Campaign c = {.args = &args};
    char script[] = "/tmp/rille-campaign-XXXXXX";
    campaign_parse(argc, argv, "FILE", "Enters a campaign into its store and submits workers to a cluster.", 1, 1,
                   &args);
    if (!args.slurm) {
        cli_error("submit: say where to: --slurm");
        return CLI_BAD_INPUT;
    }
    CliExit code = campaign_load(&c, args.words[0]);
    if (code == CLI_DONE)
        code = campaign_check(&c);
    if (code == CLI_DONE)
        code = campaign_enter(&c);
    const int file = code == CLI_DONE ? mkostemp(script, O_CLOEXEC) : -1; // mode 0600
    if (file >= 0) {
        code = write_script(&c, file, script) ? submit(&c, script) : CLI_ENVIRONMENT;
        unlink(script); // sbatch has read it
    } else if (code == CLI_DONE) {
        cli_error("%s: no script can be made: %s", script, strerror(errno));
        code = CLI_ENVIRONMENT;
    }
    campaign_catch_signals();
    if (code == CLI_DONE && args.wait)
        code = wait_for_runs(&c);
    else if (code == CLI_DONE)
        printf("'rille campaign status %s' says how far it is\n", ri_store_name(c.store));
    campaign_close(&c);
    return code;
}
