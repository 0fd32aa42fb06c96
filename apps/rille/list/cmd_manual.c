// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille manual`: man pages and shell completion, made from the option tables of all commands.
///
///     this program --describe, for each command --> commands, options --> man pages | bash
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rille/file.h>

#include "cli.h"
#include "commands.h"

enum { DEEPEST = 3, FIELDS = 5, LINE = 8192 };

/// A command's words: "rille", "robot", "check".
typedef struct Path {
    const char *words[DEEPEST];
    int count;
} Path;

typedef struct Walk Walk;
struct Walk {
    const char *folder; ///< of man pages
    FILE *out;          ///< of completion
    CliExit code;
    CliExit (*command)(Walk *w, const Path *path, const char *about, FILE *description);
};

// --- asking --------------------------------------------------------------------------------------

/// This program's own description of a command, as a stream; NULL: it could not be started.
static FILE *describe(const Path *path, pid_t *out_child)
{
    int ends[2];
    if (pipe(ends) != 0)
        return NULL;
    fflush(NULL);
    *out_child = fork();
    if (*out_child == 0) {
        char *argv[DEEPEST + 2];
        static char ask[] = "--describe";
        int n = 0;
        for (; n < path->count; n++)
            argv[n] = (char *)(uintptr_t)path->words[n];
        argv[n++] = ask;
        argv[n] = NULL;
        const int nowhere = open("/dev/null", O_WRONLY); // commands without options complain
        dup2(ends[1], STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        execv("/proc/self/exe", argv);
        _exit(127);
    }
    close(ends[1]);
    FILE *stream = *out_child > 0 ? fdopen(ends[0], "r") : NULL;
    if (!stream)
        close(ends[0]);
    return stream;
}

/// The next line, cut into its fields; missing ones are "".
static bool read_fields(FILE *in, char line[LINE], char *fields[FIELDS])
{
    if (!fgets(line, LINE, in))
        return false;
    line[strcspn(line, "\n")] = '\0';
    char *rest = line;
    for (int i = 0; i < FIELDS; i++) {
        char *field = strsep(&rest, "\t");
        fields[i] = field ? field : line + strlen(line);
    }
    return true;
}

/// Programs of their own, which know no --describe.
static bool is_foreign(const Path *path)
{
    return path->count == 2 && (strcmp(path->words[1], "validate") == 0 || strcmp(path->words[1], "bench") == 0);
}

/// Calls w->command for a command and all below it.
static void walk(Walk *w, const Path *path, const char *about)
{
    char line[LINE], *fields[FIELDS];
    char *names[64] = {NULL}, *abouts[64] = {NULL};
    int count = 0;
    pid_t child = -1;
    FILE *in = is_foreign(path) ? fopen("/dev/null", "r") : describe(path, &child);
    if (!in) {
        cli_error("this program cannot be asked for its options: %s", strerror(errno));
        w->code = CLI_ENVIRONMENT;
        return;
    }
    const CliExit code = w->command(w, path, about, in);
    w->code = w->code == CLI_DONE ? code : w->code;
    fclose(in);
    if (child > 0)
        waitpid(child, NULL, 0);
    in = path->count < DEEPEST && !is_foreign(path) ? describe(path, &child) : NULL;
    while (in && count < 64 && read_fields(in, line, fields))
        if (line[0] == 'C' && (names[count] = strdup(fields[1])) && (abouts[count] = strdup(fields[2])))
            count++;
    if (in) {
        fclose(in);
        waitpid(child, NULL, 0);
    }
    for (int i = 0; i < count; i++) {
        Path next = *path;
        next.words[next.count++] = names[i];
        walk(w, &next, abouts[i]);
        free(names[i]);
        free(abouts[i]);
    }
}

static void join(const Path *path, char between, char out[200])
{
    size_t at = 0;
    for (int i = 0; i < path->count; i++)
        at += (size_t)snprintf(out + at, 200 - at, "%s%s", i ? (char[]){between, '\0'} : "", path->words[i]);
}

// --- man pages -----------------------------------------------------------------------------------

/// Text for troff: backslashes, leading dots and quotes, and hyphens that must stay hyphens.
static void put_text(FILE *out, const char *text)
{
    bool begins = true;
    for (; *text; text++) {
        if (begins && (*text == '.' || *text == '\''))
            fputs("\\&", out);
        begins = false;
        if (text[0] == '\\' && text[1] == 'n') {
            fputs("\n", out);
            begins = true;
            text++;
        } else if (*text == '\\') {
            fputs("\\e", out);
        } else if (*text == '-') {
            fputs("\\-", out);
        } else {
            fputc(*text, out);
        }
    }
}

static void put_option(FILE *out, char *const fields[FIELDS])
{
    fputs(".TP\n\\fB", out);
    if (fields[1][0] != ' ')
        fprintf(out, "\\-%c\\fR, \\fB", fields[1][0]);
    fputs("\\-\\-", out);
    put_text(out, fields[2]);
    fputs("\\fR", out);
    if (*fields[3]) {
        const bool optional = fields[3][0] == '[';
        fprintf(out, "%s\\fI", optional ? "[=" : "=");
        put_text(out, fields[3] + optional);
        fputs("\\fR", out);
    }
    fputs("\n", out);
    put_text(out, *fields[4] ? fields[4] : "(no more to say)");
    fputs("\n", out);
}

/// One section after the other in the order of the description's lines.
static void put_page(FILE *out, const char *spaced, const char *dashed, const char *about, FILE *in)
{
    char line[LINE], *f[FIELDS];
    char after[LINE] = "";
    int options = 0, commands = 0, usages = 0;
    fprintf(out, ".\\\" made by 'rille manual' from the option tables\n.TH %s 1 \"\" \"rille %s\" \"Rille\"\n", dashed,
            ri_version());
    fprintf(out, ".SH NAME\n%s \\- ", dashed);
    put_text(out, about);
    fprintf(out, "\n.SH SYNOPSIS\n");
    while (read_fields(in, line, f)) {
        if (line[0] == 'U') {
            fprintf(out, "%s.B %s\n[\\fIOPTION\\fR...] ", usages++ ? ".br\n" : "", spaced);
            put_text(out, f[1]);
            fputs("\n", out);
        } else if (line[0] == 'D') {
            if (!usages++)
                fprintf(out, ".B %s\n[\\fIOPTION\\fR...]\n", spaced);
            fputs(".SH DESCRIPTION\n", out);
            put_text(out, f[1]);
            fputs("\n", out);
        } else if (line[0] == 'A') {
            snprintf(after, sizeof after, "%s", f[1]);
        } else if (line[0] == 'O') {
            fputs(options++ ? "" : ".SH OPTIONS\n", out);
            put_option(out, f);
        } else if (line[0] == 'C') {
            if (!commands++)
                fprintf(out, ".B %s\n\\fICOMMAND\\fR [\\fIARGUMENT\\fR...]\n.SH COMMANDS\n", spaced);
            fprintf(out, ".TP\n\\fB%s\\fR\n", f[1]);
            put_text(out, f[2]);
            fprintf(out, " (see \\fB%s\\-%s\\fR(1))\n", dashed, f[1]);
        }
    }
    if (!usages && !commands)
        fprintf(out, ".B %s\n\\fB\\-\\-help\\fR\n", spaced);
    if (*after) {
        fputs(".SH NOTES\n", out);
        put_text(out, after);
        fputs("\n", out);
    }
    fputs(".SH EXIT STATUS\n0 done, 1 the run failed, 2 bad input, 3 environment.\n", out);
    if (strcmp(dashed, "rille") != 0)
        fputs(".SH SEE ALSO\n.BR rille (1)\n", out);
}

static CliExit write_page(Walk *w, const Path *path, const char *about, FILE *description)
{
    char spaced[200], dashed[200], file[PATH_MAX];
    join(path, ' ', spaced);
    join(path, '-', dashed);
    if (snprintf(file, sizeof file, "%s/%s.1", w->folder, dashed) >= (int)sizeof file)
        return CLI_BAD_INPUT;
    RiBeside beside;
    FILE *out = ri_beside_stream(&beside, file);
    if (!out) {
        cli_error("%s: cannot be written: %s", file, strerror(errno));
        return CLI_ENVIRONMENT;
    }
    put_page(out, spaced, dashed, about, description);
    const int wrong = ri_beside_close(&beside, true);
    if (wrong) {
        cli_error("%s: cannot be written: %s", file, strerror(wrong));
        return CLI_ENVIRONMENT;
    }
    return CLI_DONE;
}

static CliExit write_man(const char *folder)
{
    Walk w = {.folder = folder, .command = write_page};
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        cli_error("%s: cannot be made: %s", folder, strerror(errno));
        return CLI_ENVIRONMENT;
    }
    walk(&w, &(Path){{"rille"}, 1}, "simulates planetary surface robots");
    return w.code;
}

