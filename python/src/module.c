// SPDX-License-Identifier: Apache-2.0
/// \file
/// The module rille._core: its types, and what does not belong to a simulation.
#include "core.h"

static PyObject *module_paths(PyObject *module, PyObject *args)
{
    const char *root = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "|z", &root))
        return NULL;
    RiPaths *p = PyMem_Malloc(sizeof *p);
    if (!p)
        return PyErr_NoMemory();
    ri_paths_default(root, p);
    PyObject *result = Py_BuildValue("{s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:s}", "robots", p->robots, "scenes", p->scenes,
                                     "terrains", p->terrains, "soils", p->soils, "cameras", p->cameras, "campaigns",
                                     p->campaigns, "data", p->data, "cache", p->cache);
    PyMem_Free(p);
    return result;
}

/// Built-in classes of devices: (name, doc, [(port, unit, kind, doc), ...]) each.
static PyObject *module_devices(PyObject *module, PyObject *args)
{
    (void)module;
    (void)args;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && ri_device_class(i); i++) {
        const RiDeviceClass *d = ri_device_class(i);
        PyObject *ports = PyList_New(0);
        for (int k = 0; ports && k < d->port_count; k++) {
            const RiPort *p = &d->ports[k];
            PyObject *x = Py_BuildValue("(ssss)", p->name, p->unit, ri_value_kind_name(p->kind), p->doc);
            if (!x || PyList_Append(ports, x) < 0)
                Py_CLEAR(ports);
            Py_XDECREF(x);
        }
        PyObject *entry = ports ? Py_BuildValue("(ssN)", d->name, d->doc, ports) : NULL;
        if (!entry || PyList_Append(list, entry) < 0)
            Py_CLEAR(list);
        Py_XDECREF(entry);
    }
    return list;
}

static int module_exec(PyObject *module)
{
    if (core_add_errors(module) < 0 || sim_add_type(module) < 0 || values_add_type(module) < 0 ||
        batch_add_type(module) < 0 || log_add_type(module) < 0 || devices_add_type(module) < 0)
        return -1;
    return PyModule_AddStringConstant(module, "version", ri_version()) < 0 ||
                   PyModule_AddStringConstant(module, "features", ri_version_features()) < 0
               ? -1
               : 0;
}

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void)
{
    static PyMethodDef functions[] = {
        {"paths", module_paths, METH_VARARGS,
         "paths(root=None, /)\n--\n\nFolders of robots, scenes, soils, terrains, ..."},
        {"device_classes", module_devices, METH_NOARGS, "device_classes()\n--\n\nBuilt-in classes of devices."},
        {NULL, NULL, 0, NULL},
    };
    static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)module_exec}, {0, NULL}};
    static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "rille._core",
                                     .m_doc = "The library, linked statically. Use rille, which is made of it.",
                                     .m_methods = functions, .m_slots = slots};
    return PyModuleDef_Init(&definition);
}
