// SPDX-License-Identifier: Apache-2.0
/// \file
/// _core.Batch: many robots of one scene, stepped by threads; values of all robots as one table.
#include "core.h"

#include <string.h>
#include <time.h>

typedef struct BatchObject {
    PyObject_HEAD Gate gate;
    RiContext *ctx;
    RiBatch *batch;
    DeviceSet *devices;
} BatchObject;

static PyObject *batch_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)args;
    (void)kwargs;
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    BatchObject *self = (BatchObject *)alloc(type, 0);
    if (self)
        gate_init(&self->gate);
    return (PyObject *)self;
}

static void discard(BatchObject *self)
{
    ri_batch_destroy(self->batch);
    self->batch = NULL;
    devices_destroy(self->devices);
    self->devices = NULL;
    ri_context_destroy(self->ctx);
    self->ctx = NULL;
}

static bool enter(BatchObject *self)
{
    if (!gate_enter(&self->gate))
        return false;
    if (self->batch)
        return true;
    gate_leave(&self->gate);
    core_refuse("the batch is closed");
    return false;
}

static PyObject *fail(BatchObject *self, RiStatus status)
{
    PyObject *cause = devices_take_error(self->devices);
    if (cause && !PyObject_IsInstance(cause, PyExc_Exception)) {
        PyErr_SetObject((PyObject *)Py_TYPE(cause), cause);
        Py_DECREF(cause);
        return NULL;
    }
    core_fail(self->ctx, status);
    if (cause) {
        PyObject *type, *value, *trace;
        PyErr_Fetch(&type, &value, &trace);
        PyErr_NormalizeException(&type, &value, &trace);
        if (value)
            PyException_SetCause(value, Py_NewRef(cause));
        PyErr_Restore(type, value, trace);
        Py_DECREF(cause);
    }
    return NULL;
}

static int batch_init(PyObject *object, PyObject *args, PyObject *kwargs)
{
    BatchObject *self = (BatchObject *)object;
    Opening *o = PyMem_Calloc(1, sizeof *o);
    int count = 1;
    if (!o || self->ctx || ri_context_create(NULL, &self->ctx) != RI_OK) {
        PyMem_Free(o);
        self->ctx ? core_refuse("the batch is open already") : PyErr_NoMemory();
        return -1;
    }
    RiStatus status = RI_ERR_ARGUMENT;
    const bool ok = opening_read(o, self->ctx, &self->gate, args, kwargs, &count);
    self->devices = o->devices;
    if (ok) {
        PyThreadState *thread = PyEval_SaveThread();
        status = o->text ? ri_batch_parse(self->ctx, o->scene, o->text, (size_t)o->text_size, &o->options, count,
                                          &self->batch)
                         : ri_batch_create(self->ctx, o->scene, &o->options, count, &self->batch);
        PyEval_RestoreThread(thread);
        if (status != RI_OK)
            fail(self, status);
    }
    opening_free(o);
    PyMem_Free(o);
    if (status != RI_OK)
        discard(self);
    return status == RI_OK ? 0 : -1;
}

static int batch_traverse(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(object));
    return devices_visit(((BatchObject *)object)->devices, visit, arg);
}

