// SPDX-License-Identifier: Apache-2.0
/// \file
/// Cameras and lidars of a simulation: pictures, truth and clouds as bytes with their sizes, which
/// rille/sensors.py turns into arrays.
#include "core.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/// Makes the perception at the first need, and looks. Inside the gate; without the interpreter's
/// lock.
static RiStatus look(SimObject *self)
{
    if (self->perception)
        return ri_perception_look(self->perception);
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return ri_perception_create(self->ctx, self->scene, processors < 1 ? 1 : (int)processors, self->report,
                                &self->perception);
}

static int count_of(const SimObject *self, bool lidars)
{
    return lidars ? ri_scene_lidar_count(self->scene) : ri_scene_camera_count(self->scene);
}

static const char *name_of(const SimObject *self, bool lidars, int i)
{
    return lidars ? ri_scene_lidar(self->scene, i)->name : ri_scene_camera(self->scene, i)->name;
}

static int find_sensor(const SimObject *self, bool lidars, const char *name)
{
    for (int i = 0; i < count_of(self, lidars); i++)
        if (strcmp(name_of(self, lidars, i), name) == 0)
            return i;
    char text[300];
    const int n = count_of(self, lidars);
    PyOS_snprintf(text, sizeof text, "scene '%.60s' has no %s '%.80s'; it has %d%s%.60s%s", ri_scene_name(self->scene),
                  lidars ? "lidar" : "camera", name, n, n ? ", the first is '" : "", n ? name_of(self, lidars, 0) : "",
                  n ? "'" : "");
    core_raise(RI_ERR_NOT_FOUND, text);
    return -1;
}

PyObject *sim_sensors(PyObject *object, PyObject *args)
{
    SimObject *self = (SimObject *)object;
    int lidars;
    if (!PyArg_ParseTuple(args, "p", &lidars) || !sim_enter(self))
        return NULL;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < count_of(self, lidars); i++) {
        PyObject *name = PyUnicode_FromString(name_of(self, lidars, i));
        if (!name || PyList_Append(list, name) < 0)
            Py_CLEAR(list);
        Py_XDECREF(name);
    }
    sim_leave(self);
    return list;
}

static PyObject *bytes_of(const void *data, size_t size)
{
    return PyBytes_FromStringAndSize(data, (Py_ssize_t)size);
}

static PyObject *picture_tuple(const RiPictureView *p)
{
    const size_t n = (size_t)p->width * (size_t)p->height;
    return Py_BuildValue("(iidNN)", p->width, p->height, p->time, bytes_of(p->rgb, 3 * n),
                         bytes_of(p->radiance, 3 * n * sizeof *p->radiance));
}

PyObject *sim_picture(PyObject *object, PyObject *args)
{
    SimObject *self = (SimObject *)object;
    const char *name;
    RiPictureView view;
    if (!PyArg_ParseTuple(args, "s", &name) || !sim_enter(self))
        return NULL;
    PyObject *result = NULL;
    const int camera = find_sensor(self, false, name);
    if (camera >= 0) {
        PyThreadState *thread = PyEval_SaveThread();
        RiStatus status = look(self);
        if (status == RI_OK)
            status = ri_perception_picture(self->perception, camera, &view);
        PyEval_RestoreThread(thread);
        result = status == RI_OK ? picture_tuple(&view) : sim_fail(self, status);
    }
    sim_leave(self);
    return result;
}

/// A camera at `from` that looks at `to`, with z up in the picture.
static RiPose pose_towards(RiVec3 from, RiVec3 to)
{
    const RiVec3 up = ri_vec3(0.0, 0.0, 1.0);
    RiVec3 z = ri_sub(to, from);
    z = ri_norm(z) > 0.0 ? ri_scale(1.0 / ri_norm(z), z) : ri_vec3(1.0, 0.0, 0.0);
    RiVec3 x = ri_cross(z, up);
    x = ri_norm(x) > 1e-9 ? ri_scale(1.0 / ri_norm(x), x) : ri_vec3(1.0, 0.0, 0.0);
    const RiVec3 y = ri_cross(z, x);
    return (RiPose){{{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}}, from};
}

