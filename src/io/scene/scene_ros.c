// SPDX-License-Identifier: Apache-2.0
/// \file
/// The key `ros` of a scene.
///
///     ros: {namespace: mer, pace: lockstep, topics: {joint_states: {rate: 1000 Hz, reliability: best_effort}, ...}}
///
/// Format: docs/ros.md.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "io/scene/scene.h"
#include "io/scene/scene_tables.h"

static const char *const discoveries[] = {"jazzy", "humble"};
static const char *const networks[] = {"loopback", "all"};
static const char *const cloud_frames[] = {"lidar", "world"}; // RiRosClouds
static const char *const paces[] = {"real_time", "lockstep", "free"};
static const char *const reliabilities[] = {"reliable", "best_effort"};
static const char *const durabilities[] = {"volatile", "transient_local"};

#define SILENT .flags = RI_OPTION_SILENT
static const RiOption ros_rows[] = {
    RI_OPTION_WORD("node", RiRosOptions, node, "rille", "name of the node", SILENT),
    RI_OPTION_WORD("namespace", RiRosOptions, space, "", "of the node and its topics, without `/` in front", SILENT),
    RI_OPTION_WORD("frame_prefix", RiRosOptions, frame_prefix, "", "before all names of frames", SILENT),
    RI_OPTION("domain", RiRosOptions, domain, "", -1.0, -1.0, 232.0,
              "of DDS; -1: the environment's `ROS_DOMAIN_ID`, else 0", SILENT),
    RI_OPTION_ONE_OF("discovery", RiRosOptions, discovery, discoveries, RI_ROS_JAZZY,
                     "how nodes announce themselves: `jazzy` (Iron and later) or `humble`", SILENT),
    RI_OPTION_ONE_OF("network", RiRosOptions, network, networks, RI_ROS_LOOPBACK,
                     "`loopback`: this machine only; `all`: every interface", SILENT),
    RI_OPTION_ONE_OF("pace", RiRosOptions, pace, paces, RI_ROS_REAL_TIME,
                     "time follows the wall clock, or waits for commands each cycle, or goes as fast as it can",
                     SILENT),
    RI_OPTION_ONE_OF("clouds", RiRosOptions, clouds, cloud_frames, RI_ROS_CLOUDS_LIDAR,
                     "points of clouds are in the lidar's frame at their own time, or in the frame `world`", SILENT),
    RI_OPTION("speed", RiRosOptions, speed, "", 1.0, 0.0, 1e6, "simulated seconds per second of the wall clock",
              .flags = RI_OPTION_ABOVE | RI_OPTION_SILENT),
    RI_OPTION("cycle", RiRosOptions, cycle, "Hz", 10.0, 0.0, 1e6, "cycles of lock-step per simulated second",
              .flags = RI_OPTION_ABOVE | RI_OPTION_SILENT),
    RI_OPTION_WORD("answers", RiRosOptions, answers, "cmd_vel_stamped",
                   "keys of the topics that each cycle of lock-step waits for, with commas between", SILENT),
    RI_OPTION("timeout", RiRosOptions, timeout, "s", 10.0, 0.0, 1e9, "longest wait for them, by the wall clock",
              .flags = RI_OPTION_ABOVE | RI_OPTION_SILENT),
    RI_OPTION_YES_NO("hold", RiRosOptions, hold, false,
                     "after the time-out go on with the last commands instead of ending the run", SILENT),
    RI_OPTION("command_time", RiRosOptions, command_time, "s", 0.0, 0.0, 1e9,
              "simulated time after which a `cmd_vel` without a successor stops the robot; 0: never", SILENT),
    RI_OPTION("queue", RiRosOptions, queue, "", 1024.0, 1.0, 1e6, "messages that may wait to be sent", SILENT),
    RI_OPTION("queue_bytes", RiRosOptions, queue_bytes, "", 64e6, 1e3, 1e12, "the same in bytes", SILENT),
    RI_OPTION_WORD(
        "master", RiRosOptions, master, NULL,
        "ROS 1: `http://HOST:PORT` of the master; without it the environment's `ROS_MASTER_URI`, else one of "
        "our own",
        SILENT),
    RI_OPTION_OWNED("topics", "mapping", "keys of topics with their settings"),
};
const RiOptionTable ri_ros_option_table = RI_OPTION_TABLE("ros", RiRosOptions, ros_rows);

