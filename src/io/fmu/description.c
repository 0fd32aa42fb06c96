// SPDX-License-Identifier: Apache-2.0
/// \file
/// modelDescription.xml of FMI 2.0 and 3.0: the parts that co-simulation needs, checked against the
/// standards' rules.
#include "io/fmu/description.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/expr.h"
#include "base/number.h"
#include "io/file/xml.h"

typedef struct Reading {
    RiContext *ctx;
    const char *path;
    const RiXmlNode *root;
    FmuDescription *d;
    int room;
} Reading;

static RiStatus wrong(const Reading *r, const RiXmlNode *node, const char *what, const char *value)
{
    return ri_error(r->ctx, RI_ERR_FORMAT, "%s:%d: %s: '%.100s'", r->path, node->line, what, value ? value : "");
}

static const char *attribute(const RiXmlNode *node, const char *name, const char *fallback)
{
    const char *value = ri_xml_attribute(node, name);
    return value ? value : fallback;
}

static bool is_true(const RiXmlNode *node, const char *name)
{
    const char *value = attribute(node, name, "false");
    return strcmp(value, "true") == 0 || strcmp(value, "1") == 0;
}

/// A number, "true", "false", "INF" or "-INF"; the fallback where there is none. `*at` goes behind it.
static RiStatus next_number(const Reading *r, const RiXmlNode *node, const char *name, const char **at, double fallback,
                            double *out)
{
    const char *text = *at + strspn(*at, " \t\n\r");
    const size_t size = strcspn(text, " \t\n\r");
    *at = text + size;
    *out = fallback;
    if (size == 0)
        return RI_OK;
    if (size == 4 && strncmp(text, "true", 4) == 0)
        *out = 1.0;
    else if (size == 5 && strncmp(text, "false", 5) == 0)
        *out = 0.0;
    else if (!ri_number_parse(text + (*text == '+'), size - (*text == '+'), out))
        return wrong(r, node, name, text);
    return RI_OK;
}

/// The first number of an attribute.
static RiStatus number(const Reading *r, const RiXmlNode *node, const char *name, double fallback, double *out)
{
    const char *text = attribute(node, name, "");
    return next_number(r, node, name, &text, fallback, out);
}

// --- units ---------------------------------------------------------------------------------------

/// The SI unit of a <BaseUnit>, in our spelling: the FMU's own name of the unit where that is such a
/// spelling ("N*m"), else the exponents of base units.
static void base_unit(const RiXmlNode *base, const char *name, char *out, size_t size)
{
    static const char *const names[] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
    size_t n = 0;
    out[0] = '\0';
    for (int i = 0; i < 8; i++) {
        const int power = atoi(attribute(base, names[i], "0"));
        if (power == 1 && n < size)
            n += (size_t)snprintf(out + n, size - n, "%s%s", n ? "*" : "", names[i]);
        else if (power && power > -10 && power < 10 && n < size)
            n += (size_t)snprintf(out + n, size - n, "%s%s^%d", n ? "*" : "", names[i], power);
    }
    RiQuantity unit, own;
    RiExprError error;
    if (ri_unit_parse(out, strlen(out), &unit, &error) != RI_OK || unit.value != 1.0)
        out[0] = '\0'; // a base unit that our expressions do not know: a plain number
    else if (strlen(name) < size && ri_unit_parse(name, strlen(name), &own, &error) == RI_OK && own.value == 1.0 &&
             memcmp(&own.dim, &unit.dim, sizeof own.dim) == 0)
        snprintf(out, size, "%s", name);
}

