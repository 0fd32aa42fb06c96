// SPDX-License-Identifier: Apache-2.0
/// \file
/// The comparison of contact models: its judge on traces made by formulas, and both of our models
/// against statics.
#include <rille/study/contact_models.h>

#include "check.h"

static const char SCENE[] = RILLE_SOURCE_DIR "/scenes/contact_models.yaml";
static const double DEG = 3.14159265358979323846 / 180.0;

typedef struct Fixture {
    RiContext *ctx;
    RiContactRover rover;
    RiContactCase cases[RI_CONTACT_CASES];
    int count;
    RiContactTrace trace;
} Fixture;

static Fixture open_study(bool quick)
{
    Fixture f = {0};
    if (ri_context_create(NULL, &f.ctx) != RI_OK || ri_contact_measure(f.ctx, SCENE, &f.rover) != RI_OK) {
        fprintf(stderr, "%s\n", f.ctx ? ri_context_message(f.ctx) : "no memory");
        abort();
    }
    f.count = ri_contact_plan(quick, &f.rover, f.cases);
    return f;
}

static void close_study(Fixture *f)
{
    ri_contact_trace_free(f->ctx, &f->trace);
    ri_context_destroy(f->ctx);
}

static const RiContactCase *find(const Fixture *f, const char *name)
{
    for (int i = 0; i < f->count; i++)
        if (strcmp(f->cases[i].name, name) == 0)
            return &f->cases[i];
    abort();
}

TEST(the_rover_is_measured_as_it_is_described)
{
    Fixture f = open_study(false);
    CHECK_CLOSE(f.rover.mass, 310.0, 1e-9);
    CHECK_CLOSE(f.rover.radius, 0.1475, 1e-12);
    CHECK_CLOSE(f.rover.half_track, 0.67, 1e-12);
    CHECK_CLOSE(f.rover.rear, -0.6, 1e-12);
    CHECK(f.rover.com.z > 0.5 && f.rover.com.z < 0.6);
    CHECK_INT(f.count, 20);
    close_study(&f);
}

TEST(a_line_is_constant_before_and_after_its_points)
{
    const RiContactLine l = {{1.0, 3.0}, {0.0, 4.0}, 2}, none = {.count = 0};
    CHECK(ri_contact_line_at(&l, 0.0) == 0.0 && ri_contact_line_at(&l, 1.0) == 0.0);
    CHECK_CLOSE(ri_contact_line_at(&l, 2.0), 2.0, 1e-15);
    CHECK(ri_contact_line_at(&l, 3.0) == 4.0 && ri_contact_line_at(&l, 9.0) == 4.0);
    CHECK(ri_contact_line_at(&none, 1.0) == 0.0);
}

/// A trace of a body that creeps with a speed and slides by Coulomb's law beyond an angle.
static void make_slide(Fixture *f, const RiContactCase *c, double creep, double friction)
{
    double v = 0.0, x = 0.0;
    f->trace.count = 0;
    for (int k = 0; 1e-3 * RI_CONTACT_PERIOD_MS * k <= c->duration; k++) {
        const double dt = 1e-3 * RI_CONTACT_PERIOD_MS, t = k * dt, tilt = ri_contact_line_at(&c->tilt, t);
        v = fmax(0.0, v + dt * 3.71 * (sin(tilt) - friction * cos(tilt)));
        x -= dt * (v + creep);
        const RiContactSample s = {.t = t, .tilt = tilt, .x = x};
        REQUIRE_OK(f->ctx, ri_contact_trace_add(f->ctx, &f->trace, &s));
    }
}

