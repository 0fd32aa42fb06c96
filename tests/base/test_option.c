// SPDX-License-Identifier: Apache-2.0
/// Option tables: defaults, ranges, fingerprints, comparison and texts of every kind of row.
#include "check.h"

#include "base/option.h"

typedef enum Colour { RED, GREEN } Colour;
typedef struct Three {
    double x, y, z;
} Three;
typedef struct Thing {
    double width, angle, given;
    int count;
    bool open;
    Colour colour;
    unsigned long long seed;
    const char *name;
    Three point;
    double other; ///< no row describes it
} Thing;

static const char *const colours[] = {"red", "green"};
static const RiOption rows[] = {
    RI_OPTION("width", Thing, width, "m", 0.25, 0.0, 2.0, "width", .flags = RI_OPTION_ABOVE),
    RI_OPTION("angle", Thing, angle, "rad", -1.0, -INFINITY, INFINITY, "angle"),
    RI_OPTION("given", Thing, given, "Pa", NAN, 0.0, INFINITY, "pressure", .flags = RI_OPTION_OPTIONAL),
    RI_OPTION("count", Thing, count, "", 3, 2, 9, "how many", .flags = RI_OPTION_OR_ZERO),
    RI_OPTION_YES_NO("open", Thing, open, true, "open"),
    RI_OPTION_ONE_OF("colour", Thing, colour, colours, GREEN, "colour"),
    RI_OPTION("seed", Thing, seed, "", 1, 0, 0, "seed"),
    RI_OPTION_WORD("name", Thing, name, "box", "name", .flags = RI_OPTION_SILENT),
    {RI_OPTION_FIELD("point", Thing, point), .unit = "m", .vector = {1, 2, 3}, .low = -10, .high = 10, .doc = "where"},
    RI_OPTION_OWNED("list", "a list", "things"),
};
static const RiOptionTable table = RI_OPTION_TABLE("thing", Thing, rows);
enum { ROWS = sizeof rows / sizeof *rows };

static Thing defaults(void)
{
    Thing t = {.other = 7.0};
    ri_options_default(&table, &t);
    return t;
}

TEST(defaults_come_from_the_rows_and_other_fields_stay)
{
    const Thing t = defaults();
    CHECK(t.width == 0.25 && t.angle == -1.0 && isnan(t.given) && t.count == 3 && t.open && t.colour == GREEN);
    CHECK(t.seed == 1 && strcmp(t.name, "box") == 0 && t.point.x == 1 && t.point.y == 2 && t.point.z == 3);
    CHECK(t.other == 7.0);
}

static RiContext *ctx;

static void refuse(const Thing *t, const char *message)
{
    CHECK(ri_options_check(ctx, NULL, &table, t) == RI_ERR_ARGUMENT);
    if (strcmp(ri_context_message(ctx), message) != 0)
        CHECK_FAIL("said '%s', expected '%s'", ri_context_message(ctx), message);
}

TEST(values_out_of_range_are_refused_with_key_value_and_what_is_allowed)
{
    REQUIRE(ri_context_create(NULL, &ctx) == RI_OK);
    Thing t = defaults();
    CHECK_OK(ctx, ri_options_check(ctx, NULL, &table, &t));
    t.count = 0;
    CHECK_OK(ctx, ri_options_check(ctx, NULL, &table, &t));
    t.count = 1;
    refuse(&t, "thing: count is 1; allowed: 0 or 2 to 9");
    t = defaults(), t.width = 0.0;
    refuse(&t, "thing: width is 0 m; allowed: above 0 and at most 2 m");
    t = defaults(), t.width = NAN;
    refuse(&t, "thing: width is nan m; allowed: above 0 and at most 2 m");
    t = defaults(), t.angle = INFINITY;
    refuse(&t, "thing: angle is inf rad; allowed: any finite number rad");
    t = defaults(), t.given = -1.0;
    refuse(&t, "thing: given is -1 Pa; allowed: at least 0 Pa");
    t = defaults(), t.colour = (Colour)2;
    refuse(&t, "thing: colour is unknown; allowed: red or green");
    t = defaults(), t.point.z = 11.0;
    refuse(&t, "thing: point is [1 m, 2 m, 11 m]; allowed: three numbers, each -10 to 10 m");
    ri_context_destroy(ctx);
}