// --- completion ----------------------------------------------------------------------------------

/// A case of the table: the words that may follow a command.
static CliExit write_case(Walk *w, const Path *path, const char *about, FILE *description)
{
    char spaced[200], line[LINE], *f[FIELDS];
    (void)about;
    join(path, ' ', spaced);
    fprintf(w->out, "    \"%s\") words=\"", spaced);
    while (read_fields(description, line, f))
        if (line[0] == 'O')
            fprintf(w->out, "--%s%s ", f[2], *f[3] && f[3][0] != '[' ? "=" : "");
        else if (line[0] == 'C')
            fprintf(w->out, "%s ", f[1]);
    fprintf(w->out, "--help\" ;;\n");
    return CLI_DONE;
}

static CliExit write_bash(void)
{
    Walk w = {.out = stdout, .command = write_case};
    printf("# Completion of rille for bash, made by 'rille manual bash' from the option tables.\n"
           "_rille_words() {\n  case \"$1\" in\n");
    walk(&w, &(Path){{"rille"}, 1}, "");
    printf("    *) return 1 ;;\n  esac\n}\n"
           "_rille() {\n"
           "  local word=${COMP_WORDS[COMP_CWORD]} path=rille words= more= i\n"
           "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
           "    _rille_words \"$path ${COMP_WORDS[i]}\" && path=\"$path ${COMP_WORDS[i]}\" || break\n"
           "  done\n"
           "  _rille_words \"$path\"\n"
           "  case \"$path\" in\n"
           "    \"rille run\" | \"rille view\" | \"rille place\" | \"rille sweep\" | \"rille serve\" | \"rille fmu\"* |"
           " \"rille camera shot\" | \"rille lidar scan\" | \"rille contact pairs\")\n"
           "      more=$(rille manual scenes 2>/dev/null) ;;\n"
           "    \"rille robot \"*) more=$(rille manual robots 2>/dev/null) ;;\n"
           "    \"rille list\") words=\"scenes robots soils terrains\" ;;\n"
           "    \"rille new\") words=\"$words rover snake scene device\" ;;\n"
           "  esac\n"
           "  COMPREPLY=($(compgen -W \"$words $more\" -- \"$word\"))\n"
           "  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
           "  return 0\n"
           "}\n"
           "complete -o default -F _rille rille\n");
    return w.code;
}

