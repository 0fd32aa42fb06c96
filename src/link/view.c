// SPDX-License-Identifier: Apache-2.0
/// \file
/// The view as the simulation's thread sees it.
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "link/view_work.h"

RiViewOptions ri_view_options_default(void)
{
    return (RiViewOptions){.end = 0.0};
}

void *ri_view_alloc(RiView *v, size_t size)
{
    return v->memory.resize(v->memory.user, NULL, size ? size : 1);
}

void ri_view_release(RiView *v, void *block)
{
    v->memory.release(v->memory.user, block);
}

char *ri_view_copy(RiView *v, const char *text)
{
    const size_t n = strlen(text) + 1;
    char *copy = ri_view_alloc(v, n);
    return copy ? memcpy(copy, text, n) : NULL;
}

static RiStatus no_memory(RiView *v)
{
    return ri_error(v->ctx, RI_ERR_MEMORY, "out of memory");
}

/// Makes room for one more element of a list.
static bool grow(RiView *v, void **list, int count, int *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    const int bigger = *capacity ? 2 * *capacity : 32;
    void *grown = v->memory.resize(v->memory.user, *list, (size_t)bigger * size);
    if (!grown)
        return false;
    *list = grown;
    *capacity = bigger;
    return true;
}

// --- life cycle ----------------------------------------------------------------------------------

static RiStatus choose_token(RiView *v, const char *token)
{
    unsigned char bytes[16];
    if (!token) {
        if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
            return ri_error(v->ctx, RI_ERR_IO, "view: no random numbers for the token");
        for (size_t i = 0; i < sizeof bytes; i++)
            snprintf(v->token + 2 * i, 3, "%02x", bytes[i]);
        return RI_OK;
    }
    const size_t n = strlen(token);
    bool plain = n >= 16 && n <= VIEW_TOKEN;
    for (size_t i = 0; i < n; i++)
        plain = plain && isalnum((unsigned char)token[i]);
    if (!plain)
        return ri_error(v->ctx, RI_ERR_ARGUMENT, "view: a token is made of 16 to %d letters and digits", VIEW_TOKEN);
    memcpy(v->token, token, n + 1);
    return RI_OK;
}

static RiStatus check_address(RiView *v, const RiViewOptions *o, const char *listen)
{
    struct in_addr address;
    if (inet_pton(AF_INET, listen, &address) != 1)
        return ri_error(v->ctx, RI_ERR_ARGUMENT, "view: '%.60s' is not an IPv4 address such as 127.0.0.1 or 0.0.0.0",
                        listen);
    if (o->port < 0 || o->port > 65535)
        return ri_error(v->ctx, RI_ERR_ARGUMENT, "view: port %d is not from 0 to 65535", o->port);
    v->open = (ntohl(address.s_addr) >> 24) != 127;
    v->port = o->port;
    snprintf(v->host, sizeof v->host, "%s", listen);
    return RI_OK;
}

static RiStatus copy_origins(RiView *v, const RiViewOptions *o)
{
    if (o->origin_count <= 0)
        return RI_OK;
    v->origins = ri_view_alloc(v, (size_t)o->origin_count * sizeof *v->origins);
    if (!v->origins)
        return no_memory(v);
    for (; v->origin_count < o->origin_count; v->origin_count++) {
        v->origins[v->origin_count] = ri_view_copy(v, o->origins[v->origin_count]);
        if (!v->origins[v->origin_count])
            return no_memory(v);
    }
    return RI_OK;
}

static RiStatus start(RiView *v, const RiViewOptions *o)
{
    const char *listen = o->listen ? o->listen : "127.0.0.1";
    RI_TRY(choose_token(v, o->token));
    RI_TRY(check_address(v, o, listen));
    RI_TRY(copy_origins(v, o));
    RI_TRY(ri_server_start(v, listen));
    const bool any = strcmp(listen, "0.0.0.0") == 0;
    snprintf(v->url, sizeof v->url, "http://%s:%d/?token=%s", any ? "127.0.0.1" : listen, v->port, v->token);
    return RI_OK;
}