PyObject *sim_view(PyObject *object, PyObject *args)
{
    SimObject *self = (SimObject *)object;
    RiVec3 from, to;
    int width, height, samples, path;
    double field;
    if (!PyArg_ParseTuple(args, "(ddd)(ddd)iidip", &from.x, &from.y, &from.z, &to.x, &to.y, &to.z, &width, &height,
                          &field, &samples, &path))
        return NULL;
    if (width < 1 || height < 1 || width > 8192 || height > 8192 || !(field > 0.0 && field < 3.0) || samples < 1 ||
        samples > 4096) {
        PyErr_SetString(PyExc_ValueError,
                        "a picture has 1 to 8192 pixels a side, a field of 0 to 3 rad, 1 to 4096 samples");
        return NULL;
    }
    if (!sim_enter(self))
        return NULL;
    RiPictureView view;
    const RiPose pose = pose_towards(from, to);
    PyThreadState *thread = PyEval_SaveThread();
    RiCamera camera = ri_camera_pinhole(width, height, field);
    RiStatus status = ri_camera_check(self->ctx, "view", &camera);
    if (status == RI_OK)
        status = look(self);
    if (status == RI_OK)
        status = ri_perception_picture_from(self->perception, &camera, &pose, samples, path, &view);
    PyEval_RestoreThread(thread);
    PyObject *result = status == RI_OK ? picture_tuple(&view) : sim_fail(self, status);
    sim_leave(self);
    return result;
}

static PyObject *truth_dict(const RiTruthView *t)
{
    const size_t n = (size_t)t->width * (size_t)t->height;
    return Py_BuildValue("(iid{s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N})", t->width, t->height, t->time, "depth",
                         bytes_of(t->depth, n * sizeof *t->depth), "xyz", bytes_of(t->xyz, 3 * n * sizeof *t->xyz),
                         "normal", bytes_of(t->normal, 3 * n * sizeof *t->normal), "albedo",
                         bytes_of(t->albedo, 3 * n * sizeof *t->albedo), "link", bytes_of(t->link, n * sizeof *t->link),
                         "soil", bytes_of(t->soil, n * sizeof *t->soil), "flow",
                         bytes_of(t->flow, 2 * n * sizeof *t->flow), "visible", bytes_of(t->visible, n));
}

PyObject *sim_truth(PyObject *object, PyObject *args)
{
    SimObject *self = (SimObject *)object;
    const char *name;
    RiTruthView view;
    if (!PyArg_ParseTuple(args, "s", &name) || !sim_enter(self))
        return NULL;
    PyObject *result = NULL;
    const int camera = find_sensor(self, false, name);
    if (camera >= 0) {
        PyThreadState *thread = PyEval_SaveThread();
        RiStatus status = look(self);
        if (status == RI_OK)
            status = ri_perception_truth(self->perception, camera, &view);
        PyEval_RestoreThread(thread);
        result = status == RI_OK ? truth_dict(&view) : sim_fail(self, status);
    }
    sim_leave(self);
    return result;
}

/// A field of all returns, one after the other; new bytes.
static PyObject *field_of(const RiCloudView *c, size_t offset, size_t size)
{
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)((size_t)c->count * size));
    char *to = bytes ? PyBytes_AsString(bytes) : NULL;
    for (int i = 0; to && i < c->count; i++)
        memcpy(to + (size_t)i * size, (const char *)&c->returns[i] + offset, size);
    return bytes;
}

#define FIELD(name) field_of(c, offsetof(RiReturn, name), sizeof(((RiReturn *)0)->name))
static PyObject *cloud_tuple(const RiCloudView *c)
{
    const RiPose *p = &c->pose;
    return Py_BuildValue("(id((ddd)((ddd)(ddd)(ddd))){s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N})", c->count, c->time, p->p.x,
                         p->p.y, p->p.z, p->R.m[0][0], p->R.m[0][1], p->R.m[0][2], p->R.m[1][0], p->R.m[1][1],
                         p->R.m[1][2], p->R.m[2][0], p->R.m[2][1], p->R.m[2][2], "time", FIELD(time), "range",
                         FIELD(range), "intensity", FIELD(intensity), "point", FIELD(point), "world", FIELD(world),
                         "truth", FIELD(truth), "channel", FIELD(channel), "link", FIELD(link), "soil", FIELD(soil));
}

PyObject *sim_scan(PyObject *object, PyObject *args)
{
    SimObject *self = (SimObject *)object;
    const char *name;
    int whole;
    RiCloudView view;
    if (!PyArg_ParseTuple(args, "sp", &name, &whole) || !sim_enter(self))
        return NULL;
    PyObject *result = NULL;
    const int lidar = find_sensor(self, true, name);
    if (lidar >= 0) {
        PyThreadState *thread = PyEval_SaveThread();
        RiStatus status = look(self);
        if (status == RI_OK)
            status = ri_perception_scan(self->perception, lidar, whole, &view);
        PyEval_RestoreThread(thread);
        result = status == RI_OK ? cloud_tuple(&view) : sim_fail(self, status);
    }
    sim_leave(self);
    return result;
}
