// SPDX-License-Identifier: Apache-2.0
/// \file
/// Scenes, inside: what the parts of the loader share.
///
///     documents (scene, what it includes), settings     scene.c
///       -> parameters, scalars, log, plots              scene.c, with the values of templates (template_value.c)
///       -> robot: file, name or inline -> RiModel       scene_robot.c
///       -> terrain: file, name or inline                scene_terrain.c
///       -> contact: what touches, laws of pairs         scene_contact.c
///       -> devices, springs, commands, stops            scene_items.c
///       -> place: where the robot starts                scene_place.c
///       -> RiSim: initial motion, values, settings      scene_build.c
///     RiScene -> text                                   scene_save.c
///
/// What can be read without the robot is read by ri_scene_load; what names joints, links or values
/// is read by ri_scene_build. A scene keeps its documents, so that every message can name file,
/// line and column.
#ifndef RI_IO_SCENE_H
#define RI_IO_SCENE_H

#include <rille/place.h>
#include <rille/plugin.h>
#include <rille/ros_options.h>
#include <rille/scene.h>

#include "io/robot/template_option.h"
#include "io/scene/scene_optics.h"

enum {
    RI_SCENE_INCLUDES = RI_TEMPLATE_EXTENDS, // files that a scene includes, in all
    RI_SCENE_COMMANDS = 100000,              // commands after repetition
    RI_SCENE_NAME = 120,                     // longest name of a device or spring [bytes]
    RI_SCENE_PATH = 4096,
    RI_SCENE_PICTURES = 16 // moments that the report shows
};

typedef struct RiSceneDevice {
    const char *name, *type;
    const char *library; ///< path of the shared object; NULL for a built-in class
    const char *attach;  ///< NULL for none
    const char *file;    ///< of its table; NULL for none
    const char *folder;  ///< of its map; NULL for none
    const RiDeviceMap *map;
    double *table;
    int table_rows, table_columns;
    const RiDeviceClass *device;
    double rate; ///< [Hz]; 0: every tick
    const char **inputs, **sources;
    const RiYamlNode **source_nodes;
    int connection_count;
    const RiYamlNode *node;
} RiSceneDevice;

typedef struct RiSceneSpring {
    RiSpringDef def;
    const RiYamlNode *node;
} RiSceneSpring;

/// A value to set: before the start, or as a command at a time.
typedef struct RiSceneSet {
    const char *name, *text;
    const char *owner; ///< the device it belongs to; NULL
    const RiYamlNode *node;
    double time;
    int order;    ///< of commands: place in the file
    bool repeats; ///< of commands: a later one of a series, checked with the first
} RiSceneSet;

/// A text of the scene and where it is; NULL node: a default.
typedef struct RiSceneText {
    const char *text;
    const RiYamlNode *node;
} RiSceneText;

/// A shared object with device classes, or the FMU of one device.
typedef struct RiSceneLibrary {
    const char *path;
    struct RiPlugin *plugin;
    struct RiFmu *fmu;
    void *handle; ///< of laws of contact
} RiSceneLibrary;

/// The law of a plugin that a contact pair has.
typedef struct RiSceneLaw {
    RiLawUse use;
    const char *library; ///< path
} RiSceneLaw;

typedef struct RiScenePlot {
    const char *title;
    RiSceneText *globs;
    int glob_count;
} RiScenePlot;

/// A check, and what has been seen for it.
typedef struct RiSceneCheckSlot {
    const char *name, *text, *least_text, *most_text; ///< bounds may be NULL
    const RiYamlNode *node;
    int take;
    double from, to;          ///< [s]
    const RiFormula *formula; ///< of the built scene
    double least, most;
    long long looks;
    double begun, ended; ///< of what was seen [s]
    double first, last, low, high, sum;
    int times; ///< that it became true
} RiSceneCheckSlot;

typedef struct RiSceneRobot {
    const char *path;           ///< file that was loaded; NULL for an inline template
    const RiYamlNode *template; ///< inline; NULL
    RiSetting *settings;        ///< of the template: the scene's, then those from outside
    int setting_count;
    /// Folders searched for package://NAME and $(find NAME): the scene's, then those from outside
    const char **packages;
    int package_count;
    RiBase base;
    bool reduce, derive;
} RiSceneRobot;

