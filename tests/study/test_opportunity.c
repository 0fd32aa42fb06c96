// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rovers in soft soil, in short: what `rille validate opportunity dingo_gap` shows in full.
#include <math.h>

#include <rille/scene.h>

#include "check.h"
#include "data.h"
#include "needs.h"
#include "validate/drive.h"

typedef struct Count {
    int passed, skipped;
} Count;

static void count_rows(void *user, const RiRow *row)
{
    Count *c = user;
    c->passed += row->verdict == RI_VERDICT_PASS;
    c->skipped += row->verdict == RI_VERDICT_SKIPPED;
    if (row->verdict == RI_VERDICT_FAIL)
        CHECK_FAIL("%s = %g", row->quantity, row->ours);
}

static RiValidation validation(Count *count, const char *data)
{
    RiValidation run = {
        .sink = count_rows, .user = count, .quick = true, .robots = RILLE_SOURCE_DIR "/robots", .data = data};
    if (ri_context_create(NULL, &run.ctx) != RI_OK)
        exit(EXIT_FAILURE);
    return run;
}

/// Sinkage of the left front wheel on level ground after some seconds of driving [m].
static double sinkage_in(const char *depth)
{
    Count count = {0};
    RiValidation run = validation(&count, NULL);
    const RiSetting settings[] = {{"depth", depth}};
    RiDrive d;
    double sinkage = NAN;
    RiStatus status = ri_drive_open(&d, &run, "santa_maria", settings, 1);
    if (status == RI_OK)
        status = ri_drive_until(&d, 4.0, NULL, NULL);
    CHECK_OK(run.ctx, status);
    if (status == RI_OK) {
        sinkage = ri_drive_value(&d, "soil.tyre_front_left.sinkage");
        CHECK(isnan(ri_drive_value(&d, "soil.no_such_wheel.sinkage")));
        CHECK(ri_drive_value(&d, "base.x") > 0.02);
    }
    ri_drive_close(&d);
    ri_context_destroy(run.ctx);
    return sinkage;
}

TEST(thin_soil_over_bedrock_lets_a_rover_sink_less)
{
    const double thin = sinkage_in("1 cm"), deep = sinkage_in("20 cm");
    CHECK(thin > 0.01 && thin < 0.016);
    CHECK(deep > 1.2 * thin);
}

TEST(curiosity_stands_on_the_dune_as_measured)
{
    NEEDS("gdal");
    Count count = {0};
    if (skips_scene("curiosity_dingo_gap_soil"))
        return;
    RiValidation run = validation(&count, data_folder());
    CHECK_OK(run.ctx, ri_validate_run(&run, ri_validate_find("dingo_gap")));
    CHECK_INT(count.passed, 4);
    ri_context_destroy(run.ctx);
}

TEST(without_the_data_the_dune_is_skipped_by_name)
{
    Count count = {0};
    RiValidation run = validation(&count, NULL);
    CHECK_OK(run.ctx, ri_validate_run(&run, ri_validate_find("dingo_gap")));
    CHECK_INT(count.passed, 0);
    CHECK_INT(count.skipped, 1);
    ri_context_destroy(run.ctx);
}

TEST(a_scene_that_does_not_exist_is_refused)
{
    Count count = {0};
    RiValidation run = validation(&count, NULL);
    RiDrive d;
    CHECK_ERROR(run.ctx, ri_drive_open(&d, &run, "no_such_scene", NULL, 0), RI_ERR_NOT_FOUND, "no_such_scene.yaml");
    ri_drive_close(&d);
    ri_context_destroy(run.ctx);
}

int main(int argc, char **argv)
{
    const CheckCase cases[] = {
        CASE(thin_soil_over_bedrock_lets_a_rover_sink_less), CASE(curiosity_stands_on_the_dune_as_measured),
        CASE(without_the_data_the_dune_is_skipped_by_name), CASE(a_scene_that_does_not_exist_is_refused)};
    return check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
}
