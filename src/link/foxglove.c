// SPDX-License-Identifier: Apache-2.0
/// \file
/// The Foxglove WebSocket protocol: serverInfo, advertise, subscribe, unsubscribe, message data.
#include "link/foxglove.h"
#include "link/view_work.h" // without the library this file still declares something

#ifdef RILLE_HAVE_WEBSOCKETS

#include <math.h>
#include <string.h>

enum { CHANNEL_SERIES = 1000 }; ///< channels below are the runs' poses, by run

static const char tf_schema[] =
    "geometry_msgs/TransformStamped[] transforms\\n"
    "================\\nMSG: geometry_msgs/TransformStamped\\nstd_msgs/Header header\\n"
    "string child_frame_id\\ngeometry_msgs/Transform transform\\n"
    "================\\nMSG: std_msgs/Header\\nbuiltin_interfaces/Time stamp\\nstring frame_id\\n"
    "================\\nMSG: builtin_interfaces/Time\\nint32 sec\\nuint32 nanosec\\n"
    "================\\nMSG: geometry_msgs/Transform\\ngeometry_msgs/Vector3 translation\\n"
    "geometry_msgs/Quaternion rotation\\n"
    "================\\nMSG: geometry_msgs/Vector3\\nfloat64 x\\nfloat64 y\\nfloat64 z\\n"
    "================\\nMSG: geometry_msgs/Quaternion\\nfloat64 x\\nfloat64 y\\nfloat64 z\\nfloat64 w\\n";

// --- greeting ------------------------------------------------------------------------------------

static void write_info(ViewServer *s)
{
    ri_text_add(&s->out, "{\"op\":\"serverInfo\",\"name\":\"rille ");
    ri_text_add(&s->out, ri_version());
    ri_text_add(&s->out, "\",\"capabilities\":[],\"supportedEncodings\":[],\"metadata\":{},\"sessionId\":\"");
    ri_text_format(&s->out, "%.0f\"}", s->begun * 1e3);
}

static void write_pose_channel(ViewServer *s, int run)
{
    ri_text_format(&s->out,
                   "{\"id\":%d,\"topic\":\"%s/tf\",\"encoding\":\"cdr\",\"schemaName\":\"tf2_msgs/msg/TFMessage\",\"",
                   run + 1, run ? "/b" : "");
    ri_text_add(&s->out, "schemaEncoding\":\"ros2msg\",\"schema\":\"");
    ri_text_add(&s->out, tf_schema);
    ri_text_add(&s->out, "\"}");
}

/// "/value/arm/elbow/position", with the unit in the schema.
static void write_series_channel(ViewServer *s, int index)
{
    const RiViewSeries *x = s->view->series[index];
    char topic[256];
    size_t n = 0;
    for (const char *c = x->name; *c && n < sizeof topic - 1; c++)
        topic[n++] = *c == '.' ? '/' : *c;
    topic[n] = '\0';
    RiText name;
    ri_text_init(&name, &s->view->memory);
    ri_text_format(&name, "%s/value/%s", x->run ? "/b" : "", topic);
    ri_text_format(&s->out, "{\"id\":%d,\"topic\":", CHANNEL_SERIES + index);
    ri_text_string(&s->out, name.failed ? "" : name.at);
    ri_text_add(&s->out,
                ",\"encoding\":\"cdr\",\"schemaName\":\"rille/msg/Value\",\"schemaEncoding\":\"ros2msg\",\"schema\":");
    name.size = 0;
    ri_text_format(&name, "float64 value # unit: %s\n", x->unit);
    ri_text_string(&s->out, name.failed ? "" : name.at);
    ri_text_add(&s->out, "}");
    ri_text_free(&name);
}

/// Channels that the client does not know yet.
static void write_channels(ViewServer *s, FoxClient *f)
{
    const int runs = atomic_load(&s->view->slot_count), series = atomic_load(&s->view->series_count);
    bool first = true;
    ri_text_add(&s->out, "{\"op\":\"advertise\",\"channels\":[");
    for (; f->runs < runs; f->runs++, first = false) {
        ri_text_add(&s->out, first ? "" : ",");
        write_pose_channel(s, f->runs);
    }
    for (; f->series < series; f->series++, first = false) {
        ri_text_add(&s->out, first ? "" : ",");
        write_series_channel(s, f->series);
    }
    ri_text_add(&s->out, "]}");
}

