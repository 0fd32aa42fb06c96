// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille campaign submit --slurm`: an array job whose tasks are workers. Each task takes runs from
/// the store until none are left; what became of them is in the store, not in the accounting of the
/// cluster.
#include <errno.h>
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
    char *full = ri_db_is_url(c->url) ? NULL : realpath(c->url, NULL);
    snprintf(out, PATH_MAX, "%s", full ? full : c->url);
    free(full);
}

static bool write_script(const Campaign *c, const char *path)
{
    char program[PATH_MAX] = "", url[PATH_MAX];
    FILE *out = fopen(path, "w");
    if (!out || readlink("/proc/self/exe", program, sizeof program - 1) <= 0) {
        if (out)
            fclose(out);
        cli_error("%s: cannot be written: %s", path, strerror(errno));
        return false;
    }
    full_url(c, url);
    fchmod(fileno(out), 0600); // the URL may hold a password
    fprintf(out, "#!/bin/sh\n#SBATCH --job-name=rille-campaign\n#SBATCH --output=/dev/null\nexec ");
    quote(out, program);
    fprintf(out, " campaign worker ");
    quote(out, url);
    fprintf(out, " --lease %g --experiment ", c->args->lease);
    quote(out, c->plan->name);
    fputc('\n', out);
    return fclose(out) == 0;
}

/// Runs sbatch without a shell; its answer goes to the terminal.
static CliExit submit(const Campaign *c, const char *script)
{
    char array[32], partition[128] = "";
    snprintf(array, sizeof array, "--array=0-%d", c->args->tasks - 1);
    char *argv[6] = {"sbatch", array, NULL};
    int n = 2, status = 0;
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
        RiStatus status = ri_store_stop(c->store, c->plan, &stopped);
        if (status == RI_OK && stopped >= 0)
            status = ri_store_drop(c->store, RI_RUN_SKIPPED, stopped, stopped);
        if (status == RI_OK)
            status = ri_store_counts(c->store, &n);
        if (status != RI_OK)
            return cli_fail(c->ctx, status);
        if (n.runs[RI_RUN_WAITING] + n.runs[RI_RUN_LEASED] == 0)
            return campaign_print_results(c);
        if (campaign_interrupted())
            return CLI_RUN_FAILED;
        poll(NULL, 0, 250);
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
    const int fd = code == CLI_DONE ? mkstemp(script) : -1;
    if (fd >= 0) {
        close(fd);
        code = write_script(&c, script) ? submit(&c, script) : CLI_ENVIRONMENT;
        unlink(script); // sbatch has read it
    }
    campaign_catch_signals();
    if (code == CLI_DONE && args.wait)
        code = wait_for_runs(&c);
    else if (code == CLI_DONE)
        printf("'rille campaign status %s' says how far it is\n", ri_db_name(c.store->db));
    campaign_close(&c);
    return code;
}
