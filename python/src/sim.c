// SPDX-License-Identifier: Apache-2.0
/// \file
/// _core.Sim: a scene that is built, and its life: open, step, look, keep, close.
#include "core.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/// The interpreter gets a look at signals, and other threads at the simulation, at least this often
/// [s].
static const double slice = 0.02;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// --- in and out ----------------------------------------------------------------------------------

bool sim_enter(SimObject *self)
{
    if (!gate_enter(&self->gate))
        return false;
    if (self->sim)
        return true;
    gate_leave(&self->gate);
    core_refuse("the simulation is closed");
    return false;
}

void sim_leave(SimObject *self)
{
    gate_leave(&self->gate);
}

void sim_refresh(SimObject *self)
{
    for (ValuesObject *v = self->shown; v; v = v->next)
        values_gather(v);
}

/// Makes `cause` the cause of the exception that is being raised.
static void chain(PyObject *cause)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (value)
        PyException_SetCause(value, Py_NewRef(cause));
    PyErr_Restore(type, value, trace);
}

PyObject *sim_fail(SimObject *self, RiStatus status)
{
    PyObject *cause = devices_take_error(self->devices);
    if (cause && !PyObject_IsInstance(cause, PyExc_Exception)) { // Ctrl-C or exit inside a device
        PyErr_SetObject((PyObject *)Py_TYPE(cause), cause);
    } else {
        core_fail(self->ctx, status);
        if (cause)
            chain(cause);
    }
    Py_XDECREF(cause);
    return NULL;
}

// --- life ----------------------------------------------------------------------------------------

static PyObject *sim_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)args;
    (void)kwargs;
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    SimObject *self = (SimObject *)alloc(type, 0);
    if (!self)
        return NULL;
    gate_init(&self->gate);
    self->selections = PyDict_New();
    if (!self->selections)
        Py_CLEAR(self);
    return (PyObject *)self;
}

/// Frees what open made. Nobody else is inside.
static void discard(SimObject *self)
{
    ri_perception_destroy(self->perception);
    ri_scene_destroy(self->scene);
    ri_report_destroy(self->report);
    DeviceSet *devices = self->devices; // lives as long as the scene's devices
    self->perception = NULL;
    self->scene = NULL;
    self->sim = NULL;
    self->report = NULL;
    self->devices = NULL;
    devices_destroy(devices);
    ri_context_destroy(self->ctx);
    self->ctx = NULL;
    free(self->start);
    self->start = NULL;
}

/// Loads and builds, without the interpreter's lock.
static RiStatus build(SimObject *self, const Opening *o)
{
    RiStatus status =
        o->text ? ri_scene_parse(self->ctx, o->scene, o->text, (size_t)o->text_size, &o->options, &self->scene)
                : ri_scene_load(self->ctx, o->scene, &o->options, &self->scene);
    if (status == RI_OK)
        status = ri_scene_build(self->scene);
    if (status != RI_OK)
        return status;
    self->sim = ri_scene_sim(self->scene);
    self->start_size = ri_checkpoint_size(self->sim);
    self->start = malloc(self->start_size);
    if (!self->start)
        return RI_ERR_MEMORY;
    ri_checkpoint_compose(self->sim, self->start);
    ri_scene_look(self->scene);
    return RI_OK;
}

static int sim_init(PyObject *object, PyObject *args, PyObject *kwargs)
{
    SimObject *self = (SimObject *)object;
    Opening *o = PyMem_Calloc(1, sizeof *o);
    if (!o || self->ctx || ri_context_create(NULL, &self->ctx) != RI_OK ||
        ri_report_create(self->ctx, &self->report) != RI_OK) {
        PyMem_Free(o);
        self->ctx ? core_refuse("the simulation is open already") : PyErr_NoMemory();
        return -1;
    }
    RiStatus status = RI_ERR_ARGUMENT;
    const bool ok = opening_read(o, self->ctx, &self->gate, args, kwargs, NULL);
    self->devices = o->devices;
    if (ok) {
        o->options.report = self->report;
        PyThreadState *thread = PyEval_SaveThread();
        status = build(self, o);
        PyEval_RestoreThread(thread);
        if (status != RI_OK)
            sim_fail(self, status);
    }
    opening_free(o);
    PyMem_Free(o);
    if (status != RI_OK)
        discard(self);
    return status == RI_OK ? 0 : -1;
}

