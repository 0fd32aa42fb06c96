// SPDX-License-Identifier: Apache-2.0
/// \file
/// A scene's messages, meshes, ground and values: into a view, or into a log.
#include "link/show.h"

#include <stdio.h>
#include <string.h>

#include "link/ground.h"
#include "link/scene.h"
#include "link/view_work.h"

enum { MESH_FILES = 4096 };

/// Meshes met so far; each is taken once.
typedef struct Meshes {
    RiContext *ctx;
    RiView *view; ///< one of the two gets the meshes
    RiRecord *record;
    int run;
    RiSceneMesh met[MESH_FILES]; ///< of the spec
    int numbers[MESH_FILES];
    int count, next, tiles;
} Meshes;

static RiStatus store_mesh(Meshes *m, const RiText *bytes, int *out_number)
{
    char name[32];
    if (m->view)
        return ri_view_add_mesh(m->view, bytes->at, bytes->size, out_number);
    snprintf(name, sizeof name, "mesh/%d", m->next);
    RI_TRY(ri_record_attach(m->record, name, "application/octet-stream", bytes->at, bytes->size));
    *out_number = m->next++;
    return RI_OK;
}

static void tell_missing(Meshes *m)
{
    char text[300];
    snprintf(text, sizeof text, "a mesh is not shown: %.250s", ri_context_message(m->ctx));
    if (m->view)
        ri_view_event(m->view, m->run, RI_VIEW_EVENT_NOTE, 0.0, text);
    ri_context_clear(m->ctx);
}

static RiStatus add_mesh(void *user, const RiSceneMesh *mesh, int *out_number)
{
    Meshes *m = user;
    *out_number = -1;
    for (int i = 0; i < m->count; i++)
        if (ri_scene_mesh_equal(&m->met[i], mesh)) {
            *out_number = m->numbers[i];
            return RI_OK;
        }
    if (m->count == MESH_FILES)
        return RI_OK;
    const RiAllocator memory = ri_plain_memory();
    RiText bytes;
    ri_text_init(&bytes, &memory);
    RiStatus status = ri_scene_mesh_bytes(m->ctx, mesh, &bytes);
    if (status == RI_OK) {
        status = bytes.size > 0 ? store_mesh(m, &bytes, out_number) : RI_OK;
    } else if (status != RI_ERR_MEMORY) {
        tell_missing(m);
        status = RI_OK;
    }
    ri_text_free(&bytes);
    m->met[m->count] = *mesh;
    m->numbers[m->count++] = *out_number;
    return status;
}

int ri_show_contacts(const RiSim *sim, RiViewContact *out)
{
    const int count = ri_sim_touch_count(sim) < RI_SHOW_CONTACTS ? ri_sim_touch_count(sim) : RI_SHOW_CONTACTS;
    for (int i = 0; i < count; i++) {
        const RiTouchInfo *touch = ri_sim_touch(sim, i);
        out[i] = (RiViewContact){touch->point, touch->force};
    }
    return count;
}

// --- ground ---

/// A tile into the view or the log.
static RiStatus take_tile(void *user, uint64_t key, const void *data, size_t size)
{
    Meshes *m = user;
    char name[48];
    if (m->view)
        return ri_view_keep(m->view, ri_show_key(SHOW_TILES, m->run) | key << 8, false, data, size);
    snprintf(name, sizeof name, "terrain/%d", m->tiles++);
    return ri_record_attach(m->record, name, "application/octet-stream", data, size);
}

// --- values --------------------------------------------------------------------------------------

static void write_values(RiText *t, const RiValues *values, int run)
{
    ri_text_format(t, "{\"op\":\"values\",\"run\":%d,\"values\":[", run);
    for (int i = 0; i < ri_values_count(values); i++) {
        const RiValue *x = ri_values_get(values, i);
        ri_text_format(t, "%s{\"i\":%d,\"name\":", i ? "," : "", i);
        ri_text_string(t, x->name);
        ri_text_add(t, ",\"unit\":");
        ri_text_string(t, x->unit);
        ri_text_format(t, ",\"kind\":\"%s\",\"writable\":%s,\"doc\":", ri_value_kind_name(x->kind),
                       x->writable ? "true" : "false");
        ri_text_string(t, x->doc);
        ri_text_add(t, "}");
    }
    ri_text_add(t, "]}");
}

