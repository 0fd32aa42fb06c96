// SPDX-License-Identifier: Apache-2.0
/// \file
/// A scene as an FMU. The scene is built once to learn which files it reads and what its values
/// are; all of that goes into the archive:
///
///     modelDescription.xml                 what other tools see
///     binaries/linux64/NAME.so + libraries the program; its own libraries are found beside it
///     resources/rille.txt                  scene, settings, folders, and the named value of every variable
///     resources/files/...                  the files, in folders that lie to each other as they did
#include <rille/fmu.h>

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/version.h>

#include "base/expr.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/opened.h"
#include "base/shared_object.h"
#include "io/file/file.h"
#include "io/file/sink.h"
#include "io/fmu/zip.h"

enum { FILES = 4096, VARIABLES = 4096, LIBRARIES = 256, NAME = 100 };

typedef enum Role { INPUT, OUTPUT, PARAMETER } Role;

typedef struct Variable {
    int value;
    Role role;
} Variable;

typedef struct Export {
    RiContext *ctx;
    const RiFmuOptions *o;
    const RiSceneOptions *scene_options;
    const char *path;
    RiScene *scene;
    const RiValues *values;
    RiArena arena;
    const char *files[FILES]; ///< real paths
    int file_count;
    bool files_lost;
    char scene_path[PATH_MAX];
    size_t root; ///< length of the folder that all files lie in, with its slash
    Variable variables[VARIABLES];
    int variable_count;
    char name[NAME];
    uint64_t hash;
    RiZip zip;
    char *text; ///< being written
    size_t text_size, text_room;
    bool text_lost;
} Export;

// --- text ----------------------------------------------------------------------------------------

static void add(Export *e, const char *format, ...) RI_PRINTF(2, 3);
static void add(Export *e, const char *format, ...)
{
    va_list args;
    for (int turn = 0; turn < 2; turn++) {
        va_start(args, format);
        const int n = vsnprintf(e->text ? e->text + e->text_size : NULL, e->text_room - e->text_size, format, args);
        va_end(args);
        if (n >= 0 && (size_t)n < e->text_room - e->text_size) {
            e->text_size += (size_t)n;
            return;
        }
        const size_t room = 2 * e->text_room + (size_t)n + 4096;
        char *more = ri_resize(e->ctx, e->text, room, 1);
        e->text_lost = e->text_lost || !more;
        if (!more)
            return;
        e->text = more;
        e->text_room = room;
    }
}

/// Text of an XML attribute.
static void add_escaped(Export *e, const char *text)
{
    for (const char *p = text; *p; p++) {
        const char *word = *p == '&' ? "&amp;" : *p == '<' ? "&lt;" : *p == '>' ? "&gt;" : *p == '"' ? "&quot;" : NULL;
        if (word)
            add(e, "%s", word);
        else
            add(e, "%c", (unsigned char)*p < ' ' ? ' ' : *p);
    }
}

static void add_attribute(Export *e, const char *name, const char *value)
{
    add(e, " %s=\"", name);
    add_escaped(e, value);
    add(e, "\"");
}

static void add_number(Export *e, const char *name, double x)
{
    char number[40];
    add(e, " %s=\"%s\"", name, ri_number_text(x, number));
}

static RiStatus put_text(Export *e, const char *name)
{
    if (e->text_lost)
        return ri_error_memory(e->ctx);
    const RiStatus status = ri_zip_add(&e->zip, name, e->text, e->text_size, true);
    e->text_size = 0;
    return status;
}

// --- files ---------------------------------------------------------------------------------------

static void on_opened(void *user, const char *path)
{
    Export *e = user;
    char real[PATH_MAX];
    if (!realpath(path, real))
        return; // whoever opens it will say so
    for (int i = 0; i < e->file_count; i++)
        if (strcmp(e->files[i], real) == 0)
            return;
    const char *copy = e->file_count < FILES ? ri_arena_string(&e->arena, real) : NULL;
    e->files_lost = e->files_lost || !copy;
    if (copy)
        e->files[e->file_count++] = copy;
}

static void find_root(Export *e)
{
    e->root = strlen(e->files[0]);
    for (int i = 0; i < e->file_count; i++) {
        size_t n = 0;
        while (n < e->root && e->files[i][n] == e->files[0][n])
            n++;
        e->root = n;
    }
    while (e->root > 0 && e->files[0][e->root - 1] != '/')
        e->root--;
}