static PyObject *sim_close(PyObject *object, PyObject *args)
{
    SimObject *self = (SimObject *)object;
    (void)args;
    if (!gate_enter(&self->gate))
        return NULL;
    const bool used = self->shown != NULL;
    if (!used)
        discard(self);
    gate_leave(&self->gate);
    if (used) {
        PyErr_SetString(PyExc_BufferError, "an array still shows values of the simulation; delete it before close");
        return NULL;
    }
    Py_RETURN_NONE;
}

static int sim_traverse(PyObject *object, visitproc visit, void *arg)
{
    SimObject *self = (SimObject *)object;
    Py_VISIT(self->selections);
    Py_VISIT(Py_TYPE(object));
    return devices_visit(self->devices, visit, arg);
}

static int sim_clear(PyObject *object)
{
    (void)object; // devices die with the simulation: their ports are its memory
    return 0;
}

static void sim_dealloc(PyObject *object)
{
    SimObject *self = (SimObject *)object;
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    discard(self);
    Py_CLEAR(self->selections);
    gate_free(&self->gate);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

// --- stepping ------------------------------------------------------------------------------------

/// Ticks until one fails, a stop condition holds, a slice of time is over or somebody waits;
/// returns how many.
static long long tick_slice(SimObject *self, long long most, RiStatus *out_status)
{
    const bool checks = ri_scene_check_count(self->scene) > 0;
    const double begin = most > 1 ? seconds() : 0.0;
    long long done = 0;
    *out_status = RI_OK;
    while (done < most) {
        *out_status = ri_sim_step(self->sim);
        if (*out_status != RI_OK)
            break;
        done++;
        if (checks)
            ri_scene_look(self->scene);
        if (ri_sim_stopped(self->sim) || (most > 1 && (seconds() - begin > slice || gate_is_wanted(&self->gate))))
            break;
    }
    return done;
}

/// step(n=1): n ticks, fewer if a stop condition ends the run. True while none has.
static PyObject *sim_step(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    SimObject *self = (SimObject *)object;
    long long left = 1;
    if (count > 1) {
        PyErr_Format(PyExc_TypeError, "step takes one number of ticks, not %zd", count);
        return NULL;
    }
    if (count == 1) {
        left = PyLong_AsLongLong(args[0]);
        if (left == -1 && PyErr_Occurred())
            return NULL;
        if (left < 0) {
            PyErr_Format(PyExc_ValueError, "step(%lld): the number of ticks is negative", left);
            return NULL;
        }
    }
    for (;;) {
        RiStatus status;
        if (!sim_enter(self))
            return NULL;
        PyThreadState *thread = PyEval_SaveThread();
        left -= tick_slice(self, left, &status);
        PyEval_RestoreThread(thread);
        const bool stopped = ri_sim_stopped(self->sim) != NULL;
        if (self->shown)
            sim_refresh(self);
        PyObject *failed = status == RI_OK ? Py_None : sim_fail(self, status);
        sim_leave(self);
        if (!failed)
            return NULL;
        if (left == 0 || stopped)
            return PyBool_FromLong(!stopped);
        if (PyErr_CheckSignals() < 0)
            return NULL;
    }
}

static PyObject *load_state(SimObject *self, const void *data, size_t size, const char *what)
{
    if (!sim_enter(self))
        return NULL;
    const RiStatus status = ri_checkpoint_parse(self->sim, what, data, size);
    PyObject *result = status == RI_OK ? Py_NewRef(Py_None) : sim_fail(self, status);
    sim_refresh(self);
    sim_leave(self);
    return result;
}

static PyObject *sim_reset(PyObject *object, PyObject *args)
{
    SimObject *self = (SimObject *)object;
    (void)args;
    if (!sim_enter(self))
        return NULL;
    sim_leave(self);
    return load_state(self, self->start, self->start_size, "start");
}

static PyObject *sim_snapshot(PyObject *object, PyObject *args)
{
    SimObject *self = (SimObject *)object;
    (void)args;
    if (!sim_enter(self))
        return NULL;
    const size_t size = ri_checkpoint_size(self->sim);
    double *data = PyMem_Malloc(size + sizeof *data);
    if (data)
        ri_checkpoint_compose(self->sim, (unsigned char *)data);
    PyObject *bytes = data ? PyBytes_FromStringAndSize((const char *)data, (Py_ssize_t)size) : PyErr_NoMemory();
    PyMem_Free(data);
    sim_leave(self);
    return bytes;
}

static PyObject *sim_restore(PyObject *object, PyObject *args)
{
    Py_buffer data;
    if (!PyArg_ParseTuple(args, "y*", &data))
        return NULL;
    double *copy = PyMem_Malloc((size_t)data.len + sizeof *copy); // aligned
    PyObject *result = NULL;
    if (copy) {
        memcpy(copy, data.buf, (size_t)data.len);
        result = load_state((SimObject *)object, copy, (size_t)data.len, "snapshot");
    } else {
        PyErr_NoMemory();
    }
    PyMem_Free(copy);
    PyBuffer_Release(&data);
    return result;
}

/// What a function does with a path: save and load of checkpoints, save of the configuration.
static PyObject *with_path(PyObject *object, PyObject *args, RiStatus (*act)(SimObject *self, const char *path))
{
    SimObject *self = (SimObject *)object;
    PyObject *path;
    if (!PyArg_ParseTuple(args, "O&", PyUnicode_FSConverter, &path))
        return NULL;
    PyObject *result = NULL;
    if (sim_enter(self)) {
        const RiStatus status = act(self, PyBytes_AsString(path));
        result = status == RI_OK ? Py_NewRef(Py_None) : sim_fail(self, status);
        sim_refresh(self);
        sim_leave(self);
    }
    Py_DECREF(path);
    return result;
}

static RiStatus save_checkpoint(SimObject *self, const char *path)
{
    return ri_checkpoint_save(self->sim, path);
}

static RiStatus load_checkpoint(SimObject *self, const char *path)
{
    return ri_checkpoint_load(self->sim, path);
}

static RiStatus save_scene(SimObject *self, const char *path)
{
    return ri_scene_save(self->scene, path);
}

static PyObject *sim_save(PyObject *object, PyObject *args)
{
    return with_path(object, args, save_checkpoint);
}

static PyObject *sim_load(PyObject *object, PyObject *args)
{
    return with_path(object, args, load_checkpoint);
}

static PyObject *sim_save_scene(PyObject *object, PyObject *args)
{
    return with_path(object, args, save_scene);
}

// --- looking -------------------------------------------------------------------------------------

static PyObject *sim_pose(PyObject *object, PyObject *args)
{
    SimObject *self = (SimObject *)object;
    const char *name;
    if (!PyArg_ParseTuple(args, "s", &name) || !sim_enter(self))
        return NULL;
    const int frame = ri_model_find_frame(ri_sim_model(self->sim), name);
    PyObject *result = NULL;
    if (frame < 0) {
        char text[200];
        PyOS_snprintf(text, sizeof text, "there is no link or frame '%.100s'", name);
        core_raise(RI_ERR_NOT_FOUND, text);
    } else {
        const RiPose p = ri_dyn_frame_pose(ri_sim_dyn(self->sim), frame);
        result = Py_BuildValue("((ddd)((ddd)(ddd)(ddd)))", p.p.x, p.p.y, p.p.z, p.R.m[0][0], p.R.m[0][1], p.R.m[0][2],
                               p.R.m[1][0], p.R.m[1][1], p.R.m[1][2], p.R.m[2][0], p.R.m[2][1], p.R.m[2][2]);
    }
    sim_leave(self);
    return result;
}

/// A list whose entries a function makes.
static PyObject *list_of(SimObject *self, int count, PyObject *(*entry)(SimObject *self, int index))
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < count; i++) {
        PyObject *x = entry(self, i);
        if (!x || (x != Py_None && PyList_Append(list, x) < 0))
            Py_CLEAR(list);
        Py_XDECREF(x);
    }
    return list;
}

