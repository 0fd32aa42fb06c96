// SPDX-License-Identifier: Apache-2.0
/// \file
/// Texts that the server sends.
#include <math.h>
#include <time.h>

#include "link/view_work.h"

double ri_view_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void ri_message_hello(RiView *v, RiText *out)
{
    ri_text_add(out, "{\"op\":\"hello\",\"protocol\":1,\"version\":");
    ri_text_string(out, ri_version());
    ri_text_format(out, ",\"mode\":\"%s\",\"runs\":[", v->replay ? "replay" : "live");
    for (int i = 0; i < atomic_load(&v->slot_count); i++) {
        ri_text_format(out, "%s{\"run\":%d,\"name\":", i ? "," : "", i);
        ri_text_string(out, v->slots[i].name);
        ri_text_add(out, ",\"scene\":");
        ri_text_string(out, v->slots[i].scene);
        ri_text_add(out, "}");
    }
    ri_text_add(out, "],\"start\":");
    ri_text_number(out, v->start, 17);
    ri_text_add(out, ",\"end\":");
    ri_text_number(out, v->end, 17);
    ri_text_add(out, ",\"light\":\"auto\"}");
}

static void put_number(RiText *out, const char *name, double x)
{
    ri_text_format(out, ",\"%s\":", name);
    ri_text_number(out, x, 12);
}

void ri_message_status(RiText *out, int run, const RiViewStatus *s, double wall, int clients, long long dropped)
{
    ri_text_format(out, "{\"op\":\"status\",\"run\":%d", run);
    put_number(out, "time", s->time);
    put_number(out, "wall", wall);
    put_number(out, "speed", s->speed);
    put_number(out, "rtf", s->rtf);
    ri_text_format(out, ",\"paused\":%s,\"gravity_on\":%s,\"steps\":%lld,\"clients\":%d,\"dropped\":%lld,\"stopped\":",
                   s->paused ? "true" : "false", s->gravity_on ? "true" : "false", s->steps, clients, dropped);
    if (s->stopped[0])
        ri_text_string(out, s->stopped);
    else
        ri_text_add(out, "null");
    ri_text_add(out, "}");
}

void ri_message_answer(RiText *out, double id, bool ok, double value, const char *text)
{
    ri_text_add(out, "{\"op\":\"answer\",\"to\":");
    ri_text_number(out, id, 17);
    ri_text_format(out, ",\"ok\":%s,\"text\":", ok ? "true" : "false");
    ri_text_string(out, text);
    if (!isnan(value)) {
        ri_text_add(out, ",\"value\":");
        ri_text_number(out, value, 17);
    }
    ri_text_add(out, "}");
}

void ri_message_lost(RiText *out, int answers)
{
    ri_text_format(out, "{\"op\":\"lost\",\"answers\":%d}", answers);
}

/// Of each bucket of samples a plot needs the smallest and the largest; `out` gets their places in
/// order.
static int extremes(const RiViewSeries *s, int first, int last, int out[2])
{
    int low = first, high = first;
    for (int i = first; i < last; i++) {
        low = s->samples[2 * i + 1] < s->samples[2 * low + 1] ? i : low;
        high = s->samples[2 * i + 1] > s->samples[2 * high + 1] ? i : high;
    }
    out[0] = low < high ? low : high;
    out[1] = low < high ? high : low;
    return low == high ? 1 : 2;
}

/// Times (part 0) or values (part 1).
static void put_samples(RiText *out, const RiViewSeries *s, int first, int last, int part)
{
    enum { MOST = 16384 }; // a plot has fewer pixels
    const int count = last - first, buckets = count > MOST ? MOST / 2 : count;
    bool any = false;
    for (int b = 0; b < buckets; b++) {
        const int from = first + (int)((long long)count * b / buckets),
                  to = first + (int)((long long)count * (b + 1) / buckets);
        int pick[2] = {from, from};
        const int n = to - from > 1 ? extremes(s, from, to, pick) : 1;
        for (int k = 0; k < n; k++, any = true) {
            if (any)
                ri_text_put(out, ",", 1);
            ri_text_number(out, s->samples[2 * pick[k] + part], part ? 9 : 12);
        }
    }
}

void ri_message_series(RiText *out, double id, const RiViewSeries *s, int first, int last, bool append)
{
    ri_text_add(out, "{\"op\":\"series\",\"id\":");
    ri_text_number(out, id, 17);
    ri_text_format(out, ",\"run\":%d,\"name\":", s->run);
    ri_text_string(out, s->name);
    ri_text_add(out, ",\"unit\":");
    ri_text_string(out, s->unit);
    ri_text_add(out, ",\"times\":[");
    put_samples(out, s, first, last, 0);
    ri_text_add(out, "],\"values\":[");
    put_samples(out, s, first, last, 1);
    ri_text_format(out, "],\"append\":%s}", append ? "true" : "false");
}