static bool has_channels(const ViewServer *s, const FoxClient *f)
{
    return f->runs < atomic_load(&s->view->slot_count) || f->series < atomic_load(&s->view->series_count);
}

// --- requests ------------------------------------------------------------------------------------

static bool take_number(const RiJson *j, int token, uint32_t *out)
{
    double x;
    if (!ri_json_number(j, token, &x) || x < 0.0 || x > 4294967295.0 || x != floor(x))
        return false;
    *out = (uint32_t)x;
    return true;
}

static bool is_channel(const FoxClient *f, uint32_t channel)
{
    return (channel >= 1 && channel <= (uint32_t)f->runs) ||
           (channel >= CHANNEL_SERIES && channel < CHANNEL_SERIES + (uint32_t)f->series);
}

static bool subscribe(FoxClient *f, uint32_t id, uint32_t channel)
{
    FoxSubscription *free = NULL;
    for (int i = FOX_SUBSCRIPTIONS - 1; i >= 0; i--) {
        if (f->subscriptions[i].used && f->subscriptions[i].id == id)
            return false;
        free = f->subscriptions[i].used ? free : &f->subscriptions[i];
    }
    if (!free || !is_channel(f, channel))
        return false;
    *free = (FoxSubscription){.used = true, .id = id, .channel = channel};
    return true;
}

static void unsubscribe(FoxClient *f, uint32_t id)
{
    for (int i = 0; i < FOX_SUBSCRIPTIONS; i++)
        if (f->subscriptions[i].id == id)
            f->subscriptions[i].used = false;
}

/// A status message: level 1 is a warning.
static void complain(ViewServer *s, Client *c, const char *what)
{
    RiText t;
    ri_text_init(&t, &s->view->memory);
    ri_text_add(&t, "{\"op\":\"status\",\"level\":1,\"message\":");
    ri_text_string(&t, what);
    ri_text_add(&t, "}");
    if (t.failed)
        ri_text_free(&t);
    else
        ri_client_post(s, c, t.at);
}

static bool carry_out(const RiJson *j, FoxClient *f)
{
    char op[32];
    if (!ri_json_string(j, ri_json_member(j, 0, "op"), op, sizeof op))
        return false;
    const bool begin = strcmp(op, "subscribe") == 0;
    const int list = ri_json_member(j, 0, begin ? "subscriptions" : "subscriptionIds");
    if ((!begin && strcmp(op, "unsubscribe") != 0) || list < 0 || j->tokens[list].type != RI_JSON_ARRAY)
        return false;
    bool ok = true;
    for (int i = 0, k = list + 1; i < j->tokens[list].count; i++, k = j->tokens[k].next) {
        uint32_t id, channel;
        if (begin)
            ok &= take_number(j, ri_json_member(j, k, "id"), &id) &&
                  take_number(j, ri_json_member(j, k, "channelId"), &channel) && subscribe(f, id, channel);
        else if (take_number(j, k, &id))
            unsubscribe(f, id);
    }
    return ok;
}

void ri_fox_receive(ViewServer *s, Client *c, const char *text, size_t size)
{
    if (!ri_json_parse(&s->json, text, size))
        complain(s, c, s->json.why);
    else if (!carry_out(&s->json, c->fox))
        complain(s, c, "subscribe and unsubscribe of advertised channels are understood");
    lws_callback_on_writable(c->wsi);
}

// --- messages ------------------------------------------------------------------------------------

static void put_number(RiText *t, uint64_t x, int bytes)
{
    unsigned char data[8];
    for (int i = 0; i < bytes; i++)
        data[i] = (unsigned char)(x >> (8 * i));
    ri_text_put(t, data, (size_t)bytes);
}

static void put_f64(RiText *t, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    put_number(t, bits, 8);
}

/// Head of a data message and of its CDR; returns where CDR counts its alignment from.
static size_t begin_data(RiText *t, uint32_t id, uint64_t ns)
{
    put_number(t, 1, 1);
    put_number(t, id, 4);
    put_number(t, ns, 8);
    put_number(t, 0x0100, 4); // CDR, little endian
    return t->size;
}

static void align(RiText *t, size_t origin, size_t size)
{
    while (!t->failed && (t->size - origin) % size != 0)
        put_number(t, 0, 1);
}

static void put_string(RiText *t, size_t origin, const char *text)
{
    align(t, origin, 4);
    put_number(t, strlen(text) + 1, 4);
    ri_text_put(t, text, strlen(text) + 1);
}