static PyObject *validity_entry(SimObject *self, int i)
{
    const RiValidity v = ri_sim_validity(self->sim, i);
    if (v.count == 0)
        return Py_NewRef(Py_None);
    return Py_BuildValue("{s:s,s:s,s:d,s:i}", "name", v.name, "text", v.text, "first_time", v.first_time, "count",
                         v.count);
}

static PyObject *check_entry(SimObject *self, int i)
{
    const RiSceneCheck c = ri_scene_check(self->scene, i);
    return Py_BuildValue("{s:s,s:s,s:d,s:d,s:d,s:O,s:O}", "name", c.name, "unit", c.unit, "value", c.value, "least",
                         c.least, "most", c.most, "seen", c.seen ? Py_True : Py_False, "passed",
                         c.passed ? Py_True : Py_False);
}

static PyObject *finding_entry(SimObject *self, int i)
{
    const RiFinding *f = ri_report_get(self->report, i);
    return Py_BuildValue("{s:s,s:z,s:i,s:s}", "kind", ri_finding_kind_name(f->kind), "file", f->file, "line", f->line,
                         "text", f->text);
}

static PyObject *glob_entry(SimObject *self, int i)
{
    return PyUnicode_FromString(ri_scene_log_glob(self->scene, i));
}

static PyObject *link_entry(SimObject *self, int i)
{
    return PyUnicode_FromString(ri_model_frame_name(ri_sim_model(self->sim), i));
}

