// SPDX-License-Identifier: Apache-2.0
/// The umbrella header includes every public header.
#include "check.h"

#include <dirent.h>

#include <rille/rille.h>

#include "base/memory.h"
#include "io/file/file.h"

TEST(the_umbrella_includes_every_public_header)
{
    RiContext *ctx;
    char *text, line[300];
    size_t size;
    int count = 0;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE(ri_file_read(ctx, RILLE_SOURCE_DIR "/include/rille/rille.h", 1 << 20, &text, &size) == RI_OK);
    DIR *folder = opendir(RILLE_SOURCE_DIR "/include/rille");
    REQUIRE(folder != NULL);
    for (const struct dirent *e; (e = readdir(folder));) {
        const size_t n = strlen(e->d_name);
        if (n < 3 || strcmp(e->d_name + n - 2, ".h") != 0 || strcmp(e->d_name, "rille.h") == 0)
            continue;
        snprintf(line, sizeof line, "#include <rille/%s>\n", e->d_name);
        if (!strstr(text, line))
            CHECK_FAIL("rille.h lacks %s", e->d_name);
        count++;
    }
    closedir(folder);
    CHECK(count > 20);
    ri_release(ctx, text);
    ri_context_destroy(ctx);
}

TEST_MAIN(CASE(the_umbrella_includes_every_public_header))
