// SPDX-License-Identifier: Apache-2.0
/// \file
/// Named values of a simulation: sim[name], sim[glob], sim[name] = number, text or sequence.
#include "core.h"

#include <string.h>

/// Whether a key names several values.
static bool is_glob(const char *name)
{
    return strpbrk(name, "*?") != NULL;
}

static PyObject *number_of(const RiValues *t, int index)
{
    const double x = ri_values_read(t, index);
    switch (ri_values_get(t, index)->type) {
    case RI_VALUE_INT:
        return PyLong_FromLong((long)x);
    case RI_VALUE_BOOL:
        return PyBool_FromLong(x != 0.0);
    case RI_VALUE_REAL:
        break;
    }
    return PyFloat_FromDouble(x);
}

/// There is no such value: says which may be meant.
static PyObject *unknown(const SimObject *self, const char *name)
{
    RiValues *t = ri_sim_values(self->sim);
    const RiStatus status = ri_values_set(t, name, "0"); // says why there is none
    return status == RI_OK ? core_raise(RI_ERR_NOT_FOUND, name)
                           : core_raise(RI_ERR_NOT_FOUND, ri_context_message(self->ctx));
}

static const char *key_text(PyObject *key)
{
    if (!PyUnicode_Check(key)) {
        PyErr_Format(PyExc_TypeError, "values have names: sim['base.x'], not sim[%R]", key);
        return NULL;
    }
    return core_text(key);
}

PyObject *sim_get(PyObject *object, PyObject *key)
{
    SimObject *self = (SimObject *)object;
    const char *name = key_text(key);
    if (!name || !sim_enter(self))
        return NULL;
    PyObject *result = NULL;
    if (is_glob(name)) {
        PyObject *capsule = selection_find(self, key);
        result = capsule ? values_create(self, capsule) : NULL;
        Py_XDECREF(capsule);
    } else {
        const RiValues *t = ri_sim_values(self->sim);
        const int index = ri_values_find(t, name);
        result = index >= 0 ? number_of(t, index) : unknown(self, name);
    }
    sim_leave(self);
    return result;
}

double *core_numbers(PyObject *value, Py_ssize_t *out_count)
{
    *out_count = -1;
    if (PyFloat_Check(value) || PyLong_Check(value)) { // the common case
        double *one = PyMem_Malloc(sizeof *one);
        if (!one)
            return (double *)PyErr_NoMemory();
        *one = PyFloat_AsDouble(value);
        if (*one == -1.0 && PyErr_Occurred()) {
            PyMem_Free(one);
            return NULL;
        }
        return one;
    }
    PyObject *items = PySequence_Check(value) ? PySequence_List(value) : NULL;
    if (!items) {
        PyErr_Clear();
        PyObject *number = PyNumber_Float(value);
        double *one = number ? core_numbers(number, out_count) : NULL;
        Py_XDECREF(number);
        return one;
    }
    const Py_ssize_t count = PyList_Size(items);
    double *x = PyMem_Malloc((size_t)(count + 1) * sizeof *x);
    bool ok = x != NULL;
    for (Py_ssize_t i = 0; ok && i < count; i++) {
        x[i] = PyFloat_AsDouble(PyList_GetItem(items, i));
        ok = x[i] != -1.0 || !PyErr_Occurred();
    }
    Py_DECREF(items);
    *out_count = count;
    if (ok)
        return x;
    if (!x)
        PyErr_NoMemory();
    PyMem_Free(x);
    return NULL;
}

/// Writes all numbers or none.
static RiStatus write_all(RiValues *t, const Selection *s, const double *x, bool one, double *before)
{
    ri_values_read_all(t, s->index, s->count, before);
    for (int i = 0; i < s->count; i++) {
        const RiStatus status = ri_values_write(t, s->index[i], one ? x[0] : x[i]);
        if (status == RI_OK)
            continue;
        while (i-- > 0)
            if (ri_values_write(t, s->index[i], before[i]) != RI_OK)
                break; // it had that value: cannot be
        return status;
    }
    return RI_OK;
}

/// Numbers into the values of a glob.
static RiStatus write_glob(SimObject *self, PyObject *key, const double *x, Py_ssize_t count)
{
    PyObject *capsule = selection_find(self, key);
    if (!capsule)
        return RI_ERR_NOT_FOUND;
    const Selection *s = selection_of(capsule);
    RiStatus status = RI_ERR_ARGUMENT;
    if (count != -1 && count != s->count) {
        PyErr_Format(PyExc_ValueError, "%zd numbers for the %d values of %R", count, s->count, key);
    } else {
        double *before = PyMem_Malloc((size_t)s->count * sizeof *before);
        status = before ? write_all(ri_sim_values(self->sim), s, x, count == -1, before) : RI_ERR_MEMORY;
        PyMem_Free(before);
        if (status != RI_OK)
            core_fail(self->ctx, status);
    }
    Py_DECREF(capsule);
    return status;
}