typedef struct RiSceneTerrain {
    const char *path;           ///< file that was loaded; NULL for an inline description
    const RiYamlNode *template; ///< inline; NULL
    const char *folder;         ///< a file whose folder the inline description's own files are seen from; NULL
    RiSetting *settings;        ///< parameters: the scene's, then those from outside
    int setting_count;
    RiTerrainFile *file; ///< NULL without a terrain
} RiSceneTerrain;

typedef struct RiSceneEyes RiSceneEyes;

struct RiScene {
    RiContext *ctx;
    RiTemplate t; ///< documents ([0] the scene, then what it includes, the strongest first), parameters, arena
    RiSceneOptions options;
    RiYaml **setting_documents;         ///< of settings that are scene keys; NULL for the others
    int parents[RI_SCENE_INCLUDES + 1]; ///< document that included a document, -1

    // without the robot
    const char *name, *doc;
    RiSimOptions sim_options;
    bool switchable; ///< mode: switchable
    double duration, log_rate, checkpoint_period;
    bool log_frames, log_sensors;
    double log_rut_step; ///< [m], 0: exact
    const RiSceneText *log_globs;
    RiScenePlot *plots;
    RiSceneCheckSlot *checks;
    int log_glob_count, plot_count, check_count;
    long long look_ticks; ///< from one look of checks to the next
    RiSunDef sun;
    RiSceneView view;
    RiRosOptions ros;
    const char *sun_date;               ///< as it was written, where it moves
    double sun_hour;                    ///< local hour of the start, with a date; -1: at the date
    double pictures[RI_SCENE_PICTURES]; ///< [s]
    int picture_count;

    // with it
    RiSceneRobot robot;
    RiSceneTerrain terrain;
    RiContactOptions contact;
    RiContacts *contacts; ///< NULL without a terrain, or without contact
    RiSoilOptions soil;
    bool melts; ///< screws have temperatures: melt
    RiMeltDef melt;
    RiStanceDef stance_def;
    RiStance *stance;   ///< NULL: none was asked for
    bool stands_stiff;  ///< more wheels than its suspension lets touch: it starts on a plane through the ground
    RiNames item_names; ///< devices (2 i) and springs (2 i + 1)
    RiSceneDevice *devices;
    RiSceneSpring *springs;
    RiSceneSet *sets, *commands;
    RiSceneText *stops;
    int device_count, spring_count, set_count, command_count, stop_count;
    int device_room, spring_room, set_room, command_room, stop_room;
    RiSceneLibrary *libraries; ///< shared objects that are open
    int library_count, library_room;
    RiSceneLaw *laws; ///< [pairs of the scene]; NULL: it has none

    RiSceneOptics optics;
    RiSceneEyes *eyes; ///< sensors that devices see by; NULL: none was asked for yet

    const RiScene *lender; ///< whose robot and terrain these are; NULL: its own
    RiSpec *spec;
    RiModel *model;
    RiSim *sim;
    RiPlacement *placement;   ///< of the last build, also if it failed; NULL: none was asked for
    double *defaults, *start; ///< all named values after ri_sim_build, and after all settings
    double *start_q, *start_v;
};

// scene_see.c
int ri_scene_see(void *scene, int kind, int sensor, RiVec3 *out_points, int room); ///< RiSeeFn
void ri_scene_close_eyes(RiScene *sc);

// scene.c

