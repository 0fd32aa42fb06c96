// SPDX-License-Identifier: Apache-2.0
/// \file
/// The terrain commands: what they say, that their JSON is JSON, and what they refuse.
#define SCRATCH RILLE_BINARY_DIR "/test_cli_terrain"
#include "check.h"
#include "cli/run.h"

TEST(info_tells_a_place_and_writes_json)
{
    Run r = RUN("terrain", "info", "tilt_table", "--set", "slope=45deg", "--at", "1,0,2", "--json");
    CHECK_INT(r.code, 0);
    CHECK(json_is_valid(r.out));
    CHECK_CLOSE(json_get(r.out, "at.height"), 1.0, 1e-12);
    CHECK_CLOSE(json_get(r.out, "at.distance"), sqrt(0.5), 1e-12);
    run_free(&r);
}

TEST(soils_are_listed_and_misspelt_ones_suggested)
{
    Run all = RUN("terrain", "soils", "--json"), one = RUN("terrain", "soils", "lunar_nominal");
    Run bad = RUN("terrain", "soils", "lunar_nominel");
    CHECK(all.code == 0 && json_is_valid(all.out) && strstr(all.out, "dry_sand_LLL"));
    CHECK(one.code == 0 && strstr(one.out, "provenance") && strstr(one.out, "not given"));
    CHECK(bad.code == 2 && strstr(bad.err, "did you mean 'lunar_nominal'?"));
    run_free(&all);
    run_free(&one);
    run_free(&bad);
}

TEST(draw_writes_a_picture_and_bad_words_are_refused)
{
    Run good = RUN("terrain", "draw", "step", "--slope", "--size", "64", "-o", SCRATCH "/step.png");
    Run tube = RUN("terrain", "draw", "ice_tube", "-o", SCRATCH "/tube.png");
    Run none = RUN("terrain", "info", "tilt_tabel"), axis = RUN("terrain", "draw", "step", "--section", "w=1");
    char *png = slurp(SCRATCH "/step.png");
    CHECK(good.code == 0 && memcmp(png, "\x89PNG", 4) == 0);
    CHECK(tube.code == 2 && strstr(tube.err, "--section"));
    CHECK(none.code == 2 && strstr(none.err, "did you mean 'tilt_table'?"));
    CHECK(axis.code == 2 && strstr(axis.err, "x=VALUE"));
    free(png);
    run_free(&good);
    run_free(&tube);
    run_free(&none);
    run_free(&axis);
}

int main(int argc, char **argv)
{
    static const CheckCase cases[] = {
        CASE(info_tells_a_place_and_writes_json),
        CASE(soils_are_listed_and_misspelt_ones_suggested),
        CASE(draw_writes_a_picture_and_bad_words_are_refused),
    };
    run_setup();
    return check_run(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
}