static const RiOption topic_rows[] = {
    RI_OPTION_YES_NO("on", RiRosTopicOptions, on, true, "the topic is there", SILENT),
    RI_OPTION_WORD("name", RiRosTopicOptions, name, NULL,
                   "default: docs/ros.md; `/` in front: outside of the namespace", SILENT),
    RI_OPTION("rate", RiRosTopicOptions, rate, "Hz", 0.0, 0.0, 1e6,
              "most messages per simulated second; 0: when there is something new", SILENT),
    RI_OPTION_ONE_OF("reliability", RiRosTopicOptions, reliability, reliabilities, RI_ROS_RELIABLE,
                     "lost packets are sent again, or not", SILENT),
    RI_OPTION_ONE_OF("durability", RiRosTopicOptions, durability, durabilities, RI_ROS_VOLATILE,
                     "`transient_local`: late readers get the last messages too", SILENT),
    RI_OPTION("depth", RiRosTopicOptions, depth, "", 10.0, 1.0, 1e6, "messages kept", SILENT),
};
const RiOptionTable ri_ros_topic_option_table = RI_OPTION_TABLE("ros.topics", RiRosTopicOptions, topic_rows);

const RiRosKindInfo *ri_ros_kind(RiRosKind kind)
{
    static const RiRosKindInfo kinds[] = {
#define ROW(id, key_, name_, type_, rate_, depth_, latched_, text_)                                                    \
    {.key = key_, .name = name_, .type = type_, .rate = rate_, .depth = depth_, .latched = latched_, .text = text_},
        RI_ROS_KIND_LIST(ROW)
#undef ROW
    };
    return (unsigned)kind < RI_ROS_KIND_COUNT ? &kinds[kind] : NULL;
}

RiRosOptions ri_ros_options_default(void)
{
    RiRosOptions o = {0};
    ri_options_default(&ri_ros_option_table, &o);
    for (int i = 0; i < RI_ROS_KIND_COUNT; i++) {
        const RiRosKindInfo *kind = ri_ros_kind((RiRosKind)i);
        o.topics[i] = (RiRosTopicOptions){.on = true,
                                          .rate = kind->rate,
                                          .depth = kind->depth,
                                          .durability = kind->latched ? RI_ROS_TRANSIENT_LOCAL : RI_ROS_VOLATILE};
    }
    return o;
}

static int find_kind(const char *key)
{
    int i = 0;
    while (i < RI_ROS_KIND_COUNT && strcmp(ri_ros_kind((RiRosKind)i)->key, key) != 0)
        i++;
    return i;
}

/// Words of letters, digits and underlines, not a digit first, with `/` between; "%s" represents a
/// name.
static bool is_ros_name(const char *name, bool slash_first)
{
    const char *c = name + (slash_first && *name == '/');
    bool word = false;
    for (; *c; c++) {
        if (*c == '/' && word) {
            word = false;
        } else if (c[0] == '%' && c[1] == 's') {
            word = true;
            c++;
        } else if (isalpha((unsigned char)*c) || *c == '_' || (word && isdigit((unsigned char)*c))) {
            word = true;
        } else {
            return false;
        }
    }
    return word && strlen(name) < 200;
}

/// Checks the name that a topic was given; `node` is where.
static RiStatus check_topic_name(const RiScene *sc, int kind, const RiYamlNode *node)
{
    const char *name = sc->ros.topics[kind].name;
    const bool each = strstr(ri_ros_kind((RiRosKind)kind)->name, "%s") != NULL;
    if (!name)
        return RI_OK;
    if (!is_ros_name(name, true))
        return ri_yaml_error(node, RI_ERR_FORMAT,
                             "'%s' is no name of a topic: words of letters, digits and _ with / between", name);
    if ((strstr(name, "%s") != NULL) == each)
        return RI_OK;
    return ri_yaml_error(node, RI_ERR_FORMAT,
                         each ? "'%s' must hold %%s for the name of the device" : "'%s' must not hold %%s", name);
}

static RiStatus read_topic(RiScene *sc, const RiYamlNode *node)
{
    const RiOptionTable *const table = &ri_ros_topic_option_table;
    const int kind = find_kind(node->key);
    if (kind == RI_ROS_KIND_COUNT)
        return ri_yaml_error(node, RI_ERR_FORMAT, "there is no kind of topic '%s'; docs/ros.md lists them", node->key);
    RI_TRY(ri_template_check_options(node, &table, 1));
    RI_TRY(ri_template_options(&sc->t, node, table, &sc->ros.topics[kind]));
    const RiYamlNode *name = ri_yaml_get(node, "name");
    return name ? check_topic_name(sc, kind, name) : RI_OK;
}

static const char topic_setting[] = "ros.topics.";

