// SPDX-License-Identifier: Apache-2.0
/// \file
/// The table of named values: names, globs, limits, expressions, messages, memory.
#include "check.h"

#include <limits.h>

#include <rille/values.h>

#include "../io/faults.h"

static double pitch = 0.5, mass = 12.0, wheel = 0.25;
static int gear = 2;
static bool on = true;

static RiStatus add(RiValues *t, const char *name, const char *unit, RiValueType type, void *at)
{
    RiValue v = ri_value_default();
    v.name = name;
    v.unit = unit;
    v.doc = "A value of the test.";
    v.type = type;
    v.at = at;
    return ri_values_add(t, &v);
}

static RiStatus fill(RiContext *ctx, RiValues **t)
{
    pitch = 0.5, mass = 12.0, wheel = 0.25, gear = 2, on = true;
    RI_TRY(ri_values_create(ctx, t));
    RI_TRY(add(*t, "base.pitch", "rad", RI_VALUE_REAL, &pitch));
    RI_TRY(add(*t, "base.mass", "kg", RI_VALUE_REAL, &mass));
    RI_TRY(add(*t, "base.gear", "", RI_VALUE_INT, &gear));
    RI_TRY(add(*t, "base.on", "", RI_VALUE_BOOL, &on));
    return add(*t, "left wheel/joint.position", "rad", RI_VALUE_REAL, &wheel);
}

static void gives(RiContext *ctx, const RiValues *t, const char *text, double want)
{
    double got;
    const RiStatus status = ri_values_eval(t, text, &got);
    if (status != RI_OK)
        CHECK_FAIL("%s", ri_context_message(ctx));
    else if (!(fabs(got - want) <= 1e-14))
        CHECK_FAIL("'%s' = %.17g, expected %.17g", text, got, want);
}

TEST(values_are_set_with_units_and_expressions)
{
    RiContext *ctx;
    RiValues *t;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, fill(ctx, &t));
    CHECK_OK(ctx, ri_values_set(t, "base.pitch", "90 deg"));
    CHECK_CLOSE(pitch, 1.5707963267948966, 1e-15);
    CHECK_OK(ctx, ri_values_set(t, "base.mass", "500 g + base.mass"));
    CHECK_CLOSE(mass, 12.5, 1e-15);
    CHECK_OK(ctx, ri_values_set(t, "base.pitch", "2 * `left wheel/joint.position`"));
    CHECK_CLOSE(pitch, 0.5, 1e-15);
    CHECK_OK(ctx, ri_values_set(t, "base.on", "false"));
    CHECK(!on);
    CHECK_OK(ctx, ri_values_set(t, "base.on", "base.pitch < 60 deg"));
    CHECK(on);
    CHECK_OK(ctx, ri_values_set(t, "base.gear", "base.gear ^ 3"));
    CHECK_INT(gear, 8);
    CHECK_OK(ctx, ri_values_set(t, "left wheel/joint.position", "-1"));
    CHECK_CLOSE(ri_values_read(t, ri_values_find(t, "left wheel/joint.position")), -1.0, 0.0);
    ri_values_destroy(t);
    ri_context_destroy(ctx);
}