static RiStatus find_unit(const Reading *r, FmuVariable *v, const char *name)
{
    const RiXmlNode *all = ri_xml_child(r->root, "UnitDefinitions");
    char text[128] = "";
    v->unit = "";
    v->factor = 1.0;
    for (const RiXmlNode *u = all && name ? all->first_child : NULL; u; u = u->next) {
        const RiXmlNode *base = ri_xml_child(u, "BaseUnit");
        if (!base || strcmp(attribute(u, "name", ""), name) != 0)
            continue;
        RI_TRY(number(r, base, "factor", 1.0, &v->factor));
        RI_TRY(number(r, base, "offset", 0.0, &v->offset));
        base_unit(base, name, text, sizeof text);
        if (!(fabs(v->factor) > 0.0))
            return wrong(r, base, "the factor of a unit is 0", name);
    }
    v->unit = ri_arena_string(&r->d->arena, text);
    return v->unit ? RI_OK : ri_error_memory(r->ctx);
}

// --- variables -----------------------------------------------------------------------------------

/// Kind and word of a type's element. Enumerations have 64 bits in FMI 3.0.
static FmuKind kind_of(const char *name, int version, FmuWord *out_word)
{
    static const struct {
        const char *name;
        FmuKind kind;
        FmuWord word;
    } kinds[] = {{"Real", FMU_REAL, FMU_FLOAT64},    {"Float64", FMU_REAL, FMU_FLOAT64},
                 {"Float32", FMU_REAL, FMU_FLOAT32}, {"Integer", FMU_INTEGER, FMU_INT32},
                 {"Int8", FMU_INTEGER, FMU_INT8},    {"UInt8", FMU_INTEGER, FMU_UINT8},
                 {"Int16", FMU_INTEGER, FMU_INT16},  {"UInt16", FMU_INTEGER, FMU_UINT16},
                 {"Int32", FMU_INTEGER, FMU_INT32},  {"UInt32", FMU_INTEGER, FMU_UINT32},
                 {"Int64", FMU_INTEGER, FMU_INT64},  {"UInt64", FMU_INTEGER, FMU_UINT64},
                 {"Boolean", FMU_BOOLEAN, FMU_BOOL}, {"Enumeration", FMU_INTEGER, FMU_INT32}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0) {
            *out_word = version == 3 && strcmp(name, "Enumeration") == 0 ? FMU_INT64 : kinds[i].word;
            return kinds[i].kind;
        }
    *out_word = FMU_FLOAT64;
    return FMU_OTHER;
}

static FmuCausality causality_of(const char *name)
{
    return strcmp(name, "input") == 0         ? FMU_INPUT
           : strcmp(name, "output") == 0      ? FMU_OUTPUT
           : strcmp(name, "parameter") == 0   ? FMU_PARAMETER
           : strcmp(name, "independent") == 0 ? FMU_INDEPENDENT
                                              : FMU_LOCAL;
}

/// The type that a variable declares holds what it does not say itself: unit, limits.
static const RiXmlNode *declared_type(const Reading *r, const char *name)
{
    const RiXmlNode *all = ri_xml_child(r->root, "TypeDefinitions");
    for (const RiXmlNode *t = all && name ? all->first_child : NULL; t; t = t->next)
        if (strcmp(attribute(t, "name", ""), name) == 0)
            return r->d->version == 2 && t->first_child ? t->first_child : t;
    return NULL;
}

/// An extent of an array: a number, or the start of the structural parameter that it names.
static RiStatus read_extent(const Reading *r, const RiXmlNode *dimension, int *out)
{
    const RiXmlNode *all = ri_xml_child(r->root, "ModelVariables"), *from = dimension;
    const char *reference = ri_xml_attribute(dimension, "valueReference");
    double extent;
    for (const RiXmlNode *n = reference && all ? all->first_child : NULL; n; n = n->next)
        if (strcmp(attribute(n, "valueReference", ""), reference) == 0)
            from = n;
    RI_TRY(number(r, from, "start", 0.0, &extent));
    if (!(extent >= 1.0 && extent <= FMU_ELEMENTS) || extent != floor(extent))
        return wrong(r, dimension, "the extent of an array is not from 1 to 1024", attribute(from, "start", reference));
    *out = (int)extent;
    return RI_OK;
}

