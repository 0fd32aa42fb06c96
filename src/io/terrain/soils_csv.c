// SPDX-License-Identifier: Apache-2.0
/// \file
/// Soil libraries as tables: a head with the names of columns, then one soil a line. Lines that
/// start with # are comments; fields may be in double quotes, in which "" is a quote. Columns
/// may come in any order; an empty field is not given.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <rille/terrain_file.h>

#include "base/expr.h"
#include "base/memory.h"
#include "base/names.h"
#include "io/file/file.h"

enum { COLUMNS = 32, SHOWN = 40, LIMIT = 16 << 20 };

static const double degree = M_PI / 180.0;

/// A column that is a number: its name, its place in a soil, its unit in SI.
typedef struct Column {
    const char *name;
    size_t at;
    double unit;
} Column;

enum { NAME, FORM, CONFIDENCE, PROVENANCE, FIRST_NUMBER };
static const Column columns[] = {
    {"name", 0, 0.0},
    {"form", 0, 0.0},
    {"confidence", 0, 0.0},
    {"provenance", 0, 0.0},
    {"n", offsetof(RiSoil, n), 1.0},
    {"n1", offsetof(RiSoil, n1), 1.0},
    {"kc", offsetof(RiSoil, kc), 1.0},
    {"kphi", offsetof(RiSoil, kphi), 1.0},
    {"cohesion_Pa", offsetof(RiSoil, cohesion), 1.0},
    {"friction_deg", offsetof(RiSoil, friction), 0.0}, // in degrees: see set_number
    {"kx_m", offsetof(RiSoil, kx), 1.0},
    {"ky_m", offsetof(RiSoil, ky), 1.0},
    {"density_kg_m3", offsetof(RiSoil, density), 1.0},
    {"a0", offsetof(RiSoil, a0), 1.0},
    {"a1", offsetof(RiSoil, a1), 1.0},
    {"gravity_m_s2", offsetof(RiSoil, gravity), 1.0},
    {"mu", offsetof(RiSoil, mu), 1.0},
};
enum { OWN = sizeof columns / sizeof *columns, KNOWN = OWN + RI_SOIL_KEY_COUNT };

/// Name of a column: one of the table above, or a further number of the wheel-soil law.
static const char *column_name(int k)
{
    return k < OWN ? columns[k].name : ri_soil_key((RiSoilKey)(k - OWN))->name;
}

typedef struct Table {
    RiContext *ctx;
    RiSoils *soils;
    const char *path;
    char *at;  ///< what is left of the text
    int line;  ///< of the row that was read last
    int lines; ///< that have been passed
    char *fields[COLUMNS];
    int field_count;
    int meaning[COLUMNS]; ///< index of each column
    int column_count;
} Table;

static RiStatus refuse(const Table *t, const char *field, const char *value, const char *what)
{
    return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: field '%s': '%.*s' %s", t->path, t->line, field, SHOWN, value, what);
}

// --- rows ----------------------------------------------------------------------------------------

/// Takes the quotes off a field that starts at `at`; returns the place behind it, NULL if it does
/// not end.
static char *read_quoted(Table *t, char *at)
{
    char *out = at;
    for (char *c = at + 1; *c; c++) {
        if (*c == '"' && c[1] != '"') {
            *out = '\0';
            return c + 1;
        }
        c += *c == '"';
        t->lines += *c == '\n';
        *out++ = *c;
    }
    return NULL;
}

/// Splits the next row that says something into fields, in place. *more is false at the end.
static RiStatus read_row(Table *t, bool *more)
{
    t->field_count = 0;
    while (*t->at == '#' || *t->at == '\n' || *t->at == '\r') {
        t->at += strcspn(t->at, "\n");
        t->lines += *t->at == '\n';
        t->at += *t->at == '\n';
    }
    *more = *t->at != '\0';
    t->line = t->lines + 1;
    for (bool end = !*more; !end;) {
        if (t->field_count == COLUMNS)
            return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: more than %d fields", t->path, t->line, COLUMNS);
        char *field = t->at, *stop = *field == '"' ? read_quoted(t, field) : field + strcspn(field, ",\r\n");
        if (!stop || !strchr(",\r\n", *stop))
            return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: a field in quotes does not end, or text follows it", t->path,
                            t->line);
        const char mark = *stop;
        end = mark != ',';
        *stop = '\0';
        t->lines += mark == '\n';
        t->at = mark ? stop + 1 : stop;
        t->fields[t->field_count++] = field;
    }
    return RI_OK;
}

