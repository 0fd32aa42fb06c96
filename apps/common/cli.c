// SPDX-License-Identifier: Apache-2.0
/// \file
/// Messages, exit codes and the choice of a command.
#include "cli.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/text.h>

CliExit cli_exit_code(RiStatus status)
{
    switch (status) {
    case RI_OK:
        return CLI_DONE;
    case RI_ERR_NUMERIC:
    case RI_ERR_DEVICE:
        return CLI_RUN_FAILED;
    case RI_ERR_MEMORY:
    case RI_ERR_IO:
    case RI_ERR_UNSUPPORTED:
        return CLI_ENVIRONMENT;
    default:
        return CLI_BAD_INPUT;
    }
}

/// Writes a text with what would steer a terminal made visible: messages repeat names from files
/// and words of others.
static void put_plain(const char *text, FILE *out)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        const bool latin = *c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0;
        if (latin || (*c < ' ' && *c != '\n' && *c != '\t') || *c == 0x7f)
            fprintf(out, "\\x%02x", latin ? *++c : *c);
        else
            fputc(*c, out);
    }
}

void cli_error(const char *format, ...)
{
    va_list args;
    char text[8192];
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fflush(stdout); // so that both streams read in order when they share a terminal or file
    fputs("rille: ", stderr);
    put_plain(text, stderr);
    fputc('\n', stderr);
}

CliExit cli_fail(const RiContext *ctx, RiStatus status)
{
    cli_error("%s", ri_context_message(ctx));
    return cli_exit_code(status);
}

CliExit cli_no_memory(void)
{
    cli_error("out of memory");
    return CLI_ENVIRONMENT;
}

static const CliCommand *find_command(const CliCommand *commands, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

int cli_dispatch(const char *program, const CliCommand *commands, int count, int argc, char **argv)
{
    if (cli_wants_description(argc, argv))
        cli_describe_commands(commands, count);
    const CliCommand *command = find_command(commands, count, argv[1]);
    if (!command) {
        const char *names[32];
        for (int i = 0; i < count && i < 32; i++)
            names[i] = commands[i].name;
        const char *near = ri_nearest_name(argv[1], names, count < 32 ? count : 32);
        cli_error("'%s' is not a command of %s%s%s%s", argv[1], program, near ? "; did you mean '" : "",
                  near ? near : "", near ? "'?" : "");
        cli_error("'%s --help' lists the commands", program);
        return CLI_BAD_INPUT;
    }
    char full[64]; // the name that usage messages show
    snprintf(full, sizeof full, "%s %s", program, command->name);
    argv[1] = full;
    return command->run(argc - 1, argv + 1);
}

void cli_print_commands(const CliCommand *commands, int count)
{
    for (int i = 0; i < count; i++)
        printf("  %-10s %s\n", commands[i].name, commands[i].about);
}

void cli_print_wrapped(const char *text, int indent)
{
    enum { WIDTH = 100 };
    int column = indent;
    for (const char *s = text + strspn(text, " \n"); *s;) {
        const int word = (int)strcspn(s, " \n");
        if (column > indent && column + 1 + word > WIDTH) {
            printf("\n%*s", indent, "");
            column = indent;
        }
        column += printf("%s%.*s", column > indent ? " " : "", word, s);
        s += word;
        s += strspn(s, " \n");
    }
    putchar('\n');
}

bool cli_parse_number(const char *text, double *out_value)
{
    text += strspn(text, " \t");
    return ri_number_parse(text, strlen(text), out_value);
}

bool cli_parse_numbers(const char *text, int least, int most, double *out, int *out_count)
{
    char copy[256];
    *out_count = 0;
    if (strlen(text) >= sizeof copy)
        return false;
    strcpy(copy, text);
    for (char *rest = copy, *word; (word = strsep(&rest, ","));)
        if (*out_count == most || !cli_parse_number(word, &out[(*out_count)++]))
            return false;
    return *out_count >= least;
}

static bool is_same_finding(const RiFinding *a, const RiFinding *b)
{
    return a->kind == b->kind && strcmp(a->text, b->text) == 0;
}

bool cli_is_repeated(const RiReport *report, int first, int index)
{
    for (int i = first; i < index; i++)
        if (is_same_finding(ri_report_get(report, i), ri_report_get(report, index)))
            return true;
    return false;
}

int cli_repeats(const RiReport *report, int index)
{
    int count = 0;
    for (int i = index + 1; i < ri_report_count(report); i++)
        count += is_same_finding(ri_report_get(report, i), ri_report_get(report, index));
    return count;
}
