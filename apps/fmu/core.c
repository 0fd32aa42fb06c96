// SPDX-License-Identifier: Apache-2.0
/// \file
/// A scene inside an FMU: built from its resources, stepped by its master.
#include "core.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rille/checkpoint.h>

enum { SETTINGS = 256, FOLDERS = 8, PATH = 4096 };

/// What rille.txt says.
typedef struct Plan {
    char scene[PATH];
    char folders[FOLDERS][PATH];
    const char *robots[FOLDERS], *terrains[FOLDERS], *soils;
    int folder_count, robot_count, terrain_count, setting_count;
    RiSetting settings[SETTINGS];
} Plan;

static const char *fail(Core *c, const char *what)
{
    snprintf(c->message, sizeof c->message, "%s", what);
    return c->message;
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rbe");
    long size = -1;
    char *text = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0)
        text = calloc((size_t)size + 1, 1);
    if (text && fread(text, 1, (size_t)size, file) != (size_t)size) {
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    return text;
}

static const char *put_folder(Plan *p, const char *files, const char *name)
{
    if (p->folder_count == FOLDERS || snprintf(p->folders[p->folder_count], PATH, "%s/%s", files, name) >= PATH)
        return NULL;
    return p->folders[p->folder_count++];
}

/// One line: a word and its text.
static bool read_line(Core *c, Plan *p, const char *files, const char *word, char *text)
{
    char *equals = strchr(text, '=');
    if (strcmp(word, "scene") == 0)
        return snprintf(p->scene, PATH, "%s/%s", files, text) < PATH;
    if (strcmp(word, "robots") == 0)
        return (p->robots[p->robot_count++] = put_folder(p, files, text)) != NULL;
    if (strcmp(word, "terrains") == 0)
        return (p->terrains[p->terrain_count++] = put_folder(p, files, text)) != NULL;
    if (strcmp(word, "soils") == 0)
        return (p->soils = put_folder(p, files, text)) != NULL;
    if (strcmp(word, "token") == 0) {
        c->token = text;
        return true;
    }
    if (strcmp(word, "set") == 0 && equals && p->setting_count < SETTINGS) {
        *equals = '\0';
        p->settings[p->setting_count++] = (RiSetting){text, equals + 1};
        return true;
    }
    c->inputs[c->count] = strcmp(word, "in") == 0;
    c->names[c->count++] = text;
    return c->inputs[c->count - 1] || strcmp(word, "out") == 0;
}

/// Room for as many values as there are lines.
static bool make_room(Core *c)
{
    size_t lines = 1;
    for (const char *p = c->text; *p; p++)
        lines += *p == '\n';
    c->values = calloc(lines, sizeof *c->values);
    c->inputs = calloc(lines, sizeof *c->inputs);
    c->names = calloc(lines, sizeof *c->names);
    return c->values && c->inputs && c->names;
}

/// Reads all lines of rille.txt, in place.
static bool each_line(Core *c, Plan *p, const char *files)
{
    for (char *line = c->text, *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        char *blank = strchr(line, ' ');
        if (!blank)
            return false;
        *blank = '\0';
        if (!read_line(c, p, files, line, blank + 1))
            return false;
    }
    return true;
}

static const char *find_values(Core *c)
{
    for (int i = 0; i < c->count; i++) {
        c->values[i] = ri_values_find(ri_sim_values(c->sim), c->names[i]);
        if (c->values[i] < 0)
            return fail(c, "a value of the scene is missing");
    }
    return NULL;
}

static const char *build(Core *c, const Plan *p)
{
    RiSceneOptions o = ri_scene_options_default();
    o.settings = p->settings;
    o.setting_count = p->setting_count;
    o.robot_paths = p->robots;
    o.robot_path_count = p->robot_count;
    o.terrain_paths = p->terrains;
    o.terrain_path_count = p->terrain_count;
    o.soils = p->soils;
    if (ri_context_create(NULL, &c->ctx) != RI_OK)
        return fail(c, "out of memory");
    if (ri_scene_load(c->ctx, p->scene, &o, &c->scene) != RI_OK || ri_scene_build(c->scene) != RI_OK)
        return fail(c, ri_context_message(c->ctx));
    c->sim = ri_scene_sim(c->scene);
    c->initial_size = ri_checkpoint_size(c->sim);
    c->initial = malloc(c->initial_size);
    if (!c->initial)
        return fail(c, "out of memory");
    ri_checkpoint_compose(c->sim, c->initial);
    return NULL;
}

const char *core_open(Core *c, const char *resources)
{
    char path[PATH];
    *c = (Core){0};
    Plan *p = calloc(1, sizeof *p);
    snprintf(path, sizeof path, "%s/rille.txt", resources);
    c->text = read_text(path);
    const char *why = NULL;
    snprintf(path, sizeof path, "%s/files", resources);
    if (!p || !c->text)
        why = fail(c, "resources/rille.txt cannot be read");
    else if (!make_room(c) || !each_line(c, p, path))
        why = fail(c, "resources/rille.txt is damaged");
    if (!why)
        why = build(c, p);
    if (!why)
        why = find_values(c);
    free(p);
    return why;
}

