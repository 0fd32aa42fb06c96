// SPDX-License-Identifier: Apache-2.0
/// \file
/// Checkpoint files.
///
///     head (64 bytes) | state block, ruts | parameters outside the block (doubles) | checksum (8 bytes)
///
/// Numbers are in the machine's own byte order; the head has a mark that tells another order
/// apart. The checksum is the hash of all bytes before it: each word goes through one-to-one maps
/// of the hash so far, so damage within one word is always found, and any other with a chance of 1
/// - 2^-64.
///
/// Damage is looked for before meaning, so that a flipped bit of the fingerprint is not taken for
/// another robot; and everything is looked at before anything is changed.
#include "io/record/checkpoint.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <rille/version.h>

#include "base/hash.h"
#include "io/file/beside.h"
#include "io/file/file.h"
#include "sim/internal.h"

enum { FORMAT = 1, ORDER = 0x01020304, CHECKSUM = RI_CHECKPOINT_SUM };

static const char magic[8] = {'R', 'I', 'L', 'L', 'E', 'C', 'P', '\n'};

typedef struct Head {
    char magic[8];
    uint32_t format, order;
    uint64_t fingerprint;
    uint64_t state_size;  ///< [bytes]
    uint64_t value_count; ///< parameters outside the block
    char program[24];     ///< version, zero-padded: another one may compute other bits
} Head;

_Static_assert(sizeof(Head) == RI_CHECKPOINT_HEAD, "the head has no padding");

/// What the state means: the simulation's own fingerprint, and the seed of its noise.
static uint64_t fingerprint(const RiSim *s)
{
    return ri_hash_mix(ri_sim_fingerprint(s), s->options.seed);
}

// --- parameters outside the block ----------------------------------------------------------------

/// Whether a value can change during a run and is not part of the state block.
static bool is_outside(const RiSim *s, const RiValue *v)
{
    const uintptr_t at = (uintptr_t)v->at, block = (uintptr_t)s->block;
    return v->writable && (at < block || at >= block + s->block_size);
}

static size_t count_outside(const RiSim *s)
{
    size_t count = 0;
    for (int i = 0; i < ri_values_count(s->values); i++)
        count += is_outside(s, ri_values_get(s->values, i));
    return count;
}

static void read_outside(const RiSim *s, double *out)
{
    for (int i = 0; i < ri_values_count(s->values); i++)
        if (is_outside(s, ri_values_get(s->values, i)))
            *out++ = ri_values_read(s->values, i);
}

static RiStatus write_outside(RiSim *s, const double *x)
{
    for (int i = 0; i < ri_values_count(s->values); i++)
        if (is_outside(s, ri_values_get(s->values, i)))
            RI_TRY(ri_values_write(s->values, i, *x++));
    ri_dyn_set_gravity(s->d, s->options.gravity);
    return RI_OK;
}

// --- writing -------------------------------------------------------------------------------------

size_t ri_checkpoint_size(const RiSim *s)
{
    return sizeof(Head) + ri_sim_state_size(s) + count_outside(s) * sizeof(double) + CHECKSUM;
}

void ri_checkpoint_seal(unsigned char *data, size_t size)
{
    const uint64_t sum = ri_hash(0, data, size - CHECKSUM);
    memcpy(data + size - CHECKSUM, &sum, sizeof sum);
}

void ri_checkpoint_compose(const RiSim *s, unsigned char *out)
{
    Head head = {.format = FORMAT,
                 .order = ORDER,
                 .fingerprint = fingerprint(s),
                 .state_size = ri_sim_state_size(s),
                 .value_count = count_outside(s)};
    memcpy(head.magic, magic, sizeof magic);
    snprintf(head.program, sizeof head.program, "%s", ri_version());
    memcpy(out, &head, sizeof head);
    ri_sim_save_state(s, out + sizeof head);
    read_outside(s, (double *)(void *)(out + sizeof head + head.state_size)); // a state's size is a multiple of 8
    ri_checkpoint_seal(out, ri_checkpoint_size(s));
}

static RiStatus write_error(const RiSim *s, const char *path, int code)
{
    char text[128];
    return ri_error(s->ctx, RI_ERR_IO, "%s: cannot write the checkpoint: %s", path,
                    strerror_r(code, text, sizeof text));
}

/// A checkpoint is read again: a terminal, a pipe or a device cannot keep it.
static RiStatus check_place(const RiSim *s, const char *path)
{
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "%s: cannot write the checkpoint: not a regular file", path);
    return RI_OK;
}

/// Writes beside the place, syncs, renames.
static int put_file(const char *path, const unsigned char *data, size_t size)
{
    RiBeside beside;
    int code = ri_beside_open(&beside, path);
    if (code != 0)
        return code;
    beside.durable = true;
    code = ri_beside_write(&beside, data, size);
    const int closing = ri_beside_close(&beside, code == 0);
    return code != 0 ? code : closing;
}

RiStatus ri_checkpoint_save(const RiSim *s, const char *path)
{
    if (!s->started)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "%s: a simulation that has not started has no checkpoint", path);
    RI_TRY(check_place(s, path));
    const size_t size = ri_checkpoint_size(s);
    unsigned char *data = ri_alloc(s->ctx, size, 1);
    if (!data)
        return ri_error_memory(s->ctx);
    ri_checkpoint_compose(s, data);
    const int code = put_file(path, data, size);
    ri_release(s->ctx, data);
    return code == 0 ? RI_OK : write_error(s, path, code);
}

// --- reading -------------------------------------------------------------------------------------

