// SPDX-License-Identifier: Apache-2.0
/// \file
/// Commands of cameras and lidars.
#ifndef RILLE_APP_OPTICS_H
#define RILLE_APP_OPTICS_H

#include "cli.h"

int camera_models(int argc, char **argv);
int camera_calibrate(int argc, char **argv);
int camera_shot(int argc, char **argv);

/// A scene that has been run to a time, and its sensors.
typedef struct OpticsStage {
    RiContext *ctx;
    RiReport *report;
    RiScene *scene;
    RiPerception *eyes;
} OpticsStage;

/// Opens a scene and its sensors at its start. Prints a message on failure; close it in any case.
CliExit optics_open(OpticsStage *stage, const char *scene, const RiSetting *settings, int setting_count, int threads);
/// Runs to a time [s]; says so if the run ends before. The sensors look at the tick before and at
/// the last one.
CliExit optics_run_to(OpticsStage *stage, double time);
void optics_close(OpticsStage *stage);
/// A picture of a scene through rays, for `rille view --renderer rays`. Its camera is one of the
/// scene, orbit, chase or plan; NULL: orbit.
struct ViewArgs;
CliExit optics_view(const struct ViewArgs *args);
/// Where the camera orbit, chase or plan (NULL: orbit) looks at a scene's robot from; false: there
/// is none of this name.
bool optics_view_pose(const RiScene *scene, const char *name, RiPose *out);
/// The picture as a video from one time to another (`rille view --video --renderer rays`).
CliExit optics_video(const struct ViewArgs *args);

/// The cameras that come with the program, or those of a file; NULL: the former. Prints a message
/// on failure.
CliExit optics_load_cameras(RiContext *ctx, const char *path, RiCameras **out);
/// The camera of a name in a set; prints a message with the nearest name and gives NULL if there is
/// none.
const RiCamera *optics_find_camera(const RiCameras *set, const char *name);

#endif
