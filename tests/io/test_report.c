// SPDX-License-Identifier: Apache-2.0
/// \file
/// The page of a run: what it shows, what it escapes, and what happens when memory or the log is
/// missing.
#include <stdlib.h>
#include <sys/stat.h>

#include <rille/page.h>
#include <rille/record.h>

#include "check.h"
#include "io/faults.h"

#define SCRATCH RILLE_BINARY_DIR "/test_report"

static void write_log(const char *path)
{
    RiContext *ctx;
    RiRecord *r;
    int group;
    REQUIRE_OK(ctx, ri_context_create(NULL, &ctx));
    REQUIRE_OK(ctx, ri_record_create(ctx, path, NULL, &r));
    CHECK_OK(ctx, ri_record_add_signals(r, "/values", 2, (const char *const[]){"a.x", "a.y"},
                                        (const char *const[]){"m", "m"}, &group));
    for (int i = 0; i < 50; i++)
        CHECK_OK(ctx, ri_record_signals(r, group, 0.01 * i, (const double[]){i, i % 2 ? (double)NAN : -i}));
    CHECK_OK(ctx, ri_record_close(r));
    ri_record_destroy(r);
    ri_context_destroy(ctx);
}

static const char *const globs[] = {"none.*", "a.*", "a.x"}, *const absent[] = {"b.*"};
static const RiPagePlot plots[] = {{"Known", globs, 3}, {"Unknown", absent, 1}};
static const RiPageRow rows[] = {{"Ended by", "x < 3 & y > \"4\""}};
static const RiPageEvent events[] = {{1.5, "<b>bold</b>"}};

static RiPage page(const char *log)
{
    return (RiPage){.title = "t",
                    .doc = "d",
                    .rows = rows,
                    .row_count = 1,
                    .plots = plots,
                    .plot_count = 2,
                    .events = events,
                    .event_count = 1,
                    .log = log};
}

static char *slurp(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    if (!file || !text || fread(text, 1, (1 << 20) - 1, file) == 0)
        abort();
    fclose(file);
    return text;
}

TEST(plots_show_each_logged_value_once_and_say_when_there_is_none)
{
    RiContext *ctx;
    write_log(SCRATCH "/log.mcap");
    REQUIRE_OK(ctx, ri_context_create(NULL, &ctx));
    const RiPage p = page(SCRATCH "/log.mcap");
    CHECK_OK(ctx, ri_page_save(ctx, &p, SCRATCH "/page.html"));
    char *text = slurp(SCRATCH "/page.html");
    const char *first = strstr(text, ">a.x<");
    CHECK(first && !strstr(first + 1, ">a.x<"));
    CHECK(strstr(text, ">a.y<"));
    CHECK(strstr(text, "<h2>Unknown</h2>\n<p>None of these values is in the log.</p>"));
    CHECK(strstr(text, "x &lt; 3 &amp; y &gt; &quot;4&quot;"));
    CHECK(strstr(text, "1.5 s") && strstr(text, "&lt;b&gt;bold") && !strstr(text, "<b>"));
    CHECK(!strstr(text, "nan"));
    free(text);
    ri_context_destroy(ctx);
}

TEST(a_missing_log_or_place_is_told)
{
    RiContext *ctx;
    REQUIRE_OK(ctx, ri_context_create(NULL, &ctx));
    const RiPage none = page(SCRATCH "/nowhere.mcap"), plain = page(NULL);
    CHECK_ERROR(ctx, ri_page_save(ctx, &none, SCRATCH "/page.html"), RI_ERR_NOT_FOUND, "nowhere.mcap");
    CHECK_ERROR(ctx, ri_page_save(ctx, &plain, SCRATCH "/none/page.html"), RI_ERR_IO, "none/page.html: cannot write");
    CHECK_ERROR(ctx, ri_page_save(ctx, &plain, "/dev/full"), RI_ERR_IO, "/dev/full: cannot write");
    CHECK_OK(ctx, ri_page_save(ctx, &plain, SCRATCH "/page.html"));
    ri_context_destroy(ctx);
}

TEST(a_failed_allocation_is_told_and_leaks_nothing)
{
    RiStatus status = RI_ERR_MEMORY;
    int k = 0;
    write_log(SCRATCH "/log.mcap");
    for (; status != RI_OK && k < 500; k++) {
        Faults faults = {.fail_at = k + 1}; // the context itself is call 0
        const RiAllocator allocator = faults_allocator(&faults);
        RiContext *ctx;
        REQUIRE_OK(ctx, ri_context_create(&allocator, &ctx));
        const RiPage p = page(SCRATCH "/log.mcap");
        status = ri_page_save(ctx, &p, SCRATCH "/page.html");
        if (status != RI_OK && status != RI_ERR_MEMORY)
            CHECK_FAIL("call %d: %s", k, ri_context_message(ctx));
        ri_context_destroy(ctx);
        CHECK_INT(faults.live, 0);
    }
    CHECK(k > 5 && k < 500);
}

int main(int argc, char **argv)
{
    mkdir(SCRATCH, 0755);
    const CheckCase cases[] = {CASE(plots_show_each_logged_value_once_and_say_when_there_is_none),
                               CASE(a_missing_log_or_place_is_told),
                               CASE(a_failed_allocation_is_told_and_leaks_nothing)};
    return check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
}
