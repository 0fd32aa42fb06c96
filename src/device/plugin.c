// SPDX-License-Identifier: Apache-2.0
/// \file
/// Loading of user devices by dlopen.
#include "device/plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/opened.h"

enum { CLASS_LIMIT = 256, MESSAGE = 1024 };

typedef const RiDeviceClass *(*Entry)(int index);

struct RiPlugin {
    RiContext *ctx;
    void *handle;
    int count;
    const RiDeviceClass *classes[CLASS_LIMIT];
};

/// Whether the parts that a loader maps lie within the file: the loader itself takes them on trust,
/// and the first touch of a page beyond the end is a signal.
static bool is_whole(const ElfW(Ehdr) * head, int file, off_t size)
{
    ElfW(Phdr) part;
    for (int i = 0; i < head->e_phnum; i++) {
        const off_t at = (off_t)(head->e_phoff + (size_t)i * sizeof part);
        if (pread(file, &part, sizeof part, at) != (ssize_t)sizeof part)
            return false;
        if (part.p_filesz > 0 && (part.p_offset > (size_t)size || part.p_filesz > (size_t)size - part.p_offset))
            return false;
    }
    return true;
}

/// What is wrong with a file as a shared object of this machine; NULL: nothing that can be seen
/// from outside.
static const char *look_at(int file)
{
    ElfW(Ehdr) own, head;
    struct stat info;
    const int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    const bool known = self >= 0 && pread(self, &own, sizeof own, 0) == (ssize_t)sizeof own;
    if (self >= 0)
        close(self);
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode))
        return "not a regular file";
    if (pread(file, &head, sizeof head, 0) != (ssize_t)sizeof head || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
        return "not an ELF file, or cut off in its head";
    if (known && (head.e_ident[EI_CLASS] != own.e_ident[EI_CLASS] || head.e_ident[EI_DATA] != own.e_ident[EI_DATA] ||
                  head.e_machine != own.e_machine))
        return "made for another machine";
    if (head.e_type != ET_DYN || head.e_phentsize != sizeof(ElfW(Phdr)) || head.e_phoff > (size_t)info.st_size)
        return "an ELF file, but not a shared object";
    return is_whole(&head, file, info.st_size) ? NULL : "truncated: its parts reach beyond the end of the file";
}

RiStatus ri_plugin_check_file(RiContext *ctx, const char *path)
{
    char text[128];
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return ri_error(ctx, RI_ERR_IO, "%s: cannot be read: %s", path, strerror_r(errno, text, sizeof text));
    const char *wrong = look_at(file);
    close(file);
    if (!wrong)
        return RI_OK;
    return ri_error(ctx, RI_ERR_FORMAT, "%s: not a shared object that can be loaded: %s", path, wrong);
}

/// Opens the file. A name without a slash would be searched for in the system's folders, so it gets
/// one.
static RiStatus open_file(RiPlugin *p, const char *path)
{
    RI_TRY(ri_plugin_check_file(p->ctx, path));
    char *local = ri_alloc(p->ctx, strlen(path) + 3, 1);
    if (!local)
        return ri_error_memory(p->ctx);
    snprintf(local, strlen(path) + 3, "%s%s", strchr(path, '/') ? "" : "./", path);
    p->handle = dlopen(local, RTLD_NOW | RTLD_LOCAL);
    ri_release(p->ctx, local);
    if (p->handle)
        return RI_OK;
    const char *why = dlerror();
    return ri_error(p->ctx, RI_ERR_FORMAT, "%s: not a shared object that can be loaded: %s", path, why ? why : "?");
}

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
    RiStatus status = open_file(p, path);
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
