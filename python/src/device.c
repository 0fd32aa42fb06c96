// SPDX-License-Identifier: Apache-2.0
/// \file
/// Devices written in Python: a class of Python becomes an RiDeviceClass, each device of the
/// simulation an object of it.
///
///     start: factory() --> object; its ports are memory of the simulation (a memoryview)
///     update: object.update(call) with the interpreter's lock; an exception ends the tick, nothing else
///
/// A simulation calls from whatever thread steps it. Objects are found by the address of their
/// ports, which never moves.
#include "core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SENTENCE = 512 };

typedef struct Class {
    RiDeviceClass device;
    DeviceSet *set;
    PyObject *factory;
    RiPort *ports;
} Class;

struct DeviceSet {
    Gate *gate; ///< of the simulation or batch that steps these devices
    Class *classes;
    const RiDeviceClass **list;
    int count;
    PyObject *objects;       ///< address of the ports -> (object, call)
    PyObject *error;         ///< the exception that ended a tick
    PyObject *strings;       ///< keeps the texts of classes
    char sentence[SENTENCE]; ///< of a device that did not start
};

// --- what an update sees -------------------------------------------------------------------------

/// The argument of update and start. It has something to say only during the call.
typedef struct CallObject {
    PyObject_HEAD RiDeviceCall *call;
    char sentence[SENTENCE]; ///< why this device's update failed: robots of a batch fail side by side
} CallObject;

static PyObject *call_type;

static RiDeviceCall *inside(PyObject *self)
{
    RiDeviceCall *call = ((CallObject *)self)->call;
    if (!call)
        core_refuse("a device's call is over when update returns: keep numbers, not the call");
    return call;
}

static PyObject *vector(RiVec3 v)
{
    return Py_BuildValue("(ddd)", v.x, v.y, v.z);
}

static PyObject *spatial(RiSpatial s)
{
    return Py_BuildValue("((ddd)(ddd))", s.ang.x, s.ang.y, s.ang.z, s.lin.x, s.lin.y, s.lin.z);
}

static PyObject *pose(const RiPose *p)
{
    return Py_BuildValue("((ddd)(ddd)(ddd)(ddd))", p->p.x, p->p.y, p->p.z, p->R.m[0][0], p->R.m[0][1], p->R.m[0][2],
                         p->R.m[1][0], p->R.m[1][1], p->R.m[1][2], p->R.m[2][0], p->R.m[2][1], p->R.m[2][2]);
}

/// Numbers of a call, by the offset of the field.
static PyObject *get_number(PyObject *self, void *offset)
{
    const RiDeviceCall *call = inside(self);
    return call ? PyFloat_FromDouble(*(const double *)(const void *)((const char *)call + (size_t)offset)) : NULL;
}

static PyObject *get_name(PyObject *self, void *closure)
{
    (void)closure;
    const RiDeviceCall *call = inside(self);
    return call ? PyUnicode_FromString(call->name) : NULL;
}

static PyObject *get_vector(PyObject *self, void *offset)
{
    const RiDeviceCall *call = inside(self);
    return call ? vector(*(const RiVec3 *)(const void *)((const char *)call + (size_t)offset)) : NULL;
}

static PyObject *get_spatial(PyObject *self, void *offset)
{
    const RiDeviceCall *call = inside(self);
    return call ? spatial(*(const RiSpatial *)(const void *)((const char *)call + (size_t)offset)) : NULL;
}

static PyObject *get_pose(PyObject *self, void *closure)
{
    (void)closure;
    const RiDeviceCall *call = inside(self);
    return call ? pose(&call->frame_pose) : NULL;
}

