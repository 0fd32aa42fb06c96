// SPDX-License-Identifier: Apache-2.0
/// \file
/// From a .fmu file to functions that can be called: a folder of its own that is removed with it,
/// the library for this machine, its symbols.
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/shared_object.h"
#include "io/file/file.h"
#include "io/fmu/fmu_work.h"

#if defined(__x86_64__)
static const char *const machines[] = {"linux64", "x86_64-linux"};
#elif defined(__aarch64__)
static const char *const machines[] = {"aarch64-linux", "aarch64-linux"};
#else
static const char *const machines[] = {"linux", "linux"};
#endif

// --- files ---------------------------------------------------------------------------------------

/// Creates the folders of a path below the FMU's own.
static void make_folders(char *path, size_t base)
{
    for (char *p = path + base; *p; p++)
        if (*p == '/') {
            *p = '\0';
            (void)mkdir(path, 0700); // a failure shows when the file is written
            *p = '/';
        }
}

static RiStatus unpack_entry(RiFmu *f, const RiZip *z, int entry)
{
    char path[FMU_PATH + 1024];
    unsigned char *data;
    size_t size;
    const int n = snprintf(path, sizeof path, "%s/%s", f->folder, z->entries[entry].name);
    if (n >= (int)sizeof path || path[n - 1] == '/')
        return RI_OK; // a folder
    RI_TRY(ri_zip_read(z, entry, &data, &size));
    make_folders(path, strlen(f->folder) + 1);
    FILE *file = fopen(path, "wbxe");
    bool good = file && fwrite(data, 1, size, file) == size;
    if (file && fclose(file) != 0)
        good = false;
    ri_release(f->ctx, data);
    if (!good)
        return ri_error(f->ctx, RI_ERR_IO, "%s: '%.200s' cannot be unpacked: %s", f->path, z->entries[entry].name,
                        strerror(errno));
    f->files[f->file_count] = z->entries[entry].name;
    z->entries[entry].name = NULL; // taken over
    f->file_count++;
    return RI_OK;
}

static RiStatus unpack(RiFmu *f, RiZip *z)
{
    const char *temporary = getenv("TMPDIR");
    size_t total = 0;
    snprintf(f->folder, sizeof f->folder, "%.400s/rille-fmu-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(f->folder)) {
        const int code = errno;
        f->folder[0] = '\0';
        return ri_error(f->ctx, RI_ERR_IO, "%s: no folder to unpack it into: %s", f->path, strerror(code));
    }
    f->files = ri_alloc_zero(f->ctx, (size_t)z->count + 1, sizeof *f->files);
    if (!f->files)
        return ri_error_memory(f->ctx);
    for (int i = 0; i < z->count; i++) {
        total += z->entries[i].size;
        if (total > RI_ZIP_MOST)
            return ri_error(f->ctx, RI_ERR_LIMIT, "%s: more than %d bytes when unpacked", f->path, RI_ZIP_MOST);
        RI_TRY(unpack_entry(f, z, i));
    }
    return RI_OK;
}

static void remove_files(RiFmu *f)
{
    char path[FMU_PATH + 1024];
    for (int i = 0; i < f->file_count; i++) {
        snprintf(path, sizeof path, "%s/%s", f->folder, f->files[i]);
        unlink(path);
    }
    for (int i = 0; i < f->file_count; i++) { // folders, from the innermost on, once they are empty
        snprintf(path, sizeof path, "%s/%s", f->folder, f->files[i]);
        for (char *slash; (slash = strrchr(path, '/')) && slash > path + strlen(f->folder) - 1;) {
            *slash = '\0';
            if (rmdir(path) != 0)
                break;
        }
        ri_release(f->ctx, f->files[i]);
    }
    if (f->folder[0])
        rmdir(f->folder);
    ri_release(f->ctx, f->files);
}

// --- library -------------------------------------------------------------------------------------

/// The machines that an FMU has libraries for, as text.
static void list_machines(const RiFmu *f, char *out, size_t size)
{
    size_t n = 0;
    out[0] = '\0';
    for (int i = 0; i < f->file_count && n < size; i++) {
        const char *name = f->files[i];
        if (strncmp(name, "binaries/", 9) == 0)
            n += (size_t)snprintf(out + n, size - n, "%s%.60s", n ? ", " : "", name + 9);
    }
}

