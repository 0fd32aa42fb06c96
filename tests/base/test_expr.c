// SPDX-License-Identifier: Apache-2.0
/// \file
/// Expressions: closed forms, precedence, columns of errors, units and their checking.
#include "check.h"

#include <locale.h>

#include "base/expr.h"

static const double pi = 3.14159265358979323846;

/// Names known to the tests: a = 3, length = 2 m, broken fails on its own.
static RiStatus lookup(void *user, const char *name, size_t size, RiQuantity *out)
{
    (void)user;
    *out = (RiQuantity){0};
    if (size == 1 && name[0] == 'a')
        out->value = 3.0;
    else if (size == 6 && memcmp(name, "length", 6) == 0)
        *out = (RiQuantity){2.0, {{1}}};
    else
        return size == 6 && memcmp(name, "broken", 6) == 0 ? RI_ERR_MODEL : RI_ERR_NOT_FOUND;
    return RI_OK;
}

static RiStatus eval(const char *text, RiQuantity *value, RiExprError *error)
{
    const RiExprScope scope = {.lookup = lookup};
    return ri_expr_eval(text, strlen(text), &scope, value, error);
}

static int refer(void *user, const char *name, size_t size)
{
    (void)user;
    return size == 1 && name[0] == 'a' ? 0 : 1;
}

static double read_name(const void *user, int index)
{
    (void)user;
    return index == 0 ? 3.0 : 2.0;
}

/// Translates and runs.
static RiStatus run(const char *text, double *value, RiDim *dim, RiExprError *error)
{
    static RiExprStep steps[RI_EXPR_STEPS_PER_BYTE * RI_EXPR_LENGTH + RI_EXPR_STEPS_MORE];
    const RiExprScope scope = {.lookup = lookup, .refer = refer};
    const int room = RI_EXPR_STEPS_PER_BYTE * (int)strlen(text) + RI_EXPR_STEPS_MORE;
    int count;
    *value = 0.0;
    RI_TRY(ri_expr_compile(text, strlen(text), &scope, steps, room, &count, dim, error));
    return ri_expr_run(steps, count, read_name, NULL, value, error);
}

/// The value of an expression, evaluated only.
static void gives_now(const char *text, double want)
{
    RiQuantity value;
    RiExprError error;
    if (eval(text, &value, &error) != RI_OK)
        CHECK_FAIL("'%s': column %d: %s", text, error.column, error.text);
    else if (!(fabs(value.value - want) <= 1e-14 * (1.0 + fabs(want))))
        CHECK_FAIL("'%s' = %.17g, expected %.17g", text, value.value, want);
}

/// The value of an expression, evaluated and translated: equal bits and units.
static void gives(const char *text, double want)
{
    RiQuantity value;
    RiExprError error;
    RiDim dim;
    double x;
    gives_now(text, want);
    if (eval(text, &value, &error) != RI_OK || run(text, &x, &dim, &error) != RI_OK)
        CHECK_FAIL("'%s': column %d: %s", text, error.column, error.text);
    else if (x != value.value || memcmp(&dim, &value.dim, sizeof dim) != 0)
        CHECK_FAIL("'%s' = %.17g when it is evaluated, %.17g when it is translated", text, value.value, x);
}

static void gives_unit(const char *text, double want, const char *unit)
{
    RiQuantity value, expected;
    RiExprError error;
    char got[64];
    gives(text, want);
    if (eval(text, &value, &error) != RI_OK || ri_unit_parse(unit, strlen(unit), &expected, &error) != RI_OK)
        CHECK_FAIL("'%s' or '%s' does not evaluate", text, unit);
    else if (memcmp(&value.dim, &expected.dim, sizeof value.dim) != 0)
        CHECK_FAIL("'%s' has unit %s, expected %s", text, ri_dim_text(value.dim, got, sizeof got), unit);
}

static void fails(const char *text, RiStatus status, int column, const char *part)
{
    RiQuantity value;
    RiExprError error;
    const RiStatus got = eval(text, &value, &error);
    if (got != status || error.column != column || !strstr(error.text, part))
        CHECK_FAIL("'%s': %s, column %d, '%s'; expected %s, column %d, '%s'", text, ri_status_text(got), error.column,
                   error.text, ri_status_text(status), column, part);
    CHECK(value.value == 0.0);
    double x;
    RiDim dim;
    const RiStatus translated = run(text, &x, &dim, &error);
    if (translated != status || error.column != column || !strstr(error.text, part))
        CHECK_FAIL("'%s', translated: %s, column %d, '%s'", text, ri_status_text(translated), error.column, error.text);
}