static RiStatus put_file(Export *e, const char *name, const char *path)
{
    FILE *file = fopen(path, "rbe");
    unsigned char *data = NULL;
    long size = -1;
    if (file && fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 && size < RI_ZIP_MOST)
        data = ri_alloc(e->ctx, (size_t)size + 1, 1);
    const bool good = data && fseek(file, 0, SEEK_SET) == 0 && fread(data, 1, (size_t)size, file) == (size_t)size;
    const int code = errno;
    if (file)
        fclose(file);
    RiStatus status = good ? RI_OK : ri_error(e->ctx, RI_ERR_IO, "%s: cannot be read: %s", path, strerror(code));
    if (good) {
        e->hash = ri_hash(e->hash, data, (size_t)size);
        status = ri_zip_add(&e->zip, name, data, (size_t)size, true);
    }
    ri_release(e->ctx, data);
    return status;
}

static RiStatus put_files(Export *e)
{
    char name[PATH_MAX + 64];
    for (int i = 0; i < e->file_count; i++) {
        snprintf(name, sizeof name, "resources/files/%s", e->files[i] + e->root);
        RI_TRY(put_file(e, name, e->files[i]));
    }
    return RI_OK;
}

// --- libraries -----------------------------------------------------------------------------------

/// Libraries that every Linux has, and that must not be there twice.
static bool is_of_system(const char *name)
{
    static const char *const names[] = {"libc.so",       "libm.so",    "libpthread.so", "libdl.so",
                                        "librt.so",      "ld-linux",   "libgcc_s.so",   "libstdc++.so",
                                        "linux-vdso.so", "libasan.so", "libubsan.so",   "libtsan.so"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static const struct link_map *find_library(const struct link_map *any, const char *name)
{
    while (any->l_prev)
        any = any->l_prev;
    for (; any; any = any->l_next) {
        const char *slash = any->l_name ? strrchr(any->l_name, '/') : NULL;
        if (slash && strcmp(slash + 1, name) == 0)
            return any;
    }
    return NULL;
}

/// Adds the libraries that `from` needs, and those that they need.
static RiStatus gather_libraries(Export *e, const struct link_map *from, const struct link_map **list, int *count)
{
    const char *strings = NULL;
    for (const ElfW(Dyn) *d = from->l_ld; d->d_tag != DT_NULL; d++)
        if (d->d_tag == DT_STRTAB)
            strings = (const char *)d->d_un.d_ptr;
    for (const ElfW(Dyn) *d = from->l_ld; strings && d->d_tag != DT_NULL; d++) {
        const char *name = d->d_tag == DT_NEEDED ? strings + d->d_un.d_val : NULL;
        bool known = !name || is_of_system(name);
        const struct link_map *library = known ? NULL : find_library(from, name);
        for (int i = 0; i < *count && library; i++)
            known = known || list[i] == library;
        if (known)
            continue;
        if (!library || *count == LIBRARIES)
            return ri_error(e->ctx, RI_ERR_IO, "%s: needs the library '%s', which is not found", e->o->library, name);
        list[(*count)++] = library;
        RI_TRY(gather_libraries(e, library, list, count));
    }
    return RI_OK;
}

static const char *machine(const Export *e)
{
#if defined(__x86_64__)
    return e->o->version == 2 ? "linux64" : "x86_64-linux";
#else
    (void)e;
    return "aarch64-linux";
#endif
}

static RiStatus put_libraries(Export *e)
{
    const struct link_map *list[LIBRARIES], *own = NULL;
    char name[PATH_MAX + 64];
    int count = 0;
    void *handle;
    RI_TRY(ri_shared_object_open(e->ctx, e->o->library, &handle));
    if (dlinfo(handle, RTLD_DI_LINKMAP, &own) != 0) {
        dlclose(handle);
        return ri_error(e->ctx, RI_ERR_IO, "%s: the loader does not say what it needs", e->o->library);
    }
    RiStatus status = gather_libraries(e, own, list, &count);
    snprintf(name, sizeof name, "binaries/%s/%s.so", machine(e), e->name);
    if (status == RI_OK)
        status = put_file(e, name, e->o->library);
    for (int i = 0; i < count && status == RI_OK; i++) {
        snprintf(name, sizeof name, "binaries/%s/%s", machine(e), strrchr(list[i]->l_name, '/') + 1);
        status = put_file(e, name, list[i]->l_name);
    }
    dlclose(handle);
    return status;
}

// --- variables -----------------------------------------------------------------------------------

static RiStatus add_variable(Export *e, int value, Role role)
{
    static const char *const roles[] = {"input", "output", "parameter"};
    const RiValue *v = ri_values_get(e->values, value);
    for (int i = 0; i < e->variable_count; i++)
        if (e->variables[i].value == value && e->variables[i].role == role)
            return RI_OK; // two globs
        else if (e->variables[i].value == value)
            return ri_error(e->ctx, RI_ERR_ARGUMENT, "fmu: '%s' is %s and %s; a value has one role", v->name,
                            roles[e->variables[i].role], roles[role]);
    if (strcmp(v->name, "time") == 0)
        return role == OUTPUT ? RI_OK
                              : ri_error(e->ctx, RI_ERR_ARGUMENT, "fmu: 'time' cannot be set"); // every FMU has it
    if (role != OUTPUT && !v->writable)
        return ri_error(e->ctx, RI_ERR_ARGUMENT, "fmu: '%s' cannot be an %s: it is read-only (%s)", v->name,
                        roles[role], ri_value_kind_name(v->kind));
    if (e->variable_count == VARIABLES)
        return ri_error(e->ctx, RI_ERR_LIMIT, "fmu: more than %d variables", VARIABLES);
    e->variables[e->variable_count++] = (Variable){value, role};
    return RI_OK;
}

static RiStatus pick(Export *e, const char *const *globs, int count, Role role)
{
    for (int i = 0; i < count; i++) {
        int value = ri_values_find(e->values, globs[i]);
        if (value >= 0) {
            RI_TRY(add_variable(e, value, role));
            continue;
        }
        value = ri_values_match(e->values, globs[i], 0);
        if (value < 0)
            return ri_error(e->ctx, RI_ERR_NOT_FOUND,
                            "fmu: no value matches '%s'; 'rille run %s --list \"*\"' shows all", globs[i],
                            ri_scene_name(e->scene));
        for (; value >= 0; value = ri_values_match(e->values, globs[i], value + 1))
            if (role == OUTPUT || ri_values_get(e->values, value)->writable)
                RI_TRY(add_variable(e, value, role));
    }
    return RI_OK;
}

// --- modelDescription.xml ------------------------------------------------------------------------

static void add_units(Export *e)
{
    static const char *const names[RI_DIM_COUNT] = {"m", "kg", "s", "A", "K", "rad"};
    const char *done[64];
    int count = 0;
    add(e, "  <UnitDefinitions>\n    <Unit name=\"s\"><BaseUnit s=\"1\"/></Unit>\n");
    done[count++] = "s";
    for (int i = 0; i < e->variable_count && count < 64; i++) {
        const char *unit = ri_values_get(e->values, e->variables[i].value)->unit;
        RiQuantity q;
        RiExprError error;
        bool known = !*unit;
        for (int k = 0; k < count; k++)
            known = known || strcmp(done[k], unit) == 0;
        if (known || ri_unit_parse(unit, strlen(unit), &q, &error) != RI_OK)
            continue;
        done[count++] = unit;
        add(e, "    <Unit");
        add_attribute(e, "name", unit);
        add(e, "><BaseUnit");
        for (int k = 0; k < RI_DIM_COUNT; k++)
            if (q.dim.e[k])
                add(e, " %s=\"%d\"", names[k], q.dim.e[k]);
        add(e, "/></Unit>\n");
    }
    add(e, "  </UnitDefinitions>\n");
}

/// Unit, limits and start of a variable. Integers and booleans have no unit.
static void add_type(Export *e, const Variable *x, const RiValue *v)
{
    const double start = ri_values_read(e->values, x->value);
    if (v->type == RI_VALUE_REAL && *v->unit)
        add_attribute(e, "unit", v->unit);
    if (x->role != OUTPUT && v->type != RI_VALUE_BOOL && isfinite(v->low))
        add_number(e, "min", v->low);
    if (x->role != OUTPUT && v->type != RI_VALUE_BOOL && isfinite(v->high))
        add_number(e, "max", v->high);
    if (x->role == OUTPUT)
        return;
    if (v->type == RI_VALUE_BOOL)
        add(e, " start=\"%s\"", start != 0.0 ? "true" : "false");
    else
        add_number(e, "start", start);
}

static void add_head(Export *e, const Variable *x, const RiValue *v, int reference)
{
    static const char *const roles[] = {"input", "output", "parameter"};
    add_attribute(e, "name", v->name);
    add(e, " valueReference=\"%d\"", reference);
    if (*v->doc)
        add_attribute(e, "description", v->doc);
    add(e, " causality=\"%s\" variability=\"%s\"", roles[x->role],
        x->role == PARAMETER       ? "tunable"
        : v->type == RI_VALUE_REAL ? "continuous"
                                   : "discrete");
    if (x->role != INPUT)
        add(e, " initial=\"%s\"", x->role == OUTPUT ? "calculated" : "exact");
}

static void add_variables(Export *e)
{
    static const char *const two[] = {"Real", "Integer", "Boolean"}, *const three[] = {"Float64", "Int32", "Boolean"};
    add(e, "  <ModelVariables>\n");
    if (e->o->version == 2)
        add(e, "    <ScalarVariable name=\"time\" valueReference=\"0\" description=\"simulated time\" "
               "causality=\"independent\" variability=\"continuous\"><Real unit=\"s\"/></ScalarVariable>\n");
    else
        add(e, "    <Float64 name=\"time\" valueReference=\"0\" description=\"simulated time\" "
               "causality=\"independent\" variability=\"continuous\" unit=\"s\"/>\n");
    for (int i = 0; i < e->variable_count; i++) {
        const Variable *x = &e->variables[i];
        const RiValue *v = ri_values_get(e->values, x->value);
        add(e, "    <%s", e->o->version == 2 ? "ScalarVariable" : three[v->type]);
        add_head(e, x, v, i + 1);
        if (e->o->version == 2)
            add(e, "><%s", two[v->type]);
        add_type(e, x, v);
        add(e, e->o->version == 2 ? "/></ScalarVariable>\n" : "/>\n");
    }
    add(e, "  </ModelVariables>\n");
}

static void add_structure(Export *e)
{
    const bool two = e->o->version == 2;
    add(e, "  <ModelStructure>\n");
    for (int pass = 0; pass < 2; pass++) { // outputs, and which of them are computed at the start: all
        if (two)
            add(e, "    <%s>\n", pass ? "InitialUnknowns" : "Outputs");
        for (int i = 0; i < e->variable_count; i++)
            if (e->variables[i].role == OUTPUT && two)
                add(e, "      <Unknown index=\"%d\"/>\n", i + 2);
            else if (e->variables[i].role == OUTPUT)
                add(e, "    <%s valueReference=\"%d\"/>\n", pass ? "InitialUnknown" : "Output", i + 1);
        if (two)
            add(e, "    </%s>\n", pass ? "InitialUnknowns" : "Outputs");
    }
    add(e, "  </ModelStructure>\n");
}

static RiStatus put_description(Export *e)
{
    const double tick = ri_sim_options(ri_scene_sim(e->scene))->tick;
    const bool two = e->o->version == 2;
    bool any = false;
    for (int i = 0; i < e->variable_count; i++)
        any = any || e->variables[i].role == OUTPUT;
    if (!any)
        return ri_error(e->ctx, RI_ERR_ARGUMENT, "fmu: no output is given; an FMU without outputs tells nothing");
    add(e, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"%s\"", two ? "2.0" : "3.0");
    add_attribute(e, "modelName", ri_scene_name(e->scene));
    add(e, " %s=\"{rille-%016llx}\"", two ? "guid" : "instantiationToken", (unsigned long long)e->hash);
    if (*ri_scene_doc(e->scene))
        add_attribute(e, "description", ri_scene_doc(e->scene));
    add(e, " generationTool=\"Rille %s\" variableNamingConvention=\"flat\"%s>\n", ri_version(),
        two ? " numberOfEventIndicators=\"0\"" : "");
    add(e, "  <CoSimulation modelIdentifier=\"%s\" canHandleVariableCommunicationStepSize=\"true\" ", e->name);
    if (two)
        add(e, "canNotUseMemoryManagementFunctions=\"true\" canGetAndSetFMUstate=\"true\" "
               "canSerializeFMUstate=\"true\"/>\n");
    else {
        add(e, "canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\"");
        add_number(e, "fixedInternalStepSize", tick);
        add(e, "/>\n");
    }
    add_units(e);
    add(e, two ? "  <LogCategories>\n    <Category name=\"logStatusError\"/>\n  </LogCategories>\n"
               : "  <LogCategories>\n    <Category name=\"logStatusError\" description=\"what went wrong\"/>\n  "
                 "</LogCategories>\n");
    add(e, "  <DefaultExperiment startTime=\"0\"");
    add_number(e, "stopTime", ri_scene_duration(e->scene));
    add_number(e, "stepSize", tick);
    add(e, "/>\n");
    add_variables(e);
    add_structure(e);
    add(e, "</fmiModelDescription>\n");
    return put_text(e, "modelDescription.xml");
}

// --- resources -----------------------------------------------------------------------------------

/// A folder that files were found in, as the library will see it.
static void add_folder(Export *e, const char *word, const char *folder)
{
    char real[PATH_MAX];
    if (!folder || !realpath(folder, real) || strlen(real) + 1 < e->root ||
        strncmp(real, e->files[0], e->root - 1) != 0)
        return;
    add(e, "%s %s\n", word, strlen(real) + 1 == e->root ? "." : real + e->root);
}

static RiStatus put_settings(Export *e)
{
    const RiSceneOptions *o = e->scene_options;
    add(e, "scene %s\n", e->scene_path + e->root);
    for (int i = 0; o && i < o->robot_path_count; i++)
        add_folder(e, "robots", o->robot_paths[i]);
    for (int i = 0; o && i < o->terrain_path_count; i++)
        add_folder(e, "terrains", o->terrain_paths[i]);
    add_folder(e, "soils", o ? o->soils : NULL);
    for (int i = 0; o && i < o->setting_count; i++)
        add(e, "set %s=%s\n", o->settings[i].name, o->settings[i].value);
    add(e, "token {rille-%016llx}\n", (unsigned long long)e->hash);
    for (int i = 0; i < e->variable_count; i++)
        add(e, "%s %s\n", e->variables[i].role == OUTPUT ? "out" : "in",
            ri_values_get(e->values, e->variables[i].value)->name);
    return put_text(e, "resources/rille.txt");
}

// --- the whole -----------------------------------------------------------------------------------

static RiStatus load(Export *e, const char *scene)
{
    ri_context_watch_opened(e->ctx, on_opened, e);
    RiStatus status = ri_scene_load(e->ctx, scene, e->scene_options, &e->scene);
    if (status == RI_OK)
        status = ri_scene_build(e->scene);
    ri_context_watch_opened(e->ctx, NULL, NULL);
    RI_TRY(status);
    if (e->files_lost || e->file_count == 0 || !realpath(scene, e->scene_path))
        return ri_error(e->ctx, RI_ERR_LIMIT,
                        "%s: the scene reads more than %d files, or there is no memory for their list", scene, FILES);
    e->values = ri_sim_values(ri_scene_sim(e->scene));
    ri_file_name(ri_scene_name(e->scene), e->name, sizeof e->name);
    for (char *p = e->name; *p; p++)
        *p = *p == '-' ? '_' : *p; // the name of a C function may be made of it
    find_root(e);
    return RI_OK;
}

static RiStatus write_all(Export *e, const char *scene)
{
    if (e->o->version != 2 && e->o->version != 3)
        return ri_error(e->ctx, RI_ERR_ARGUMENT, "fmu: FMI version %d; allowed: 2, 3", e->o->version);
    RI_TRY(load(e, scene));
    RI_TRY(pick(e, e->o->inputs, e->o->input_count, INPUT));
    RI_TRY(pick(e, e->o->outputs, e->o->output_count, OUTPUT));
    RI_TRY(pick(e, e->o->parameters, e->o->parameter_count, PARAMETER));
    RI_TRY(put_files(e));
    RI_TRY(put_libraries(e));
    RI_TRY(put_settings(e));
    RI_TRY(put_description(e));
    RI_TRY(ri_zip_finish(&e->zip));
    return ri_file_write(e->ctx, e->path, e->zip.data, e->zip.size);
}

RiFmuOptions ri_fmu_options_default(void)
{
    return (RiFmuOptions){.version = 2};
}

RiStatus ri_fmu_export(RiContext *ctx, const char *scene, const RiSceneOptions *options, const RiFmuOptions *fmu,
                       const char *path)
{
    Export *e = ri_alloc_zero(ctx, 1, sizeof *e);
    if (!e)
        return ri_error_memory(ctx);
    e->ctx = ctx;
    e->o = fmu;
    e->scene_options = options;
    e->path = path;
    ri_arena_init(&e->arena, ctx);
    ri_zip_init(&e->zip, ctx, path);
    const RiStatus status = write_all(e, scene);
    ri_scene_destroy(e->scene);
    ri_zip_free(&e->zip);
    ri_arena_free(&e->arena);
    ri_release(ctx, e->text);
    ri_release(ctx, e);
    return status;
}
