// SPDX-License-Identifier: Apache-2.0
/// \file
/// Graphs of nodes and topics, of a link or of everything that runs, as text: Graphviz, a picture,
/// or a list (EELS-DARTS figure 11).
#include "link/ros/graph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link/ros/work.h"

bool ri_ros_graph_add(RiRosGraph *g, const char *node, const char *topic, const char *type, bool out, double rate)
{
    for (int i = 0; i < g->count; i++)
        if (g->edges[i].out == out && strcmp(g->edges[i].node, node) == 0 && strcmp(g->edges[i].topic, topic) == 0)
            return true;
    if (g->count == g->room) {
        const int room = 2 * g->room + 32;
        RiRosEdge *more = realloc(g->edges, (size_t)room * sizeof *more);
        if (!more)
            return false;
        g->edges = more;
        g->room = room;
    }
    RiRosEdge *e = &g->edges[g->count++];
    *e = (RiRosEdge){.out = out, .rate = rate};
    snprintf(e->node, sizeof e->node, "%.255s", node);
    snprintf(e->topic, sizeof e->topic, "%.255s", topic);
    snprintf(e->type, sizeof e->type, "%.127s", type);
    return true;
}

RiStatus ri_ros_graph_of(RiRos *r, RiRosGraph **out_graph)
{
    RiRosGraph *g = *out_graph = calloc(1, sizeof *g);
    bool good = g != NULL;
    for (int i = 0; good && i < r->count; i++) {
        const RiRosTopicInfo t = ri_ros_topic(r, i);
        good = ri_ros_graph_add(g, r->node, t.name, t.type, t.out, t.rate);
    }
    return good ? RI_OK : ri_error(r->ctx, RI_ERR_MEMORY, "out of memory");
}

RiStatus ri_ros_graph_look(RiContext *ctx, const RiRosOptions *options, RiRosVersion version, double seconds,
                           RiRosGraph **out_graph)
{
    const RiRosOptions plain = ri_ros_options_default();
    const RiRosTransport *transport = version == RI_ROS_VERSION_1 ? &ri_ros_tcp : &ri_ros_dds;
    RiRosGraph *g = *out_graph = calloc(1, sizeof *g);
    if (!g)
        return ri_error(ctx, RI_ERR_MEMORY, "out of memory");
    if (!transport->look)
        return ri_error(ctx, RI_ERR_UNSUPPORTED, "this build has no ROS 2: install cyclonedds-dev and build again");
    return transport->look(ctx, options ? options : &plain, seconds, g);
}

void ri_ros_graph_destroy(RiRosGraph *g)
{
    if (g)
        free(g->edges);
    free(g);
}

int ri_ros_graph_count(const RiRosGraph *g)
{
    return g->count;
}

// --- text ----------------------------------------------------------------------------------------

enum { CLEAN = 6 * RI_ROS_NAME + 1 };

/// What a character of a name becomes where it would mean something else; NULL: itself.
static const char *escape(char c, RiRosGraphForm form)
{
    if (c < ' ' || c > '~')
        return "?"; // names of ROS are ASCII; anything else could be half of a character
    switch (form) {
    case RI_ROS_GRAPH_LIST:
        return NULL;
    case RI_ROS_GRAPH_DOT:
        return c == '"' ? "\\\"" : c == '\\' ? "\\\\" : NULL;
    case RI_ROS_GRAPH_SVG:
        return c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : NULL;
    }
    return NULL;
}

/// A name that others chose, safe in the text.
static const char *clean(char out[CLEAN], const char *name, RiRosGraphForm form)
{
    size_t n = 0;
    for (; *name && n + 7 < CLEAN; name++) {
        const char *other = escape(*name, form);
        for (const char *at = other; other && *at; at++)
            out[n++] = *at;
        if (!other)
            out[n++] = *name;
    }
    out[n] = '\0';
    return out;
}

static void put_list(RiText *t, const RiRosGraph *g)
{
    char node[CLEAN], topic[CLEAN], type[CLEAN];
    for (int i = 0; i < g->count; i++) {
        const RiRosEdge *e = &g->edges[i];
        ri_text_format(t, "%-28s %s %-44s %s", clean(node, e->node, RI_ROS_GRAPH_LIST), e->out ? "->" : "<-",
                       clean(topic, e->topic, RI_ROS_GRAPH_LIST), clean(type, e->type, RI_ROS_GRAPH_LIST));
        if (e->rate > 0.0)
            ri_text_format(t, "  %.4g Hz", e->rate);
        ri_text_add(t, "\n");
    }
}

static void put_dot(RiText *t, const RiRosGraph *g)
{
    char node[CLEAN], topic[CLEAN], type[CLEAN];
    ri_text_add(t, "digraph ros {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n");
    for (int i = 0; i < g->count; i++) {
        const RiRosEdge *e = &g->edges[i];
        ri_text_format(t, "  \"%s\" [shape=ellipse, style=filled, fillcolor=lightgrey];\n",
                       clean(node, e->node, RI_ROS_GRAPH_DOT));
        ri_text_format(t, "  \"t:%s\" [shape=box, label=\"%s\\n%s\"];\n", clean(topic, e->topic, RI_ROS_GRAPH_DOT),
                       topic, clean(type, e->type, RI_ROS_GRAPH_DOT));
        if (e->out)
            ri_text_format(t, "  \"%s\" -> \"t:%s\";\n", node, topic);
        else
            ri_text_format(t, "  \"t:%s\" -> \"%s\";\n", topic, node);
    }
    ri_text_add(t, "}\n");
}