static void print_name(void *user, const char *name, const char *about)
{
    (void)user;
    (void)about;
    printf("%s\n", name);
}

static CliExit print_robots(void)
{
    CliRobot *robots = NULL;
    int count = 0;
    if (!cli_list_robots(&robots, &count))
        return cli_no_memory();
    for (int i = 0; i < count; i++)
        printf("%s\n", robots[i].name);
    free(robots);
    return CLI_DONE;
}

int cmd_manual(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "man") == 0 && argc == 3)
        return write_man(argv[2]);
    if (strcmp(what, "bash") == 0 && argc == 2)
        return write_bash();
    if (strcmp(what, "scenes") == 0 && argc == 2)
        return cli_each_scene(print_name, NULL);
    if (strcmp(what, "robots") == 0 && argc == 2)
        return print_robots();
    if (cli_wants_description(argc, argv)) {
        printf("U\tman FOLDER\nU\tbash\nU\tscenes|robots\nD\tWrites man pages of all commands into a folder, or the "
               "completion for bash ('source <(rille manual bash)'), both from the option tables; or prints the names "
               "of scenes or robots, one a line.\n");
        return CLI_DONE;
    }
    if (strcmp(what, "--help") == 0 || strcmp(what, "-?") == 0) {
        printf("Usage: rille manual man FOLDER\n  or:  rille manual bash\n  or:  rille manual scenes|robots\n"
               "Writes man pages of all commands into a folder, or the completion for bash\n"
               "('source <(rille manual bash)'), both from the option tables; or prints the\n"
               "names of scenes or robots, one per line.\n");
        return CLI_DONE;
    }
    cli_error("rille manual expects 'man FOLDER', 'bash', 'scenes' or 'robots'; 'rille manual --help' tells more");
    return CLI_BAD_INPUT;
}