/// Magic, byte order, version and size: whether this is a checkpoint file of ours at all, and
/// whole.
static RiStatus check_head(const RiSim *s, const char *path, const Head *head, size_t size)
{
    RiContext *ctx = s->ctx;
    if (size < sizeof *head + CHECKSUM || memcmp(head->magic, magic, sizeof magic) != 0) {
        const bool ours = size >= sizeof magic && memcmp(head->magic, magic, sizeof magic) == 0;
        return ri_error(ctx, RI_ERR_FORMAT,
                        ours ? "%s: the checkpoint is truncated: %zu bytes do not hold its head"
                             : "%s: not a checkpoint (%zu bytes that do not start like one)",
                        path, size);
    }
    if (head->order != ORDER)
        return ri_error(ctx, RI_ERR_FORMAT, "%s: the checkpoint is damaged or of a machine with another byte order",
                        path);
    if (head->format != FORMAT)
        return ri_error(ctx, RI_ERR_FORMAT, "%s: format version %u of checkpoints; this program reads version %d", path,
                        head->format, FORMAT);
    const size_t room = size - sizeof *head - CHECKSUM;
    if (head->state_size > room || head->value_count != (room - head->state_size) / sizeof(double) ||
        (room - head->state_size) % sizeof(double) != 0)
        return ri_error(ctx, RI_ERR_FORMAT,
                        "%s: the checkpoint is truncated or damaged: it has %zu bytes, its head says "
                        "%llu bytes of state and %llu values",
                        path, size, (unsigned long long)head->state_size, (unsigned long long)head->value_count);
    return RI_OK;
}

static RiStatus check_sum(const RiSim *s, const char *path, const unsigned char *data, size_t size)
{
    uint64_t sum;
    memcpy(&sum, data + size - CHECKSUM, sizeof sum);
    if (sum == ri_hash(0, data, size - CHECKSUM))
        return RI_OK;
    return ri_error(s->ctx, RI_ERR_FORMAT, "%s: the checkpoint is damaged: its checksum does not fit", path);
}

/// Whether the file belongs to this simulation.
static RiStatus check_meaning(const RiSim *s, const char *path, const Head *head)
{
    char program[sizeof head->program] = "";
    snprintf(program, sizeof program, "%s", ri_version());
    if (memcmp(program, head->program, sizeof program) != 0)
        return ri_error(s->ctx, RI_ERR_FORMAT, "%s: written by rille %.*s; this is rille %s and may compute other bits",
                        path, (int)sizeof program - 1, head->program, ri_version());
    const bool fits = s->ruts ? head->state_size >= s->block_size + RI_RUTS_HEAD : head->state_size == s->block_size;
    if (head->fingerprint != fingerprint(s) || !fits || head->value_count != count_outside(s))
        return ri_error(s->ctx, RI_ERR_MODEL,
                        "%s: the checkpoint is of another simulation: robot, devices, terrain, integrator, "
                        "tick, substeps or seed differ from this one ('%s')",
                        path, s->m->name);
    return RI_OK;
}

/// Whether a block's numbers can be gone on from: a file with a right checksum may still be made by
/// hand.
static RiStatus check_state(const RiSim *s, const char *path, const unsigned char *block)
{
    const RiStatus status = ri_sim_check_block(s, block);
    if (status == RI_OK || status == RI_ERR_MEMORY)
        return status;
    char message[512];
    snprintf(message, sizeof message, "%s", ri_context_message(s->ctx));
    return ri_error(s->ctx, status, "%s: the checkpoint does not fit this simulation: %s", path, message);
}

/// Puts the state in place; on failure everything is as before.
static RiStatus bring_back(RiSim *s, const unsigned char *block, size_t size, size_t values)
{
    double *old = ri_alloc(s->ctx, 2 * values + 1, sizeof *old);
    if (!old)
        return ri_error_memory(s->ctx);
    double *new = old + values;
    read_outside(s, old);
    memcpy(new, block + size, values * sizeof *new);
    RiStatus status = write_outside(s, new);
    if (status == RI_OK)
        status = ri_sim_load_block(s, block, size);
    if (status != RI_OK) {
        char message[512];
        snprintf(message, sizeof message, "%s", ri_context_message(s->ctx));
        if (write_outside(s, old) == RI_OK) // they were allowed before
            status = ri_error(s->ctx, status, "%s", message);
    }
    ri_release(s->ctx, old);
    return status;
}

RiStatus ri_checkpoint_parse(RiSim *s, const char *path, const void *data, size_t size)
{
    if (!s->started)
        return ri_error(s->ctx, RI_ERR_ARGUMENT, "%s: the simulation must be started before a checkpoint is loaded",
                        path);
    const unsigned char *bytes = data;
    Head head = {0};
    if (size > 0)
        memcpy(&head, bytes, size < sizeof head ? size : sizeof head);
    RI_TRY(check_head(s, path, &head, size));
    RI_TRY(check_sum(s, path, bytes, size));
    RI_TRY(check_meaning(s, path, &head));
    RI_TRY(check_state(s, path, bytes + sizeof head));
    const RiStatus status = bring_back(s, bytes + sizeof head, (size_t)head.state_size, (size_t)head.value_count);
    if (status == RI_OK || status == RI_ERR_MEMORY)
        return status;
    char message[512];
    snprintf(message, sizeof message, "%s", ri_context_message(s->ctx));
    return ri_error(s->ctx, status, "%s: %s", path, message);
}

RiStatus ri_checkpoint_load(RiSim *s, const char *path)
{
    const size_t limit = (size_t)16 << 30; // ruts may be large
    char *text;
    size_t size;
    RI_TRY(ri_file_read(s->ctx, path, limit, &text, &size));
    const RiStatus status = ri_checkpoint_parse(s, path, text, size);
    ri_release(s->ctx, text);
    return status;
}