/// A field of all joints of the group, as a list.
static PyObject *get_joints(PyObject *self, void *offset)
{
    const RiDeviceCall *call = inside(self);
    PyObject *list = call ? PyList_New(call->joint_count) : NULL;
    for (int i = 0; list && i < call->joint_count; i++) {
        const char *joint = (const char *)&call->joints[i];
        PyObject *x = PyFloat_FromDouble(*(const double *)(const void *)(joint + (size_t)offset));
        if (!x || PyList_SetItem(list, i, x) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *get_joint_names(PyObject *self, void *closure)
{
    (void)closure;
    const RiDeviceCall *call = inside(self);
    PyObject *list = call ? PyList_New(call->joint_count) : NULL;
    for (int i = 0; list && i < call->joint_count; i++) {
        PyObject *x = PyUnicode_FromString(call->joints[i].name);
        if (!x || PyList_SetItem(list, i, x) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *call_normal(PyObject *self, PyObject *args)
{
    int k;
    const RiDeviceCall *call = inside(self);
    if (!call || !PyArg_ParseTuple(args, "i", &k))
        return NULL;
    return PyFloat_FromDouble(call->normal ? call->normal(call, k) : 0.0);
}

static PyObject *call_above_ground(PyObject *self, PyObject *args)
{
    RiVec3 p;
    const RiDeviceCall *call = inside(self);
    if (!call || !PyArg_ParseTuple(args, "ddd", &p.x, &p.y, &p.z))
        return NULL;
    return PyFloat_FromDouble(call->above_ground ? call->above_ground(call, p) : (double)NAN);
}

/// One of position, rate, effort for all joints of the group.
static bool write_commands(const RiDeviceCall *call, PyObject *numbers, size_t offset, const char *what)
{
    Py_ssize_t count;
    if (numbers == Py_None)
        return true;
    double *x = core_numbers(numbers, &count);
    bool ok = x != NULL;
    if (ok && count != -1 && count != call->joint_count) {
        PyErr_Format(PyExc_ValueError, "%s has %zd numbers for %d joints", what, count, call->joint_count);
        ok = false;
    }
    for (int i = 0; ok && i < call->joint_count; i++) {
        const double number = x[count == -1 ? 0 : i];
        if (!isfinite(number)) {
            PyErr_Format(PyExc_ValueError, "%s of joint '%s' is not a finite number", what, call->joints[i].name);
            ok = false;
        } else {
            *(double *)(void *)((char *)&call->commands[i] + offset) = number;
        }
    }
    PyMem_Free(x);
    return ok;
}

static PyObject *call_command(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"positions", "rates", "efforts", NULL};
    PyObject *positions = Py_None, *rates = Py_None, *efforts = Py_None;
    const RiDeviceCall *call = inside(self);
    if (!call || !PyArg_ParseTupleAndKeywords(args, kwargs, "|OOO", names, &positions, &rates, &efforts))
        return NULL;
    if (!write_commands(call, positions, offsetof(RiGroupCommand, position), "positions") ||
        !write_commands(call, rates, offsetof(RiGroupCommand, rate), "rates") ||
        !write_commands(call, efforts, offsetof(RiGroupCommand, effort), "efforts"))
        return NULL;
    Py_RETURN_NONE;
}

#define NUMBER(name, field, doc)                                                                                       \
    {                                                                                                                  \
        name, get_number, NULL, doc, (void *)offsetof(RiDeviceCall, field)                                             \
    }
#define JOINTS(name, field, doc)                                                                                       \
    {                                                                                                                  \
        name, get_joints, NULL, doc, (void *)offsetof(RiGroupJoint, field)                                             \
    }
static PyGetSetDef call_fields[] = {
    NUMBER("time", time, "simulated time [s]"),
    NUMBER("dt", dt, "since the last update [s]"),
    NUMBER("position", joint_position, "of the attached joint [rad or m]"),
    NUMBER("velocity", joint_velocity, "of the attached joint [rad/s or m/s]"),
    NUMBER("acceleration", joint_acceleration, "of the attached joint"),
    NUMBER("effort", joint_effort, "of the attached joint [N*m or N]"),
    {"name", get_name, NULL, "of the device in the simulation", NULL},
    {"gravity", get_vector, NULL, "(x, y, z) [m/s^2]", (void *)offsetof(RiDeviceCall, gravity)},
    {"sun", get_vector, NULL, "unit vector towards the sun, (0, 0, 0) without", (void *)offsetof(RiDeviceCall, sun)},
    {"pose", get_pose, NULL, "of the attached frame or the root link: (r, row 1, row 2, row 3 of R), in the world",
     NULL},
    {"twist", get_spatial, NULL, "of that frame: (angular, linear), world axes",
     (void *)offsetof(RiDeviceCall, frame_velocity)},
    {"frame_acceleration", get_spatial, NULL, "of that frame: (angular, linear), world axes",
     (void *)offsetof(RiDeviceCall, frame_acceleration)},
    {"wrench", get_spatial, NULL, "that the attached joint carries: (moment, force), axes of its child link",
     (void *)offsetof(RiDeviceCall, wrench)},
    {"joints", get_joint_names, NULL, "names of the joints of the group", NULL},
    JOINTS("positions", position, "of the joints of the group, a list"),
    JOINTS("velocities", velocity, "of the joints of the group, a list"),
    JOINTS("efforts", effort, "of the joints of the group, a list"),
    JOINTS("lower", lower, "limits of the joints of the group, a list"),
    JOINTS("upper", upper, "limits of the joints of the group, a list"),
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef call_methods[] = {
    {"command", (PyCFunction)(void (*)(void))call_command, METH_VARARGS | METH_KEYWORDS,
     "command(positions=None, rates=None, efforts=None)\n--\n\nWhat the device wants of the joints of its group: a "
     "number "
     "for all, or one each. They are the values DEVICE.JOINT.position and so on."},
    {"normal", call_normal, METH_VARARGS,
     "normal(k)\n--\n\nThe k-th standard normal number of this update; equal for equal seeds."},
    {"above_ground", call_above_ground, METH_VARARGS,
     "above_ground(x, y, z)\n--\n\nDistance of a point of the world to the ground [m]; nan without ground."},
    {NULL, NULL, 0, NULL},
};

static void call_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

int devices_add_type(PyObject *module)
{
    static PyType_Slot slots[] = {
        {Py_tp_doc, "What a device sees in start and update; see rille.Device. Valid only during the call."},
        {Py_tp_getset, call_fields},
        {Py_tp_methods, call_methods},
        {Py_tp_dealloc, (void *)call_dealloc},
        {0, NULL},
    };
    static PyType_Spec spec = {.name = "rille._core.Call",
                               .basicsize = sizeof(CallObject),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                               .slots = slots};
    call_type = PyType_FromSpec(&spec);
    return call_type ? PyModule_AddObjectRef(module, "Call", call_type) : -1;
}

// --- errors --------------------------------------------------------------------------------------

/// obj.a.b... by a chain of names; new reference, NULL without an exception.
static PyObject *follow(PyObject *object, const char *const *names, int count)
{
    PyObject *at = Py_XNewRef(object);
    for (int i = 0; at && i < count; i++) {
        PyObject *next = PyObject_GetAttrString(at, names[i]);
        Py_DECREF(at);
        at = next;
    }
    PyErr_Clear();
    return at;
}

/// Appends where an exception was raised: " (controller.py:12, in update)".
static void append_place(PyObject *trace, char sentence[SENTENCE])
{
    static const char *const file[] = {"tb_frame", "f_code", "co_filename"}, *const function[] = {"tb_frame", "f_code",
                                                                                                  "co_name"};
    static const char *const line[] = {"tb_lineno"}, *const next[] = {"tb_next"};
    PyObject *last = Py_XNewRef(trace), *inner = follow(last, next, 1);
    while (inner && inner != Py_None) {
        Py_DECREF(last);
        last = inner;
        inner = follow(last, next, 1);
    }
    Py_XDECREF(inner);
    PyObject *path = follow(last, file, 3), *name = follow(last, function, 3), *number = follow(last, line, 1);
    const size_t used = strlen(sentence);
    if (path && name && number && used + 8 < SENTENCE)
        PyOS_snprintf(sentence + used, SENTENCE - used, " (%.200s:%ld, in %.80s)", PyUnicode_AsUTF8AndSize(path, NULL),
                      PyLong_AsLong(number), PyUnicode_AsUTF8AndSize(name, NULL));
    PyErr_Clear();
    Py_XDECREF(path);
    Py_XDECREF(name);
    Py_XDECREF(number);
    Py_XDECREF(last);
}

/// Takes the current exception: keeps it for the caller of step, and makes a sentence of it.
static const char *take_exception(DeviceSet *set, char sentence[SENTENCE])
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (value && trace)
        PyException_SetTraceback(value, trace);
    PyObject *name = type ? PyObject_GetAttrString(type, "__name__") : NULL;
    PyObject *text = value ? PyObject_Str(value) : NULL;
    const char *what = text ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    const char *kind = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
    PyOS_snprintf(sentence, SENTENCE, "%s: %s", kind ? kind : "exception", what ? what : "");
    PyErr_Clear();
    append_place(trace, sentence);
    Py_XDECREF(name);
    Py_XDECREF(text);
    if (!set->error) // in a batch, the first one
        set->error = Py_XNewRef(value);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    return sentence;
}

PyObject *devices_take_error(DeviceSet *set)
{
    PyObject *error = set ? set->error : NULL;
    if (set)
        set->error = NULL;
    return error;
}

// --- calls ---------------------------------------------------------------------------------------

/// The ports as a memoryview of doubles that can be written.
static PyObject *view_ports(const RiDeviceCall *call, int count)
{
    PyObject *bytes =
        PyMemoryView_FromMemory((char *)call->x, (Py_ssize_t)((size_t)count * sizeof(double)), PyBUF_WRITE);
    PyObject *view = bytes ? PyObject_CallMethod(bytes, "cast", "s", "d") : NULL;
    Py_XDECREF(bytes);
    return view;
}

/// Makes the object of a device: factory(), then `_x` and `name`.
static PyObject *make_object(const Class *c, const RiDeviceCall *call)
{
    PyObject *object = PyObject_CallNoArgs(c->factory);
    PyObject *view = object ? view_ports(call, c->device.port_count) : NULL;
    PyObject *name = view ? PyUnicode_FromString(call->name) : NULL;
    const bool ok =
        name && PyObject_SetAttrString(object, "_x", view) == 0 && PyObject_SetAttrString(object, "name", name) == 0;
    Py_XDECREF(view);
    Py_XDECREF(name);
    if (!ok)
        Py_CLEAR(object);
    return object;
}

static CallObject *make_call(void)
{
    allocfunc alloc = (allocfunc)PyType_GetSlot((PyTypeObject *)call_type, Py_tp_alloc);
    return (CallObject *)alloc((PyTypeObject *)call_type, 0);
}

/// Calls a method of the object with the call, whose life ends with it. False with an exception.
static bool invoke(PyObject *object, CallObject *wrapper, RiDeviceCall *call, const char *method)
{
    wrapper->call = call;
    PyObject *result = PyObject_CallMethod(object, method, "O", (PyObject *)wrapper);
    wrapper->call = NULL;
    Py_XDECREF(result);
    return result != NULL;
}

static const char *begin_device(const Class *c, RiDeviceCall *call)
{
    const char *trouble = NULL;
    PyObject *object = make_object(c, call), *key = PyLong_FromVoidPtr(call->x);
    CallObject *wrapper = object && key ? make_call() : NULL;
    PyObject *pair = wrapper ? PyTuple_Pack(2, object, (PyObject *)wrapper) : NULL;
    if (!pair || PyObject_SetItem(c->set->objects, key, pair) < 0 || !invoke(object, wrapper, call, "start"))
        trouble = take_exception(c->set, c->set->sentence);
    Py_XDECREF(pair);
    Py_XDECREF((PyObject *)wrapper);
    Py_XDECREF(object);
    Py_XDECREF(key);
    return trouble;
}

static const char *start(RiDeviceCall *call)
{
    const Class *c = call->user;
    const PyGILState_STATE state = PyGILState_Ensure();
    gate_begin_call(c->set->gate);
    const char *trouble = begin_device(c, call);
    gate_end_call();
    PyGILState_Release(state);
    return trouble;
}

/// What an update must not leave behind: a number that is none.
static const char *check_ports(const Class *c, const RiDeviceCall *call, char sentence[SENTENCE])
{
    for (int i = 0; i < c->device.port_count; i++)
        if (!isfinite(call->x[i])) {
            PyOS_snprintf(sentence, SENTENCE, "its %s '%s' is %g, which is not a finite number",
                          ri_value_kind_name(c->ports[i].kind), c->ports[i].name, call->x[i]);
            return sentence;
        }
    return NULL;
}

static void update(RiDeviceCall *call)
{
    const Class *c = call->user;
    const PyGILState_STATE state = PyGILState_Ensure();
    gate_begin_call(c->set->gate);
    PyObject *key = PyLong_FromVoidPtr(call->x), *pair = key ? PyObject_GetItem(c->set->objects, key) : NULL;
    CallObject *wrapper = pair ? (CallObject *)PyTuple_GetItem(pair, 1) : NULL;
    if (!wrapper)
        call->trouble = "it was not started";
    else if (invoke(PyTuple_GetItem(pair, 0), wrapper, call, "update"))
        call->trouble = check_ports(c, call, wrapper->sentence);
    else
        call->trouble = take_exception(c->set, wrapper->sentence);
    PyErr_Clear();
    Py_XDECREF(pair);
    Py_XDECREF(key);
    gate_end_call();
    PyGILState_Release(state);
}

// --- classes -------------------------------------------------------------------------------------

/// A text of a class; the set keeps the object.
static const char *keep_text(DeviceSet *set, PyObject *text)
{
    if (!text || PyList_Append(set->strings, text) < 0)
        return NULL;
    return core_text(text);
}

static bool read_port(DeviceSet *set, PyObject *tuple, RiPort *out)
{
    PyObject *name, *unit, *doc;
    int kind, action;
    if (!PyArg_ParseTuple(tuple, "UUUidddi", &name, &unit, &doc, &kind, &out->initial, &out->low, &out->high, &action))
        return false;
    out->name = keep_text(set, name);
    out->unit = keep_text(set, unit);
    out->doc = keep_text(set, doc);
    out->kind = (RiValueKind)kind;
    out->action = (RiPortAction)action;
    return out->name && out->unit && out->doc;
}

static bool read_class(DeviceSet *set, PyObject *tuple, Class *c)
{
    PyObject *name, *doc, *ports, *factory;
    int attach;
    if (!PyArg_ParseTuple(tuple, "UUiO!O", &name, &doc, &attach, &PyTuple_Type, &ports, &factory))
        return false;
    const Py_ssize_t count = PyTuple_Size(ports);
    c->set = set;
    c->factory = Py_NewRef(factory);
    c->ports = PyMem_Calloc((size_t)count + 1, sizeof *c->ports);
    if (!c->ports) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        if (!read_port(set, PyTuple_GetItem(ports, i), &c->ports[i]))
            return false;
    c->device = (RiDeviceClass){.abi = RI_DEVICE_ABI,
                                .name = keep_text(set, name),
                                .doc = keep_text(set, doc),
                                .attach = (RiAttach)attach,
                                .ports = c->ports,
                                .port_count = (int)count,
                                .start = start,
                                .update = update,
                                .user = c};
    return c->device.name && c->device.doc;
}

/// The library's own check of a class, and that its name is free.
static bool check_class(const RiDeviceClass *device)
{
    RiContext *ctx;
    if (ri_context_create(NULL, &ctx) != RI_OK) {
        PyErr_NoMemory();
        return false;
    }
    RiStatus status = ri_device_check(ctx, device);
    if (status == RI_OK && ri_device_find(device->name))
        status = ri_error(ctx, RI_ERR_ARGUMENT, "device class '%s': a built-in class has this name", device->name);
    if (status != RI_OK)
        core_fail(ctx, status);
    ri_context_destroy(ctx);
    return status == RI_OK;
}

DeviceSet *devices_create(PyObject *specs, Gate *gate)
{
    const Py_ssize_t count = PyTuple_Size(specs);
    DeviceSet *set = PyMem_Calloc(1, sizeof *set);
    if (!set) {
        PyErr_NoMemory();
        return NULL;
    }
    set->gate = gate;
    set->classes = PyMem_Calloc((size_t)count + 1, sizeof *set->classes);
    set->list = PyMem_Calloc((size_t)count + 1, sizeof *set->list);
    set->objects = PyDict_New();
    set->strings = PyList_New(0);
    bool ok = set->classes && set->list && set->objects && set->strings;
    while (ok && set->count < count) {
        Class *c = &set->classes[set->count];
        set->list[set->count] = &c->device;
        ok = read_class(set, PyTuple_GetItem(specs, set->count++), c) && check_class(&c->device);
    }
    if (ok)
        return set;
    if (!PyErr_Occurred())
        PyErr_NoMemory();
    devices_destroy(set);
    return NULL;
}

/// The objects lose their ports: their memory goes away with the simulation.
static void forget_objects(DeviceSet *set)
{
    PyObject *pairs = set->objects ? PyDict_Values(set->objects) : NULL;
    for (Py_ssize_t i = 0; pairs && i < PyList_Size(pairs); i++) {
        PyObject *pair = PyList_GetItem(pairs, i), *object = PyTuple_GetItem(pair, 0);
        PyObject *view = PyObject_GetAttrString(object, "_x");
        PyObject *result = view ? PyObject_CallMethod(view, "release", NULL) : NULL;
        Py_XDECREF(result);
        Py_XDECREF(view);
        PyErr_Clear();
    }
    Py_XDECREF(pairs);
    Py_CLEAR(set->objects);
}

void devices_destroy(DeviceSet *set)
{
    if (!set)
        return;
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace); // a failure that brought us here
    forget_objects(set);
    for (int i = 0; set->classes && i < set->count; i++) {
        Py_XDECREF(set->classes[i].factory);
        PyMem_Free(set->classes[i].ports);
    }
    Py_XDECREF(set->strings);
    Py_XDECREF(set->error);
    PyMem_Free(set->classes);
    PyMem_Free(set->list);
    PyMem_Free(set);
    PyErr_Restore(type, value, trace);
}

const RiDeviceClass *const *devices_list(const DeviceSet *set, int *out_count)
{
    *out_count = set->count;
    return set->list;
}

int devices_visit(DeviceSet *set, visitproc visit, void *arg)
{
    if (!set)
        return 0;
    Py_VISIT(set->objects);
    for (int i = 0; i < set->count; i++)
        Py_VISIT(set->classes[i].factory);
    return 0;
}
