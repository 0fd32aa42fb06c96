// SPDX-License-Identifier: Apache-2.0
/// \file
/// Arguments of a simulation or batch: which scene, from a file or a text, with which settings and
/// devices.
#include "core.h"

#include <string.h>

/// A text of Python that lives as long as the object; NULL with an exception.
static const char *text_of(PyObject *object, const char *what, Py_ssize_t *out_size)
{
    if (!PyUnicode_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s must be a str, not %R", what, (PyObject *)Py_TYPE(object));
        return NULL;
    }
    Py_ssize_t size;
    const char *text = PyUnicode_AsUTF8AndSize(object, &size);
    if (text && !out_size && strlen(text) != (size_t)size) {
        PyErr_Format(PyExc_ValueError, "%s contains a zero byte", what);
        return NULL;
    }
    if (out_size)
        *out_size = size;
    return text;
}

/// Pairs (name, value) of texts.
static bool read_settings(Opening *o, PyObject *pairs)
{
    const Py_ssize_t count = PyTuple_Size(pairs);
    if (count < 0)
        return false;
    o->settings = PyMem_Calloc((size_t)count + 1, sizeof *o->settings);
    if (!o->settings) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *pair = PyTuple_GetItem(pairs, i);
        if (!pair || !PyTuple_Check(pair) || PyTuple_Size(pair) != 2) {
            PyErr_SetString(PyExc_TypeError, "settings are pairs of texts");
            return false;
        }
        o->settings[i].name = text_of(PyTuple_GetItem(pair, 0), "the name of a setting", NULL);
        o->settings[i].value = text_of(PyTuple_GetItem(pair, 1), "the value of a setting", NULL);
        if (!o->settings[i].name || !o->settings[i].value)
            return false;
    }
    o->options.settings = o->settings;
    o->options.setting_count = (int)count;
    return true;
}

/// The scene's file by name or path; with a text, the path that messages and files of the scene are
/// seen from.
static bool read_scene(Opening *o, RiContext *ctx, PyObject *scene, PyObject *text)
{
    const char *word = text_of(scene, "the scene", NULL);
    if (!word)
        return false;
    if (text != Py_None) {
        o->text = text_of(text, "the scene's text", &o->text_size);
        PyOS_snprintf(o->scene, sizeof o->scene, "%s", word);
        return o->text != NULL;
    }
    const RiStatus status = ri_paths_find_scene(ctx, &o->paths, word, o->scene);
    if (status != RI_OK)
        core_fail(ctx, status);
    return status == RI_OK;
}

bool opening_read(Opening *o, RiContext *ctx, Gate *gate, PyObject *args, PyObject *kwargs, int *out_count)
{
    static char *names[] = {"scene", "text", "settings", "robot", "devices", "root", "count", NULL};
    PyObject *scene, *text = Py_None, *settings = NULL, *devices = NULL;
    const char *robot = NULL, *root = NULL;
    int count = 1;
    memset(o, 0, sizeof *o);
    o->options = ri_scene_options_default();
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|OO!zO!zi", names, &scene, &text, &PyTuple_Type, &settings, &robot,
                                     &PyTuple_Type, &devices, &root, &count))
        return false;
    ri_paths_default(root, &o->paths);
    ri_paths_use(&o->paths, &o->options);
    o->options.robot = robot;
    if (out_count)
        *out_count = count;
    if (!read_scene(o, ctx, scene, text) || (settings && !read_settings(o, settings)))
        return false;
    if (devices && PyTuple_Size(devices) > 0) {
        o->devices = devices_create(devices, gate);
        if (!o->devices)
            return false;
        o->options.devices = devices_list(o->devices, &o->options.device_count);
    }
    return true;
}

void opening_free(Opening *o)
{
    PyMem_Free(o->settings);
}