static RiStatus write_one(SimObject *self, const char *name, const double *x, Py_ssize_t count)
{
    RiValues *t = ri_sim_values(self->sim);
    const int index = ri_values_find(t, name);
    if (index < 0) {
        unknown(self, name);
        return RI_ERR_NOT_FOUND;
    }
    if (count > 1 || count == 0) {
        PyErr_Format(PyExc_ValueError, "%zd numbers for the value '%s'", count, name);
        return RI_ERR_ARGUMENT;
    }
    const RiStatus status = ri_values_write(t, index, x[0]);
    if (status != RI_OK)
        core_fail(self->ctx, status);
    return status;
}

/// A text with a unit or an expression, into one value or all of a glob.
static int set_text(SimObject *self, PyObject *key, const char *name, const char *text)
{
    if (!sim_enter(self))
        return -1;
    RiValues *t = ri_sim_values(self->sim);
    RiStatus status = RI_OK;
    if (is_glob(name)) {
        PyObject *capsule = selection_find(self, key);
        const Selection *s = capsule ? selection_of(capsule) : NULL;
        for (int i = 0; s && status == RI_OK && i < s->count; i++)
            status = ri_values_set(t, ri_values_get(t, s->index[i])->name, text);
        Py_XDECREF(capsule);
    } else {
        status = ri_values_set(t, name, text);
    }
    if (status != RI_OK)
        core_fail(self->ctx, status);
    sim_refresh(self);
    sim_leave(self);
    return PyErr_Occurred() ? -1 : 0;
}

int sim_set(PyObject *object, PyObject *key, PyObject *value)
{
    SimObject *self = (SimObject *)object;
    const char *name = key_text(key);
    Py_ssize_t count;
    if (!name)
        return -1;
    if (!value) {
        PyErr_SetString(PyExc_TypeError, "values cannot be deleted");
        return -1;
    }
    if (PyUnicode_Check(value)) {
        const char *text = core_text(value);
        return text ? set_text(self, key, name, text) : -1;
    }
    double *x = core_numbers(value, &count);
    if (!x)
        return -1;
    RiStatus status = RI_ERR_ARGUMENT;
    if (sim_enter(self)) {
        status = is_glob(name) ? write_glob(self, key, x, count) : write_one(self, name, x, count);
        sim_refresh(self);
        sim_leave(self);
    }
    PyMem_Free(x);
    return status == RI_OK ? 0 : -1;
}

PyObject *sim_names(PyObject *object, PyObject *args)
{
    SimObject *self = (SimObject *)object;
    const char *glob = "*";
    if (!PyArg_ParseTuple(args, "|s", &glob) || !sim_enter(self))
        return NULL;
    const RiValues *t = ri_sim_values(self->sim);
    PyObject *list = PyList_New(0);
    for (int i = ri_values_match(t, glob, 0); list && i >= 0; i = ri_values_match(t, glob, i + 1)) {
        PyObject *name = PyUnicode_FromString(ri_values_get(t, i)->name);
        if (!name || PyList_Append(list, name) < 0)
            Py_CLEAR(list);
        Py_XDECREF(name);
    }
    sim_leave(self);
    return list;
}

PyObject *sim_describe(PyObject *object, PyObject *args)
{
    SimObject *self = (SimObject *)object;
    const char *name;
    if (!PyArg_ParseTuple(args, "s", &name) || !sim_enter(self))
        return NULL;
    const RiValues *t = ri_sim_values(self->sim);
    const int index = ri_values_find(t, name);
    PyObject *result = NULL;
    if (index < 0) {
        unknown(self, name);
    } else {
        const RiValue *v = ri_values_get(t, index);
        result = Py_BuildValue("{s:s,s:s,s:s,s:s,s:O,s:d,s:d}", "name", v->name, "unit", v->unit, "doc", v->doc, "kind",
                               ri_value_kind_name(v->kind), "writable", v->writable ? Py_True : Py_False, "low", v->low,
                               "high", v->high);
    }
    sim_leave(self);
    return result;
}

PyObject *sim_eval(PyObject *object, PyObject *args)
{
    SimObject *self = (SimObject *)object;
    const char *text;
    double x;
    if (!PyArg_ParseTuple(args, "s", &text) || !sim_enter(self))
        return NULL;
    const RiStatus status = ri_values_eval(ri_sim_values(self->sim), text, &x);
    PyObject *result = status == RI_OK ? PyFloat_FromDouble(x) : core_fail(self->ctx, status);
    sim_leave(self);
    return result;
}