TEST(expressions_see_dotted_and_quoted_names)
{
    RiContext *ctx;
    RiValues *t;
    double two = 2.0, m = 3.0;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, fill(ctx, &t));
    CHECK_OK(ctx, add(t, "arm.joint.2.position", "rad", RI_VALUE_REAL, &two));
    CHECK_OK(ctx, add(t, "m.position", "m", RI_VALUE_REAL, &m));
    gives(ctx, t, "arm.joint.2.position*2", 4.0);
    gives(ctx, t, "`arm.joint.2.position`", 2.0);
    gives(ctx, t, "abs(base.pitch) > 60 deg", 0.0);
    gives(ctx, t, "abs(-base.pitch) > 20 deg && base.on == true", 1.0);
    gives(ctx, t, "2 N * m.position", 6.0); // not the unit N*m
    gives(ctx, t, "base.on ? base.mass : nobody.here", 12.0);
    gives(ctx, t, "`left wheel/joint.position`+1", 1.25);
    gives(ctx, t, ".5 + 1.", 1.5);
    double out;
    CHECK_ERROR(ctx, ri_values_eval(t, "1 + `left", &out), RI_ERR_FORMAT, "column 5: the backquote");
    CHECK_ERROR(ctx, ri_values_eval(t, "``", &out), RI_ERR_FORMAT, "no name between");
    CHECK_ERROR(ctx, ri_values_eval(t, "base.pitch.", &out), RI_ERR_FORMAT, "column 11");
    CHECK_ERROR(ctx, ri_values_eval(t, "base..pitch", &out), RI_ERR_NOT_FOUND, "unknown name 'base'");
    CHECK_ERROR(ctx, ri_values_eval(t, "", &out), RI_ERR_FORMAT, "column 1");
    ri_values_destroy(t);
    ri_context_destroy(ctx);
}

TEST(messages_name_value_column_and_suggestion)
{
    RiContext *ctx;
    RiValues *t;
    double out;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, fill(ctx, &t));
    CHECK_ERROR(ctx, ri_values_set(t, "base.mass", "5 deg"), RI_ERR_ARGUMENT,
                "base.mass = '5 deg' is in rad, but the value takes kg");
    CHECK_ERROR(ctx, ri_values_set(t, "base.gear", "5 m"), RI_ERR_ARGUMENT,
                "is in m, but the value takes a plain number");
    CHECK_ERROR(ctx, ri_values_set(t, "base.ptich", "1"), RI_ERR_NOT_FOUND, "did you mean 'base.pitch'?");
    CHECK_ERROR(ctx, ri_values_set(t, "pitch", "1"), RI_ERR_NOT_FOUND, "did you mean 'base.pitch'?");
    CHECK_ERROR(ctx, ri_values_set(t, "elephant", "1"), RI_ERR_NOT_FOUND, "unknown value 'elephant'");
    CHECK_ERROR(ctx, ri_values_set(t, "base.mass", "2 * base.mas"), RI_ERR_NOT_FOUND,
                "base.mass = '2 * base.mas', column 5: unknown name 'base.mas'; did you mean 'base.mass'?");
    CHECK_ERROR(ctx, ri_values_eval(t, "base.mass > 3 deg", &out), RI_ERR_FORMAT, "column 11: units do not agree");
    CHECK_CLOSE(out, 0.0, 0.0);
    CHECK_CLOSE(mass, 12.0, 0.0); // nothing was written
    ri_values_destroy(t);
    ri_context_destroy(ctx);
}

TEST(writing_keeps_to_type_limits_and_permission)
{
    RiContext *ctx;
    RiValues *t;
    double limited = 1.0;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, fill(ctx, &t));
    RiValue v = ri_value_default();
    v.name = "motor.voltage", v.unit = "V", v.at = &limited, v.low = -24.0, v.high = 24.0;
    CHECK_OK(ctx, ri_values_add(t, &v));
    v.name = "motor.current", v.unit = "A", v.writable = false, v.kind = RI_VALUE_OUTPUT;
    CHECK_OK(ctx, ri_values_add(t, &v));
    CHECK_ERROR(ctx, ri_values_set(t, "motor.voltage", "25 V"), RI_ERR_ARGUMENT,
                "'motor.voltage': 25 V is outside its limits [-24, 24]");
    CHECK_ERROR(ctx, ri_values_set(t, "motor.current", "1"), RI_ERR_ARGUMENT, "'motor.current' is read-only (output)");
    CHECK_ERROR(ctx, ri_values_write(t, 0, NAN), RI_ERR_ARGUMENT, "'base.pitch': nan is not a finite");
    CHECK_ERROR(ctx, ri_values_write(t, 2, 1.5), RI_ERR_ARGUMENT, "'base.gear': 1.5 is not a whole number");
    CHECK_ERROR(ctx, ri_values_write(t, 2, 3e9), RI_ERR_ARGUMENT, "'base.gear'");
    CHECK_ERROR(ctx, ri_values_write(t, 3, 2.0), RI_ERR_ARGUMENT, "'base.on': 2 is neither true nor false");
    CHECK_ERROR(ctx, ri_values_write(t, 99, 2.0), RI_ERR_ARGUMENT, "no value number 99");
    CHECK_OK(ctx, ri_values_write(t, 2, INT_MIN));
    CHECK_INT(gear, INT_MIN);
    CHECK(isnan(ri_values_read(t, -1)) && ri_values_get(t, 99) == NULL);
    const int several[3] = {1, 99, 0};
    double x[3] = {0.0, 0.0, 0.0};
    ri_values_read_all(t, several, 3, x);
    CHECK(x[0] == ri_values_read(t, 1) && isnan(x[1]) && x[2] == ri_values_read(t, 0));
    CHECK_CLOSE(limited, 1.0, 0.0);
    ri_values_destroy(t);
    ri_context_destroy(ctx);
}

