// SPDX-License-Identifier: Apache-2.0
/// Every row of every option table: read from YAML, saved, read back, refused out of range, part of
/// the fingerprint.
#include "check.h"

#include "io/scene/scene.h"
#include "io/scene/scene_tables.h"

static const RiOptionTable *tables[100];
static int table_count;
enum { STRUCT = 8192 };

typedef struct Options {
    _Alignas(16) char bytes[STRUCT];
} Options;

static RiContext *ctx;
static RiTemplate reader;

static bool begin(void)
{
    if (ri_context_create(NULL, &ctx) != RI_OK)
        return false;
    const RiSceneTable *list = ri_scene_tables(&table_count);
    if (table_count > 100)
        return false;
    for (int i = 0; i < table_count; i++)
        tables[i] = list[i].table;
    reader = (RiTemplate){.ctx = ctx};
    ri_arena_init(&reader.arena, ctx);
    return true;
}

static void end(void)
{
    ri_arena_free(&reader.arena);
    ri_context_destroy(ctx);
}

static Options defaults(const RiOptionTable *table)
{
    Options o = {{0}};
    if (table->size > STRUCT)
        CHECK_FAIL("%s: %zu bytes do not fit the test's buffer", table->name, table->size);
    else
        ri_options_default(table, &o);
    return o;
}

/// Reads a text as the mapping of a table.
static RiStatus read(const RiOptionTable *table, const char *text, Options *out)
{
    RiYaml *document;
    RI_TRY(ri_yaml_parse(ctx, "test.yaml", text, strlen(text), NULL, &document));
    RiStatus status = ri_template_check_options(ri_yaml_root(document), &table, 1);
    if (status == RI_OK)
        status = ri_template_options(&reader, ri_yaml_root(document), table, out);
    ri_yaml_destroy(document);
    return status;
}

/// A number between the bounds of a row that is not its default.
static double another_number(const RiOption *row)
{
    const double low = isfinite(row->low) ? row->low : isfinite(row->high) ? row->high - 3.0 : -3.0;
    const double high = isfinite(row->high) ? row->high : low + 3.0;
    const double x = row->kind == RI_OPTION_WHOLE ? high : low + 0.3 * (high - low);
    return x != row->initial ? x : row->kind == RI_OPTION_WHOLE ? low : low + 0.4 * (high - low);
}

/// Another allowed value of a row; false if it has none.
static bool change(const RiOption *row, Options *o)
{
    const double a = another_number(row), x[3] = {a, a, a};
    switch (row->kind) {
    case RI_OPTION_NUMBER:
    case RI_OPTION_WHOLE:
        ri_option_set_number(row, o, a);
        return true;
    case RI_OPTION_SEED:
        ri_option_set_number(row, o, row->initial + 41.0);
        return true;
    case RI_OPTION_BOOL:
        ri_option_set_number(row, o, row->initial == 0.0);
        return true;
    case RI_OPTION_CHOICE:
        ri_option_set_number(row, o, row->initial == 0.0);
        return row->word_count > 1;
    case RI_OPTION_TEXT:
        ri_option_set_text(row, o, "something else");
        return true;
    case RI_OPTION_VECTOR:
        ri_option_set_vector(row, o, x);
        return true;
    case RI_OPTION_OWN:
        break;
    }
    return false;
}

TEST(defaults_are_within_their_ranges_and_rows_are_documented)
{
    REQUIRE(begin());
    for (int t = 0; t < table_count; t++) {
        const Options o = defaults(tables[t]);
        CHECK_OK(ctx, ri_options_check(ctx, NULL, tables[t], &o));
        for (int i = 0; i < tables[t]->count; i++) {
            const RiOption *row = &tables[t]->rows[i];
            if (!row->doc || !*row->doc || strchr(row->doc, '|'))
                CHECK_FAIL("%s.%s has no text, or one that would break a table", tables[t]->name, row->key);
            if (ri_option_find(tables[t], row->key) != row)
                CHECK_FAIL("%s.%s is given twice", tables[t]->name, row->key);
        }
    }
    end();
}