/// Another allowed value of a row.
static void change(const RiOption *row, Thing *t)
{
    const double x[3] = {1, 2, 4};
    if (row->kind == RI_OPTION_TEXT)
        ri_option_set_text(row, t, "bag");
    else if (row->kind == RI_OPTION_VECTOR)
        ri_option_set_vector(row, t, x);
    else if (row->kind == RI_OPTION_NUMBER)
        ri_option_set_number(row, t, 1.5);
    else if (row->kind == RI_OPTION_BOOL || row->kind == RI_OPTION_CHOICE)
        ri_option_set_number(row, t, 0);
    else
        ri_option_set_number(row, t, 5);
}

TEST(every_row_that_is_not_silent_changes_the_fingerprint_and_the_comparison)
{
    const Thing a = defaults(), same = defaults();
    const uint64_t h = ri_options_fingerprint(&table, &a, 3);
    CHECK(ri_options_fingerprint(&table, &same, 3) == h && ri_options_fingerprint(&table, &same, 4) != h);
    CHECK(ri_options_compare(&table, &a, &same) == NULL);
    for (int i = 0; i < ROWS; i++) {
        Thing b = defaults();
        change(&rows[i], &b);
        const bool silent = (rows[i].flags & RI_OPTION_SILENT) || rows[i].kind == RI_OPTION_OWN;
        CHECK((ri_options_fingerprint(&table, &b, 3) == h) == silent);
        CHECK(ri_options_compare(&table, &a, &b) == (silent ? NULL : &rows[i]));
    }
    Thing b = defaults();
    b.other = 8.0;
    CHECK(ri_options_fingerprint(&table, &b, 3) == h);
}

TEST(rows_are_documented_with_default_range_and_unit)
{
    char text[400];
    static const char *const markdown[ROWS] = {
        "| `width` | 0.25 m | above 0 and at most 2 m | width |",
        "| `angle` | -1 rad | any finite number rad | angle |",
        "| `given` |  | at least 0 Pa | pressure |",
        "| `count` | 3 | 0 or 2 to 9 | how many |",
        "| `open` | true | true or false | open |",
        "| `colour` | green | red or green | colour |",
        "| `seed` | 1 | whole number from 0 to 2^53 | seed |",
        "| `name` | box | text | name |",
        "| `point` | [1 m, 2 m, 3 m] | three numbers, each -10 to 10 m | where |",
        "| `list` |  | a list | things |",
    };
    for (int i = 0; i < ROWS; i++)
        if (strcmp(ri_option_print_markdown(&rows[i], text, sizeof text), markdown[i]) != 0)
            CHECK_FAIL("row %d is '%s', expected '%s'", i, text, markdown[i]);
    char tiny[6];
    CHECK(strcmp(ri_option_print_markdown(&rows[0], tiny, sizeof tiny), "| `wi") == 0);
}

TEST(keys_are_found_and_misspelt_ones_suggested)
{
    static const RiOptionTable *const tables[] = {&table};
    CHECK(ri_option_find(&table, "count") == &rows[3]);
    CHECK(ri_option_find(&table, "counts") == NULL);
    CHECK(strcmp(ri_option_nearest(tables, 1, "cuont"), "count") == 0);
    CHECK(ri_option_nearest(tables, 1, "entirely") == NULL);
}

TEST_MAIN(CASE(defaults_come_from_the_rows_and_other_fields_stay),
          CASE(values_out_of_range_are_refused_with_key_value_and_what_is_allowed),
          CASE(every_row_that_is_not_silent_changes_the_fingerprint_and_the_comparison),
          CASE(rows_are_documented_with_default_range_and_unit), CASE(keys_are_found_and_misspelt_ones_suggested))