void core_close(Core *c)
{
    ri_scene_destroy(c->scene);
    ri_context_destroy(c->ctx);
    free(c->text);
    free(c->values);
    free(c->inputs);
    free(c->names);
    free(c->initial);
    *c = (Core){0};
}

const RiValue *core_value(const Core *c, FmiReference reference)
{
    if (reference < 1 || reference > (FmiReference)c->count)
        return NULL;
    return ri_values_get(ri_sim_values(c->sim), c->values[reference - 1]);
}

FmiStatus core_get(Core *c, FmiReference reference, RiValueType type, double *out_x)
{
    const RiValue *v = core_value(c, reference);
    *out_x = 0.0;
    if (reference == 0 && type == RI_VALUE_REAL) {
        *out_x = c->start + ri_sim_time(c->sim);
        return FMI_OK;
    }
    if (!v || v->type != type) {
        snprintf(c->message, sizeof c->message, "there is no variable of this type with the value reference %u",
                 reference);
        return FMI_ERROR;
    }
    *out_x = ri_values_read(ri_sim_values(c->sim), c->values[reference - 1]);
    return FMI_OK;
}

FmiStatus core_set(Core *c, FmiReference reference, RiValueType type, double x)
{
    const RiValue *v = core_value(c, reference);
    if (!v || v->type != type || !c->inputs[reference - 1]) {
        snprintf(c->message, sizeof c->message,
                 "there is no input or parameter of this type with the value reference %u", reference);
        return FMI_ERROR;
    }
    if (ri_values_write(ri_sim_values(c->sim), c->values[reference - 1], x) == RI_OK)
        return FMI_OK;
    snprintf(c->message, sizeof c->message, "refused, the last good one is held: %s", ri_context_message(c->ctx));
    return FMI_WARNING;
}

FmiStatus core_step(Core *c, double time, double step, double *out_time)
{
    const double tick = ri_sim_options(c->sim)->tick, end = (time - c->start + step) / tick;
    const long long last = llround(end);
    *out_time = c->start + ri_sim_time(c->sim);
    if (!(fabs(*out_time - time) < 0.5 * tick)) {
        snprintf(c->message, sizeof c->message, "a step from %.9g s was requested, but the FMU is at %.9g s", time,
                 *out_time);
        return FMI_ERROR;
    }
    if (!(step >= 0.0) || !(fabs(end - (double)last) < 1e-6 * fmax(1.0, fabs(end)))) {
        snprintf(c->message, sizeof c->message, "a step of %.9g s is not a whole number of ticks of %.9g s", step,
                 tick);
        return FMI_ERROR;
    }
    while (ri_sim_tick(c->sim) < last) {
        if (ri_sim_stopped(c->sim)) {
            snprintf(c->message, sizeof c->message, "the run has ended: %s", ri_sim_stopped(c->sim));
            return FMI_DISCARD;
        }
        if (ri_sim_step(c->sim) != RI_OK) {
            fail(c, ri_context_message(c->ctx));
            return FMI_ERROR;
        }
        *out_time = c->start + ri_sim_time(c->sim);
    }
    return FMI_OK;
}

FmiStatus core_reset(Core *c)
{
    c->start = 0.0;
    if (ri_checkpoint_parse(c->sim, "reset", c->initial, c->initial_size) == RI_OK)
        return FMI_OK;
    fail(c, ri_context_message(c->ctx));
    return FMI_ERROR;
}

FmiStatus core_save(Core *c, CoreState **state)
{
    const size_t size = ri_checkpoint_size(c->sim);
    if (!*state || (*state)->room < size) {
        CoreState *more = realloc(*state, sizeof *more + size);
        if (!more) {
            fail(c, "out of memory");
            return FMI_ERROR;
        }
        *state = more;
        more->room = size;
    }
    (*state)->size = size;
    (*state)->start = c->start;
    ri_checkpoint_compose(c->sim, (*state)->bytes);
    return FMI_OK;
}

FmiStatus core_load(Core *c, const CoreState *state)
{
    if (ri_checkpoint_parse(c->sim, "state", state->bytes, state->size) != RI_OK) {
        fail(c, ri_context_message(c->ctx));
        return FMI_ERROR;
    }
    c->start = state->start;
    return FMI_OK;
}

size_t core_packed_size(const CoreState *s)
{
    return sizeof *s + s->size;
}

FmiStatus core_pack(Core *c, const CoreState *s, unsigned char *bytes, size_t size)
{
    if (size < core_packed_size(s)) {
        snprintf(c->message, sizeof c->message, "%zu bytes are too few for a state of %zu", size, core_packed_size(s));
        return FMI_ERROR;
    }
    const CoreState head = {.size = s->size, .start = s->start};
    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + sizeof head, s->bytes, s->size);
    return FMI_OK;
}

FmiStatus core_unpack(Core *c, const unsigned char *bytes, size_t size, void **state)
{
    CoreState head = {0};
    if (size >= sizeof head)
        memcpy(&head, bytes, sizeof head);
    CoreState *s = size >= sizeof head && head.size == size - sizeof head ? realloc(*state, size) : NULL;
    if (!s) {
        snprintf(c->message, sizeof c->message, "%zu bytes are not a state of this FMU", size);
        return FMI_ERROR;
    }
    memcpy(s, bytes, size);
    s->room = s->size;
    *state = s;
    return FMI_OK;
}