TEST(operators_bind_as_in_mathematics)
{
    gives("1 + 2*3", 7);
    gives("(1 + 2)*3", 9);
    gives("10 - 4 - 3", 3);
    gives("24/4/2", 3);
    gives("2^3^2", 512);
    gives("2**3", 8);
    gives("-2^2", -4);
    gives("2^-1", 0.5);
    gives("2*-3", -6);
    gives("--3", 3);
    gives("7 % 4", 3);
    gives("-7 % 4", 1);
    gives("1 + 2 < 4", 1);
    gives("1 < 2 == 1", 1);
    gives("1 || 0 && 0", 1);
    gives("!0 + 1", 2);
    gives("1 ? 2 : 0 ? 3 : 4", 2);
    gives("0 ? 2 : 0 ? 3 : 4", 4);
    gives("a*a - 1", 8);
    gives(" \t1e3 + .5 + 2.\n", 1002.5);
}

TEST(comparisons_and_logic_give_zero_or_one)
{
    gives("3 >= 3", 1);
    gives("3 > 3", 0);
    gives("3 <= 2", 0);
    gives("3 != 4", 1);
    gives("5 && -2", 1);
    gives("0 || 7", 1);
    gives("!7", 0);
}

TEST(functions_agree_with_closed_forms)
{
    gives("sin(pi/6)", 0.5);
    gives("cos(60 deg)", 0.5);
    gives("tan(rad(45))", 1);
    gives("asin(1)", pi / 2);
    gives("acos(0)", pi / 2);
    gives("4*atan(1)", pi);
    gives("atan2(1, -1)", 0.75 * pi);
    gives("sqrt(2)^2", 2);
    gives("abs(-3.5)", 3.5);
    gives("min(4, 2, 8)", 2);
    gives("max(4, 2, 8)", 8);
    gives("pow(2, 10)", 1024);
    gives("log(exp(3))", 3);
    gives("log(e)", 1);
    gives("floor(-1.5)", -2);
    gives("ceil(1.2)", 2);
    gives("round(2.5)", 3);
    gives("mod(-1, 3)", 2);
    gives("hypot(3, 4)", 5);
    gives("deg(pi)", 180);
    gives("if(a > 2, 10, 20)", 10);
    gives("sign(-4)", -1);
    gives("clamp(7, 0, 5)", 5);
    gives("tau/pi", 2);
}

TEST(units_scale_to_si_and_combine)
{
    gives_unit("5 cm", 0.05, "m");
    gives_unit("1 t + 500 g", 1000.5, "kg");
    gives_unit("90 deg", pi / 2, "rad");
    gives_unit("30 rpm", pi, "rad/s");
    gives_unit("2 kN*m", 2000, "Nm");
    gives_unit("2 N*m", 2, "J");
    gives_unit("36 km/h", 10, "m/s");
    gives_unit("9.81 m/s^2", 9.81, "m/s^2");
    gives_unit("1 MPa*mm^2", 1, "N");
    gives_unit("(1 + 2) mm", 0.003, "m");
    gives_unit("length*3", 6, "m");
    gives_unit("length^2", 4, "m^2");
    gives_unit("sqrt(length^2 + 4)", sqrt(8.0), "m");
    gives_unit("length/2 s", 1, "m/s");
    gives_unit("6 m / length", 3, "1");
    gives_unit("2 m + 1", 3, "m");
    gives_unit("max(length, 50 cm)", 2, "m");
    gives_unit("atan2(length, 2 m)", pi / 4, "rad");
    gives_unit("12 V * 2 A", 24, "W");
    gives_unit("3 min", 180, "s");
    gives("min(3, 4)", 3);
}

