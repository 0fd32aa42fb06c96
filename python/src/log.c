// SPDX-License-Identifier: Apache-2.0
/// \file
/// _core.Log and _core.Record: MCAP logs that runs leave behind, and new ones.
#include "core.h"

#include <math.h>
#include <string.h>

typedef struct LogObject {
    PyObject_HEAD Gate gate;
    RiContext *ctx;
    RiLog *log;
} LogObject;

static PyObject *log_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"path", NULL};
    PyObject *path;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O&", names, PyUnicode_FSConverter, &path))
        return NULL;
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    LogObject *self = (LogObject *)alloc(type, 0);
    if (!self) {
        Py_DECREF(path);
        return NULL;
    }
    gate_init(&self->gate);
    RiStatus status = ri_context_create(NULL, &self->ctx);
    if (status == RI_OK)
        status = ri_log_open(self->ctx, PyBytes_AsString(path), &self->log);
    Py_DECREF(path);
    if (status != RI_OK) {
        core_fail(self->ctx, status);
        Py_DECREF((PyObject *)self);
        return NULL;
    }
    return (PyObject *)self;
}

static void log_dealloc(PyObject *object)
{
    LogObject *self = (LogObject *)object;
    PyTypeObject *type = Py_TYPE(object);
    ri_log_close(self->log);
    ri_context_destroy(self->ctx);
    gate_free(&self->gate);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static bool enter(LogObject *self)
{
    if (!gate_enter(&self->gate))
        return false;
    if (self->log)
        return true;
    gate_leave(&self->gate);
    core_refuse("the log is closed");
    return false;
}

static PyObject *log_close(PyObject *object, PyObject *args)
{
    LogObject *self = (LogObject *)object;
    (void)args;
    if (!gate_enter(&self->gate))
        return NULL;
    ri_log_close(self->log);
    self->log = NULL;
    gate_leave(&self->gate);
    Py_RETURN_NONE;
}

/// Signals: (name, unit) each.
static PyObject *log_signals(PyObject *object, PyObject *args)
{
    LogObject *self = (LogObject *)object;
    (void)args;
    if (!enter(self))
        return NULL;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < ri_log_signal_count(self->log); i++) {
        PyObject *x = Py_BuildValue("(ss)", ri_log_signal_name(self->log, i), ri_log_signal_unit(self->log, i));
        if (!x || PyList_Append(list, x) < 0)
            Py_CLEAR(list);
        Py_XDECREF(x);
    }
    gate_leave(&self->gate);
    return list;
}

/// read(name, from, to): (count, bytes of times, bytes of values).
static PyObject *log_read(PyObject *object, PyObject *args)
{
    LogObject *self = (LogObject *)object;
    const char *name;
    double from, to, *times = NULL, *values = NULL;
    int count = 0;
    if (!PyArg_ParseTuple(args, "sdd", &name, &from, &to) || !enter(self))
        return NULL;
    PyObject *result = NULL;
    const int signal = ri_log_find_signal(self->log, name);
    if (signal < 0) {
        char text[300];
        PyOS_snprintf(text, sizeof text, "the log has no signal '%.200s'; log.names lists them", name);
        core_raise(RI_ERR_NOT_FOUND, text);
    } else {
        PyThreadState *thread = PyEval_SaveThread();
        const RiStatus status = ri_log_read(self->log, signal, from, to, &times, &values, &count);
        PyEval_RestoreThread(thread);
        const Py_ssize_t size = (Py_ssize_t)((size_t)count * sizeof *times);
        result = status == RI_OK
                     ? Py_BuildValue("(iy#y#)", count, (const char *)times, size, (const char *)values, size)
                     : core_fail(self->ctx, status);
        ri_log_release(self->log, times);
        ri_log_release(self->log, values);
    }
    gate_leave(&self->gate);
    return result;
}

static PyObject *log_events(PyObject *object, PyObject *args)
{
    LogObject *self = (LogObject *)object;
    RiLogEvent *events = NULL;
    int count = 0;
    (void)args;
    if (!enter(self))
        return NULL;
    const RiStatus status = ri_log_read_events(self->log, NULL, 0.0, INFINITY, &events, &count);
    PyObject *list = status == RI_OK ? PyList_New(0) : core_fail(self->ctx, status);
    for (int i = 0; list && i < count; i++) {
        PyObject *x = Py_BuildValue("(dss)", events[i].time, events[i].topic, events[i].text);
        if (!x || PyList_Append(list, x) < 0)
            Py_CLEAR(list);
        Py_XDECREF(x);
    }
    ri_log_release(self->log, events);
    gate_leave(&self->gate);
    return list;
}

static PyObject *log_span(PyObject *object, void *which)
{
    LogObject *self = (LogObject *)object;
    if (!enter(self))
        return NULL;
    PyObject *result = which == (void *)2   ? PyBool_FromLong(ri_log_is_complete(self->log))
                       : which == (void *)1 ? PyFloat_FromDouble(ri_log_end(self->log))
                                            : PyFloat_FromDouble(ri_log_start(self->log));
    gate_leave(&self->gate);
    return result;
}

// --- writing -------------------------------------------------------------------------------------

typedef struct RecordObject {
    PyObject_HEAD Gate gate;
    RiContext *ctx;
    RiRecord *record;
    int group;
    Py_ssize_t count;
} RecordObject;

