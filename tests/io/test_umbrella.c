// SPDX-License-Identifier: Apache-2.0
/// House rules over the sources: the umbrella headers include every public header, every public
/// function has its contract above it, programs include public headers only, and numbers are read in
/// one place.
#include "check.h"

#include <ctype.h>
#include <dirent.h>
#include <ftw.h>
#include <unistd.h>

#include <rille/rille.h>

/// Checks that an umbrella has a line for each header of a folder but itself.
static void check_umbrella(const char *umbrella, const char *folder, int least)
{
    RiContext *ctx;
    char *text, path[512], line[400];
    size_t size;
    int count = 0;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    snprintf(path, sizeof path, "%s/include/%s", RILLE_SOURCE_DIR, umbrella);
    REQUIRE(ri_file_read(ctx, path, 1 << 20, &text, &size) == RI_OK);
    snprintf(path, sizeof path, "%s/include/%s", RILLE_SOURCE_DIR, folder);
    DIR *list = opendir(path);
    REQUIRE(list != NULL);
    for (const struct dirent *e; (e = readdir(list));) {
        const size_t n = strlen(e->d_name);
        if (n < 3 || strcmp(e->d_name + n - 2, ".h") != 0 || strcmp(e->d_name, "rille.h") == 0)
            continue;
        snprintf(line, sizeof line, "#include <%s/%s>\n", folder, e->d_name);
        if (!strstr(text, line))
            CHECK_FAIL("%s lacks %s", umbrella, e->d_name);
        count++;
    }
    closedir(list);
    CHECK(count >= least);
    ri_release(ctx, text);
    ri_context_destroy(ctx);
}

TEST(the_umbrella_includes_every_public_header)
{
    check_umbrella("rille/rille.h", "rille", 50);
    check_umbrella("rille/study.h", "rille/study", 10);
}

static int functions_seen;

/// Whether a line begins the declaration of a function of the library.
static bool declares(const char *line)
{
    const char *name = strstr(line, "ri_");
    if (!isalpha((unsigned char)*line) || strncmp(line, "typedef", 7) == 0 || !name)
        return false;
    if (name == line || (name[-1] != ' ' && name[-1] != '*'))
        return false;
    return name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '(';
}

static int check_contracts(const char *file, const struct stat *info, int kind, struct FTW *place)
{
    (void)info;
    (void)place;
    char line[1024], before[1024] = "";
    if (kind != FTW_F)
        return 0;
    FILE *in = fopen(file, "re");
    if (!in)
        return 1;
    while (fgets(line, sizeof line, in)) {
        if (declares(line)) {
            functions_seen++;
            if (strncmp(before, "///", 3) != 0)
                CHECK_FAIL("%s: no contract above: %s", file, line);
        }
        strcpy(before, line);
    }
    fclose(in);
    return 0;
}

TEST(every_public_function_has_its_contract_above_it)
{
    CHECK(nftw(RILLE_SOURCE_DIR "/include/rille", check_contracts, 8, FTW_PHYS) == 0);
    CHECK(functions_seen > 1000);
}

/// What a program may include of src, and why.
static const struct {
    const char *file, *header, *why;
} exceptions[] = {
    {"/apps/fmu/core.h", "io/fmu/fmi.h", "the binary interface of the FMI standards, which the library reads FMUs by"},
};

static int includes_seen, exceptions_used;

static bool is_exception(const char *file, const char *header)
{
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (strcmp(file + strlen(RILLE_SOURCE_DIR), exceptions[i].file) == 0 &&
            strcmp(header, exceptions[i].header) == 0) {
            exceptions_used++;
            return true;
        }
    return false;
}

/// Whether a folder of the sources has the header.
static bool has(const char *folder, const char *header)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s/%s", RILLE_SOURCE_DIR, folder, header);
    return access(path, F_OK) == 0;
}

static void check_include(const char *file, const char *header)
{
    static const char *const own[] = {"apps/rille", "apps/common", "apps/fmu"};
    includes_seen++;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (has(own[i], header))
            return;
    if (strncmp(header, "../", 3) == 0 || (has("src", header) && !is_exception(file, header)))
        CHECK_FAIL("%s includes %s of src", file, header);
}

static int check_file(const char *file, const struct stat *info, int kind, struct FTW *place)
{
    (void)info;
    (void)place;
    const char *dot = strrchr(file, '.');
    if (kind != FTW_F || !dot || (strcmp(dot, ".c") != 0 && strcmp(dot, ".h") != 0))
        return 0;
    char line[1024], header[300];
    FILE *in = fopen(file, "re");
    if (!in)
        return 1;
    while (fgets(line, sizeof line, in))
        if (sscanf(line, " # include \"%299[^\"]\"", header) == 1)
            check_include(file, header);
    fclose(in);
    return 0;
}

TEST(programs_include_public_headers_only)
{
    CHECK(nftw(RILLE_SOURCE_DIR "/apps", check_file, 8, FTW_PHYS) == 0);
    CHECK(includes_seen > 100);
    CHECK(exceptions_used == (int)(sizeof exceptions / sizeof *exceptions)); // an exception that nobody needs goes
}

/// Only these may read numbers by the C library, which takes the decimal point of the program's
/// locale.
static const char *const readers[] = {"/src/base/number.c", "/src/study/campaign/db_postgres.c"};

static int check_reader(const char *file, const struct stat *info, int kind, struct FTW *place)
{
    (void)info;
    (void)place;
    const size_t n = strlen(file);
    if (kind != FTW_F || n < 2 || strcmp(file + n - 2, ".c") != 0)
        return 0;
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        if (strcmp(file + strlen(RILLE_SOURCE_DIR), readers[i]) == 0)
            return 0;
    char line[1024];
    FILE *in = fopen(file, "re");
    if (!in)
        return 1;
    while (fgets(line, sizeof line, in))
        if (strstr(line, "strtod") || strstr(line, "atof("))
            CHECK_FAIL("%s: ri_number_parse (rille/text.h) reads numbers whatever the locale is: %s", file, line);
    fclose(in);
    return 0;
}

TEST(numbers_are_read_in_one_place)
{
    CHECK(nftw(RILLE_SOURCE_DIR "/src", check_reader, 8, FTW_PHYS) == 0);
    CHECK(nftw(RILLE_SOURCE_DIR "/apps", check_reader, 8, FTW_PHYS) == 0);
}

TEST_MAIN(CASE(the_umbrella_includes_every_public_header), CASE(every_public_function_has_its_contract_above_it),
          CASE(programs_include_public_headers_only), CASE(numbers_are_read_in_one_place))