TEST(the_judge_finds_the_angle_of_sliding_and_the_creep_before_it)
{
    Fixture f = open_study(false);
    const RiContactCase *c = find(&f, "slide_back_0.5");
    for (int k = 0; k < 2; k++) {
        const double creep = k ? 3e-3 : 0.0;
        make_slide(&f, c, creep, 0.5);
        const RiContactResult r = ri_contact_judge(c, &f.rover, &f.trace);
        CHECK_CLOSE(r.value, atan(0.5), 0.3 * DEG); // it has to gather speed
        CHECK(r.value >= atan(0.5));
        CHECK_CLOSE(r.beside, creep, 1e-9);
    }
    make_slide(&f, c, 0.0, 1.0); // holds to the end
    CHECK(isnan(ri_contact_judge(c, &f.rover, &f.trace).value));
    f.trace.count = 0;
    CHECK(isnan(ri_contact_judge(c, &f.rover, &f.trace).value));
    close_study(&f);
}

TEST(the_judge_knows_slip_and_who_is_up)
{
    Fixture f = open_study(false);
    const RiContactCase *slope = find(&f, "slope_10"), *step = find(&f, "step_0.1");
    for (int k = 0; k < 400; k++) {
        const double t = 0.02 * k;
        const RiContactSample s = {.t = t, .x = 0.9 * f.rover.radius * t, .turned = t};
        REQUIRE_OK(f.ctx, ri_contact_trace_add(f.ctx, &f.trace, &s));
    }
    CHECK_CLOSE(ri_contact_judge(slope, &f.rover, &f.trace).value, 0.1, 1e-12);
    f.trace.count = 0;
    for (int k = 0; k < 100; k++) {
        const RiContactSample s = {.t = k, .x = 0.02 * k, .z = k < 50 ? 0.0 : 0.1, .pitch = -0.1};
        REQUIRE_OK(f.ctx, ri_contact_trace_add(f.ctx, &f.trace, &s));
    }
    const RiContactResult r = ri_contact_judge(step, &f.rover, &f.trace);
    CHECK_CLOSE(r.value, (step->distance - f.rover.rear) / 0.02, 1.0);
    CHECK_CLOSE(r.beside, 0.1, 1e-15);
    close_study(&f);
}

TEST(both_models_slide_at_the_angle_of_friction_and_drive_without_slip)
{
    Fixture f = open_study(true);
    static const char *const models[] = {"implicit", "moreau"};
    for (int k = 0; k < 2; k++) {
        const RiContactCase *slide = find(&f, "slide_back_0.3"), *slope = find(&f, "slope_10");
        RiContactCase brief = *slide; // only the last degree before
        brief.tilt.t[1] = 3.0, brief.tilt.t[2] = 13.0;
        brief.tilt.y[1] = slide->closed - 1.0 * DEG, brief.tilt.y[2] = slide->closed + 1.0 * DEG;
        brief.duration = 13.0;
        REQUIRE_OK(f.ctx, ri_contact_run(f.ctx, SCENE, models[k], &brief, &f.trace));
        const RiContactResult r = ri_contact_judge(&brief, &f.rover, &f.trace);
        CHECK_CLOSE(r.value, slide->closed, 0.2 * DEG);
        CHECK(fabs(r.beside) < 2e-4);
        REQUIRE_OK(f.ctx, ri_contact_run(f.ctx, SCENE, models[k], slope, &f.trace));
        CHECK(fabs(ri_contact_judge(slope, &f.rover, &f.trace).value) < 1e-6);
    }
    close_study(&f);
}

TEST(a_model_that_is_none_is_refused)
{
    Fixture f = open_study(true);
    CHECK(ri_contact_run(f.ctx, SCENE, "magic", &f.cases[0], &f.trace) != RI_OK);
    CHECK(strstr(ri_context_message(f.ctx), "magic") != NULL);
    CHECK(ri_contact_measure(f.ctx, "/nowhere.yaml", &f.rover) != RI_OK);
    close_study(&f);
}

TEST_MAIN(CASE(the_rover_is_measured_as_it_is_described), CASE(a_line_is_constant_before_and_after_its_points),
          CASE(the_judge_finds_the_angle_of_sliding_and_the_creep_before_it), CASE(the_judge_knows_slip_and_who_is_up),
          CASE(both_models_slide_at_the_angle_of_friction_and_drive_without_slip),
          CASE(a_model_that_is_none_is_refused))
