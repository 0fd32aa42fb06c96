// SPDX-License-Identifier: Apache-2.0
/// \file
/// Views of named values: sim["soil.*.slip"]. A view has the buffer protocol, so that NumPy and
/// memoryview see its numbers without a copy.
///
/// Values that follow each other in the simulation's memory at equal distances (positions, ports,
/// fields of wheels) are shown where they are. Others are gathered into the view's memory when it
/// is asked, and after every step while that memory is in use. Either way an array made from a view
/// is always that of now. It cannot be written: sim[...] = checks limits, an array could not.
#include "core.h"

#include <string.h>

static PyObject *values_type;

// --- selections ----------------------------------------------------------------------------------

static void selection_free(PyObject *capsule)
{
    Selection *s = PyCapsule_GetPointer(capsule, "rille.Selection");
    if (s)
        PyMem_Free(s->index);
    PyMem_Free(s);
}

const Selection *selection_of(PyObject *capsule)
{
    return PyCapsule_GetPointer(capsule, "rille.Selection");
}

/// Finds out whether the values are doubles at equal distances.
static void find_stride(Selection *s, const RiValues *t)
{
    const RiValue *first = ri_values_get(t, s->index[0]);
    const char *base = first->at;
    s->look = -1;
    s->stride = s->count > 1 ? (const char *)ri_values_get(t, s->index[1])->at - base : (Py_ssize_t)sizeof(double);
    bool even = true;
    for (int i = 0; i < s->count; i++) {
        const RiValue *v = ri_values_get(t, s->index[i]);
        even &= v->type == RI_VALUE_REAL && (const char *)v->at - base == i * s->stride;
        if (v->derived)
            s->look = s->index[i];
    }
    s->base = even ? first->at : NULL;
}

static int count_matches(const RiValues *t, const char *glob, int *out_index)
{
    int count = 0;
    for (int i = ri_values_match(t, glob, 0); i >= 0; i = ri_values_match(t, glob, i + 1), count++)
        if (out_index)
            out_index[count] = i;
    return count;
}

static PyObject *selection_create(SimObject *self, const char *glob)
{
    const RiValues *t = ri_sim_values(self->sim);
    const int count = count_matches(t, glob, NULL);
    if (count == 0) {
        char text[400];
        PyOS_snprintf(text, sizeof text, "no value of scene '%s' matches '%.200s'; sim.names('*') lists them",
                      ri_scene_name(self->scene), glob);
        return core_raise(RI_ERR_NOT_FOUND, text);
    }
    Selection *s = PyMem_Calloc(1, sizeof *s);
    int *index = PyMem_Calloc((size_t)count, sizeof *index);
    if (!s || !index) {
        PyMem_Free(s);
        PyMem_Free(index);
        return PyErr_NoMemory();
    }
    s->count = count_matches(t, glob, index);
    s->index = index;
    find_stride(s, t);
    PyObject *capsule = PyCapsule_New(s, "rille.Selection", selection_free);
    if (!capsule) {
        PyMem_Free(index);
        PyMem_Free(s);
    }
    return capsule;
}

PyObject *selection_find(SimObject *self, PyObject *glob)
{
    PyObject *known = PyDict_GetItemWithError(self->selections, glob);
    if (known)
        return Py_NewRef(known);
    const char *text = PyErr_Occurred() ? NULL : core_text(glob);
    PyObject *capsule = text ? selection_create(self, text) : NULL;
    if (capsule && PyDict_SetItem(self->selections, glob, capsule) < 0)
        Py_CLEAR(capsule);
    return capsule;
}

// --- views ---------------------------------------------------------------------------------------

PyObject *values_create(SimObject *sim, PyObject *capsule)
{
    allocfunc alloc = (allocfunc)PyType_GetSlot((PyTypeObject *)values_type, Py_tp_alloc);
    ValuesObject *v = (ValuesObject *)alloc((PyTypeObject *)values_type, 0);
    if (!v)
        return NULL;
    v->sim = (SimObject *)Py_NewRef((PyObject *)sim);
    v->capsule = Py_NewRef(capsule);
    v->selection = selection_of(capsule);
    v->shape = v->selection->count;
    if (!v->selection->base) {
        v->own = PyMem_Malloc((size_t)v->shape * sizeof *v->own);
        if (!v->own) {
            Py_DECREF((PyObject *)v);
            return PyErr_NoMemory();
        }
    }
    return (PyObject *)v;
}