RiStatus ri_view_create(RiContext *ctx, const RiViewOptions *options, RiView **out_view)
{
    *out_view = NULL;
    const RiViewOptions o = options ? *options : ri_view_options_default();
    const RiAllocator memory = o.allocator ? *o.allocator : ri_plain_memory();
    RiView *v = memory.resize(memory.user, NULL, sizeof *v);
    if (!v)
        return ri_error(ctx, RI_ERR_MEMORY, "out of memory");
    memset(v, 0, sizeof *v);
    v->ctx = ctx;
    v->memory = memory;
    v->replay = o.replay;
    v->start = o.start;
    v->end = o.end;
    pthread_mutex_init(&v->lock, NULL);
    const RiStatus status = start(v, &o);
    if (status != RI_OK)
        ri_view_destroy(v);
    else
        *out_view = v;
    return status;
}

static void free_slot(RiView *v, ViewSlot *s)
{
    ri_view_release(v, s->name);
    ri_view_release(v, s->scene);
    for (int i = 0; s->names && i < s->bodies; i++)
        ri_view_release(v, s->names[i]);
    ri_view_release(v, s->names);
    for (int i = 0; i < 3; i++)
        ri_view_release(v, s->pictures[i].data);
}

/// False if there is no memory.
static bool copy_names(RiView *v, ViewSlot *s, const char *const *names)
{
    if (!names)
        return true;
    s->names = ri_view_alloc(v, ((size_t)s->bodies + 1) * sizeof *s->names);
    if (!s->names)
        return false;
    memset(s->names, 0, ((size_t)s->bodies + 1) * sizeof *s->names);
    bool ok = true;
    for (int i = 0; i < s->bodies && ok; i++)
        ok = (s->names[i] = ri_view_copy(v, names[i])) != NULL;
    return ok;
}

static void free_series(RiView *v, RiViewSeries *s)
{
    if (!s)
        return;
    ri_view_release(v, s->name);
    ri_view_release(v, s->unit);
    ri_view_release(v, s->samples);
    ri_view_release(v, s);
}

void ri_view_destroy(RiView *v)
{
    if (!v)
        return;
    ri_server_stop(v);
    for (int i = 0; i < RI_VIEW_RUNS; i++)
        free_slot(v, &v->slots[i]);
    for (int i = 0; i < v->item_count; i++)
        ri_view_release(v, v->items[i].data);
    for (int i = 0; i < v->mesh_count; i++)
        ri_view_release(v, v->meshes[i].data);
    for (int i = 0; i < VIEW_SERIES; i++)
        free_series(v, v->series[i]);
    for (int i = 0; i < v->outbox_count; i++)
        ri_view_release(v, v->outbox[i].text);
    for (int i = 0; i < v->origin_count; i++)
        ri_view_release(v, v->origins[i]);
    ri_view_release(v, v->origins);
    ri_view_release(v, v->items);
    ri_view_release(v, v->meshes);
    pthread_mutex_destroy(&v->lock);
    const RiAllocator memory = v->memory;
    memory.release(memory.user, v);
}

const char *ri_view_url(const RiView *v)
{
    return v->url;
}

void ri_view_ready(RiView *v)
{
    atomic_store(&v->ready, 1);
}

int ri_view_port(const RiView *v)
{
    return v->port;
}

int ri_view_client_count(const RiView *v)
{
    return atomic_load(&v->clients);
}

double ri_view_rate(const RiView *v)
{
    return atomic_load_explicit(&v->rate, memory_order_relaxed);
}

int ri_view_layers(const RiView *v)
{
    return atomic_load_explicit(&v->layers, memory_order_relaxed);
}

// --- kept messages -------------------------------------------------------------------------------

static RiStatus too_much(RiView *v)
{
    return ri_error(v->ctx, RI_ERR_LIMIT, "view: more than %d MB are to be kept for pages", VIEW_KEPT >> 20);
}

/// Puts an item at the end of the list, as the newest; the one of the same key goes.
static RiStatus keep_item(RiView *v, ViewItem *item)
{
    int old = 0;
    while (old < v->item_count && v->items[old].key != item->key)
        old++;
    const size_t gone = old < v->item_count ? v->items[old].size : 0;
    if (v->kept - gone + item->size > VIEW_KEPT)
        return too_much(v);
    if (!grow(v, (void **)&v->items, v->item_count, &v->item_capacity, sizeof *v->items))
        return no_memory(v);
    if (old < v->item_count) {
        ri_view_release(v, v->items[old].data);
        memmove(v->items + old, v->items + old + 1, (size_t)(--v->item_count - old) * sizeof *v->items);
    }
    item->version = ++v->version;
    v->kept += item->size - gone;
    v->items[v->item_count++] = *item;
    return RI_OK;
}