static RiStatus open_library(RiFmu *f)
{
    char path[FMU_PATH + 512], others[256];
    snprintf(path, sizeof path, "%s/binaries/%s/%s.so", f->folder, machines[f->d.version == 3], f->d.identifier);
    if (access(path, F_OK) != 0) {
        list_machines(f, others, sizeof others);
        return ri_error(f->ctx, RI_ERR_UNSUPPORTED,
                        "%s: it has no library for this machine (binaries/%s/%s.so); it has: %s", f->path,
                        machines[f->d.version == 3], f->d.identifier, *others ? others : "none");
    }
    const RiStatus status = ri_shared_object_open(f->ctx, path, &f->handle);
    if (status == RI_OK)
        return RI_OK;
    char why[512];
    snprintf(why, sizeof why, "%s", ri_context_message(f->ctx));
    return ri_error(f->ctx, status, "%s: its library: %s", f->path,
                    strstr(why, "not a shared") ? strstr(why, "not a shared") : why);
}

/// One function; POSIX guarantees that the bits of a symbol are those of a function pointer.
static RiStatus find(RiFmu *f, const char *name, void *out_function)
{
    char symbol[64];
    snprintf(symbol, sizeof symbol, "fmi%d%s", f->d.version, name);
    void *at = dlsym(f->handle, symbol);
    if (!at)
        return ri_error(f->ctx, RI_ERR_FORMAT, "%s: its library has no function %s", f->path, symbol);
    memcpy(out_function, &at, sizeof at);
    return RI_OK;
}

/// FMI 3.0 has a pair of functions for each kind of word; those that ports need.
static RiStatus find_words(RiFmu *f)
{
    static const char *const names[FMU_WORDS] = {"Float64", "Float32", "Int8",  "UInt8",  "Int16",  "UInt16",
                                                 "Int32",   "UInt32",  "Int64", "UInt64", "Boolean"};
    char name[32];
    for (int i = 0; i < f->d.count; i++) {
        const FmuVariable *v = &f->d.variables[i];
        if (v->kind == FMU_OTHER || v->causality == FMU_LOCAL || f->call.get3[v->word])
            continue;
        snprintf(name, sizeof name, "Get%s", names[v->word]);
        RI_TRY(find(f, name, &f->call.get3[v->word]));
        snprintf(name, sizeof name, "Set%s", names[v->word]);
        RI_TRY(find(f, name, &f->call.set3[v->word]));
    }
    return RI_OK;
}

static RiStatus find_calls(RiFmu *f)
{
    FmuCalls *c = &f->call;
    const bool three = f->d.version == 3;
    const struct {
        const char *two, *three;
        void *at2, *at3;
    } names[] = {
        {"Instantiate", "InstantiateCoSimulation", &c->instantiate2, &c->instantiate3},
        {"SetupExperiment", NULL, &c->setup2, NULL},
        {"EnterInitializationMode", "EnterInitializationMode", &c->enter, &c->enter3},
        {"ExitInitializationMode", "ExitInitializationMode", &c->exit, &c->exit},
        {"Reset", "Reset", &c->reset, &c->reset},
        {"Terminate", "Terminate", &c->terminate, &c->terminate},
        {"FreeInstance", "FreeInstance", &c->free, &c->free},
        {"GetReal", NULL, &c->get_real, NULL},
        {"SetReal", NULL, &c->set_real, NULL},
        {"GetInteger", NULL, &c->get_integer, NULL},
        {"SetInteger", NULL, &c->set_integer, NULL},
        {"GetBoolean", NULL, &c->get_boolean, NULL},
        {"SetBoolean", NULL, &c->set_boolean, NULL},
        {"DoStep", "DoStep", &c->step2, &c->step3},
    };
    const struct {
        const char *two, *three;
        void *at;
    } state[] = {
        {"GetFMUstate", "GetFMUState", &c->get_state},
        {"SetFMUstate", "SetFMUState", &c->set_state},
        {"FreeFMUstate", "FreeFMUState", &c->free_state},
        {"SerializedFMUstateSize", "SerializedFMUStateSize", &c->state_size},
        {"SerializeFMUstate", "SerializeFMUState", &c->serialize},
        {"DeSerializeFMUstate", "DeserializeFMUState", &c->deserialize},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!three || names[i].three)
            RI_TRY(find(f, three ? names[i].three : names[i].two, three ? names[i].at3 : names[i].at2));
    if (three)
        RI_TRY(find_words(f));
    for (size_t i = 0; f->d.can_save && i < sizeof state / sizeof *state; i++)
        RI_TRY(find(f, three ? state[i].three : state[i].two, state[i].at));
    return RI_OK;
}