/// What can be asked of a simulation by a property.
typedef enum Fact {
    FACT_TIME,
    FACT_TICK,
    FACT_DT,
    FACT_NAME,
    FACT_DOC,
    FACT_DURATION,
    FACT_STOPPED,
    FACT_HASH,
    FACT_FINGERPRINT,
    FACT_VALIDITY,
    FACT_CHECKS,
    FACT_FINDINGS,
    FACT_LOG_GLOBS,
    FACT_LOG_RATE,
    FACT_FRAMES
} Fact;

static PyObject *fact(SimObject *self, Fact which)
{
    switch (which) {
    case FACT_TIME:
        return PyFloat_FromDouble(ri_sim_time(self->sim));
    case FACT_TICK:
        return PyLong_FromLongLong(ri_sim_tick(self->sim));
    case FACT_DT:
        return PyFloat_FromDouble(ri_sim_options(self->sim)->tick);
    case FACT_NAME:
        return PyUnicode_FromString(ri_scene_name(self->scene));
    case FACT_DOC:
        return PyUnicode_FromString(ri_scene_doc(self->scene));
    case FACT_DURATION:
        return PyFloat_FromDouble(ri_scene_duration(self->scene));
    case FACT_STOPPED:
        return ri_sim_stopped(self->sim) ? PyUnicode_FromString(ri_sim_stopped(self->sim)) : Py_NewRef(Py_None);
    case FACT_HASH:
        return PyLong_FromUnsignedLongLong(ri_sim_hash(self->sim));
    case FACT_FINGERPRINT:
        return PyLong_FromUnsignedLongLong(ri_sim_fingerprint(self->sim));
    case FACT_VALIDITY:
        return list_of(self, ri_sim_validity_count(self->sim), validity_entry);
    case FACT_CHECKS:
        return list_of(self, ri_scene_check_count(self->scene), check_entry);
    case FACT_FINDINGS:
        return list_of(self, ri_report_count(self->report), finding_entry);
    case FACT_LOG_GLOBS:
        return list_of(self, ri_scene_log_glob_count(self->scene), glob_entry);
    case FACT_LOG_RATE:
        return PyFloat_FromDouble(ri_scene_log_rate(self->scene));
    case FACT_FRAMES:
        return list_of(self, ri_model_frame_count(ri_sim_model(self->sim)), link_entry);
    }
    Py_RETURN_NONE;
}

static PyObject *sim_fact(PyObject *object, void *which)
{
    SimObject *self = (SimObject *)object;
    if (!sim_enter(self))
        return NULL;
    PyObject *result = fact(self, (Fact)(intptr_t)which);
    sim_leave(self);
    return result;
}

static PyObject *sim_closed(PyObject *object, void *closure)
{
    (void)closure;
    return PyBool_FromLong(((SimObject *)object)->sim == NULL);
}

// --- type ----------------------------------------------------------------------------------------

#define FACT(name, which, doc)                                                                                         \
    {                                                                                                                  \
        name, sim_fact, NULL, doc, (void *)which                                                                       \
    }