RiStatus ri_view_keep(RiView *v, uint64_t key, bool text, const void *data, size_t size)
{
    ViewItem item = {.key = key, .text = text, .data = ri_view_alloc(v, size), .size = size};
    if (!item.data)
        return no_memory(v);
    memcpy(item.data, data, size);
    pthread_mutex_lock(&v->lock);
    const RiStatus status = keep_item(v, &item);
    pthread_mutex_unlock(&v->lock);
    if (status != RI_OK)
        ri_view_release(v, item.data);
    return status;
}

static RiStatus keep_mesh(RiView *v, void *data, size_t size, int *out_number)
{
    if (v->kept + size > VIEW_KEPT)
        return too_much(v);
    if (!grow(v, (void **)&v->meshes, v->mesh_count, &v->mesh_capacity, sizeof *v->meshes))
        return no_memory(v);
    v->meshes[v->mesh_count] = (ViewMesh){data, size};
    *out_number = v->mesh_count++;
    v->kept += size;
    return RI_OK;
}

RiStatus ri_view_add_mesh(RiView *v, const void *data, size_t size, int *out_number)
{
    *out_number = -1;
    void *copy = ri_view_alloc(v, size);
    if (!copy)
        return no_memory(v);
    memcpy(copy, data, size);
    pthread_mutex_lock(&v->lock);
    const RiStatus status = keep_mesh(v, copy, size, out_number);
    pthread_mutex_unlock(&v->lock);
    if (status != RI_OK)
        ri_view_release(v, copy);
    return status;
}

void ri_view_event(RiView *v, int run, RiViewEventKind kind, double time, const char *text)
{
    static const char *const kinds[] = {"note", "stop", "command", "validity", "checkpoint"};
    RiText t;
    ri_text_init(&t, &v->memory);
    const bool full = v->event_count >= VIEW_EVENTS;
    const uint64_t number = (uint64_t)(full ? VIEW_EVENTS : v->event_count);
    ri_text_format(&t, "{\"op\":\"events\",\"run\":%d,\"events\":[{\"time\":", run);
    ri_text_number(&t, time, 12);
    ri_text_format(&t, ",\"kind\":\"%s\",\"text\":", full ? "note" : kinds[kind]);
    char more[64];
    snprintf(more, sizeof more, "%d further events are not shown", v->event_count - VIEW_EVENTS + 1);
    ri_text_string(&t, full ? more : text);
    ri_text_add(&t, "}]}");
    // An event for which there is no memory is missing in the page; the run's log has it.
    if (!t.failed && ri_view_keep(v, (UINT64_C(3) << 56) | number, true, t.at, t.size) != RI_OK)
        ri_context_clear(v->ctx);
    v->event_count++;
    ri_text_free(&t);
}

// --- runs and frames -----------------------------------------------------------------------------

static size_t frame_size(int bodies, int contacts, int springs)
{
    return VIEW_HEAD + 20 * (size_t)bodies + 24 * (size_t)contacts + 28 * (size_t)springs;
}

RiStatus ri_view_add_run(RiView *v, const RiViewRun *def, int *out_run)
{
    const int run = atomic_load(&v->slot_count);
    *out_run = -1;
    if (run == RI_VIEW_RUNS)
        return ri_error(v->ctx, RI_ERR_LIMIT, "view: at most %d runs are shown", RI_VIEW_RUNS);
    if (def->bodies < 0 || def->bodies > UINT16_MAX || def->springs < 0 || def->springs > UINT16_MAX ||
        def->contacts < 0 || def->contacts > UINT16_MAX)
        return ri_error(v->ctx, RI_ERR_LIMIT, "view: a frame holds at most %d bodies, springs and contacts",
                        UINT16_MAX);
    ViewSlot *s = &v->slots[run];
    *s = (ViewSlot){.bodies = def->bodies, .springs = def->springs, .contacts = def->contacts, .front = 1};
    atomic_store(&s->newest, 2);
    s->name = ri_view_copy(v, def->name);
    s->scene = ri_view_copy(v, def->scene);
    bool ok = s->name && s->scene && copy_names(v, s, def->names);
    for (int i = 0; i < 3; i++) {
        s->pictures[i].data = ri_view_alloc(v, frame_size(def->bodies, def->contacts, def->springs));
        ok = ok && s->pictures[i].data;
    }
    if (!ok) {
        free_slot(v, s);
        *s = (ViewSlot){0};
        return no_memory(v);
    }
    atomic_store(&v->slot_count, run + 1);
    *out_run = run;
    return RI_OK;
}

