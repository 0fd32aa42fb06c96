// SPDX-License-Identifier: Apache-2.0
/// \file
/// The slip stop as a whole: motors turn wheels on a steepening slope of loose sand, the soil lets
/// them slip, visual odometry sees it, navigation ends the drive within a cycle. The command says so
/// by its exit code.
#define SCRATCH RILLE_BINARY_DIR "/test_slip_stop"
#define run_to  command_to
#include "cli/run.h"
#undef run_to
#include "sim/fixture.h"

static const double LIMIT = 0.25, STEP = 0.5, SPEED = 0.05, UPDATE = 0.2;

static Fixture load(const char *limit)
{
    Fixture f;
    const RiSetting setting = {"slip_limit", limit};
    const RiSceneOptions options = {.settings = &setting, .setting_count = 1};
    if (ri_context_create(NULL, &f.ctx) != RI_OK)
        abort();
    if (ri_scene_load(f.ctx, SCENES "mer_slip_stop.yaml", &options, &f.scene) != RI_OK ||
        ri_scene_build(f.scene) != RI_OK) {
        fprintf(stderr, "%s\n", ri_context_message(f.ctx));
        abort();
    }
    f.sim = ri_scene_sim(f.scene);
    return f;
}

/// Mean slip of the six wheels by the law of the soil: it knows nothing of what the rover believes.
static double soil_slip(Fixture *f)
{
    return value(f, "(soil.tyre_front_left.slip + soil.tyre_middle_left.slip + soil.tyre_rear_left.slip + "
                    "soil.tyre_front_right.slip + soil.tyre_middle_right.slip + soil.tyre_rear_right.slip)/6");
}

typedef struct Passed {
    double time, cycles, way; ///< when the slip passed the limit for good; NAN: never
    double ended;             ///< when the drive ended
    double seen;              ///< slip by visual odometry until just before
} Passed;

/// Drives to a time or to the scene's end. A slip counts if it holds for a second of driving.
static void drive(Fixture *f, double most, Passed *out)
{
    *out = (Passed){.time = NAN, .cycles = NAN, .way = NAN, .ended = NAN, .seen = 0.0};
    double since = NAN;
    while (!ri_sim_stopped(f->sim) && ri_sim_time(f->sim) < most) {
        REQUIRE_OK(f->ctx, ri_sim_step(f->sim));
        if (isnan(out->ended) && value(f, "nav.reason") != 0.0)
            out->ended = ri_sim_time(f->sim);
        if (isnan(out->ended) && value(f, "pose.slip") <= LIMIT)
            out->seen = value(f, "pose.slip");
        if (!isnan(out->time))
            continue;
        const bool beyond = value(f, "nav.phase") == 3.0 && soil_slip(f) > LIMIT;
        if (!beyond) {
            since = NAN;
        } else if (isnan(since)) {
            since = ri_sim_time(f->sim);
            out->cycles = value(f, "nav.cycles");
            out->way = value(f, "rover.odometry_x");
        } else if (ri_sim_time(f->sim) - since > 1.0) {
            out->time = since;
        }
    }
}

TEST(a_drive_up_steepening_sand_ends_for_slip_within_a_cycle)
{
    Fixture f = load("0.25");
    Passed p;
    drive(&f, 60.0, &p);
    CHECK(value(&f, "nav.reason") == 7.0 && value(&f, "nav.busy") == 0.0 && value(&f, "nav.arrived") == 0.0);
    CHECK(ri_sim_stopped(f.sim) != NULL);
    CHECK(p.time > 10.0 && p.ended > p.time);                          // it drove well before
    CHECK(value(&f, "nav.cycles") - p.cycles <= 1.0);                  // at most the next cycle
    CHECK(p.ended - p.time < STEP / SPEED + 1.0 + 2.0 * 1.0 + UPDATE); // its step, thought and pictures
    CHECK(value(&f, "rover.odometry_x") - p.way < STEP);
    // what it saw was true: against the soil's own slip
    CHECK_CLOSE(value(&f, "pose.slip"), soil_slip(&f), 0.05);
    CHECK(value(&f, "pose.slip") > LIMIT && p.seen > 0.05);
    // and it stands
    CHECK(value(&f, "rover.busy") == 0.0 && ri_sim_time(f.sim) - p.ended < 2.0);
    CHECK(fabs(value(&f, "drive_front_left_joint.velocity")) < 0.01 && fabs(value(&f, "base.vx")) < 0.01);
    close_all(&f);
}

/// The same drive without a limit goes on, over more slip.
TEST(without_a_limit_the_same_drive_goes_on)
{
    Fixture f = load("0");
    Passed p;
    drive(&f, 38.0, &p);
    CHECK(p.time > 10.0 && isnan(p.ended) && value(&f, "nav.reason") == 0.0 && value(&f, "nav.busy") == 1.0);
    CHECK(value(&f, "pose.slip") > LIMIT && soil_slip(&f) > LIMIT);
    close_all(&f);
}

/// A drive that ends for slip is what this scene expects: exit code 0. One that should have ended,
/// and did not, fails its check: 1.
TEST(the_exit_code_is_that_of_the_scene_s_checks)
{
    run_setup();
    Run r = RUN("run", SCENES "mer_slip_stop.yaml", "--quiet", "--json", "--out", SCRATCH "/stop");
    CHECK_INT(r.code, 0);
    CHECK(strstr(r.out, "nav.reason > 0") != NULL);
    run_free(&r);
    r = RUN("run", SCENES "mer_slip_stop.yaml", "--quiet", "--set", "slip_limit=0", "--duration", "33", "--out",
            SCRATCH "/on");
    CHECK_INT(r.code, 1);
    run_free(&r);
}

TEST_MAIN(CASE(a_drive_up_steepening_sand_ends_for_slip_within_a_cycle), CASE(without_a_limit_the_same_drive_goes_on),
          CASE(the_exit_code_is_that_of_the_scene_s_checks))