// --- into a view, into a log ---------------------------------------------------------------------

static RiStatus keep(RiContext *ctx, RiView *view, int what, int run, const RiText *t)
{
    if (t->failed)
        return ri_error(ctx, RI_ERR_MEMORY, "out of memory");
    return ri_view_keep(view, ri_show_key(what, run), true, t->at, t->size);
}

static RiStatus keep_messages(RiContext *ctx, RiView *view, RiScene *scene, int run, Meshes *meshes)
{
    const RiAllocator memory = ri_plain_memory();
    RiText t;
    ri_text_init(&t, &memory);
    RiStatus status = ri_scene_message(ctx, scene, run, add_mesh, meshes, &t);
    if (status == RI_OK)
        status = keep(ctx, view, SHOW_SCENE, run, &t);
    ri_text_free(&t);
    if (status == RI_OK) {
        write_values(&t, ri_sim_values(ri_scene_sim(scene)), run);
        status = keep(ctx, view, SHOW_VALUES, run, &t);
    }
    if (status == RI_OK)
        status = ri_ground_tiles(ctx, ri_scene_sim(scene), run, take_tile, meshes);
    ri_text_free(&t);
    return status;
}

static Meshes *create_meshes(RiContext *ctx, const RiAllocator *memory, RiView *view, RiRecord *record)
{
    Meshes *m = memory->resize(memory->user, NULL, sizeof *m);
    if (m) {
        m->ctx = ctx;
        m->view = view;
        m->record = record;
        m->run = m->count = m->next = m->tiles = 0;
    }
    return m;
}

RiStatus ri_show_scene(RiContext *ctx, RiView *view, RiScene *scene, int *out_run)
{
    const RiAllocator memory = ri_plain_memory();
    const RiSim *sim = ri_scene_sim(scene);
    const RiModel *model = ri_sim_model(sim);
    const int links = ri_model_link_count(model);
    const char **names = memory.resize(memory.user, NULL, ((size_t)links + 1) * sizeof *names);
    if (!names)
        return ri_error(ctx, RI_ERR_MEMORY, "out of memory");
    for (int i = 0; i < links; i++)
        names[i] = ri_model_frame_name(model, i);
    const RiViewRun def = {.name = ri_scene_name(scene),
                           .scene = ri_scene_name(scene),
                           .bodies = links,
                           .names = names,
                           .springs = ri_sim_spring_count(sim),
                           .contacts = RI_SHOW_CONTACTS};
    const RiStatus added = ri_view_add_run(view, &def, out_run);
    memory.release(memory.user, names);
    RI_TRY(added);
    Meshes *meshes = create_meshes(ctx, &memory, view, NULL);
    if (!meshes)
        return ri_error(ctx, RI_ERR_MEMORY, "out of memory");
    meshes->run = *out_run;
    const RiStatus status = keep_messages(ctx, view, scene, *out_run, meshes);
    memory.release(memory.user, meshes);
    return status;
}

RiStatus ri_view_attach_scene(RiContext *ctx, const RiScene *scene, RiRecord *record)
{
    const RiAllocator memory = ri_plain_memory();
    RiText t;
    Meshes *meshes = create_meshes(ctx, &memory, NULL, record);
    if (!meshes)
        return ri_error(ctx, RI_ERR_MEMORY, "out of memory");
    ri_text_init(&t, &memory);
    RiStatus status = ri_scene_message(ctx, scene, 0, add_mesh, meshes, &t);
    if (status == RI_OK)
        status = ri_record_attach(record, "scene.json", "application/json", t.at, t.size);
    if (status == RI_OK)
        status = ri_ground_tiles(ctx, ri_scene_sim(scene), 0, take_tile, meshes);
    ri_text_free(&t);
    memory.release(memory.user, meshes);
    return status;
}
