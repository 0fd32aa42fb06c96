// SPDX-License-Identifier: Apache-2.0
/// \file
/// Scenes: everything a run needs, as text.
///
///     scene.yaml + settings --(ri_scene_load)--> RiScene --(ri_scene_build)--> RiSim, ready to start
///     RiScene --(ri_scene_save)--> a complete configuration that loads again
///
/// Every setting has a default; the file overrides the default, the command line overrides the file.
/// Every message names file, line and key, and suggests the nearest known key or name.
///
/// Threads and ownership: a scene belongs to one thread and owns the spec, model and simulation
/// built from it.
#ifndef RILLE_SCENE_H
#define RILLE_SCENE_H

#include <rille/place.h>
#include <rille/report.h>
#include <rille/robot.h>
#include <rille/sim.h>
#include <rille/terrain_file.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RiScene RiScene;

typedef struct RiSceneOptions {
    const RiSetting *
        settings; ///< from the command line: scene keys ("duration", "integrator", "tick"), scene parameters, template parameters
    ///< ("robot.modules"), terrain parameters ("terrain.slope"), or named values ("elbow_pid.kp", "elbow.position")
    int setting_count;
    const char *robot; ///< a URDF in place of the scene's robot, if structurally similar; NULL for the scene's own
    const char *const *robot_paths; ///< folders searched for robot files after the scene's own folder
    int robot_path_count;
    const char *const *
        package_paths; ///< folders searched for package://NAME of meshes and $(find NAME), after the scene's `packages`
    int package_path_count;
    const char *const *terrain_paths; ///< folders searched for terrains, and for rasters and meshes that they name
    int terrain_path_count;
    const char *soils; ///< folder of the library of soils; NULL: "../soils" as seen from the terrain's description
    const char *cache; ///< folder in which baked grids are kept; NULL: none are
    /// Device classes of the calling program, in addition to the built-in ones; a device of the
    /// scene names one as its `type`. List and classes are borrowed until the scene is destroyed.
    const RiDeviceClass *const *devices;
    int device_count;
    RiReport *report; ///< may be NULL; borrowed until the scene is destroyed, everything else is copied
} RiSceneOptions;

/// The defaults that its fields name.
RiSceneOptions ri_scene_options_default(void);

/// Loads and checks a scene file. `options` may be NULL.
RI_MUST_CHECK RiStatus ri_scene_load(RiContext *ctx, const char *path, const RiSceneOptions *options,
                                     RiScene **out_scene);
/// From memory; `path` is used in messages and to find files (NULL: no files are read, the robot
/// must be given inline).
RI_MUST_CHECK RiStatus ri_scene_parse(RiContext *ctx, const char *path, const char *text, size_t size,
                                      const RiSceneOptions *options, RiScene **out_scene);
/// Destroys it; NULL does nothing.
void ri_scene_destroy(RiScene *scene);

/// Loads the robot, creates the model and the simulation, applies all settings and calls
/// ri_sim_start. After a failure nothing is built and it may be called again.
RI_MUST_CHECK RiStatus ri_scene_build(RiScene *scene);

/// Writes the complete configuration as YAML: every setting, default or not, with all values of
/// device parameters, as it was at the start of the run. Needs ri_scene_build. The same build of
/// the program runs it with equal bits; paths of robots and libraries are written relative to the
/// new file.
RI_MUST_CHECK RiStatus ri_scene_save(const RiScene *scene, const char *path);

