// SPDX-License-Identifier: Apache-2.0
/// \file
/// `rille terrain make` as a user meets it.
#define SCRATCH RILLE_BINARY_DIR "/terrain_make"
#include "run.h"

#include "check.h"

#define CHECK_RUN(want_code, want_out, want_err, ...)                                                                  \
    do {                                                                                                               \
        Run r_ = RUN("terrain", "make", __VA_ARGS__);                                                                  \
        CHECK_INT(r_.code, want_code);                                                                                 \
        if (!strstr(r_.out, want_out))                                                                                 \
            CHECK_FAIL("output '%s' lacks '%s'", r_.out, want_out);                                                    \
        if (!strstr(r_.err, want_err))                                                                                 \
            CHECK_FAIL("messages '%s' lack '%s'", r_.err, want_err);                                                   \
        run_free(&r_);                                                                                                 \
    } while (0)

TEST(kinds_and_parameters_are_listed_with_units_and_sources)
{
    run_setup();
    CHECK_RUN(0, "crevasse", "", "--list");
    CHECK_RUN(0, "3.5 m", "", "ripples", "--help");
    CHECK_RUN(0, "aged|production|equilibrium|power", "", "--help", "craters");
    CHECK_RUN(0, "Sources: Golombek", "", "rocks", "--list");
}

TEST(words_that_are_wrong_are_answered_with_suggestions)
{
    run_setup();
    CHECK_RUN(2, "", "did you mean 'craters'?", "crater");
    CHECK_RUN(2, "", "did you mean 'wavelength'?", "ripples", "--set", "wavelenth=3");
    CHECK_RUN(2, "", "an angle needs its unit", "ripples", "--set", "azimuth=20");
    CHECK_RUN(2, "", "expected m (m), not kg", "ripples", "--set", "wavelength=3 kg");
    CHECK_RUN(2, "", "allowed are height|bodies", "rocks", "--set", "as=pebbles");
    CHECK_RUN(2, "", "NAME=VALUE", "rocks", "--set", "as");
    CHECK_RUN(2, "", "whole number", "rocks", "--seed", "-3");
    CHECK_RUN(2, "", "gives no heights", "moulin", "--out", SCRATCH "/m.tif");
    CHECK_RUN(2, "", "gives no mesh", "fractal", "--out", SCRATCH "/f.ply");
    CHECK_RUN(2, "", "as=bodies", "rocks", "--out", SCRATCH "/r.yaml");
    CHECK_RUN(2, "", ".csv (list)", "rocks", "--out", SCRATCH "/r.doc");
}

TEST(settings_take_units_and_files_go_by_their_endings)
{
    run_setup();
    CHECK_RUN(0, "mesh", "", "moulin", "--set", "depth=300 cm", "--set", "cell=20 cm", "--out", SCRATCH "/m.ply",
              "--out", SCRATCH "/m.obj", "--out", SCRATCH "/m.stl", "--png", SCRATCH "/m.png");
    CHECK_RUN(0, "parts", "", "rocks", "--set", "as=bodies", "--set", "size_x=6 m", "--set", "size_y=2*3 m", "--seed",
              "5", "--out", SCRATCH "/r.yaml", "--out", SCRATCH "/r.csv");
    char *yaml = slurp(SCRATCH "/r.yaml"), *csv = slurp(SCRATCH "/r.csv");
    CHECK(strstr(yaml, "# rille terrain make rocks --seed 5 --set 'as=bodies' --set 'size_x=6 m'") == yaml);
    CHECK(strstr(yaml, "\nkind: shapes\nparts:\n  - {shape: stone, xyz: [") != NULL);
    CHECK(strstr(yaml, "material: rock}") != NULL);
    CHECK(strstr(csv, "what,x_m,y_m,z_m,size_m,wear\nrock,") == csv);
    free(yaml);
    free(csv);
}

TEST(equal_seeds_write_equal_files)
{
    run_setup();
    CHECK_RUN(0, "", "", "channel", "--seed", "9", "--set", "length=8 m", "--out", SCRATCH "/a.obj");
    CHECK_RUN(0, "", "", "channel", "--seed", "9", "--set", "length=8 m", "--out", SCRATCH "/b.obj");
    CHECK_RUN(0, "", "", "channel", "--seed", "10", "--set", "length=8 m", "--out", SCRATCH "/c.obj");
    char *a = slurp(SCRATCH "/a.obj"), *b = slurp(SCRATCH "/b.obj"), *c = slurp(SCRATCH "/c.obj");
    CHECK(strcmp(a, b) == 0);
    CHECK(strcmp(a, c) != 0);
    free(a);
    free(b);
    free(c);
}

TEST_MAIN(CASE(kinds_and_parameters_are_listed_with_units_and_sources),
          CASE(words_that_are_wrong_are_answered_with_suggestions),
          CASE(settings_take_units_and_files_go_by_their_endings), CASE(equal_seeds_write_equal_files))
