// SPDX-License-Identifier: Apache-2.0
/// \file
/// All option tables of scenes, for documentation and tests.
#ifndef RI_IO_SCENE_TABLES_H
#define RI_IO_SCENE_TABLES_H

#include "base/option.h"

extern const RiOptionTable ri_scene_option_table;      ///< RiScene: top-level keys that no other room has an option for
extern const RiOptionTable ri_log_option_table;        ///< RiScene: the key `log`
extern const RiOptionTable ri_view_option_table;       ///< RiSceneView: the key `camera`
extern const RiOptionTable ri_checkpoint_option_table; ///< RiScene: the key `checkpoint`
extern const RiOptionTable ri_ros_option_table;        ///< RiRosOptions: the key `ros`
extern const RiOptionTable ri_ros_topic_option_table;  ///< RiRosTopicOptions: each of `ros.topics`

/// A key of a scene whose value is a mapping, and the options in it. Several rows may have the same
/// section.
typedef struct RiSceneTable {
    const char *section; ///< "contact.melt"; "" for the top level
    const RiOptionTable *table;
} RiSceneTable;

const RiSceneTable *ri_scene_tables(int *out_count);

#endif