TEST(units_that_disagree_are_refused)
{
    fails("1 m + 1 kg", RI_ERR_FORMAT, 5, "m and kg");
    fails("length < 3 s", RI_ERR_FORMAT, 8, "units do not agree");
    fails("sin(2 m)", RI_ERR_FORMAT, 1, "sin takes a plain number or an angle, not m");
    fails("exp(1 rad)", RI_ERR_FORMAT, 1, "plain number");
    fails("2^length", RI_ERR_FORMAT, 2, "exponent");
    fails("length^0.5", RI_ERR_FORMAT, 7, "whole exponent");
    fails("sqrt(length)", RI_ERR_FORMAT, 1, "odd exponent");
    fails("(2 m) cm", RI_ERR_FORMAT, 7, "a unit already");
    fails("5 kgs", RI_ERR_FORMAT, 3, "did you mean 'kg'");
    fails("5 parsec", RI_ERR_FORMAT, 3, "unknown unit 'parsec'");
    fails("5 m^a", RI_ERR_FORMAT, 4, "whole number");
    fails("2*m", RI_ERR_NOT_FOUND, 3, "must follow a number");
    fails("1 m/s + 1 kg", RI_ERR_FORMAT, 7, "m*s^-1 and kg");
    fails("(2 m^2)^9", RI_ERR_FORMAT, 8, "exponent beyond");
    fails("1 m^9 * length^9", RI_ERR_FORMAT, 7, "exponent beyond");
    fails("1e308 km", RI_ERR_NUMERIC, 6, "too large");
    fails("clamp(1, 3, 2)", RI_ERR_NUMERIC, 1, "low above high");
    fails("1 m^9*m^9", RI_ERR_FORMAT, 7, "exponent");
}

TEST(branches_of_a_choice_have_units_that_agree)
{
    fails("a > 2 ? 1 m : 1 s", RI_ERR_FORMAT, 13, "units do not agree: m and s");
    fails("a > 4 ? 1 m : 1 s", RI_ERR_FORMAT, 13, "units do not agree");
    fails("if(a > 2, 1 m, 1 s)", RI_ERR_FORMAT, 3, "units do not agree");
    fails("if(a > 2, length, 1 s)", RI_ERR_FORMAT, 3, "units do not agree");
    fails("a > 2 ? 1 m^3 : (1 m)^2", RI_ERR_FORMAT, 15, "units do not agree");
    fails("a > 2 ? 1 : (1 m + 1 s)", RI_ERR_FORMAT, 18, "units do not agree");
    gives("a > 2 ? 1 m^3 : (1 m)^2 * 1 m", 1.0);
    gives("a > 2 ? 0 : 1 m", 0.0);
    gives("if(a > 4, 2 m, 50 cm)", 0.5);
    gives("a > 2 ? (a > 4 ? 2 m : 3 m) : 1 m", 3.0);
    gives_now("a > 2 ? 1 m : unheard_of + 1 s", 1.0); // not looked up, so its unit is not known
}

TEST(dimensions_fit_where_they_should)
{
    const RiDim plain = {{0}}, m = {{1}}, rad = {{0, 0, 0, 0, 0, 1}}, hz = {{0, 0, -1}}, rate = {{0, 0, -1, 0, 0, 1}},
                kg = {{0, 1}};
    CHECK(ri_dim_fits(plain, kg));
    CHECK(!ri_dim_fits(rad, kg));
    CHECK(!ri_dim_fits(rad, plain));
    CHECK(!ri_dim_fits(m, plain));
    CHECK(ri_dim_fits(hz, rate));
    CHECK(ri_dim_fits(rate, hz));
    CHECK(!ri_dim_fits(m, rad));
    char text[64];
    CHECK(strcmp(ri_dim_text(plain, text, sizeof text), "a plain number") == 0);
    CHECK(strcmp(ri_dim_text(kg, text, sizeof text), "kg") == 0);
    CHECK(strcmp(ri_dim_text(rate, text, sizeof text), "s^-1*rad") == 0);
}

TEST(division_by_zero_and_non_finite_results_are_errors)
{
    fails("1/0", RI_ERR_NUMERIC, 2, "division by zero");
    fails("4 + 1/(a - 3)", RI_ERR_NUMERIC, 6, "division by zero");
    fails("5 % 0", RI_ERR_NUMERIC, 3, "division by zero");
    fails("mod(5, 0)", RI_ERR_NUMERIC, 1, "division by zero");
    fails("0^-1", RI_ERR_NUMERIC, 2, "division by zero");
    fails("sqrt(-1)", RI_ERR_NUMERIC, 1, "finite");
    fails("1 + log(0)", RI_ERR_NUMERIC, 5, "finite");
    fails("1e200*1e200", RI_ERR_NUMERIC, 6, "finite");
    fails("1e999", RI_ERR_NUMERIC, 1, "too large");
    fails("inf", RI_ERR_NOT_FOUND, 1, "unknown name 'inf'");
    fails("nan", RI_ERR_NOT_FOUND, 1, "unknown name 'nan'");
}