static double read_f32(const unsigned char *at)
{
    float f;
    memcpy(&f, at, sizeof f);
    return (double)f;
}

static double read_part(const unsigned char *at)
{
    return (double)(int16_t)(at[0] | at[1] << 8) / 32767.0;
}

static uint64_t nanoseconds(double time)
{
    return time > 0.0 && time < 1e9 ? (uint64_t)llround(time * 1e9) : 0;
}

/// The newest picture of a run as a TFMessage.
static void write_poses(ViewServer *s, const FoxSubscription *x, int run, const ViewPicture *p)
{
    const ViewSlot *slot = &s->view->slots[run];
    const int count = p->data[16] | p->data[17] << 8;
    const uint64_t ns = nanoseconds(p->status.time);
    const size_t origin = begin_data(&s->out, x->id, ns);
    put_number(&s->out, (uint64_t)count, 4);
    for (int i = 0; i < count; i++) {
        const unsigned char *at = p->data + VIEW_HEAD + 20 * i;
        align(&s->out, origin, 4);
        put_number(&s->out, ns / 1000000000, 4);
        put_number(&s->out, ns % 1000000000, 4);
        put_string(&s->out, origin, "world");
        put_string(&s->out, origin, slot->names ? slot->names[i] : "");
        align(&s->out, origin, 8);
        for (int k = 0; k < 3; k++)
            put_f64(&s->out, read_f32(at + 4 * k));
        for (int k = 1; k <= 4; k++) // x, y, z, w
            put_f64(&s->out, read_part(at + 12 + 2 * (k % 4)));
    }
}

static bool next_poses(ViewServer *s, Client *c, FoxSubscription *x, double now)
{
    const int run = (int)x->channel - 1;
    const ViewPicture *p = now >= c->frame_due ? ri_view_newest(s->view, run) : NULL;
    if (!p || p->seq == x->seq)
        return false;
    x->seq = p->seq;
    c->frame_due = fmax(c->frame_due + 1.0 / c->rate, now);
    write_poses(s, x, run, p);
    return true;
}

/// The next sample of a value; a client that is far behind goes on from the newest.
static bool next_sample(ViewServer *s, FoxSubscription *x)
{
    enum { BEHIND = 2000 };
    const RiViewSeries *series = s->view->series[x->channel - CHANNEL_SERIES];
    pthread_mutex_lock(&s->view->lock);
    if (series->generation != x->generation) {
        x->generation = series->generation;
        x->sent = 0;
    }
    const int count = atomic_load_explicit(&series->count, memory_order_acquire);
    x->sent = count - x->sent > BEHIND ? count - 1 : x->sent;
    const bool found = x->sent < count;
    if (found) {
        begin_data(&s->out, x->id, nanoseconds(series->samples[2 * x->sent]));
        put_f64(&s->out, series->samples[2 * x->sent + 1]);
        x->sent++;
    }
    pthread_mutex_unlock(&s->view->lock);
    return found;
}

bool ri_fox_next(ViewServer *s, Client *c, double now, bool *out_text)
{
    FoxClient *f = c->fox;
    *out_text = true;
    if (!f->greeted) {
        f->greeted = true;
        write_info(s);
        return true;
    }
    if (has_channels(s, f)) {
        write_channels(s, f);
        return true;
    }
    *out_text = false;
    for (int i = 0; i < FOX_SUBSCRIPTIONS; i++) {
        FoxSubscription *x = &f->subscriptions[f->next];
        f->next = (f->next + 1) % FOX_SUBSCRIPTIONS;
        if (x->used && (x->channel < CHANNEL_SERIES ? next_poses(s, c, x, now) : next_sample(s, x)))
            return true;
    }
    return false;
}

bool ri_fox_has_news(ViewServer *s, Client *c, double now)
{
    const FoxClient *f = c->fox;
    if (!f->greeted || has_channels(s, f))
        return true;
    for (int i = 0; i < FOX_SUBSCRIPTIONS; i++) {
        const FoxSubscription *x = &f->subscriptions[i];
        if (!x->used)
            continue;
        if (x->channel < CHANNEL_SERIES) {
            const ViewPicture *p = ri_view_newest(s->view, (int)x->channel - 1);
            if (p && p->seq != x->seq && now >= c->frame_due)
                return true;
        } else if (atomic_load(&s->view->series[x->channel - CHANNEL_SERIES]->count) != x->sent) {
            return true;
        }
    }
    return false;
}

#endif
