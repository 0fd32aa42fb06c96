// SPDX-License-Identifier: Apache-2.0
/// \file
/// Shared objects: a look at the ELF file, then dlopen. Tests: tests/device/test_plugin.c,
/// tests/optics/test_filter.c.
#include "base/shared_object.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

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

RiStatus ri_shared_object_check(RiContext *ctx, const char *path)
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

RiStatus ri_shared_object_open(RiContext *ctx, const char *path, void **out_handle)
{
    *out_handle = NULL;
    RI_TRY(ri_shared_object_check(ctx, path));
    char *local = ri_alloc(ctx, strlen(path) + 3, 1);
    if (!local)
        return ri_error_memory(ctx);
    snprintf(local, strlen(path) + 3, "%s%s", strchr(path, '/') ? "" : "./", path);
    *out_handle = dlopen(local, RTLD_NOW | RTLD_LOCAL);
    ri_release(ctx, local);
    if (*out_handle)
        return RI_OK;
    const char *why = dlerror();
    return ri_error(ctx, RI_ERR_FORMAT, "%s: not a shared object that can be loaded: %s", path, why ? why : "?");
}