TEST(branches_not_taken_are_not_evaluated)
{
    gives("a > 3 ? 1/(a - 3) : 7", 7);
    gives("if(1, 2, 1/0)", 2);
    gives("0 && 1/0", 0);
    gives("1 || 1/0", 1);
    gives("if(a < 1, 1/0, if(a > 2, a, 0)) + 1", 4);
    gives("a > 4 && 1/0 || !(a < 4 || 1/0) || a == 3 && 7", 1);
    gives("(a > 2 ? length : 3 m) * 2 > 3 m ? min(a, if(0, 9, 2), 5) : 8", 2);
    gives_now("0 ? nobody : 5", 5);
    fails("1 ? 2 : 3 +", RI_ERR_FORMAT, 12, "value is expected");
}

TEST(what_is_translated_is_right_in_all_branches)
{
    RiExprError error;
    RiDim dim;
    double x;
    CHECK(run("0 ? nobody : 5", &x, &dim, &error) == RI_ERR_NOT_FOUND && error.column == 5);
    RiExprStep step;
    int count;
    const RiExprScope scope = {.lookup = lookup, .refer = refer};
    CHECK(ri_expr_compile("1 + a", 5, &scope, &step, 1, &count, &dim, &error) == RI_ERR_LIMIT);
    CHECK(strstr(error.text, "3 steps") && count == 0);
}

TEST(errors_name_the_column)
{
    fails("", RI_ERR_FORMAT, 1, "ends");
    fails("1 +", RI_ERR_FORMAT, 4, "ends");
    fails("1 + * 2", RI_ERR_FORMAT, 5, "found '*'");
    fails("(1 + 2", RI_ERR_FORMAT, 7, "expected ')' for the '(' in column 1");
    fails("1 2", RI_ERR_FORMAT, 3, "expected an operator");
    fails("1 ? 2", RI_ERR_FORMAT, 6, "expected ':'");
    fails("sin 2", RI_ERR_NOT_FOUND, 1, "unknown name 'sin'");
    fails("sni(2)", RI_ERR_NOT_FOUND, 1, "did you mean 'sin'");
    fails("atan2(1)", RI_ERR_FORMAT, 8, "takes 2 arguments, not 1");
    fails("sin(1, 2)", RI_ERR_FORMAT, 7, "at most 1");
    fails("1 + \x01", RI_ERR_FORMAT, 5, "0x01");
    fails("0x10", RI_ERR_FORMAT, 2, "unknown unit 'x10'");
    fails("1 + broken", RI_ERR_MODEL, 5, "");
}

TEST(an_unknown_name_suggests_the_nearest_one)
{
    RiContext *ctx;
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    RiNames names;
    ri_names_init(&names, ctx);
    int existing;
    CHECK_OK(ctx, ri_names_add(&names, "modules", 0, &existing));
    const RiExprScope scope = {.names = &names};
    RiQuantity value;
    RiExprError error;
    CHECK(ri_expr_eval("2*moduels", 9, &scope, &value, &error) == RI_ERR_NOT_FOUND);
    CHECK_INT(error.column, 3);
    CHECK(strstr(error.text, "unknown name 'moduels'; did you mean 'modules'?"));
    ri_names_free(&names);
    ri_context_destroy(ctx);
}

TEST(depth_and_length_are_limited)
{
    char text[RI_EXPR_LENGTH + 2];
    memset(text, '(', sizeof text);
    text[100] = '\0';
    fails(text, RI_ERR_LIMIT, 65, "nested more than 64");
    memset(text, '-', 100);
    fails(text, RI_ERR_LIMIT, 65, "nested more than 64");
    memset(text, '1', sizeof text);
    text[sizeof text - 1] = '\0';
    fails(text, RI_ERR_LIMIT, 1, "longer than 4096");
    for (int i = 0; i < 4000; i += 2)
        memcpy(text + i, "1+", 2);
    memcpy(text + 4000, "1", 2);
    gives(text, 2001);
    memset(text, '(', 60);
    text[60] = '5';
    memset(text + 61, ')', 60);
    text[121] = '\0';
    gives(text, 5);
}