static RiStatus read_shape(const Reading *r, const RiXmlNode *type, FmuVariable *v)
{
    for (const RiXmlNode *n = type->first_child; n; n = n->next) {
        if (strcmp(n->name, "Dimension") != 0)
            continue;
        if (v->dimensions == FMU_DIMENSIONS)
            return wrong(r, n, "an array has more than 3 dimensions; variable", v->name);
        RI_TRY(read_extent(r, n, &v->shape[v->dimensions]));
        v->size *= v->shape[v->dimensions++];
        if (v->size > FMU_ELEMENTS)
            return wrong(r, n, "an array has more than 1024 elements; variable", v->name);
    }
    return RI_OK;
}

/// Start values; a list that is too short goes on with its last one.
static RiStatus read_start(const Reading *r, const RiXmlNode *type, FmuVariable *v)
{
    const char *text = attribute(type, "start", "");
    double *start = ri_arena_alloc(&r->d->arena, (size_t)v->size, sizeof *start), last = 0.0;
    if (!start)
        return ri_error_memory(r->ctx);
    for (int i = 0; i < v->size; i++) {
        RI_TRY(next_number(r, type, "start", &text, last, &last));
        start[i] = v->factor * last + v->offset;
    }
    v->start = start;
    return RI_OK;
}

/// `node` has name and causality, `type` unit, start and limits: two elements in FMI 2.0, one in
/// 3.0.
static RiStatus read_variable(const Reading *r, const RiXmlNode *node, const RiXmlNode *type, FmuVariable *v)
{
    const char *name = ri_xml_attribute(node, "name"), *reference = ri_xml_attribute(node, "valueReference");
    const RiXmlNode *declared = declared_type(r, ri_xml_attribute(type, "declaredType"));
    double vr, low, high;
    if (!name || !*name || !reference)
        return wrong(r, node, "a variable has no name or no valueReference", name);
    if (!ri_number_parse(reference, strlen(reference), &vr) || vr < 0 || vr > 4294967295.0 || vr != floor(vr))
        return wrong(r, node, "valueReference is not a whole number from 0 to 4294967295", reference);
    *v = (FmuVariable){.reference = (FmiReference)vr, .size = 1, .factor = 1.0, .line = node->line};
    v->kind = kind_of(type->name, r->d->version, &v->word);
    v->name = ri_arena_string(&r->d->arena, name);
    v->doc = ri_arena_string(&r->d->arena, attribute(node, "description", name));
    if (!v->name || !v->doc)
        return ri_error_memory(r->ctx);
    v->causality = causality_of(attribute(node, "causality", "local"));
    v->tunable = strcmp(attribute(node, "variability", ""), "tunable") == 0;
    if (v->kind == FMU_OTHER && (v->causality == FMU_INPUT || v->causality == FMU_OUTPUT) && r->d->left_out++ == 0)
        r->d->one_left = v->name;
    const RiXmlNode *limits =
        declared && !ri_xml_attribute(type, "min") && !ri_xml_attribute(type, "max") ? declared : type;
    if (v->kind == FMU_OTHER || v->causality == FMU_LOCAL)
        return RI_OK;
    RI_TRY(find_unit(r, v, attribute(type, "unit", declared ? ri_xml_attribute(declared, "unit") : NULL)));
    RI_TRY(read_shape(r, type, v));
    RI_TRY(read_start(r, type, v));
    RI_TRY(number(r, limits, "min", -INFINITY, &low));
    RI_TRY(number(r, limits, "max", INFINITY, &high));
    const double a = v->factor * low + v->offset, b = v->factor * high + v->offset;
    v->low = fmin(a, b);
    v->high = fmax(a, b);
    return RI_OK;
}