/// Number of the first edge with the same name, as the name's own; `topic`: of topics, else of
/// nodes that publish or read.
static int name_of(const RiRosGraph *g, int edge, bool topic)
{
    for (int i = 0; i < edge; i++)
        if (topic ? strcmp(g->edges[i].topic, g->edges[edge].topic) == 0
                  : g->edges[i].out == g->edges[edge].out && strcmp(g->edges[i].node, g->edges[edge].node) == 0)
            return i;
    return edge;
}

/// Place of a name among those of its column, and how many the column has.
static int place_in(const RiRosGraph *g, int edge, bool topic, int *out_count)
{
    int place = -1, count = 0;
    const int own = name_of(g, edge, topic);
    for (int i = 0; i < g->count; i++) {
        if (name_of(g, i, topic) != i || (!topic && g->edges[i].out != g->edges[edge].out))
            continue;
        if (i == own)
            place = count;
        count++;
    }
    *out_count = count;
    return place;
}

enum { ROW = 30, TOPIC_X = 330, TOPIC_WIDTH = 380, NODE_WIDTH = 210, RIGHT_X = 830, WIDE = 1060 };

static double row_y(int place, int count, int rows)
{
    return 20.0 + ROW * (place + 0.5) * rows / count;
}

static void put_box(RiText *t, double x, double y, double width, const char *fill, const char *text, const char *small)
{
    char name[CLEAN], note[CLEAN];
    ri_text_format(t, "<rect x=\"%.0f\" y=\"%.1f\" width=\"%.0f\" height=\"24\" rx=\"4\" fill=\"%s\" stroke=\"#444\"/>",
                   x, y - 12.0, width, fill);
    ri_text_format(t, "<text x=\"%.0f\" y=\"%.1f\">%s<tspan fill=\"#777\" font-size=\"9\"> %s</tspan></text>\n",
                   x + 6.0, y + 4.0, clean(name, text, RI_ROS_GRAPH_SVG), clean(note, small, RI_ROS_GRAPH_SVG));
}

/// Three columns: who publishes, topics, who reads.
static void put_svg(RiText *t, const RiRosGraph *g)
{
    int rows = 1, unused;
    if (g->count > 0)
        place_in(g, 0, true, &rows);
    ri_text_format(t,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
                   "font-size=\"12\"><rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                   WIDE, 40 + ROW * rows);
    for (int i = 0; i < g->count; i++) {
        const RiRosEdge *e = &g->edges[i];
        int nodes, topics;
        const int place = place_in(g, i, false, &nodes);
        const double y0 = row_y(place, nodes, rows), y1 = row_y(place_in(g, i, true, &topics), rows, rows);
        ri_text_format(t, "<path d=\"M%d %.1f C%d %.1f %d %.1f %d %.1f\" fill=\"none\" stroke=\"%s\"/>\n",
                       e->out ? 20 + NODE_WIDTH : TOPIC_X + TOPIC_WIDTH, e->out ? y0 : y1,
                       e->out ? 20 + NODE_WIDTH + 60 : TOPIC_X + TOPIC_WIDTH + 60, e->out ? y0 : y1,
                       e->out ? TOPIC_X - 60 : RIGHT_X - 60, e->out ? y1 : y0, e->out ? TOPIC_X : RIGHT_X,
                       e->out ? y1 : y0, e->out ? "#2a7" : "#27a");
    }
    for (int i = 0; i < g->count; i++) {
        const RiRosEdge *e = &g->edges[i];
        int count;
        if (name_of(g, i, true) == i)
            put_box(t, TOPIC_X, row_y(place_in(g, i, true, &unused), rows, rows), TOPIC_WIDTH, "#fff", e->topic,
                    e->type);
        if (name_of(g, i, false) == i) {
            const int place = place_in(g, i, false, &count);
            put_box(t, e->out ? 20 : RIGHT_X, row_y(place, count, rows), NODE_WIDTH, "#eee", e->node, "");
        }
    }
    ri_text_add(t, "</svg>\n");
}

RiStatus ri_ros_graph_text(RiContext *ctx, const RiRosGraph *g, RiRosGraphForm form, char **out_text)
{
    const RiAllocator memory = ri_plain_memory();
    RiText text;
    *out_text = NULL;
    ri_text_init(&text, &memory);
    ri_text_add(&text, "");
    switch (form) {
    case RI_ROS_GRAPH_LIST:
        put_list(&text, g);
        break;
    case RI_ROS_GRAPH_DOT:
        put_dot(&text, g);
        break;
    case RI_ROS_GRAPH_SVG:
        put_svg(&text, g);
        break;
    }
    if (text.failed || !(*out_text = strdup(text.at ? text.at : ""))) {
        ri_text_free(&text);
        return ri_error(ctx, RI_ERR_MEMORY, "out of memory");
    }
    ri_text_free(&text);
    return RI_OK;
}

void ri_ros_text_free(char *text)
{
    free(text);
}