TEST(every_row_is_saved_and_read_back_to_the_same_bits)
{
    REQUIRE(begin());
    for (int t = 0; t < table_count; t++)
        for (int i = 0; i < tables[t]->count; i++) {
            Options o = defaults(tables[t]), back = defaults(tables[t]);
            if (!change(&tables[t]->rows[i], &o))
                continue;
            RiSceneWriter w = {.ctx = ctx};
            ri_scene_put_options(&w, "", tables[t], &o);
            REQUIRE(!w.failed && w.text);
            CHECK_OK(ctx, read(tables[t], w.text, &back));
            if (ri_options_fingerprint(tables[t], &o, 0) != ri_options_fingerprint(tables[t], &back, 0) ||
                ri_options_compare(tables[t], &o, &back))
                CHECK_FAIL("%s.%s is not read back:\n%s", tables[t]->name, tables[t]->rows[i].key, w.text);
            ri_release(ctx, w.text);
        }
    end();
}

TEST(every_row_is_part_of_the_fingerprint_unless_it_is_silent)
{
    REQUIRE(begin());
    for (int t = 0; t < table_count; t++)
        for (int i = 0; i < tables[t]->count; i++) {
            const RiOption *row = &tables[t]->rows[i];
            const Options a = defaults(tables[t]);
            Options b = a;
            if (!change(row, &b))
                continue;
            const bool silent = row->flags & RI_OPTION_SILENT;
            CHECK((ri_options_fingerprint(tables[t], &a, 0) == ri_options_fingerprint(tables[t], &b, 0)) == silent);
            CHECK(ri_options_compare(tables[t], &a, &b) == (silent ? NULL : row));
        }
    end();
}

/// A text of a value that is refused: out of range, or of the wrong kind.
static const char *bad_text(const RiOption *row, char text[200])
{
    char number[40];
    const bool below = isfinite(row->low);
    const double step = row->kind == RI_OPTION_WHOLE ? 1.0 : fmax(1e-3, 1e-3 * fabs(below ? row->low : row->high));
    const double x = below ? row->low - step : row->high + step;
    ri_number_text(x, number);
    if (row->kind == RI_OPTION_VECTOR)
        snprintf(text, 200, "%s: [1, 2]", row->key);
    else if ((row->kind == RI_OPTION_NUMBER || row->kind == RI_OPTION_WHOLE) && (below || isfinite(row->high)))
        snprintf(text, 200, "%s: %s", row->key, number);
    else if (row->kind == RI_OPTION_TEXT)
        snprintf(text, 200, "%s: [not, a, text]", row->key);
    else
        snprintf(text, 200, "%s: maybe", row->key);
    return text;
}

TEST(bad_values_and_misspelt_keys_are_refused_with_file_line_and_key)
{
    char text[200], key[160];
    REQUIRE(begin());
    for (int t = 0; t < table_count; t++)
        for (int i = 0; i < tables[t]->count; i++) {
            const RiOption *row = &tables[t]->rows[i];
            Options o = defaults(tables[t]);
            if (row->kind == RI_OPTION_OWN)
                continue;
            if (read(tables[t], bad_text(row, text), &o) != RI_ERR_FORMAT)
                CHECK_FAIL("%s: '%s' is not refused", tables[t]->name, text);
            snprintf(key, sizeof key, "key '%s'", row->key);
            if (!strstr(ri_context_message(ctx), "test.yaml:1:") || !strstr(ri_context_message(ctx), key))
                CHECK_FAIL("%s: '%s' gives the message: %s", tables[t]->name, text, ri_context_message(ctx));
            snprintf(text, sizeof text, "%sx: 1", row->key);
            if (ri_option_find(tables[t], "x") == NULL && read(tables[t], text, &o) == RI_OK)
                CHECK_FAIL("%s: the key of '%s' is not refused", tables[t]->name, text);
            if (strlen(row->key) >= 4 && !strstr(ri_context_message(ctx), "did you mean"))
                CHECK_FAIL("%s: '%s' suggests nothing: %s", tables[t]->name, text, ri_context_message(ctx));
        }
    end();
}

TEST_MAIN(CASE(defaults_are_within_their_ranges_and_rows_are_documented),
          CASE(every_row_is_saved_and_read_back_to_the_same_bits),
          CASE(every_row_is_part_of_the_fingerprint_unless_it_is_silent),
          CASE(bad_values_and_misspelt_keys_are_refused_with_file_line_and_key))