TEST(bad_values_are_refused_when_added)
{
    RiContext *ctx;
    RiValues *t;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, fill(ctx, &t));
    char lengthy[300];
    memset(lengthy, 'a', sizeof lengthy);
    lengthy[299] = '\0';
    CHECK_ERROR(ctx, add(t, "base.mass", "kg", RI_VALUE_REAL, &mass), RI_ERR_ARGUMENT, "'base.mass' exists already");
    CHECK_ERROR(ctx, add(t, "", "kg", RI_VALUE_REAL, &mass), RI_ERR_ARGUMENT, "empty");
    CHECK_ERROR(ctx, add(t, NULL, "kg", RI_VALUE_REAL, &mass), RI_ERR_ARGUMENT, "empty");
    CHECK_ERROR(ctx, add(t, "a`b", "kg", RI_VALUE_REAL, &mass), RI_ERR_ARGUMENT, "backquotes");
    CHECK_ERROR(ctx, add(t, "a\nb", "kg", RI_VALUE_REAL, &mass), RI_ERR_ARGUMENT, "control");
    CHECK_ERROR(ctx, add(t, "ab ", "kg", RI_VALUE_REAL, &mass), RI_ERR_ARGUMENT, "space");
    CHECK_ERROR(ctx, add(t, lengthy, "kg", RI_VALUE_REAL, &mass), RI_ERR_ARGUMENT, "longer");
    CHECK_ERROR(ctx, add(t, "sin", "kg", RI_VALUE_REAL, &mass), RI_ERR_ARGUMENT, "function, constant or unit");
    CHECK_ERROR(ctx, add(t, "true", "", RI_VALUE_REAL, &mass), RI_ERR_ARGUMENT, "function, constant or unit");
    CHECK_ERROR(ctx, add(t, "a", "kilo", RI_VALUE_REAL, &mass), RI_ERR_ARGUMENT, "value 'a': unit 'kilo', column 1");
    CHECK_ERROR(ctx, add(t, "a", "deg", RI_VALUE_REAL, &mass), RI_ERR_ARGUMENT, "only SI units");
    CHECK_ERROR(ctx, add(t, "a", "m", RI_VALUE_REAL, NULL), RI_ERR_ARGUMENT, "'at' is NULL");
    CHECK_ERROR(ctx, add(t, "a", "m", (RiValueType)7, &mass), RI_ERR_ARGUMENT, "type 7");
    RiValue v = ri_value_default();
    v.name = "a", v.at = &mass, v.low = NAN;
    CHECK_ERROR(ctx, ri_values_add(t, &v), RI_ERR_ARGUMENT, "limits");
    CHECK_INT(ri_values_count(t), 5);
    ri_values_destroy(t);
    ri_context_destroy(ctx);
}

static int count_matches(const RiValues *t, const char *glob)
{
    int n = 0;
    for (int i = ri_values_match(t, glob, 0); i >= 0; i = ri_values_match(t, glob, i + 1))
        n++;
    return n;
}

