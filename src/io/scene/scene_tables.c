// SPDX-License-Identifier: Apache-2.0
/// \file
/// All option tables of scenes, and what they say about a key.
#include "io/scene/scene_tables.h"

#include <rille/scene.h>

#include "contact/options.h"
#include "math/options.h"
#include "sim/options.h"

static const RiSceneTable tables[] = {
    {"", &ri_scene_option_table},
    {"", &ri_sim_option_table},
    {"log", &ri_log_option_table},
    {"checkpoint", &ri_checkpoint_option_table},
    {"sun", &ri_sun_option_table},
    {"camera", &ri_view_option_table},
    {"ros", &ri_ros_option_table},
    {"ros.topics", &ri_ros_topic_option_table},
    {"contact", &ri_contact_option_table},
    {"contact", &ri_sim_contact_option_table},
    {"soil", &ri_soil_option_table},
    {"stance", &ri_stance_option_table},
    {"place", &ri_place_option_table},
    {"place.attract", &ri_place_attract_option_table},
    {"place.hold", &ri_place_hold_option_table},
};
enum { TABLES = sizeof tables / sizeof *tables };

const RiSceneTable *ri_scene_tables(int *out_count)
{
    *out_count = TABLES;
    return tables;
}

int ri_scene_key_count(void)
{
    int count = 0;
    for (int i = 0; i < TABLES; i++)
        count += tables[i].table->count;
    return count;
}

RiSceneKey ri_scene_key_get(int index)
{
    int i = 0;
    for (; index >= tables[i].table->count; i++)
        index -= tables[i].table->count;
    const RiOption *row = &tables[i].table->rows[index];
    RiSceneKey key = {.section = tables[i].section, .key = row->key, .doc = row->doc};
    ri_option_print_default(row, key.initial, sizeof key.initial);
    ri_option_print_allowed(row, key.allowed, sizeof key.allowed);
    return key;
}
