// SPDX-License-Identifier: Apache-2.0
/// \file
/// Confinement of a child by Landlock and seccomp, both by their system calls: no library is
/// needed. Other systems than Linux have neither; the limits of the guard remain there.
///
/// The seccomp filter is a list of what is refused, not of what is allowed: the foreign libraries
/// and the C library below them change their calls from version to version, and a list of the
/// allowed would break reading files at an update. What it must stop is small: sockets, running
/// programs, other processes, and io_uring, which would do all that without calls.
#include "io/file/confine.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// --- Landlock: files -----------------------------------------------------------------------------

// Numbers and rights of the kernel's interface; headers of older systems lack some of them.
enum { CALL_CREATE = 444, CALL_ADD = 445, CALL_RESTRICT = 446, ASK_VERSION = 1, RULE_BENEATH = 1 };
enum {
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_DIR = 1 << 3,
    REMOVE_FILE = 1 << 5,
    MAKE_REG = 1 << 8,
    TRUNCATE = 1 << 14,
};

typedef struct RulesetAttr {
    uint64_t files;
} RulesetAttr;

typedef struct BeneathAttr {
    uint64_t allowed;
    int32_t folder;
} __attribute__((packed)) BeneathAttr;

/// Version of the kernel's Landlock; 0: none, or switched off.
static int landlock_version(void)
{
    const long version = syscall(CALL_CREATE, NULL, 0, ASK_VERSION);
    return version > 0 ? (int)version : 0;
}

/// All rights on files that a version knows.
static uint64_t all_rights(int version)
{
    const int bits = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
    return ((uint64_t)1 << bits) - 1;
}

static void allow(int rules, const char *folder, uint64_t rights)
{
    BeneathAttr beneath = {.allowed = rights, .folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC)};
    if (beneath.folder < 0)
        return; // what is not there needs no permission
    (void)syscall(CALL_ADD, rules, RULE_BENEATH, &beneath, 0);
    close(beneath.folder);
}

/// The folder of a path, "." if it names none.
static void allow_folder_of(int rules, const char *path, uint64_t rights)
{
    char folder[PATH_MAX];
    if ((size_t)snprintf(folder, sizeof folder, "%s", path) >= sizeof folder)
        return;
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    allow(rules, slash ? folder : ".", rights);
}

/// Tables of map projections and of GDAL itself, which both libraries read when they need them.
static void allow_tables(int rules)
{
    static const char *const folders[] = {"/usr/share/proj", "/usr/share/gdal", "/usr/local/share/proj",
                                          "/usr/local/share/gdal"};
    static const char *const variables[] = {"PROJ_DATA", "PROJ_LIB", "GDAL_DATA"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        allow(rules, folders[i], READ_FILE | READ_DIR);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *folder = getenv(variables[i]);
        if (folder && *folder)
            allow(rules, folder, READ_FILE | READ_DIR);
    }
}

static void confine_files(const char *path, bool writes)
{
    const int version = landlock_version();
    if (version == 0)
        return;
    const RulesetAttr all = {.files = all_rights(version)};
    const int rules = (int)syscall(CALL_CREATE, &all, sizeof all, 0);
    if (rules < 0)
        return;
    const uint64_t rights =
        (READ_FILE | READ_DIR | (writes ? WRITE_FILE | REMOVE_FILE | MAKE_REG | TRUNCATE : 0)) & all.files;
    char real[PATH_MAX];
    allow_folder_of(rules, path, rights);
    if (realpath(path, real))
        allow_folder_of(rules, real, rights);
    allow_tables(rules);
    if (syscall(CALL_RESTRICT, rules, 0) != 0)
        _exit(5); // the kernel has it and refuses: better no result than an open door
    close(rules);
}

// --- seccomp: system calls -----------------------------------------------------------------------

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCH AUDIT_ARCH_RISCV64
#endif

#ifdef ARCH

static const int refused[] = {SYS_socket,
                              SYS_socketpair,
                              SYS_connect,
                              SYS_bind,
                              SYS_listen,
                              SYS_accept,
                              SYS_accept4,
                              SYS_execve,
                              SYS_execveat,
                              SYS_ptrace,
                              SYS_process_vm_readv,
                              SYS_process_vm_writev,
                              SYS_unshare,
                              SYS_setns,
                              SYS_mount,
                              SYS_umount2,
                              SYS_chroot,
                              SYS_bpf,
                              SYS_perf_event_open,
                              SYS_userfaultfd,
                              SYS_open_by_handle_at,
                              SYS_add_key,
                              SYS_request_key,
                              SYS_keyctl,
                              425 /* io_uring_setup */,
                              426 /* io_uring_enter */,
                              427 /* io_uring_register */,
                              438 /* pidfd_getfd */};
enum { REFUSED = sizeof refused / sizeof *refused };

/// Architecture, then one comparison for each refused call.
static bool confine_calls(void)
{
    struct sock_filter code[REFUSED + 8];
    unsigned short n = 0;
    code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    code[n++] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, REFUSED + 1, 0); // x32's own numbers
    for (int i = 0; i < REFUSED; i++)
        code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)refused[i],
                                                 (unsigned char)(REFUSED - i), 0);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES);
    const struct sock_fprog program = {.len = n, .filter = code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

/// Whether the kernel has filters: asked with a program that cannot be read, which changes nothing.
static bool has_seccomp(void)
{
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0) != 0 && errno == EFAULT;
}

#else

static bool confine_calls(void)
{
    return true;
}

static bool has_seccomp(void)
{
    return false;
}

#endif

void ri_confine(const char *path, bool writes)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return; // a kernel without it has neither of the two
    confine_files(path, writes);
    if (!confine_calls() && has_seccomp())
        _exit(5);
}

const char *ri_confine_text(void)
{
    const bool files = landlock_version() > 0, calls = has_seccomp();
    return files && calls ? "files and network (Landlock, seccomp)"
           : files        ? "files (Landlock); no seccomp here: the network is open to them"
           : calls        ? "network (seccomp); no Landlock here: they may read what the user may"
                          : "nothing but limits: no Landlock and no seccomp here";
}

#else

void ri_confine(const char *path, bool writes)
{
    (void)path, (void)writes;
}

const char *ri_confine_text(void)
{
    return "nothing but limits: no Landlock and no seccomp here";
}

#endif
