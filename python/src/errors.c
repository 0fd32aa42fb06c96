// SPDX-License-Identifier: Apache-2.0
/// \file
/// Exceptions: one type for each kind of failure, with file and line where the sentence has them.
#include "core.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/// Kinds of failure. A row is a Python name, its base in Python's own types (NULL: rille.Error
/// alone), and what it means.
typedef struct Kind {
    const char *name;
    PyObject **base;
    const char *doc;
} Kind;

enum { KIND_INPUT, KIND_NOT_FOUND, KIND_NUMERIC, KIND_UNSUPPORTED, KIND_FILE, KIND_DEVICE, KIND_STATE, KINDS };

// Set once, when the module is imported; types live as long as the interpreter.
static PyObject *base_error, *types[KINDS];

static const char base_doc[] = "Something that Rille could not do. The sentence says why and, where there is one, "
                               "names file, line and what is allowed.\n\n"
                               "file and line (from 1) say where in which file; None where that is not known.";

static PyObject *make(const char *name, const char *doc, PyObject *bases)
{
    char full[64];
    PyOS_snprintf(full, sizeof full, "rille.%s", name);
    return PyErr_NewExceptionWithDoc(full, doc, bases, NULL);
}

int core_add_errors(PyObject *module)
{
    const Kind kinds[KINDS] = {
        [KIND_INPUT] = {"InputError", &PyExc_ValueError, "A file, a dictionary, a name or a number is wrong."},
        [KIND_NOT_FOUND] = {"NotFoundError", &PyExc_LookupError,
                            "There is no value, robot, scene or file of that name."},
        [KIND_NUMERIC] = {"NumericError", &PyExc_ArithmeticError,
                          "The motion diverged; the simulation is as it was before the tick."},
        [KIND_UNSUPPORTED] = {"UnsupportedError", &PyExc_NotImplementedError, "This build lacks an optional part."},
        [KIND_FILE] = {"FileError", &PyExc_OSError, "A file could not be read or written."},
        [KIND_DEVICE] =
            {"DeviceError", NULL,
             "A device failed; the simulation is as it was before the tick. A Python exception is the cause."},
        [KIND_STATE] = {"StateError", &PyExc_RuntimeError, "The object cannot do this now: closed, or in a tick."},
    };
    base_error = make("Error", base_doc, NULL);
    if (!base_error || PyModule_AddObjectRef(module, "Error", base_error) < 0)
        return -1;
    for (int i = 0; i < KINDS; i++) {
        PyObject *bases = kinds[i].base ? PyTuple_Pack(2, base_error, *kinds[i].base) : PyTuple_Pack(1, base_error);
        types[i] = bases ? make(kinds[i].name, kinds[i].doc, bases) : NULL;
        Py_XDECREF(bases);
        if (!types[i] || PyModule_AddObjectRef(module, kinds[i].name, types[i]) < 0)
            return -1;
    }
    PyObject *none = Py_None;
    return PyObject_SetAttrString(base_error, "file", none) < 0 || PyObject_SetAttrString(base_error, "line", none) < 0
               ? -1
               : 0;
}

PyObject *core_error_type(RiStatus status)
{
    switch (status) {
    case RI_ERR_MEMORY:
        return PyExc_MemoryError;
    case RI_ERR_IO:
        return types[KIND_FILE];
    case RI_ERR_NOT_FOUND:
        return types[KIND_NOT_FOUND];
    case RI_ERR_NUMERIC:
        return types[KIND_NUMERIC];
    case RI_ERR_UNSUPPORTED:
        return types[KIND_UNSUPPORTED];
    case RI_ERR_DEVICE:
        return types[KIND_DEVICE];
    case RI_OK:
    case RI_ERR_ARGUMENT:
    case RI_ERR_FORMAT:
    case RI_ERR_LIMIT:
    case RI_ERR_MODEL:
    case RI_STATUS_COUNT:
        break;
    }
    return types[KIND_INPUT];
}

/// "FILE:LINE: ..." or "robot 3: FILE:LINE: ...": the length of FILE and where it begins, and the
/// line; 0 without.
static size_t find_place(const char *text, const char **out_file, long *out_line)
{
    if (strncmp(text, "robot ", 6) == 0 && strstr(text, ": "))
        text = strstr(text, ": ") + 2;
    *out_file = text;
    for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
        if (colon[1] == ' ')
            return 0; // a sentence begins
        char *end;
        *out_line = isdigit((unsigned char)colon[1]) ? strtol(colon + 1, &end, 10) : 0;
        if (*out_line > 0 && *end == ':')
            return (size_t)(colon - text);
    }
    return 0;
}

/// Sets file and line of an exception, as far as the sentence has them.
static void set_place(PyObject *error, const char *message)
{
    const char *file;
    long line = 0;
    const size_t length = find_place(message, &file, &line);
    PyObject *path = length ? PyUnicode_DecodeFSDefaultAndSize(file, (Py_ssize_t)length) : NULL;
    PyObject *number = path ? PyLong_FromLong(line) : NULL;
    if (number) {
        PyObject_SetAttrString(error, "file", path);
        PyObject_SetAttrString(error, "line", number);
    }
    PyErr_Clear();
    Py_XDECREF(path);
    Py_XDECREF(number);
}

PyObject *core_raise(RiStatus status, const char *message)
{
    PyObject *type = core_error_type(status);
    PyObject *text = PyUnicode_DecodeUTF8(message, (Py_ssize_t)strlen(message), "replace");
    PyObject *error = text ? PyObject_CallFunctionObjArgs(type, text, NULL) : NULL;
    if (error) {
        set_place(error, message);
        PyErr_SetObject(type, error);
    }
    Py_XDECREF(text);
    Py_XDECREF(error);
    return NULL;
}

PyObject *core_fail(const RiContext *ctx, RiStatus status)
{
    const char *message = ctx ? ri_context_message(ctx) : "";
    return core_raise(status, *message ? message : ri_status_text(status));
}

PyObject *core_refuse(const char *sentence)
{
    PyErr_SetString(types[KIND_STATE], sentence);
    return NULL;
}

const char *core_text(PyObject *text)
{
    Py_ssize_t size;
    const char *bytes = PyUnicode_AsUTF8AndSize(text, &size);
    if (bytes && strlen(bytes) != (size_t)size) {
        PyErr_Format(PyExc_ValueError, "%R contains a zero byte", text);
        return NULL;
    }
    return bytes;
}
