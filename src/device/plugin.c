// SPDX-License-Identifier: Apache-2.0
/// \file
/// Loading of user devices by dlopen.
#include "device/plugin.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/opened.h"
#include "base/shared_object.h"

enum { CLASS_LIMIT = 256, MESSAGE = 1024 };

typedef const RiDeviceClass *(*Entry)(int index);

struct RiPlugin {
    RiContext *ctx;
    void *handle;
    int count;
    const RiDeviceClass *classes[CLASS_LIMIT];
};

/// The exported function, NULL if there is none. POSIX guarantees that the bits of a symbol are
/// those of a function pointer; ISO C has no cast for it.
static Entry find_entry(void *handle)
{
    Entry entry = NULL;
    void *symbol = dlsym(handle, "rille_device");
    if (symbol)
        memcpy(&entry, &symbol, sizeof entry);
    return entry;
}

/// Adds a class to the list, with the path in front of what is wrong with it.
static RiStatus take_class(RiPlugin *p, const char *path, const RiDeviceClass *class)
{
    const RiStatus status = ri_device_check(p->ctx, class);
    if (status != RI_OK) {
        char why[MESSAGE];
        snprintf(why, sizeof why, "%s", ri_context_message(p->ctx));
        return ri_error(p->ctx, status == RI_ERR_UNSUPPORTED ? status : RI_ERR_FORMAT, "%s: class %d: %s", path,
                        p->count, why);
    }
    if (ri_device_find(class->name) || ri_plugin_find(p, class->name))
        return ri_error(p->ctx, RI_ERR_FORMAT, "%s: class %d: there is a device class '%s' already", path, p->count,
                        class->name);
    p->classes[p->count++] = class;
    return RI_OK;
}

static RiStatus take_classes(RiPlugin *p, const char *path)
{
    const Entry entry = find_entry(p->handle);
    if (!entry)
        return ri_error(p->ctx, RI_ERR_FORMAT,
                        "%s: exports no 'const RiDeviceClass *rille_device(int index)', see examples/device", path);
    for (const RiDeviceClass *class; (class = entry(p->count));) {
        if (p->count == CLASS_LIMIT)
            return ri_error(p->ctx, RI_ERR_FORMAT,
                            "%s: more than %d classes; rille_device must return NULL after the last", path,
                            CLASS_LIMIT);
        RI_TRY(take_class(p, path, class));
    }
    if (p->count == 0)
        return ri_error(p->ctx, RI_ERR_FORMAT, "%s: rille_device(0) gives no class", path);
    return RI_OK;
}

RiStatus ri_plugin_load(RiContext *ctx, const char *path, RiPlugin **out_plugin)
{
    *out_plugin = NULL;
    ri_context_opened(ctx, path);
    RiPlugin *p = ri_alloc_zero(ctx, 1, sizeof *p);
    if (!p)
        return ri_error_memory(ctx);
    p->ctx = ctx;
    RiStatus status = ri_shared_object_open(ctx, path, &p->handle);
    if (status == RI_OK)
        status = take_classes(p, path);
    if (status != RI_OK) {
        ri_plugin_destroy(p);
        return status;
    }
    *out_plugin = p;
    return RI_OK;
}

void ri_plugin_destroy(RiPlugin *plugin)
{
    if (!plugin)
        return;
    if (plugin->handle)
        dlclose(plugin->handle);
    ri_release(plugin->ctx, plugin);
}

int ri_plugin_count(const RiPlugin *plugin)
{
    return plugin->count;
}

const RiDeviceClass *ri_plugin_class(const RiPlugin *plugin, int index)
{
    return index >= 0 && index < plugin->count ? plugin->classes[index] : NULL;
}

const RiDeviceClass *ri_plugin_find(const RiPlugin *plugin, const char *name)
{
    for (int i = 0; i < plugin->count; i++)
        if (strcmp(plugin->classes[i]->name, name) == 0)
            return plugin->classes[i];
    return NULL;
}