void values_gather(ValuesObject *v)
{
    const Selection *s = v->selection;
    const RiValues *t = ri_sim_values(v->sim->sim);
    if (v->own)
        ri_values_read_all(t, s->index, s->count, v->own);
    else if (s->look >= 0)
        (void)ri_values_read(t, s->look); // computes what is computed only when somebody looks
}

static void values_dealloc(PyObject *self)
{
    ValuesObject *v = (ValuesObject *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    PyMem_Free(v->own);
    Py_XDECREF(v->capsule);
    Py_XDECREF((PyObject *)v->sim);
    release(self);
    Py_DECREF(type);
}

static int values_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT((PyObject *)((ValuesObject *)self)->sim);
    Py_VISIT(Py_TYPE(self));
    return 0;
}

static const double *value_at(const ValuesObject *v, Py_ssize_t i)
{
    return v->own ? v->own + i
                  : (const double *)(const void *)((const char *)v->selection->base + i * v->selection->stride);
}

/// The numbers are those of now; false with an exception.
static bool values_update(ValuesObject *v)
{
    if (!sim_enter(v->sim))
        return false;
    values_gather(v);
    sim_leave(v->sim);
    return true;
}

static int values_getbuffer(PyObject *self, Py_buffer *out, int flags)
{
    ValuesObject *v = (ValuesObject *)self;
    const Selection *s = v->selection;
    const bool even = v->own || s->stride == (Py_ssize_t)sizeof(double);
    out->obj = NULL;
    if (flags & PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "a view of values cannot be written; sim[names] = numbers checks limits");
        return -1;
    }
    if (!even && (flags & PyBUF_STRIDES) != PyBUF_STRIDES) {
        PyErr_SetString(PyExc_BufferError, "these values do not follow each other; ask for a buffer with strides");
        return -1;
    }
    if (!sim_enter(v->sim))
        return -1;
    values_gather(v);
    if (v->exports++ == 0) {
        v->before = NULL;
        v->next = v->sim->shown;
        if (v->next)
            v->next->before = v;
        v->sim->shown = v;
    }
    sim_leave(v->sim);
    static Py_ssize_t step = sizeof(double);
    static char format[] = "d";
    *out = (Py_buffer){.buf = (void *)value_at(v, 0),
                       .obj = Py_NewRef(self),
                       .len = v->shape * (Py_ssize_t)sizeof(double),
                       .itemsize = sizeof(double),
                       .readonly = 1,
                       .ndim = 1,
                       .format = (flags & PyBUF_FORMAT) ? format : NULL,
                       .shape = (flags & PyBUF_ND) ? &v->shape : NULL,
                       .strides = (flags & PyBUF_STRIDES) != PyBUF_STRIDES ? NULL
                                  : v->own                                 ? &step
                                                                           : (Py_ssize_t *)&s->stride};
    return 0;
}

static void values_releasebuffer(PyObject *self, Py_buffer *buffer)
{
    ValuesObject *v = (ValuesObject *)self;
    (void)buffer;
    if (--v->exports > 0)
        return;
    if (v->before)
        v->before->next = v->next;
    else
        v->sim->shown = v->next;
    if (v->next)
        v->next->before = v->before;
    v->next = v->before = NULL;
}

static Py_ssize_t values_length(PyObject *self)
{
    return ((ValuesObject *)self)->shape;
}

static PyObject *values_item(PyObject *self, Py_ssize_t i)
{
    ValuesObject *v = (ValuesObject *)self;
    if (i < 0 || i >= v->shape) {
        PyErr_Format(PyExc_IndexError, "value %zd of %zd", i, v->shape);
        return NULL;
    }
    return values_update(v) ? PyFloat_FromDouble(*value_at(v, i)) : NULL;
}

static PyObject *values_tolist(PyObject *self, PyObject *args)
{
    ValuesObject *v = (ValuesObject *)self;
    (void)args;
    if (!values_update(v))
        return NULL;
    PyObject *list = PyList_New(v->shape);
    for (Py_ssize_t i = 0; list && i < v->shape; i++) {
        PyObject *x = PyFloat_FromDouble(*value_at(v, i));
        if (!x || PyList_SetItem(list, i, x) < 0)
            Py_CLEAR(list);
    }
    return list;
}