const RiOption *ri_scene_ros_setting(const char *name)
{
    char kind[64], key[64];
    int used = 0;
    const size_t n = sizeof topic_setting - 1;
    if (strncmp(name, topic_setting, n) != 0 || sscanf(name + n, "%63[^.].%63[^.]%n", kind, key, &used) != 2 ||
        name[n + (size_t)used] || find_kind(kind) == RI_ROS_KIND_COUNT)
        return NULL;
    for (int i = 0; i < ri_ros_topic_option_table.count; i++)
        if (strcmp(ri_ros_topic_option_table.rows[i].key, key) == 0)
            return &ri_ros_topic_option_table.rows[i];
    return NULL;
}

/// Settings `ros.topics.KIND.KEY` from outside, which are stronger than all files.
static RiStatus read_topic_settings(RiScene *sc)
{
    for (int kind = 0; kind < RI_ROS_KIND_COUNT; kind++)
        for (int i = 0; i < ri_ros_topic_option_table.count; i++) {
            const RiOption *row = &ri_ros_topic_option_table.rows[i];
            char name[128];
            snprintf(name, sizeof name, "%s%s.%s", topic_setting, ri_ros_kind((RiRosKind)kind)->key, row->key);
            const RiYamlNode *node = ri_scene_setting(sc, name);
            if (!node)
                continue;
            RI_TRY(ri_template_option(&sc->t, node, row, &sc->ros.topics[kind]));
            if (strcmp(row->key, "name") == 0)
                RI_TRY(check_topic_name(sc, kind, node));
        }
    return RI_OK;
}

/// Every word of `answers` is the key of a topic that comes in.
static RiStatus check_answers(RiScene *sc)
{
    char word[64];
    int used;
    for (const char *at = sc->ros.answers; sscanf(at, " %63[^, ] %n", word, &used) == 1; at += *at == ',') {
        const int kind = find_kind(word);
        if (kind == RI_ROS_KIND_COUNT || kind <= RI_ROS_DIAGNOSTICS)
            return ri_error(sc->ctx, RI_ERR_FORMAT, "ros.answers: '%s' is no key of a topic with commands", word);
        at += used;
    }
    return RI_OK;
}

RiStatus ri_scene_read_ros_topics(RiScene *sc)
{
    for (int i = sc->t.document_count - 1; i >= 0; i--) { // the strongest last
        const RiYamlNode *topics = ri_yaml_get(ri_yaml_get(ri_yaml_root(sc->t.documents[i]), "ros"), "topics");
        if (!topics)
            continue;
        RI_TRY(ri_yaml_expect(topics, RI_YAML_MAPPING));
        for (const RiYamlNode *c = topics->first; c; c = c->next)
            RI_TRY(read_topic(sc, c));
    }
    RI_TRY(read_topic_settings(sc));
    const char *const names[] = {sc->ros.node, sc->ros.space, sc->ros.frame_prefix};
    static const char *const keys[] = {"node", "namespace", "frame_prefix"};
    for (int i = 0; i < 3; i++)
        if ((i == 0 || names[i][0]) && (!is_ros_name(names[i], false) || (i == 0 && strchr(names[i], '/'))))
            return ri_error(sc->ctx, RI_ERR_FORMAT,
                            "ros.%s: '%s' is no name for ROS: words of letters, digits and _ with / between", keys[i],
                            names[i]);
    return check_answers(sc);
}

static bool is_same_topic(const RiRosTopicOptions *a, const RiRosTopicOptions *b)
{
    return a->on == b->on && a->name == b->name && a->rate == b->rate && a->reliability == b->reliability &&
           a->durability == b->durability && a->depth == b->depth;
}

void ri_scene_put_ros(const RiScene *sc, RiSceneWriter *w)
{
    ri_scene_put(w, "ros:\n");
    ri_scene_put_options(w, "  ", &ri_ros_option_table, &sc->ros);
    const RiRosOptions plain = ri_ros_options_default();
    for (int i = 0, told = 0; i < RI_ROS_KIND_COUNT; i++) {
        if (is_same_topic(&sc->ros.topics[i], &plain.topics[i]))
            continue;
        ri_scene_put(w, "%s    %s:\n", told++ ? "" : "  topics:\n", ri_ros_kind((RiRosKind)i)->key);
        ri_scene_put_options(w, "      ", &ri_ros_topic_option_table, &sc->ros.topics[i]);
    }
}

const RiRosOptions *ri_scene_ros(const RiScene *scene)
{
    return &scene->ros;
}