static RiStatus read_variables(Reading *r)
{
    const RiXmlNode *all = ri_xml_child(r->root, "ModelVariables");
    int count = 0;
    for (const RiXmlNode *n = all ? all->first_child : NULL; n; n = n->next)
        count++;
    if (count == 0 || count > FMU_VARIABLES)
        return ri_error(r->ctx, RI_ERR_FORMAT, "%s: %d variables; 1 to %d are allowed", r->path, count, FMU_VARIABLES);
    r->d->variables = ri_arena_alloc(&r->d->arena, (size_t)count, sizeof *r->d->variables);
    if (!r->d->variables)
        return ri_error_memory(r->ctx);
    for (const RiXmlNode *n = all->first_child; n; n = n->next) {
        const RiXmlNode *type = r->d->version == 2 ? n->first_child : n;
        FmuWord word;
        while (type && r->d->version == 2 && kind_of(type->name, 2, &word) == FMU_OTHER && type->next)
            type = type->next; // annotations
        if (!type)
            return wrong(r, n, "a variable has no type", ri_xml_attribute(n, "name"));
        RI_TRY(read_variable(r, n, type, &r->d->variables[r->d->count++]));
    }
    return RI_OK;
}

// --- the whole -----------------------------------------------------------------------------------

static RiStatus read_head(Reading *r)
{
    FmuDescription *d = r->d;
    const RiXmlNode *root = r->root, *cs = ri_xml_child(root, "CoSimulation");
    const char *version = attribute(root, "fmiVersion", "");
    if (strcmp(root->name, "fmiModelDescription") != 0)
        return wrong(r, root, "the root element is not fmiModelDescription", root->name);
    d->version = strcmp(version, "2.0") == 0 ? 2 : strncmp(version, "3.0", 3) == 0 ? 3 : 0;
    if (!d->version)
        return wrong(r, root, "fmiVersion is neither 2.0 nor 3.0", version);
    if (!cs)
        return wrong(r, root, "the FMU has no co-simulation; this is not supported", attribute(root, "modelName", ""));
    const char *guid = ri_xml_attribute(root, d->version == 2 ? "guid" : "instantiationToken");
    const char *identifier = ri_xml_attribute(cs, "modelIdentifier");
    if (!guid || !identifier || !*identifier || strpbrk(identifier, "/\\.") || strlen(identifier) > 200)
        return wrong(r, cs, "guid (instantiationToken) or modelIdentifier is missing or not an identifier", identifier);
    d->guid = ri_arena_string(&d->arena, guid);
    d->identifier = ri_arena_string(&d->arena, identifier);
    d->name = ri_arena_string(&d->arena, attribute(root, "modelName", identifier));
    d->doc = ri_arena_string(&d->arena, attribute(root, "description", attribute(root, "modelName", identifier)));
    if (!d->guid || !d->identifier || !d->name || !d->doc)
        return ri_error_memory(r->ctx);
    if (is_true(cs, "needsExecutionTool"))
        return wrong(r, cs, "the FMU needs a tool to run (needsExecutionTool)", identifier);
    d->can_save = is_true(cs, d->version == 2 ? "canGetAndSetFMUstate" : "canGetAndSetFMUState") &&
                  is_true(cs, d->version == 2 ? "canSerializeFMUstate" : "canSerializeFMUState");
    return number(r, cs, "fixedInternalStepSize", 0.0, &d->step);
}

RiStatus ri_fmu_describe(RiContext *ctx, const char *path, const char *text, size_t size, FmuDescription *out)
{
    RiXml xml;
    *out = (FmuDescription){0};
    ri_arena_init(&out->arena, ctx);
    RiStatus status = ri_xml_parse(ctx, path, text, size, &xml);
    if (status == RI_OK) {
        Reading r = {.ctx = ctx, .path = path, .root = xml.root, .d = out};
        status = read_head(&r);
        if (status == RI_OK)
            status = read_variables(&r);
    }
    ri_xml_free(&xml);
    return status;
}

void ri_fmu_description_free(FmuDescription *d)
{
    ri_arena_free(&d->arena);
    *d = (FmuDescription){.arena = d->arena};
}
