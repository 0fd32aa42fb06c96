// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rows of `rille bench`: the statistics, and JSON that a parser accepts.
#include "check.h"

#include "../../bench/bench_rows.c"

TEST(median_and_quartiles_are_interpolated)
{
    double odd[] = {5.0, 1.0, 3.0, 2.0, 4.0}, even[] = {4.0, 1.0, 3.0, 2.0}, one[] = {7.0}, spread = -1.0;
    CHECK_CLOSE(bench_median(odd, 5, &spread), 3.0, 0.0);
    CHECK_CLOSE(spread, (4.0 - 2.0) / 3.0, 1e-15);
    CHECK_CLOSE(bench_median(even, 4, &spread), 2.5, 0.0);
    CHECK_CLOSE(spread, (3.25 - 1.75) / 2.5, 1e-15);
    CHECK_CLOSE(bench_median(one, 1, &spread), 7.0, 0.0);
    CHECK_CLOSE(spread, 0.0, 0.0);
}

/// What a row looks like in a format.
static void print(const BenchRow *row, BenchFormat format, char *text, size_t size)
{
    memset(text, 0, size);
    FILE *f = fmemopen(text, size, "w");
    REQUIRE(f);
    bench_print_row(f, format, row);
    fclose(f);
}

TEST(json_row_has_all_keys_in_one_line)
{
    char text[1024], expected[1024];
    BenchRow row = bench_row("dynamics", "snake36.fd", "us", 9);
    row.peer = "mujoco 2.2.2";
    row.ours = 2.5;
    row.peer_value = 12.5;
    row.ratio = 5.0;
    row.spread = 0.01;
    print(&row, BENCH_JSON, text, sizeof text);
    snprintf(expected, sizeof expected,
             "{\"bench\": \"dynamics\", \"case\": \"snake36.fd\", \"unit\": \"us\", \"ours\": 2.5, "
             "\"peer\": \"mujoco 2.2.2\", \"peer_value\": 12.5, \"ratio\": 5, \"repeats\": 9, "
             "\"spread\": 0.01, \"peer_spread\": null, \"bar\": null, \"processor\": \"%s\", \"valid\": true}\n",
             bench_processor());
    CHECK(strcmp(text, expected) == 0);
}

TEST(json_escapes_quotes_and_control_characters)
{
    char text[1024];
    BenchRow row = bench_row("dynamics", "a", "us", 1);
    row.peer = "a\"b\\c\td";
    print(&row, BENCH_JSON, text, sizeof text);
    CHECK(strstr(text, "\"a\\\"b\\\\c\\u0009d\""));
}

TEST(table_says_whether_the_bar_is_reached)
{
    char text[1024];
    BenchRow row = bench_row("dynamics", "snake36.fd", "us", 9);
    row.ratio = 3.9;
    row.bar = 4.0;
    print(&row, BENCH_TABLE, text, sizeof text);
    CHECK(strstr(text, " no "));
    row.ratio = 4.0;
    print(&row, BENCH_TABLE, text, sizeof text);
    CHECK(strstr(text, " yes "));
    row.valid = false;
    print(&row, BENCH_MARKDOWN, text, sizeof text);
    CHECK(strstr(text, "| INVALID |"));
}

TEST_MAIN(CASE(median_and_quartiles_are_interpolated), CASE(json_row_has_all_keys_in_one_line),
          CASE(json_escapes_quotes_and_control_characters), CASE(table_says_whether_the_bar_is_reached))
