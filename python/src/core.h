// SPDX-License-Identifier: Apache-2.0
/// \file
/// The extension module rille._core: what its files share.
///
///     Python code --(rille/*.py)--> _core.Sim, _core.Batch, _core.Log, ... --> librille, linked statically
///
/// The module uses the limited API of CPython 3.11 alone, so that one file works in every later
/// version. The interpreter's lock is released while the library works; a gate per simulation lets
/// one thread in at a time.
#ifndef RILLE_PYTHON_CORE_H
#define RILLE_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <rille/rille.h>

// --- errors (errors.c) ---------------------------------------------------------------------------

/// Makes the exception types and adds them to the module.
int core_add_errors(PyObject *module);
/// Raises the exception that belongs to a status, with the sentence's file and line as attributes.
/// Always returns NULL.
PyObject *core_raise(RiStatus status, const char *message);
/// Raises for the last failure of a context.
PyObject *core_fail(const RiContext *ctx, RiStatus status);
/// The bytes of a str, borrowed from it; NULL with an exception, also where a zero byte would end
/// them early.
const char *core_text(PyObject *text);
/// The exception type of a status; borrowed.
PyObject *core_error_type(RiStatus status);
/// rille.StateError: an object is used in a way that its state does not allow.
PyObject *core_refuse(const char *sentence);

// --- gates (gate.c) ------------------------------------------------------------------------------

/// Lets threads in one at a time, in the order in which they came.
typedef struct Gate {
    pthread_mutex_t mutex;
    pthread_cond_t turn;
    atomic_ulong next;     ///< ticket to be given out
    unsigned long serving; ///< whose turn it is
} Gate;

void gate_init(Gate *g);
void gate_free(Gate *g);
/// Waits for its turn, without the interpreter's lock. False, with an exception, in the middle of a
/// tick of the same simulation, where waiting would never end.
bool gate_enter(Gate *g);
void gate_leave(Gate *g);
/// Whether somebody waits. For the thread inside.
bool gate_is_wanted(Gate *g);
/// Around calls from inside a tick into Python: this thread may not enter the gate meanwhile.
void gate_begin_call(Gate *g);
void gate_end_call(void);

// --- devices written in Python (device.c) --------------------------------------------------------

typedef struct DeviceSet DeviceSet;

/// Classes from a sequence of tuples (name, doc, attach, ports, factory); NULL with an exception.
/// An empty sequence gives an empty set.
DeviceSet *devices_create(PyObject *specs, Gate *gate);
void devices_destroy(DeviceSet *set);
const RiDeviceClass *const *devices_list(const DeviceSet *set, int *out_count);
/// The exception that ended a tick, as a new reference, or NULL; the set forgets it.
PyObject *devices_take_error(DeviceSet *set);
int devices_add_type(PyObject *module);
int devices_visit(DeviceSet *set, visitproc visit, void *arg);

// --- scenes (open.c) -----------------------------------------------------------------------------

/// What a scene is opened with, from Python's arguments.
typedef struct Opening {
    RiPaths paths;
    RiSceneOptions options;
    RiSetting *settings;
    char scene[RI_PATH_SIZE];
    const char *text; ///< NULL: the file
    Py_ssize_t text_size;
    DeviceSet *devices;
} Opening;

/// Reads (scene, text, settings, robot, devices, root) into `o`. False with an exception. The
/// strings belong to the arguments.
bool opening_read(Opening *o, RiContext *ctx, Gate *gate, PyObject *args, PyObject *kwargs, int *out_count);
void opening_free(Opening *o);

// --- simulations (sim.c, sim_values.c, sim_sensors.c) --------------------------------------------

struct ValuesObject;

typedef struct SimObject {
    PyObject_HEAD Gate gate;
    RiContext *ctx;
    RiReport *report;
    RiScene *scene;
    RiSim *sim;
    RiPerception *perception;
    DeviceSet *devices;
    PyObject *selections;       ///< glob -> Selection
    struct ValuesObject *shown; ///< views whose memory is in use
    unsigned char *start;       ///< checkpoint of the start
    size_t start_size;
    int look; ///< a derived value that a view in use shows, -1
} SimObject;

int sim_add_type(PyObject *module);
/// Enters the gate of an open simulation; false with an exception.
bool sim_enter(SimObject *self);
void sim_leave(SimObject *self);
/// Raises for a failed call on the simulation: the device's own exception becomes the cause.
/// Returns NULL.
PyObject *sim_fail(SimObject *self, RiStatus status);
/// Brings the memory of views in use up to date. Inside the gate.
void sim_refresh(SimObject *self);

/// sim[name], sim[glob]; sim[name] = x.
PyObject *sim_get(PyObject *self, PyObject *key);
int sim_set(PyObject *self, PyObject *key, PyObject *value);
PyObject *sim_names(PyObject *self, PyObject *args);
PyObject *sim_describe(PyObject *self, PyObject *args);
PyObject *sim_eval(PyObject *self, PyObject *args);

PyObject *sim_sensors(PyObject *self, PyObject *args);
PyObject *sim_picture(PyObject *self, PyObject *args);
PyObject *sim_view(PyObject *self, PyObject *args);
PyObject *sim_truth(PyObject *self, PyObject *args);
PyObject *sim_scan(PyObject *self, PyObject *args);

// --- views of values (values.c) ------------------------------------------------------------------

/// Which values a glob names. Shared by views; the simulation keeps one for each glob.
typedef struct Selection {
    int *index;
    int count;
    int look;           ///< a derived value among them, -1
    const double *base; ///< NULL, or they are doubles that follow each other ...
    Py_ssize_t stride;  ///< ... at this distance [bytes]
} Selection;

/// The selection of a glob as a capsule; new reference. NULL with an exception if nothing matches.
/// Inside the gate.
PyObject *selection_find(SimObject *self, PyObject *glob);
const Selection *selection_of(PyObject *capsule);

typedef struct ValuesObject {
    PyObject_HEAD SimObject *sim;
    PyObject *capsule;
    const Selection *selection;
    double *own; ///< [count] a copy, where the values do not follow each other
    Py_ssize_t exports, shape;
    struct ValuesObject *next, *before; ///< in use
} ValuesObject;

int values_add_type(PyObject *module);
/// A view; new reference.
PyObject *values_create(SimObject *sim, PyObject *capsule);
/// Copies the values into the view's own memory, where it has some.
void values_gather(ValuesObject *v);

// --- others --------------------------------------------------------------------------------------

int batch_add_type(PyObject *module);
int log_add_type(PyObject *module);

/// Numbers of a sequence, a buffer of doubles or one number: returns an array to be freed with
/// PyMem_Free, and *out_count (-1: one number for all). NULL with an exception.
double *core_numbers(PyObject *value, Py_ssize_t *out_count);

#endif