static void batch_dealloc(PyObject *object)
{
    BatchObject *self = (BatchObject *)object;
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    discard(self);
    gate_free(&self->gate);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyObject *batch_close(PyObject *object, PyObject *args)
{
    BatchObject *self = (BatchObject *)object;
    (void)args;
    if (!gate_enter(&self->gate))
        return NULL;
    discard(self);
    gate_leave(&self->gate);
    Py_RETURN_NONE;
}

// --- stepping ------------------------------------------------------------------------------------

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/// Slices of about 50 ms, so that Ctrl-C is seen. All robots take a slice, whatever became of the
/// others.
static PyObject *batch_step(PyObject *object, PyObject *args)
{
    BatchObject *self = (BatchObject *)object;
    int left, threads, slice = 8;
    if (!PyArg_ParseTuple(args, "ii", &left, &threads))
        return NULL;
    if (left < 0 || threads < 1) {
        PyErr_Format(PyExc_ValueError, "%d ticks on %d threads: neither may be negative, and one thread is needed",
                     left, threads);
        return NULL;
    }
    RiStatus status = RI_OK;
    while (left > 0) {
        if (!enter(self))
            return NULL;
        const int ticks = left < slice ? left : slice;
        PyThreadState *thread = PyEval_SaveThread();
        const double begin = seconds();
        status = ri_batch_step(self->batch, ticks, threads);
        if (seconds() - begin < 0.025 && slice < 1 << 20)
            slice *= 2;
        PyEval_RestoreThread(thread);
        left -= ticks;
        PyObject *failed = status == RI_OK || left > 0 ? Py_None : fail(self, status);
        gate_leave(&self->gate);
        if (!failed || PyErr_CheckSignals() < 0)
            return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *batch_reset(PyObject *object, PyObject *args)
{
    BatchObject *self = (BatchObject *)object;
    (void)args;
    if (!enter(self))
        return NULL;
    const RiStatus status = ri_batch_reset(self->batch);
    PyObject *result = status == RI_OK ? Py_NewRef(Py_None) : fail(self, status);
    gate_leave(&self->gate);
    return result;
}

// --- values --------------------------------------------------------------------------------------

/// Indices of a glob; those of all robots are equal. The caller frees them; NULL with an exception.
static int *find_all(const BatchObject *self, const char *glob, int *out_count)
{
    const RiValues *t = ri_sim_values(ri_batch_sim(self->batch, 0));
    int count = 0, *index = PyMem_Malloc((size_t)ri_values_count(t) * sizeof *index + 1);
    if (!index)
        return (int *)PyErr_NoMemory();
    for (int i = ri_values_match(t, glob, 0); i >= 0; i = ri_values_match(t, glob, i + 1))
        index[count++] = i;
    *out_count = count;
    if (count > 0)
        return index;
    PyMem_Free(index);
    char text[300];
    PyOS_snprintf(text, sizeof text, "no value matches '%.200s'", glob);
    return (int *)core_raise(RI_ERR_NOT_FOUND, text);
}

/// (robots, values, bytes of doubles, robot by robot).
static PyObject *batch_read(PyObject *object, PyObject *args)
{
    BatchObject *self = (BatchObject *)object;
    const char *glob;
    int n = 0;
    if (!PyArg_ParseTuple(args, "s", &glob) || !enter(self))
        return NULL;
    const int robots = ri_batch_count(self->batch);
    int *index = find_all(self, glob, &n);
    PyObject *bytes =
        index ? PyBytes_FromStringAndSize(NULL, (Py_ssize_t)((size_t)robots * (size_t)n * sizeof(double))) : NULL;
    double *row = bytes ? PyMem_Malloc((size_t)n * sizeof *row) : NULL;
    for (int i = 0; row && i < robots; i++) {
        ri_values_read_all(ri_sim_values(ri_batch_sim(self->batch, i)), index, n, row);
        memcpy(PyBytes_AsString(bytes) + (size_t)i * (size_t)n * sizeof *row, row, (size_t)n * sizeof *row);
    }
    gate_leave(&self->gate);
    if (bytes && !row) {
        Py_CLEAR(bytes);
        PyErr_NoMemory();
    }
    PyMem_Free(row);
    PyMem_Free(index);
    return bytes ? Py_BuildValue("(iiN)", robots, n, bytes) : NULL;
}

/// Says why a number was refused.
static void refuse_number(const RiValue *v, int robot, double number)
{
    char text[500];
    if (v->writable)
        PyOS_snprintf(text, sizeof text,
                      "robot %d: value '%.200s': %.9g %s is not allowed; its limits are [%.9g, %.9g]", robot, v->name,
                      number, v->unit, v->low, v->high);
    else
        PyOS_snprintf(text, sizeof text, "robot %d: value '%.200s' is read-only (%s)", robot, v->name,
                      ri_value_kind_name(v->kind));
    core_raise(RI_ERR_ARGUMENT, text);
}

/// Numbers into all robots: one for all, one for each robot, or one for each value of each robot.
/// False with an exception.
static bool write_numbers(const BatchObject *self, const int *index, int n, const double *x, Py_ssize_t count)
{
    const int robots = ri_batch_count(self->batch);
    for (int i = 0; i < robots; i++)
        for (int k = 0; k < n; k++) {
            RiValues *t = ri_sim_values(ri_batch_sim(self->batch, i));
            const double number = count == -1 ? x[0] : count == robots ? x[i] : x[i * n + k];
            if (ri_values_write(t, index[k], number) != RI_OK) {
                refuse_number(ri_values_get(t, index[k]), i, number);
                return false;
            }
        }
    return true;
}

static PyObject *batch_write(PyObject *object, PyObject *args)
{
    BatchObject *self = (BatchObject *)object;
    const char *glob;
    PyObject *value;
    Py_ssize_t count;
    int n = 0;
    if (!PyArg_ParseTuple(args, "sO", &glob, &value))
        return NULL;
    double *x = core_numbers(value, &count);
    if (!x || !enter(self)) {
        PyMem_Free(x);
        return NULL;
    }
    const int robots = ri_batch_count(self->batch);
    int *index = find_all(self, glob, &n);
    PyObject *result = NULL;
    if (index && count != -1 && count != robots && count != (Py_ssize_t)robots * n) {
        PyErr_Format(PyExc_ValueError, "%zd numbers for %d values of %d robots: give one, %d or %d", count, n, robots,
                     robots, robots * n);
    } else if (index) {
        result = write_numbers(self, index, n, x, count) ? Py_NewRef(Py_None) : NULL;
    }
    gate_leave(&self->gate);
    PyMem_Free(index);
    PyMem_Free(x);
    return result;
}

static PyObject *batch_names(PyObject *object, PyObject *args)
{
    BatchObject *self = (BatchObject *)object;
    const char *glob = "*";
    if (!PyArg_ParseTuple(args, "|s", &glob) || !enter(self))
        return NULL;
    const RiValues *t = ri_sim_values(ri_batch_sim(self->batch, 0));
    PyObject *list = PyList_New(0);
    for (int i = ri_values_match(t, glob, 0); list && i >= 0; i = ri_values_match(t, glob, i + 1)) {
        PyObject *name = PyUnicode_FromString(ri_values_get(t, i)->name);
        if (!name || PyList_Append(list, name) < 0)
            Py_CLEAR(list);
        Py_XDECREF(name);
    }
    gate_leave(&self->gate);
    return list;
}

/// What became of the robots: (time, hash, stopped or None, message or None) each.
static PyObject *batch_states(PyObject *object, void *closure)
{
    BatchObject *self = (BatchObject *)object;
    (void)closure;
    if (!enter(self))
        return NULL;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < ri_batch_count(self->batch); i++) {
        const RiSim *s = ri_batch_sim(self->batch, i);
        const char *message = ri_batch_message(self->batch, i);
        PyObject *x = Py_BuildValue("(dKzz)", ri_sim_time(s), (unsigned long long)ri_sim_hash(s), ri_sim_stopped(s),
                                    *message ? message : NULL);
        if (!x || PyList_Append(list, x) < 0)
            Py_CLEAR(list);
        Py_XDECREF(x);
    }
    gate_leave(&self->gate);
    return list;
}

static Py_ssize_t batch_length(PyObject *object)
{
    const BatchObject *self = (BatchObject *)object;
    return self->batch ? ri_batch_count(self->batch) : 0;
}

static PyObject *batch_dt(PyObject *object, void *closure)
{
    BatchObject *self = (BatchObject *)object;
    (void)closure;
    if (!enter(self))
        return NULL;
    PyObject *result = PyFloat_FromDouble(ri_sim_options(ri_batch_sim(self->batch, 0))->tick);
    gate_leave(&self->gate);
    return result;
}

int batch_add_type(PyObject *module)
{
    static PyGetSetDef fields[] = {
        {"states", batch_states, NULL, "of each robot: (time, hash, stop condition or None, failure or None)", NULL},
        {"dt", batch_dt, NULL, "length of a control tick [s]", NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    static PyMethodDef methods[] = {
        {"_step", batch_step, METH_VARARGS, NULL},
        {"_read", batch_read, METH_VARARGS, NULL},
        {"_write", batch_write, METH_VARARGS, NULL},
        {"names", batch_names, METH_VARARGS, "names(glob='*', /)\n--\n\nNames of the values of each robot, a list."},
        {"reset", batch_reset, METH_NOARGS, "reset()\n--\n\nAll robots back to the start."},
        {"close", batch_close, METH_NOARGS, "close()\n--\n\nFrees the robots."},
        {NULL, NULL, 0, NULL},
    };
    static PyType_Slot slots[] = {
        {Py_tp_doc, "Many robots of one scene, as rille.Batch extends it."},
        {Py_tp_new, (void *)batch_new},
        {Py_tp_init, (void *)batch_init},
        {Py_tp_dealloc, (void *)batch_dealloc},
        {Py_tp_traverse, (void *)batch_traverse},
        {Py_tp_getset, fields},
        {Py_tp_methods, methods},
        {Py_mp_length, (void *)batch_length},
        {0, NULL},
    };
    static PyType_Spec spec = {.name = "rille._core.Batch",
                               .basicsize = sizeof(BatchObject),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                               .slots = slots};
    PyObject *type = PyType_FromSpec(&spec);
    return type ? PyModule_AddObjectRef(module, "Batch", type) : -1;
}
