// SPDX-License-Identifier: Apache-2.0
/// \file
/// Cameras by name from tables, and targets with their sightings.
///
///     cameras.csv --(ri_cameras_load)--> RiCameras: named models, checked
///
/// A table has a row for each camera and the columns name, type, width, height; of the CAHV family
/// Cx ... Vz, and as the type needs Ox Oy Oz, R0 R1 R2, E0 E1 E2 with linearity and perhaps
/// pupilType (without it the type follows from the linearity: 1, 0, else general); of other types
/// fx, fy, cx, cy and the columns k1, k2, p1, p2, k3 ... k6 that the type has. A column `frame`
/// names the robot's frame that the vectors are given in. Other columns are ignored.
///
/// Threads and ownership: a set of cameras belongs to its context's thread and is immutable.
#ifndef RILLE_CAMERA_FILE_H
#define RILLE_CAMERA_FILE_H

#include <stddef.h>

#include <rille/camera.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RiCameras RiCameras;

/// RI_ERR_FORMAT with file, line and column; RI_ERR_MODEL for a model that ri_camera_check refuses.
RI_MUST_CHECK RiStatus ri_cameras_load(RiContext *ctx, const char *path, RiCameras **out_cameras);
/// The same from a text; `path` is used in messages.
RI_MUST_CHECK RiStatus ri_cameras_parse(RiContext *ctx, const char *path, const char *text, size_t size,
                                        RiCameras **out_cameras);
/// Destroys it; NULL does nothing.
void ri_cameras_destroy(RiCameras *cameras);
/// Number of cameras in the table.
int ri_cameras_count(const RiCameras *cameras);
/// Name of a camera; index from 0 to ri_cameras_count() - 1. Borrowed.
const char *ri_cameras_name(const RiCameras *cameras, int index);
/// Frame in which the camera's vectors are given; "" if the table names none. Borrowed.
const char *ri_cameras_frame(const RiCameras *cameras, int index);
/// As published: vectors are not normalised (ri_camera_unit_axis does that).
const RiCamera *ri_cameras_get(const RiCameras *cameras, int index);
/// -1 if there is none of that name.
int ri_cameras_find(const RiCameras *cameras, const char *name);
/// The nearest known name, NULL if none is near.
const char *ri_cameras_suggest(const RiCameras *cameras, const char *name);

/// Writes one camera as such a table.
RI_MUST_CHECK RiStatus ri_camera_save(RiContext *ctx, const RiCamera *camera, const char *name, const char *path);

/// Sightings of a target: columns X, Y, Z, sample, line. The caller releases *out_sightings with
/// ri_sightings_free.
RI_MUST_CHECK RiStatus ri_sightings_load(RiContext *ctx, const char *path, RiSighting **out_sightings, int *out_count);
/// Releases the sightings of ri_sightings_load; NULL does nothing.
void ri_sightings_free(RiContext *ctx, RiSighting *sightings);

#ifdef __cplusplus
}
#endif
#endif