static unsigned char *put_u16(unsigned char *at, unsigned x)
{
    at[0] = (unsigned char)x;
    at[1] = (unsigned char)(x >> 8);
    return at + 2;
}

static unsigned char *put_u32(unsigned char *at, uint32_t x)
{
    return put_u16(put_u16(at, x & 0xffff), x >> 16);
}

static unsigned char *put_f32(unsigned char *at, double x)
{
    const float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return put_u32(at, bits);
}

static unsigned char *put_vec3(unsigned char *at, RiVec3 v)
{
    return put_f32(put_f32(put_f32(at, v.x), v.y), v.z);
}

static unsigned char *put_pose(unsigned char *at, const RiPose *pose)
{
    const RiQuat q = ri_quat_from_mat3(&pose->R);
    const double parts[4] = {q.w, q.x, q.y, q.z};
    at = put_vec3(at, pose->p);
    for (int i = 0; i < 4; i++) // of a state that has just diverged nothing can be said: no turn
        at =
            put_u16(at, (unsigned)(int16_t)(isfinite(parts[i]) ? lrint(32767.0 * fmax(-1.0, fmin(1.0, parts[i]))) : 0));
    return at;
}

static int at_most(int count, int most)
{
    return count < 0 ? 0 : count < most ? count : most;
}

/// The frame in the protocol's form.
static void encode(const ViewSlot *s, int run, const RiViewFrame *f, ViewPicture *out)
{
    const int bodies = at_most(f->bodies, s->bodies), contacts = at_most(f->contacts, s->contacts),
              springs = at_most(f->springs, s->springs);
    uint64_t time;
    memcpy(&time, &f->status.time, sizeof time);
    unsigned char *at = put_u16(out->data, 1u | (unsigned)run << 8);
    at = put_u32(put_u16(at, 0), out->seq);
    at = put_u32(put_u32(at, (uint32_t)time), (uint32_t)(time >> 32));
    at = put_u16(put_u16(at, (unsigned)bodies), (unsigned)contacts);
    at = put_u16(put_u16(at, (unsigned)springs), f->pulls ? 1u : 0u);
    for (int i = 0; i < bodies; i++)
        at = put_pose(at, &f->poses[i]);
    for (int i = 0; i < contacts; i++)
        at = put_vec3(put_vec3(at, f->contact[i].point), f->contact[i].force);
    for (int i = 0; i < springs; i++)
        at = put_f32(put_vec3(put_vec3(at, f->spring[i].from), f->spring[i].to), f->spring[i].force);
    out->size = (size_t)(at - out->data);
}

void ri_view_frame(RiView *v, int run, const RiViewFrame *frame)
{
    ViewSlot *s = &v->slots[run];
    ViewPicture *p = &s->pictures[s->back];
    p->seq = ++s->seq;
    p->status = frame->status;
    encode(s, run, frame, p);
    s->back = atomic_exchange(&s->newest, s->back | VIEW_FRESH) & 3;
}

const ViewPicture *ri_view_newest(RiView *v, int run)
{
    ViewSlot *s = &v->slots[run];
    if (atomic_load(&s->newest) & VIEW_FRESH)
        s->front = atomic_exchange(&s->newest, s->front) & 3;
    return s->pictures[s->front].seq ? &s->pictures[s->front] : NULL;
}

// --- requests and answers ------------------------------------------------------------------------

bool ri_view_push(RiView *v, const RiViewCommand *command)
{
    pthread_mutex_lock(&v->lock);
    const bool room = v->command_count < VIEW_COMMANDS;
    if (room) {
        v->commands[(v->command_first + v->command_count++) % VIEW_COMMANDS] = *command;
        atomic_store(&v->commands_waiting, v->command_count);
    }
    pthread_mutex_unlock(&v->lock);
    return room;
}

bool ri_view_poll(RiView *v, RiViewCommand *out)
{
    if (atomic_load_explicit(&v->commands_waiting, memory_order_relaxed) == 0)
        return false;
    pthread_mutex_lock(&v->lock);
    // A request yields at most two letters: it waits until there is room for them.
    const bool any = v->command_count > 0 && v->outbox_count + 2 <= VIEW_OUTBOX;
    if (any) {
        *out = v->commands[v->command_first];
        v->command_first = (v->command_first + 1) % VIEW_COMMANDS;
        atomic_store(&v->commands_waiting, --v->command_count);
    }
    pthread_mutex_unlock(&v->lock);
    return any;
}