/// Name of the scene; borrowed.
const char *ri_scene_name(const RiScene *scene);
/// Its description, one sentence; may be "". Borrowed.
const char *ri_scene_doc(const RiScene *scene);
/// Duration of the scene in simulated time [s].
double ri_scene_duration(const RiScene *scene);
/// The simulation; NULL before ri_scene_build. Borrowed.
RiSim *ri_scene_sim(const RiScene *scene);
/// The robot's description; NULL before ri_scene_build. Borrowed.
const RiSpec *ri_scene_spec(const RiScene *scene);
/// Result of the key `place` in the last ri_scene_build, also if the build failed because of it;
/// NULL: the scene has no such key.
const RiPlaceReport *ri_scene_placement(const RiScene *scene);
/// Lets the robot of a built scene settle on the ground from its current position, for instance
/// after it was moved by hand: a placement with the current joint positions, for a few simulated
/// seconds and without the holding test. Unconnected servos get the references that were found. A
/// placement that fails changes nothing. `watch` may be NULL. The caller owns *out_placement.
RI_MUST_CHECK RiStatus ri_scene_settle(RiScene *scene, RiPlaceWatchFn watch, void *user, RiPlacement **out_placement);
/// The ground; NULL before ri_scene_build, and without a terrain. Borrowed.
const RiTerrainFile *ri_scene_terrain(const RiScene *scene);
/// Rate of the log [Hz]; 0: no log.
double ri_scene_log_rate(const RiScene *scene);
/// Number of globs that choose what is logged.
int ri_scene_log_glob_count(const RiScene *scene);
/// Glob by index; borrowed.
const char *ri_scene_log_glob(const RiScene *scene, int index);
/// Whether the poses of links are logged.
bool ri_scene_log_frames(const RiScene *scene);
/// Whether pictures and clouds are logged.
bool ri_scene_log_sensors(const RiScene *scene);
/// Depths of ruts in the log are rounded to this [m]; 0: exact.
double ri_scene_log_rut_step(const RiScene *scene);
/// Simulated time between checkpoints [s]; 0: none.
double ri_scene_checkpoint_period(const RiScene *scene);
/// What the direction of the sun is computed from.
const RiSunDef *ri_scene_sun(const RiScene *scene);
/// Initial view of the viewer and of pictures (key `camera`).
typedef enum RiSceneLook { RI_LOOK_ORBIT, RI_LOOK_CHASE, RI_LOOK_PLAN, RI_LOOK_FIXED } RiSceneLook;
typedef struct RiSceneView {
    unsigned kind; ///< RiSceneLook
    /// Of the eye seen from the target, from x towards y; for a chase, -2.4 is behind the robot
    /// [rad]
    double azimuth;
    double elevation;   ///< of the eye above the target [rad]
    double distance;    ///< from the target; of a plan, the height of the picture; 0: fits the robot [m]
    RiVec3 target;      ///< from the middle of the robot, or of the world [m]
    bool follow;        ///< the target goes with the robot
    const char *layers; ///< layers of the page that are shown besides its own: "slope,contacts"; NULL: none
} RiSceneView;
/// The view that the scene sets, with defaults for the rest.
RiSceneView ri_scene_view(const RiScene *scene);
/// Names that `layers` may hold, ended by NULL.
const char *const *ri_scene_layer_names(void);
/// Number of times that the report shows besides start and end.
int ri_scene_picture_count(const RiScene *scene);
/// Time by index [s].
double ri_scene_picture(const RiScene *scene, int index);
/// A check of the scene (key `checks`): a number of the run so far, and the band it is expected in.
typedef struct RiSceneCheck {
    const char *name, *unit; ///< SI
    double value;            ///< NAN before the start of its time span
    double least, most;      ///< -INFINITY, INFINITY for none
    bool seen;               ///< the run has covered its whole time span
    bool passed;             ///< seen, and within the band
} RiSceneCheck;
/// Number of checks.
int ri_scene_check_count(const RiScene *scene);
/// Check by index, as it is now.
RiSceneCheck ri_scene_check(const RiScene *scene, int index);
/// Updates the checks; call it at the start and after each tick. Changes nothing else.
void ri_scene_look(RiScene *scene);
/// Number of plots of the report; each has a title and globs of values.
int ri_scene_plot_count(const RiScene *scene);
/// Title of a plot; borrowed.
const char *ri_scene_plot_title(const RiScene *scene, int plot);
/// Number of globs of a plot.
int ri_scene_plot_glob_count(const RiScene *scene, int plot);
/// Glob of a plot by index; borrowed.
const char *ri_scene_plot_glob(const RiScene *scene, int plot, int index);

/// A parameter of the scene (key `parameters`), as settings may change it.
typedef struct RiSceneParameter {
    const char *name;
    /// Unit that a setting without one is meant in: the declared unit, else the one its value is
    /// written with. "" for plain numbers; for a formula, the SI unit of its value, where a setting
    /// without a unit is SI.
    const char *unit;
    double value;       ///< in `unit`: the setting's if there is one, else the file's
    double least, most; ///< in `unit`; -INFINITY, INFINITY for none
    const char *doc;    ///< may be ""
} RiSceneParameter;
/// Number of parameters. They are known after ri_scene_load.
int ri_scene_parameter_count(const RiScene *scene);
/// Parameter by index; its strings are borrowed.
RiSceneParameter ri_scene_parameter(const RiScene *scene, int index);

/// A key of scene files, as documentation shows it.
typedef struct RiSceneKey {
    const char *section; ///< "soil": the key belongs to the mapping `soil`; "" for a top-level key
    const char *key;
    const char *doc;  ///< Markdown
    char initial[80]; ///< default; "" if there is none
    char allowed[160];
} RiSceneKey;
/// Number of keys that have a table. Keys of one section are adjacent; indices are from 0.
int ri_scene_key_count(void);
/// Key by index.
RiSceneKey ri_scene_key_get(int index);

#ifdef __cplusplus
}
#endif
#endif
