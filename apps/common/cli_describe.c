// SPDX-License-Identifier: Apache-2.0
/// \file
/// Commands and options as lines that `rille manual` makes man pages and completion from:
///
///     C  name  meaning                        a command
///     U  words                                what follows the options
///     D  text                                 what the command is for, with line ends as \n
///     A  text                                 what its help says at the end
///     O  letter  name  argument  meaning      an option; letter and argument may be empty
///
/// The lines come from the tables that the parsers use, so they cannot be out of date.
#include <argp.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

bool cli_wants_description(int argc, char **argv)
{
    return argc == 2 && strcmp(argv[1], "--describe") == 0;
}

static void put(const char *text, size_t length)
{
    for (size_t i = 0; i < length && text[i]; i++)
        if (text[i] == '\n')
            fputs("\\n", stdout);
        else
            putchar(text[i] == '\t' ? ' ' : text[i]);
}

static void put_line(char kind, const char *text, size_t length)
{
    printf("%c\t", kind);
    put(text, length);
    putchar('\n');
}

static void put_option(const struct argp_option *o)
{
    const bool optional = o->flags & OPTION_ARG_OPTIONAL;
    printf("O\t%c\t%s\t", isgraph(o->key) ? o->key : ' ', o->name);
    if (o->arg)
        printf("%s%s%s", optional ? "[" : "", o->arg, optional ? "]" : "");
    putchar('\t');
    put(o->doc ? o->doc : "", SIZE_MAX);
    putchar('\n');
}

/// Without the clean-up of a normal end: the caller has half-made things that nobody will use.
static void finish(void)
{
    fflush(stdout);
    _exit(CLI_DONE);
}

void cli_describe_commands(const CliCommand *commands, int count)
{
    for (int i = 0; i < count; i++)
        printf("C\t%s\t%s\n", commands[i].name, commands[i].about);
    finish();
}

int cli_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    if (!cli_wants_description(argc, argv))
        return argp_parse(argp, argc, argv, 0, NULL, input);
    const char *doc = argp->doc ? argp->doc : "", *after = strchr(doc, '\v');
    for (const char *usage = argp->args_doc; usage && *usage;) { // alternatives stand on lines of their own
        const size_t length = strcspn(usage, "\n");
        put_line('U', usage, length);
        usage += length + (usage[length] == '\n');
    }
    put_line('D', doc, after ? (size_t)(after - doc) : SIZE_MAX);
    if (after)
        put_line('A', after + 1, SIZE_MAX);
    for (const struct argp_option *o = argp->options; o && (o->name || o->key || o->doc); o++)
        if (o->name && !(o->flags & (OPTION_HIDDEN | OPTION_DOC)))
            put_option(o);
    finish();
    return 0;
}