static PyGetSetDef sim_facts[] = {
    FACT("time", FACT_TIME, "simulated time [s]"),
    FACT("tick", FACT_TICK, "number of control ticks since the start"),
    FACT("dt", FACT_DT, "length of a control tick [s]"),
    FACT("name", FACT_NAME, "of the scene"),
    FACT("doc", FACT_DOC, "what the scene says of itself"),
    FACT("duration", FACT_DURATION, "of the scene [s]; run() goes there"),
    FACT("stopped", FACT_STOPPED, "the stop condition that ended the run, or None"),
    FACT("hash", FACT_HASH, "of the state: equal for equal bits"),
    FACT("fingerprint", FACT_FINGERPRINT, "of what the state means: robot, devices, layout"),
    FACT("validity", FACT_VALIDITY, "laws that left their assumptions: name, text, first_time, count (in ticks)"),
    FACT("checks", FACT_CHECKS, "the scene's checks: name, unit, value, least, most, seen, passed"),
    FACT("findings", FACT_FINDINGS, "what loading had to say: kind, file, line, text"),
    FACT("log_globs", FACT_LOG_GLOBS, "values that the scene's log holds"),
    FACT("log_rate", FACT_LOG_RATE, "of the scene's log [Hz]"),
    FACT("frames", FACT_FRAMES, "names of links and frames, for pose()"),
    {"closed", sim_closed, NULL, "whether close() was called", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef sim_methods[] = {
    {"step", (PyCFunction)(void (*)(void))sim_step, METH_FASTCALL,
     "step(n=1, /)\n--\n\nAdvances by n control ticks. Returns True while no stop condition holds.\n\nOther threads of "
     "Python run "
     "meanwhile, Ctrl-C ends the call between two ticks, and a tick that fails leaves the simulation as it was before "
     "it."},
    {"reset", sim_reset, METH_NOARGS, "reset()\n--\n\nBack to the start, bit for bit."},
    {"snapshot", sim_snapshot, METH_NOARGS,
     "snapshot()\n--\n\nThe whole state as bytes, for restore() of this simulation or one of the same scene."},
    {"restore", sim_restore, METH_VARARGS,
     "restore(snapshot, /)\n--\n\nBrings back a state; it continues with equal bits. A snapshot of another scene or "
     "with a flipped "
     "bit is refused, and the simulation stays as it was."},
    {"save", sim_save, METH_VARARGS, "save(path, /)\n--\n\nWrites a checkpoint file, as `rille run` does."},
    {"load", sim_load, METH_VARARGS, "load(path, /)\n--\n\nGoes on from a checkpoint file of the same scene."},
    {"save_scene", sim_save_scene, METH_VARARGS,
     "save_scene(path, /)\n--\n\nWrites the complete configuration as YAML: rille.load(path) runs it with equal bits."},
    {"pose", sim_pose, METH_VARARGS,
     "pose(frame, /)\n--\n\nWhere a link or frame is: (position, rows of the rotation matrix), in the world."},
    {"names", sim_names, METH_VARARGS, "names(glob='*', /)\n--\n\nNames of the values that match, a list."},
    {"describe", sim_describe, METH_VARARGS,
     "describe(name, /)\n--\n\nName, unit, sentence, kind, limits of a value, a dictionary."},
    {"eval", sim_eval, METH_VARARGS,
     "eval(expression, /)\n--\n\nA number: sim.eval('abs(base.pitch) > 20 deg'), with names and units as in scenes."},
    {"_sensors", sim_sensors, METH_VARARGS, NULL},
    {"_picture", sim_picture, METH_VARARGS, NULL},
    {"_view", sim_view, METH_VARARGS, NULL},
    {"_truth", sim_truth, METH_VARARGS, NULL},
    {"_scan", sim_scan, METH_VARARGS, NULL},
    {"close", sim_close, METH_NOARGS, "close()\n--\n\nFrees the simulation. Nothing but close() works afterwards."},
    {NULL, NULL, 0, NULL},
};

int sim_add_type(PyObject *module)
{
    static PyType_Slot slots[] = {
        {Py_tp_doc, "A simulation, as rille.Sim extends it."},
        {Py_tp_new, (void *)sim_new},
        {Py_tp_init, (void *)sim_init},
        {Py_tp_dealloc, (void *)sim_dealloc},
        {Py_tp_traverse, (void *)sim_traverse},
        {Py_tp_clear, (void *)sim_clear},
        {Py_tp_getset, sim_facts},
        {Py_tp_methods, sim_methods},
        {Py_mp_subscript, (void *)sim_get},
        {Py_mp_ass_subscript, (void *)sim_set},
        {0, NULL},
    };
    static PyType_Spec spec = {.name = "rille._core.Sim",
                               .basicsize = sizeof(SimObject),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                               .slots = slots};
    PyObject *type = PyType_FromSpec(&spec);
    return type ? PyModule_AddObjectRef(module, "Sim", type) : -1;
}