static RiStatus unknown_column(const Table *t, const char *name)
{
    RiNameSearch search = ri_name_search(name);
    for (int i = 0; i < KNOWN; i++)
        ri_name_search_look(&search, column_name(i));
    const char *nearest = search.found;
    return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: there is no column '%.*s'%s%s%s", t->path, t->line, SHOWN, name,
                    nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

static RiStatus read_head(Table *t)
{
    bool more;
    unsigned seen = 0;
    RI_TRY(read_row(t, &more));
    if (!more)
        return ri_error(t->ctx, RI_ERR_FORMAT, "%s: there is no row with the names of columns", t->path);
    t->column_count = t->field_count;
    for (int i = 0; i < t->column_count; i++) {
        int k = 0;
        while (k < KNOWN && strcmp(column_name(k), t->fields[i]) != 0)
            k++;
        if (k == KNOWN)
            return unknown_column(t, t->fields[i]);
        if (seen & 1U << k)
            return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: column '%s' appears twice", t->path, t->line,
                            column_name(k));
        seen |= 1U << k;
        t->meaning[i] = k;
    }
    for (int k = 0; k < FIRST_NUMBER; k++)
        if (!(seen & 1U << k))
            return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: column '%s' is missing", t->path, t->line, columns[k].name);
    return RI_OK;
}

// --- soils ---------------------------------------------------------------------------------------

static RiStatus set_number(const Table *t, RiSoil *soil, const Column *column, const char *text)
{
    double x = NAN;
    if (*text && !ri_number_parse(text, strlen(text), &x))
        return refuse(t, column->name, text, "is not a number");
    x *= column->unit > 0.0 ? column->unit : degree;
    memcpy((char *)soil + column->at, &x, sizeof x);
    return RI_OK;
}

/// A further number of the law; an empty field gives none.
static RiStatus set_more(const Table *t, RiSoil *soil, int key, const char *text)
{
    if (!*text)
        return RI_OK;
    if (!ri_number_parse(text, strlen(text), &soil->more.at[key]))
        return refuse(t, ri_soil_key((RiSoilKey)key)->name, text, "is not a number");
    soil->more.given |= 1u << key;
    return RI_OK;
}

static RiStatus set_form(const Table *t, RiSoil *soil, const char *text)
{
    static const char *const forms[] = {"hard", "bekker", "reece"};
    for (int i = 0; i < 3; i++)
        if (strcmp(forms[i], text) == 0) {
            soil->form = (RiSoilForm)i;
            return RI_OK;
        }
    return refuse(t, "form", text, "is not one of hard, bekker, reece");
}

static RiStatus read_soil(Table *t)
{
    RiSoil soil = {.provenance = ""};
    for (int k = FIRST_NUMBER; k < OWN; k++)
        RI_TRY(set_number(t, &soil, &columns[k], ""));
    if (t->field_count != t->column_count)
        return ri_error(t->ctx, RI_ERR_FORMAT, "%s:%d: %d fields; the head names %d columns", t->path, t->line,
                        t->field_count, t->column_count);
    for (int i = 0; i < t->column_count; i++) {
        const int k = t->meaning[i];
        const char *text = t->fields[i];
        if (k == NAME)
            soil.name = text;
        else if (k == FORM)
            RI_TRY(set_form(t, &soil, text));
        else if (k == PROVENANCE)
            soil.provenance = text;
        else if (k == CONFIDENCE && strlen(text) != 1)
            return refuse(t, "confidence", text, "is not one of A, B, C, E");
        else if (k == CONFIDENCE)
            soil.confidence = text[0];
        else if (k >= OWN)
            RI_TRY(set_more(t, &soil, k - OWN, text));
        else
            RI_TRY(set_number(t, &soil, &columns[k], text));
    }
    const RiStatus status = ri_soils_add(t->soils, &soil, (RiSource){t->path, t->line});
    return status == RI_ERR_ARGUMENT ? RI_ERR_FORMAT : status;
}

RiStatus ri_soils_parse(RiContext *ctx, RiSoils *soils, const char *path, const char *text, size_t size)
{
    Table t = {.ctx = ctx, .soils = soils, .path = path};
    if (memchr(text, '\0', size))
        return ri_error(ctx, RI_ERR_FORMAT, "%s: not a text: there is a zero byte in it", path);
    char *copy = ri_alloc(ctx, size + 1, 1);
    if (!copy)
        return ri_error_memory(ctx);
    memcpy(copy, text, size);
    copy[size] = '\0';
    t.at = copy;
    RiStatus status = read_head(&t);
    for (bool more = true; status == RI_OK && more;) {
        status = read_row(&t, &more);
        if (status == RI_OK && more)
            status = read_soil(&t);
    }
    ri_release(ctx, copy);
    return status;
}

RiStatus ri_soils_load(RiContext *ctx, RiSoils *soils, const char *path)
{
    char *text;
    size_t size;
    RI_TRY(ri_file_read(ctx, path, LIMIT, &text, &size));
    const RiStatus status = ri_soils_parse(ctx, soils, path, text, size);
    ri_release(ctx, text);
    return status;
}