TEST(globs_match_runs_and_single_characters)
{
    RiContext *ctx;
    RiValues *t;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, fill(ctx, &t));
    CHECK_INT(count_matches(t, "*"), 5);
    CHECK_INT(count_matches(t, "base.*"), 4);
    CHECK_INT(count_matches(t, "*.p*"), 2);
    CHECK_INT(count_matches(t, "base.?n"), 1);
    CHECK_INT(count_matches(t, "b*a*s*"), 4);
    CHECK_INT(count_matches(t, "*s"), 1); // "base.mass": the star is retried past the first s
    CHECK_INT(count_matches(t, "base.mass"), 1);
    CHECK_INT(count_matches(t, "base.mass?"), 0);
    CHECK_INT(count_matches(t, ""), 0);
    CHECK_INT(count_matches(t, "base.mass**"), 1);
    ri_values_destroy(t);
    ri_context_destroy(ctx);
}

TEST(ten_thousand_values_are_found_and_their_pointers_stay)
{
    enum { COUNT = 10000 };
    RiContext *ctx;
    RiValues *t;
    static double place[COUNT];
    char name[64];
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, fill(ctx, &t));
    const RiValue *first = ri_values_get(t, 0);
    for (int i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "snake.joint.%d.position", i);
        CHECK_OK(ctx, add(t, name, "rad", RI_VALUE_REAL, &place[i]));
    }
    for (int i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "snake.joint.%d.position", i);
        CHECK_INT(ri_values_find(t, name), i + 5);
    }
    CHECK(first == ri_values_get(t, 0) && strcmp(first->name, "base.pitch") == 0);
    CHECK_INT(count_matches(t, "*.1?.position"), 10);
    ri_values_destroy(t);
    ri_context_destroy(ctx);
}

TEST(a_formula_follows_its_values_and_names_what_is_wrong)
{
    RiContext *ctx;
    RiValues *t;
    const RiFormula *f;
    double now, then;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, fill(ctx, &t));
    REQUIRE_OK(ctx, ri_values_compile(t, "true ? 2*base.mass/(base.mass - 5 kg) : 1", &f));
    for (int i = 6; i < 9; i++) {
        CHECK_OK(ctx, ri_values_set(t, "base.mass", i == 6 ? "6 kg" : i == 7 ? "7 kg" : "8 kg"));
        CHECK_OK(ctx, ri_formula_eval(f, &now));
        CHECK_OK(ctx, ri_values_eval(t, "2*base.mass/(base.mass - 5 kg)", &then));
        CHECK(now == then && now == 2.0 * i / (i - 5.0));
    }
    CHECK(strcmp(ri_formula_unit(f), "") == 0);
    CHECK_OK(ctx, ri_values_set(t, "base.mass", "5 kg"));
    CHECK(ri_formula_eval(f, &now) == RI_ERR_NUMERIC);
    CHECK(strstr(ri_context_message(ctx), "column 19: division by zero"));
    REQUIRE_OK(ctx, ri_values_compile(t, "base.pitch", &f));
    CHECK(strcmp(ri_formula_unit(f), "rad") == 0);
    CHECK(ri_values_compile(t, "false && base.pich > 1", &f) == RI_ERR_NOT_FOUND && !f);
    CHECK(strstr(ri_context_message(ctx), "base.pitch"));
    CHECK(ri_values_compile(t, "base.pitch > 1 kg", &f) == RI_ERR_FORMAT && !f);
    ri_values_destroy(t);
    ri_context_destroy(ctx);
}