TEST(quantities_are_numbers_with_units_only)
{
    RiQuantity q;
    RiExprError error;
    REQUIRE(ri_quantity_parse(" -20 deg ", 9, &q, &error) == RI_OK);
    CHECK_CLOSE(q.value, -pi / 9, 1e-15);
    REQUIRE(ri_quantity_parse("5", 1, &q, &error) == RI_OK);
    CHECK(q.value == 5.0 && ri_dim_is_plain(q.dim));
    CHECK(ri_quantity_parse("2*3", 3, &q, &error) == RI_ERR_FORMAT);
    CHECK_INT(error.column, 2);
    CHECK(strstr(error.text, "${...}"));
    CHECK(ri_quantity_parse("five", 4, &q, &error) == RI_ERR_FORMAT);
    CHECK(ri_quantity_parse("", 0, &q, &error) == RI_ERR_FORMAT);
}

TEST(numbers_do_not_depend_on_the_locale)
{
    static const char *const comma[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE"};
    for (size_t i = 0; i < sizeof comma / sizeof *comma; i++)
        if (setlocale(LC_ALL, comma[i]))
            break;
    gives("1.5*2", 3);
    double value;
    CHECK(ri_number_parse("-0.25", 5, &value) && value == -0.25);
    CHECK(!ri_number_parse("0,25", 4, &value));
    CHECK(!ri_number_parse("0x1p3", 5, &value));
    CHECK(!ri_number_parse("-", 1, &value));
    CHECK(!ri_number_parse("", 0, &value));
    setlocale(LC_ALL, "C");
}

TEST(names_of_functions_units_and_constants_are_reserved)
{
    CHECK(ri_expr_is_reserved("m", 1) && ri_expr_is_reserved("pi", 2) && ri_expr_is_reserved("sin", 3));
    CHECK(!ri_expr_is_reserved("modules", 7) && !ri_expr_is_reserved("i", 1));
    CHECK(ri_expr_is_name("_a9", 3) && !ri_expr_is_name("9a", 2) && !ri_expr_is_name("a.b", 3));
}

TEST(dots_and_backquotes_are_names_only_in_a_dotted_scope)
{
    const RiExprScope dotted = {.lookup = lookup, .dotted = true};
    RiQuantity value;
    RiExprError error;
    fails("a.b", RI_ERR_FORMAT, 2, "expected an operator");
    fails("`a`", RI_ERR_FORMAT, 1, "expected a value");
    CHECK(ri_expr_eval("a.b", 3, &dotted, &value, &error) == RI_ERR_NOT_FOUND && strstr(error.text, "'a.b'"));
    CHECK(ri_expr_eval("`a` + 1", 7, &dotted, &value, &error) == RI_OK);
    CHECK_CLOSE(value.value, 4.0, 0.0);
    CHECK(ri_expr_is_dotted_name("arm.2.x_1", 9) && ri_expr_is_dotted_name("arm", 3));
    CHECK(!ri_expr_is_dotted_name("2.arm", 5) && !ri_expr_is_dotted_name("arm.", 4) &&
          !ri_expr_is_dotted_name("a..b", 4) && !ri_expr_is_dotted_name("", 0));
}

TEST_MAIN(CASE(dots_and_backquotes_are_names_only_in_a_dotted_scope), CASE(operators_bind_as_in_mathematics),
          CASE(what_is_translated_is_right_in_all_branches), CASE(comparisons_and_logic_give_zero_or_one),
          CASE(functions_agree_with_closed_forms), CASE(units_scale_to_si_and_combine),
          CASE(units_that_disagree_are_refused), CASE(branches_of_a_choice_have_units_that_agree),
          CASE(dimensions_fit_where_they_should), CASE(division_by_zero_and_non_finite_results_are_errors),
          CASE(branches_not_taken_are_not_evaluated), CASE(errors_name_the_column),
          CASE(an_unknown_name_suggests_the_nearest_one), CASE(depth_and_length_are_limited),
          CASE(quantities_are_numbers_with_units_only), CASE(numbers_do_not_depend_on_the_locale),
          CASE(names_of_functions_units_and_constants_are_reserved))