/// The value of a top-level key in the strongest document that has it; NULL if none has.
const RiYamlNode *ri_scene_key(const RiScene *sc, const char *key);
/// A setting from outside that is a scene key, "contact.back_end"; NULL: not set.
const RiYamlNode *ri_scene_setting(const RiScene *sc, const char *name);
/// The path of the file a node is in, of a setting the scene's; NULL for a text without one.
const char *ri_scene_file(const RiScene *sc, const RiYamlNode *node);
/// Reads the map of a device from a folder; it lives as long as the scene. (scene_map.c)
RI_MUST_CHECK RiStatus ri_scene_load_map(RiScene *sc, const char *folder, const RiDeviceMap **out_map);
/// Room for one more element: RI_SCENE_GROW(sc, device) before sc->devices[sc->device_count++] =
/// ...
#define RI_SCENE_GROW(sc, list)                                                                                        \
    do {                                                                                                               \
        void *items_ = (sc)->list##s;                                                                                  \
        RI_TRY(ri_template_grow(&(sc)->t, &items_, (sc)->list##_count, &(sc)->list##_room, sizeof *(sc)->list##s));    \
        (sc)->list##s = items_;                                                                                        \
    } while (0)
/// Text of a scalar that will be an expression over named values: each ${...} is put in as its
/// value with its unit, in brackets where they are needed.
RI_MUST_CHECK RiStatus ri_scene_expression(RiScene *sc, RiTemplateValue v, const char **out_text);
/// One text or a sequence of texts.
RI_MUST_CHECK RiStatus ri_scene_texts(RiScene *sc, RiTemplateValue v, RiSceneText **out_texts, int *out_count);
/// Fails unless a rate is 0 or divides the tick rate.
RI_MUST_CHECK RiStatus ri_scene_check_rate(const RiScene *sc, const RiYamlNode *node, double rate);
/// Whether a setting from outside is neither a scene key nor a parameter of scene, robot or
/// terrain, but a named value.
bool ri_scene_is_value_setting(const RiScene *sc, int index);
/// The scene key or parameter that a setting's name may be a misspelling of, copied to `out`; NULL.
const char *ri_scene_nearest_setting(const RiScene *sc, const char *name, char out[64]);
/// Fails with "there is no WHAT 'name'; did you mean ...", from a list of names.
RiStatus ri_scene_unknown(const RiYamlNode *node, const char *what, const char *name,
                          const char *(*name_of)(const RiModel *, int), const RiModel *m, int count);
/// Puts the place of a node before the sentence of a call that failed; a bad argument in a file is
/// malformed input. RI_OK passes.
RI_MUST_CHECK RiStatus ri_scene_wrap(const RiYamlNode *node, RiStatus status, RiContext *ctx);

// scene_robot.c

/// Checks the key `robot` and its keys.
RI_MUST_CHECK RiStatus ri_scene_check_robot(RiScene *sc);
/// Looks for a file named by a node: in the folder of the file the node is in, then in
/// `folders`, with each of the endings; *out_path is NULL if there is none.
RI_MUST_CHECK RiStatus ri_scene_find_file(RiScene *sc, const RiYamlNode *node, const char *const *folders, int count,
                                          const char *const *endings, int ending_count, const char **out_path);
/// Settings of a mapping `set`, then those from outside that start with `prefix`; the last of a
/// name counts.
RI_MUST_CHECK RiStatus ri_scene_collect_settings(RiScene *sc, const RiYamlNode *set, const char *prefix,
                                                 RiSetting **out_settings, int *out_count);
/// Fills sc->robot, sc->spec and sc->model.
RI_MUST_CHECK RiStatus ri_scene_load_robot(RiScene *sc);

// scene_terrain.c

/// Checks the key `terrain`, if there is one.
RI_MUST_CHECK RiStatus ri_scene_check_terrain(RiScene *sc);
/// Fills sc->terrain and gives it to the simulation, before that is built.
RI_MUST_CHECK RiStatus ri_scene_load_terrain(RiScene *sc);

// scene_contact.c

/// Checks the key `contact`, if there is one.
RI_MUST_CHECK RiStatus ri_scene_check_contact(RiScene *sc);
/// Reads `contact.passes` into the options of the simulation.
RI_MUST_CHECK RiStatus ri_scene_read_passes(RiScene *sc);
/// Fills sc->contacts and gives them to the simulation, before that is built; needs the terrain.
RI_MUST_CHECK RiStatus ri_scene_add_contacts(RiScene *sc);

// scene_soil.c

/// Checks the key `soil`, if there is one.
RI_MUST_CHECK RiStatus ri_scene_check_soil(RiScene *sc);
/// Lets wheels sink into soft soil, before the simulation is built; needs the contacts.
RI_MUST_CHECK RiStatus ri_scene_add_soil(RiScene *sc);

// scene_checks.c

/// Reads the key `checks`.
RI_MUST_CHECK RiStatus ri_scene_read_checks(RiScene *sc);
/// Translates their expressions; after all values have names.
RI_MUST_CHECK RiStatus ri_scene_build_checks(RiScene *sc);

// scene_place.c

/// Checks the key `place`, if there is one.
RI_MUST_CHECK RiStatus ri_scene_check_place(RiScene *sc);
/// Finds where the robot starts; after all settings. RI_ERR_NUMERIC: it did not succeed.
RI_MUST_CHECK RiStatus ri_scene_place(RiScene *sc);

// scene_stance.c

/// Checks the key `stance`, if there is one.
RI_MUST_CHECK RiStatus ri_scene_check_stance(RiScene *sc);
/// Fills sc->stance and gives it to the simulation, before that is built; needs the terrain.
RI_MUST_CHECK RiStatus ri_scene_add_stance(RiScene *sc);
/// Puts the robot on the ground; after all settings. RI_ERR_NUMERIC: no pose exists there.
RI_MUST_CHECK RiStatus ri_scene_stand(RiScene *sc);

// scene_items.c

/// Checks the keys of all items.
RI_MUST_CHECK RiStatus ri_scene_check_items(RiScene *sc);
/// Reads devices, springs, commands and stops; needs the model.
RI_MUST_CHECK RiStatus ri_scene_read_items(RiScene *sc);
void ri_scene_close_libraries(RiScene *sc);
/// The path of a shared object that a key names, relative to the scene's folder.
RI_MUST_CHECK RiStatus ri_scene_library_path(RiScene *sc, const RiYamlNode *library, const RiLocal *scope,
                                             const char **out_path);
/// A law of contact of a shared object, which stays open as long as the scene's libraries do.
RI_MUST_CHECK RiStatus ri_scene_open_law(RiScene *sc, const RiYamlNode *node, const char *path, const char *type,
                                         const RiContactPlugin **out_law);

// scene_build.c

/// Takes back what ri_scene_build made.
void ri_scene_clear(RiScene *sc);
/// Before ri_scene_build of `sc`: it takes the robot's description, the model and the terrain of
/// `lender`, which are immutable, instead of making them again. Both scenes have the same text,
/// options and settings; the lender is built and outlives `sc`.
void ri_scene_lend(RiScene *sc, const RiScene *lender);

// scene_save.c

// scene_optics.c

/// Checks the keys `cameras`, `lidars`, `lamps` and `light`, if they are there.
RI_MUST_CHECK RiStatus ri_scene_check_optics(RiScene *sc);
/// Fills sc->optics; needs the model.
RI_MUST_CHECK RiStatus ri_scene_read_optics(RiScene *sc);
/// Surfaces of materials (scene_surface.c).
RI_MUST_CHECK RiStatus ri_scene_read_surfaces(RiScene *sc, const RiYamlNode *list, RiSceneLight *light);

/// A text that grows.
typedef struct RiSceneWriter {
    RiContext *ctx;
    char *text;
    size_t used, room;
    bool failed; ///< out of memory; what follows is dropped
} RiSceneWriter;

void ri_scene_put(RiSceneWriter *w, const char *format, ...) RI_PRINTF(2, 3);
/// A text in double quotes, escaped so that YAML reads back the same.
void ri_scene_put_quoted(RiSceneWriter *w, const char *text);
/// A node in flow style. With `line` > 0 each node is in the line it was read from, counting
/// from `line`, so that messages about the copy name the right lines; with 0 it is wrapped for
/// reading. A key `extends` of the outer mapping becomes `extends` if that is not NULL.
void ri_scene_put_node(RiSceneWriter *w, const RiYamlNode *node, int line, const char *extends);
/// The rows of an option table, one line each: "INDENTkey: value". Numbers that were not given and
/// texts that are NULL are left out.
void ri_scene_put_options(RiSceneWriter *w, const char *indent, const RiOptionTable *table, const void *options);
/// The key `stance` as it was used, of a run without dynamics.
void ri_scene_put_stance(const RiScene *sc, RiSceneWriter *w);
/// The key `contact` as it was used.
void ri_scene_put_contact(const RiScene *sc, RiSceneWriter *w);
/// The key `soil` as it was used.
void ri_scene_put_soil(const RiScene *sc, RiSceneWriter *w);
/// The keys `cameras`, `lidars`, `lamps` and `light`.
void ri_scene_put_optics(const RiScene *sc, RiSceneWriter *w);
// scene_ros.c
/// Reads `ros.topics` and checks the names; after the rest of the key `ros`.
RI_MUST_CHECK RiStatus ri_scene_read_ros_topics(RiScene *sc);
/// The row of a setting `ros.topics.KIND.KEY`; NULL if the name is none.
const RiOption *ri_scene_ros_setting(const char *name);
void ri_scene_put_ros(const RiScene *sc, RiSceneWriter *w);
/// The key `checks`.
void ri_scene_put_checks(const RiScene *sc, RiSceneWriter *w);

#endif