/// Notes that a page misses an answer, so that it is reported. Called under the lock.
static void note_lost(RiView *v, uint32_t client)
{
    int i = 0;
    while (i < v->lost_count && v->lost[i].client != client)
        i++;
    if (i == VIEW_CLIENTS)
        return; // more senders than pages can be: this one has left long ago
    if (i == v->lost_count)
        v->lost[v->lost_count++] = (ViewLost){.client = client};
    v->lost[i].answers++;
}

/// Takes over the letter's text.
static void post(RiView *v, ViewLetter letter)
{
    pthread_mutex_lock(&v->lock);
    const bool room = v->outbox_count < VIEW_OUTBOX;
    if (room)
        v->outbox[v->outbox_count++] = letter;
    else
        note_lost(v, letter.client);
    pthread_mutex_unlock(&v->lock);
    if (!room)
        ri_view_release(v, letter.text);
}

void ri_view_answer(RiView *v, const RiViewCommand *command, bool ok, double value, const char *format, ...)
{
    if (!command->has_id)
        return;
    char text[600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    RiText t;
    ri_text_init(&t, &v->memory);
    ri_message_answer(&t, command->id, ok, value, text);
    if (!t.failed) {
        post(v, (ViewLetter){.client = command->client, .text = t.at});
        return;
    }
    ri_text_free(&t);
    pthread_mutex_lock(&v->lock);
    note_lost(v, command->client);
    pthread_mutex_unlock(&v->lock);
}

// --- series --------------------------------------------------------------------------------------

RiViewSeries *ri_view_find_series(RiView *v, int run, const char *name)
{
    for (int i = 0; i < atomic_load(&v->series_count); i++)
        if (v->series[i]->run == run && strcmp(v->series[i]->name, name) == 0)
            return v->series[i];
    return NULL;
}

RiStatus ri_view_add_series(RiView *v, int run, const char *name, const char *unit, int capacity,
                            RiViewSeries **out_series)
{
    const int count = atomic_load(&v->series_count);
    *out_series = ri_view_find_series(v, run, name);
    if (*out_series)
        return RI_OK;
    if (count == VIEW_SERIES)
        return ri_error(v->ctx, RI_ERR_LIMIT, "at most %d values are plotted in one run of the program", VIEW_SERIES);
    RiViewSeries *s = ri_view_alloc(v, sizeof *s);
    if (!s)
        return no_memory(v);
    memset(s, 0, sizeof *s);
    s->run = run;
    s->capacity = capacity;
    s->name = ri_view_copy(v, name);
    s->unit = ri_view_copy(v, unit);
    s->samples = ri_view_alloc(v, 2 * (size_t)capacity * sizeof *s->samples);
    if (!s->name || !s->unit || !s->samples) {
        free_series(v, s);
        return no_memory(v);
    }
    pthread_mutex_lock(&v->lock);
    v->series[count] = s;
    atomic_store(&v->series_count, count + 1);
    pthread_mutex_unlock(&v->lock);
    *out_series = s;
    return RI_OK;
}

void ri_view_sample(RiViewSeries *s, double time, double value)
{
    const int n = atomic_load_explicit(&s->count, memory_order_relaxed);
    if (n >= s->capacity)
        return;
    s->samples[2 * n] = time;
    s->samples[2 * n + 1] = value;
    atomic_store_explicit(&s->count, n + 1, memory_order_release);
}

void ri_view_clear_series(RiView *v, int run)
{
    pthread_mutex_lock(&v->lock); // the service thread reads samples under it
    for (int i = 0; i < atomic_load(&v->series_count); i++)
        if (v->series[i]->run == run) {
            atomic_store(&v->series[i]->count, 0);
            v->series[i]->generation++;
        }
    pthread_mutex_unlock(&v->lock);
}

void ri_view_subscribe(RiView *v, const RiViewCommand *command, RiViewSeries *series)
{
    for (int i = 0; i < atomic_load(&v->series_count); i++)
        if (v->series[i] == series)
            post(v, (ViewLetter){.client = command->client,
                                 .id = command->id,
                                 .series = i,
                                 .from = command->from,
                                 .to = command->to});
}