/// One of the texts of all values.
static PyObject *texts_of(const ValuesObject *v, bool units)
{
    if (!sim_enter(v->sim))
        return NULL;
    const RiValues *t = ri_sim_values(v->sim->sim);
    PyObject *list = PyTuple_New(v->shape);
    for (Py_ssize_t i = 0; list && i < v->shape; i++) {
        const RiValue *value = ri_values_get(t, v->selection->index[i]);
        PyObject *x = PyUnicode_FromString(units ? value->unit : value->name);
        if (!x || PyTuple_SetItem(list, i, x) < 0)
            Py_CLEAR(list);
    }
    sim_leave(v->sim);
    return list;
}

static PyObject *values_names(PyObject *self, void *closure)
{
    (void)closure;
    return texts_of((ValuesObject *)self, false);
}

static PyObject *values_units(PyObject *self, void *closure)
{
    (void)closure;
    return texts_of((ValuesObject *)self, true);
}

static PyObject *values_is_live(PyObject *self, void *closure)
{
    (void)closure;
    return PyBool_FromLong(!((ValuesObject *)self)->own);
}

static PyObject *values_sim(PyObject *self, void *closure)
{
    (void)closure;
    return Py_NewRef((PyObject *)((ValuesObject *)self)->sim);
}

static PyObject *values_repr(PyObject *self)
{
    PyObject *names = values_names(self, NULL), *numbers = names ? values_tolist(self, NULL) : NULL;
    PyObject *pairs = PyDict_New();
    for (Py_ssize_t i = 0; numbers && pairs && i < PyList_Size(numbers); i++)
        if (PyDict_SetItem(pairs, PyTuple_GetItem(names, i), PyList_GetItem(numbers, i)) < 0)
            Py_CLEAR(pairs);
    PyObject *text = numbers && pairs ? PyUnicode_FromFormat("Values(%R)", pairs) : NULL;
    Py_XDECREF(names);
    Py_XDECREF(numbers);
    Py_XDECREF(pairs);
    return text;
}

int values_add_type(PyObject *module)
{
    static PyGetSetDef fields[] = {
        {"names", values_names, NULL, "names of the values, in order", NULL},
        {"units", values_units, NULL, "SI units of the values, in order", NULL},
        {"is_live", values_is_live, NULL,
         "True: the view shows the simulation's own memory; False: a copy that is made again after each step", NULL},
        {"sim", values_sim, NULL, "the simulation", NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    static PyMethodDef methods[] = {
        {"tolist", values_tolist, METH_NOARGS, "tolist()\n--\n\nThe numbers of now as a list."},
        {NULL, NULL, 0, NULL},
    };
    static PyType_Slot slots[] = {
        {Py_tp_doc,
         "A view of several named values, as sim['soil.*.slip'] gives it.\n\nIt is a sequence of numbers, and an array "
         "for "
         "everything that knows the buffer protocol:\n\n    slip = numpy.asarray(sim['soil.*.slip'])   # no copy\n    "
         "sim.step()\n    slip.max()                                 # of now: the array follows the simulation\n\nThe "
         "array cannot "
         "be written; write with sim['servo_*.position'] = numbers."},
        {Py_tp_getset, fields},
        {Py_tp_methods, methods},
        {Py_tp_dealloc, (void *)values_dealloc},
        {Py_tp_traverse, (void *)values_traverse},
        {Py_tp_repr, (void *)values_repr},
        {Py_sq_length, (void *)values_length},
        {Py_sq_item, (void *)values_item},
        {Py_bf_getbuffer, (void *)values_getbuffer},
        {Py_bf_releasebuffer, (void *)values_releasebuffer},
        {0, NULL},
    };
    static PyType_Spec spec = {.name = "rille.Values",
                               .basicsize = sizeof(ValuesObject),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                               .slots = slots};
    values_type = PyType_FromSpec(&spec);
    return values_type ? PyModule_AddObjectRef(module, "Values", values_type) : -1;
}