/// Declares the signals: pairs (name, unit).
static RiStatus declare(RecordObject *self, const char *topic, PyObject *signals)
{
    self->count = PyList_Size(signals);
    const char **texts = PyMem_Calloc(2 * (size_t)self->count + 1, sizeof *texts);
    bool ok = texts != NULL;
    for (Py_ssize_t i = 0; ok && i < self->count; i++)
        ok = PyArg_ParseTuple(PyList_GetItem(signals, i), "ss", &texts[i], &texts[self->count + i]);
    const RiStatus status =
        ok ? ri_record_add_signals(self->record, topic, (int)self->count, texts, texts + self->count, &self->group)
           : RI_ERR_MEMORY;
    PyMem_Free(texts);
    return status;
}

static PyObject *record_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"path", "topic", "signals", NULL};
    PyObject *path, *signals;
    const char *topic;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O&sO!", names, PyUnicode_FSConverter, &path, &topic, &PyList_Type,
                                     &signals))
        return NULL;
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    RecordObject *self = (RecordObject *)alloc(type, 0);
    RiStatus status = RI_ERR_MEMORY;
    if (self) {
        gate_init(&self->gate);
        status = ri_context_create(NULL, &self->ctx);
    }
    if (status == RI_OK)
        status = ri_record_create(self->ctx, PyBytes_AsString(path), NULL, &self->record);
    if (status == RI_OK)
        status = declare(self, topic, signals);
    Py_DECREF(path);
    if (status == RI_OK)
        return (PyObject *)self;
    if (!PyErr_Occurred())
        core_fail(self ? self->ctx : NULL, status);
    Py_XDECREF((PyObject *)self);
    return NULL;
}

static void record_dealloc(PyObject *object)
{
    RecordObject *self = (RecordObject *)object;
    PyTypeObject *type = Py_TYPE(object);
    ri_record_destroy(self->record);
    ri_context_destroy(self->ctx);
    gate_free(&self->gate);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyObject *record_write(PyObject *object, PyObject *args)
{
    RecordObject *self = (RecordObject *)object;
    double time;
    PyObject *numbers;
    Py_ssize_t count;
    if (!PyArg_ParseTuple(args, "dO", &time, &numbers))
        return NULL;
    double *x = core_numbers(numbers, &count);
    if (!x || !gate_enter(&self->gate)) {
        PyMem_Free(x);
        return NULL;
    }
    PyObject *result = NULL;
    if (!self->record) {
        core_refuse("the record is closed");
    } else if (count != self->count) {
        PyErr_Format(PyExc_ValueError, "%zd numbers for %zd signals", count, self->count);
    } else {
        const RiStatus status = ri_record_signals(self->record, self->group, time, x);
        result = status == RI_OK ? Py_NewRef(Py_None) : core_fail(self->ctx, status);
    }
    gate_leave(&self->gate);
    PyMem_Free(x);
    return result;
}

static PyObject *record_close(PyObject *object, PyObject *args)
{
    RecordObject *self = (RecordObject *)object;
    (void)args;
    if (!gate_enter(&self->gate))
        return NULL;
    const RiStatus status = self->record ? ri_record_close(self->record) : RI_OK;
    ri_record_destroy(self->record);
    self->record = NULL;
    gate_leave(&self->gate);
    if (status != RI_OK)
        return core_fail(self->ctx, status);
    Py_RETURN_NONE;
}

static int add_record_type(PyObject *module)
{
    static PyMethodDef methods[] = {
        {"write", record_write, METH_VARARGS, "write(time, numbers, /)\n--\n\nWrites one row at a time [s]."},
        {"close", record_close, METH_NOARGS, "close()\n--\n\nFinishes the file."},
        {NULL, NULL, 0, NULL},
    };
    static PyType_Slot slots[] = {
        {Py_tp_doc,
         "Record(path, topic, signals)\n--\n\nA new MCAP log with one topic of signals, [(name, unit), ...]."},
        {Py_tp_new, (void *)record_new},
        {Py_tp_dealloc, (void *)record_dealloc},
        {Py_tp_methods, methods},
        {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "rille._core.Record", .basicsize = sizeof(RecordObject), .flags = Py_TPFLAGS_DEFAULT, .slots = slots};
    PyObject *type = PyType_FromSpec(&spec);
    return type ? PyModule_AddObjectRef(module, "Record", type) : -1;
}

int log_add_type(PyObject *module)
{
    static PyGetSetDef fields[] = {
        {"start", log_span, NULL, "time of the first message [s]", (void *)0},
        {"end", log_span, NULL, "time of the last message [s]", (void *)1},
        {"is_complete", log_span, NULL, "False: the run was killed, or the file is damaged at its end", (void *)2},
        {NULL, NULL, NULL, NULL, NULL},
    };
    static PyMethodDef methods[] = {
        {"_signals", log_signals, METH_NOARGS, NULL},
        {"_read", log_read, METH_VARARGS, NULL},
        {"events", log_events, METH_NOARGS, "events()\n--\n\nWhat happened: (time, topic, text) each."},
        {"close", log_close, METH_NOARGS, "close()\n--\n\nCloses the file."},
        {NULL, NULL, 0, NULL},
    };
    static PyType_Slot slots[] = {
        {Py_tp_doc, "A log file, as rille.Log extends it."},
        {Py_tp_new, (void *)log_new},
        {Py_tp_dealloc, (void *)log_dealloc},
        {Py_tp_getset, fields},
        {Py_tp_methods, methods},
        {0, NULL},
    };
    static PyType_Spec spec = {.name = "rille._core.Log",
                               .basicsize = sizeof(LogObject),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                               .slots = slots};
    PyObject *type = PyType_FromSpec(&spec);
    if (!type || PyModule_AddObjectRef(module, "Log", type) < 0)
        return -1;
    return add_record_type(module);
}