// --- instance ------------------------------------------------------------------------------------

static void hear2(void *environment, const char *instance, FmiStatus status, const char *category, const char *message,
                  ...)
{
    RiFmu *f = environment;
    va_list args;
    (void)instance;
    (void)category;
    if (!f || status < FMI_WARNING || !message)
        return;
    va_start(args, message);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    vsnprintf(f->log, sizeof f->log, message, args); // printf's format: the standard says so
#pragma GCC diagnostic pop
    va_end(args);
}

static void hear3(void *environment, FmiStatus status, const char *category, const char *message)
{
    RiFmu *f = environment;
    (void)category;
    if (f && status >= FMI_WARNING && message)
        snprintf(f->log, sizeof f->log, "%s", message);
}

static RiStatus instantiate(RiFmu *f)
{
    char resources[FMU_PATH + 32];
    f->callbacks = (Fmi2Callbacks){hear2, calloc, free, NULL, f};
    if (f->d.version == 2) {
        snprintf(resources, sizeof resources, "file://%s/resources", f->folder);
        f->instance =
            f->call.instantiate2(f->d.identifier, FMI2_CO_SIMULATION, f->d.guid, resources, &f->callbacks, 0, 0);
    } else {
        snprintf(resources, sizeof resources, "%s/resources/", f->folder);
        f->instance = f->call.instantiate3(f->d.identifier, f->d.guid, resources, false, false, false, false, NULL, 0,
                                           f, hear3, NULL);
    }
    if (f->instance)
        return RI_OK;
    return ri_error(f->ctx, RI_ERR_FORMAT, "%s: it cannot be instantiated%s%s", f->path, *f->log ? ": " : "", f->log);
}

static RiStatus read_file(RiFmu *f, unsigned char **out_data, size_t *out_size)
{
    struct stat info = {0};
    FILE *file = ri_file_open(f->path);
    *out_data = NULL;
    if (!file || fstat(fileno(file), &info) != 0) {
        const char *why = errno == EINVAL ? "not a regular file" : strerror(errno);
        if (file)
            fclose(file);
        return ri_error(f->ctx, RI_ERR_IO, "%s: cannot be read: %s", f->path, why);
    }
    if (info.st_size > RI_ZIP_MOST) {
        fclose(file);
        return ri_error(f->ctx, RI_ERR_LIMIT, "%s: larger than %d bytes", f->path, RI_ZIP_MOST);
    }
    unsigned char *data = ri_alloc(f->ctx, (size_t)info.st_size + 1, 1);
    *out_size = data ? fread(data, 1, (size_t)info.st_size, file) : 0;
    fclose(file);
    *out_data = data;
    return data ? RI_OK : ri_error_memory(f->ctx);
}

static RiStatus describe(RiFmu *f, const RiZip *z)
{
    char path[FMU_PATH + 64];
    unsigned char *text;
    size_t size;
    const int entry = ri_zip_find(z, "modelDescription.xml");
    if (entry < 0)
        return ri_error(f->ctx, RI_ERR_FORMAT, "%s: not an FMU: it has no modelDescription.xml", f->path);
    RI_TRY(ri_zip_read(z, entry, &text, &size));
    snprintf(path, sizeof path, "%.*s/modelDescription.xml", FMU_PATH, f->path);
    const RiStatus status = ri_fmu_describe(f->ctx, path, (const char *)text, size, &f->d);
    ri_release(f->ctx, text);
    return status;
}

RiStatus ri_fmu_open(RiFmu *f)
{
    RiZip zip;
    unsigned char *data;
    size_t size;
    ri_arena_init(&f->d.arena, f->ctx);
    RI_TRY(read_file(f, &data, &size));
    RiStatus status = ri_zip_open(f->ctx, f->path, data, size, &zip);
    if (status == RI_OK)
        status = describe(f, &zip);
    if (status == RI_OK)
        status = unpack(f, &zip);
    ri_zip_free(&zip);
    ri_release(f->ctx, data);
    if (status == RI_OK)
        status = open_library(f);
    if (status == RI_OK)
        status = find_calls(f);
    return status == RI_OK ? instantiate(f) : status;
}

void ri_fmu_close(RiFmu *f)
{
    if (f->instance)
        f->call.free(f->instance);
    if (f->handle)
        dlclose(f->handle);
    remove_files(f);
    ri_fmu_description_free(&f->d);
}
