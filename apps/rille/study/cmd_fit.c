// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille fit`: parameters of a law from tests. This file picks the command and holds what they
/// share; each has its own.
#include <stdio.h>
#include <string.h>

#include <rille/file.h>
#include <rille/memory.h>

#include "commands.h"
#include "study/fit.h"

RiStatus fit_write_plot(RiContext *ctx, const char *prefix, const RiPlot *plot, const char *name)
{
    char path[PATH_MAX], *text = NULL;
    snprintf(path, sizeof path, "%s-%s.png", prefix, name);
    RI_TRY(ri_plot_png(ctx, plot, path));
    RI_TRY(ri_plot_svg(ctx, plot, &text));
    snprintf(path, sizeof path, "%s-%s.svg", prefix, name);
    const RiStatus status = ri_file_write(ctx, path, text, strlen(text));
    ri_release(ctx, text);
    return status;
}

void fit_json_estimate(Json *j, const char *key, const RiEstimate *e)
{
    json_open(j, key, '{');
    json_number(j, "value", e->value);
    json_number(j, "error", e->error);
    json_number(j, "low", e->low);
    json_number(j, "high", e->high);
    json_close(j, '}');
}

static const CliCommand commands[] = {
    {"screw", fit_screw, "the screw-ice law from drag tests"},
    {"series", fit_series, "any parameters of a scene from any recorded series"},
    {"soil", fit_soil, "the wheel-soil law from single-wheel tests"},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

int cmd_fit(int argc, char **argv)
{
    const bool help = argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0;
    if (!help)
        return cli_dispatch("rille fit", commands, COMMANDS, argc, argv);
    printf("Usage: rille fit COMMAND FILE [OPTION...]\n\nCommands:\n");
    cli_print_commands(commands, COMMANDS);
    printf("\n'rille fit COMMAND --help' explains a command.\n");
    return argc < 2 ? CLI_BAD_INPUT : CLI_DONE;
}