TEST(reading_writing_and_evaluating_do_not_allocate)
{
    RiContext *ctx;
    RiValues *t;
    const RiFormula *f;
    double out;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    REQUIRE_OK(ctx, fill(ctx, &t));
    REQUIRE_OK(ctx, ri_values_compile(t, "abs(base.pitch) > 60 deg || base.mass < 1", &f));
    const unsigned long long before = ri_context_allocation_count(ctx);
    for (int i = 0; i < 1000; i++) {
        CHECK_OK(ctx, ri_values_eval(t, "abs(base.pitch) > 60 deg || base.mass < 1", &out));
        CHECK_OK(ctx, ri_formula_eval(f, &out));
        CHECK_OK(ctx, ri_values_write(t, 0, 0.001 * i));
        CHECK_OK(ctx, ri_values_set(t, "base.mass", "base.mass + 1 g"));
        CHECK(ri_values_set(t, "base.mas", "1") == RI_ERR_NOT_FOUND);
    }
    CHECK(ri_context_allocation_count(ctx) == before);
    ri_values_destroy(t);
    ri_context_destroy(ctx);
}

static void count_change(void *user)
{
    ++*(int *)user;
}

TEST(the_owner_is_told_before_a_write_but_not_of_inputs)
{
    RiContext *ctx;
    RiValues *t;
    int changes = 0;
    double command = 0.0, stiffness = 1.0;
    REQUIRE_OK(ctx, ri_context_create(NULL, &ctx));
    REQUIRE_OK(ctx, ri_values_create(ctx, &t));
    RiValue v = ri_value_default();
    v.name = "stiffness", v.at = &stiffness;
    REQUIRE_OK(ctx, ri_values_add(t, &v));
    v.name = "command", v.at = &command, v.kind = RI_VALUE_INPUT;
    REQUIRE_OK(ctx, ri_values_add(t, &v));
    ri_values_watch(t, NULL, count_change, &changes);
    REQUIRE_OK(ctx, ri_values_write(t, 1, 2.0));
    CHECK_INT(changes, 0);
    REQUIRE_OK(ctx, ri_values_write(t, 0, 3.0));
    CHECK_INT(changes, 1);
    CHECK(command == 2.0 && stiffness == 3.0);
    ri_values_destroy(t);
    ri_context_destroy(ctx);
}

/// Fills a table with enough values to grow everything.
static RiStatus fill_much(RiContext *ctx, RiValues **t)
{
    char name[32];
    RI_TRY(fill(ctx, t));
    for (int i = 0; i < 300; i++) {
        snprintf(name, sizeof name, "v.%d", i);
        RI_TRY(add(*t, name, "m", RI_VALUE_REAL, &mass));
    }
    return RI_OK;
}

TEST(nothing_leaks_when_any_allocation_fails)
{
    RiStatus status = RI_ERR_MEMORY;
    long k = 0;
    for (; status != RI_OK && k < 1000; k++) {
        Faults faults = {.fail_at = k};
        const RiAllocator allocator = faults_allocator(&faults);
        RiContext *ctx;
        RiValues *t = NULL;
        status = ri_context_create(&allocator, &ctx);
        if (status == RI_OK)
            status = fill_much(ctx, &t);
        const RiFormula *f = NULL;
        if (status == RI_OK)
            status = ri_values_compile(t, "1 + 2", &f);
        CHECK(status == RI_OK || status == RI_ERR_MEMORY);
        for (int i = 0; t && i < ri_values_count(t); i++)
            CHECK_INT(ri_values_find(t, ri_values_get(t, i)->name), i);
        ri_values_destroy(t);
        ri_context_destroy(ctx);
        CHECK_INT(faults.live, 0);
    }
    CHECK(k > 10 && status == RI_OK);
}

TEST_MAIN(CASE(values_are_set_with_units_and_expressions), CASE(expressions_see_dotted_and_quoted_names),
          CASE(messages_name_value_column_and_suggestion), CASE(writing_keeps_to_type_limits_and_permission),
          CASE(bad_values_are_refused_when_added), CASE(globs_match_runs_and_single_characters),
          CASE(ten_thousand_values_are_found_and_their_pointers_stay),
          CASE(reading_writing_and_evaluating_do_not_allocate),
          CASE(a_formula_follows_its_values_and_names_what_is_wrong),
          CASE(the_owner_is_told_before_a_write_but_not_of_inputs), CASE(nothing_leaks_when_any_allocation_fails))
