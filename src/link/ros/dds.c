// SPDX-License-Identifier: Apache-2.0
/// \file
/// ROS 2 over Cyclone DDS.
///
/// Messages are bytes that wire.c has made or will read, so the types given to Cyclone (its
/// "sertypes") have a name and nothing else: keyless, final, XCDR version 1, as ROS 2 has them. A
/// peer sees a node because of three things: the participant's user data `enclave=/;`, each
/// endpoint's user data `typehash=RIHS01_...;`, and one sample on `ros_discovery_info` that lists
/// which endpoint belongs to which node.
///
/// Test: tests/ros/test_cyclone.c (Cyclone peer), tests/ros/fast_peer.cpp (Fast DDS peer).
#include "link/ros/graph.h"
#include "link/ros/transport.h"

#ifndef RILLE_HAVE_DDS

static RiStatus open_none(const RiRosSetup *setup, void **out_self)
{
    *out_self = NULL;
    return ri_error(setup->ctx, RI_ERR_UNSUPPORTED,
                    "this build has no ROS 2: install cyclonedds-dev (Cyclone DDS) and build again; ROS 1 is there");
}

const RiRosTransport ri_ros_dds = {.name = "ROS 2", .format = RI_ROS_CDR, .open = open_none};

#else

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#define asm __asm__ // its headers want the GNU word
#include <dds/dds.h>
#include <dds/ddsi/ddsi_serdata.h>
#include <dds/ddsi/ddsi_sertype.h>
#include <dds/ddsi/q_radmin.h>
#undef asm
#pragma GCC diagnostic pop

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GID_JAZZY = 16, GID_HUMBLE = 24, MOST_MESSAGE = 256 << 20, TAKEN = 16 };

// --- bytes as samples ----------------------------------------------------------------------------

/// A sample: a message with its encapsulation. Cyclone's own structs grow at their ends where it
/// was built with shared memory, which its headers do not tell: there is room for that behind each
/// of them.
typedef struct Sample {
    union {
        struct ddsi_serdata base;
        uint8_t room[sizeof(struct ddsi_serdata) + 64];
    };
    RiRosMessage *m;
} Sample;

typedef union Type {
    struct ddsi_sertype base;
    uint8_t room[sizeof(struct ddsi_sertype) + 64];
} Type;

static struct ddsi_serdata *new_sample(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind, RiRosMessage *m)
{
    Sample *s = m ? malloc(sizeof *s) : NULL;
    if (!s) {
        ri_ros_message_unref(m);
        return NULL;
    }
    ddsi_serdata_init(&s->base, type, kind);
    s->base.hash = type->serdata_basehash;
    s->m = m;
    return &s->base;
}

static bool same_key(const struct ddsi_serdata *a, const struct ddsi_serdata *b)
{
    (void)a;
    (void)b;
    return true; // no type has a key: one instance
}

static uint32_t sample_size(const struct ddsi_serdata *d)
{
    return (uint32_t)((const Sample *)d)->m->size;
}

/// From fragments of the network. A sample without data (a disposed instance) has none.
static struct ddsi_serdata *from_fragments(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind,
                                           const struct nn_rdata *fragment, size_t size)
{
    RiRosMessage *m = size <= MOST_MESSAGE ? ri_ros_message_new(-1, size) : NULL;
    uint32_t at = 0;
    for (; m && fragment; fragment = fragment->nextfrag) {
        if (fragment->maxp1 <= at)
            continue;
        const uint8_t *payload = NN_RMSG_PAYLOADOFF(fragment->rmsg, NN_RDATA_PAYLOAD_OFF(fragment));
        const uint32_t end = fragment->maxp1 < size ? fragment->maxp1 : (uint32_t)size;
        if (end > at)
            memcpy(m->bytes + at, payload + at - fragment->min, end - at);
        at = end;
    }
    if (m)
        m->size = at;
    return new_sample(type, kind, m);
}

static struct ddsi_serdata *from_pieces(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind,
                                        ddsrt_msg_iovlen_t count, const ddsrt_iovec_t *pieces, size_t size)
{
    RiRosMessage *m = size <= MOST_MESSAGE ? ri_ros_message_new(-1, size) : NULL;
    for (ddsrt_msg_iovlen_t i = 0; m && i < count && m->size < size; i++) {
        const size_t rest = size - m->size, take = pieces[i].iov_len < rest ? pieces[i].iov_len : rest;
        memcpy(m->bytes + m->size, pieces[i].iov_base, take);
        m->size += take;
    }
    return new_sample(type, kind, m);
}

static struct ddsi_serdata *from_keyhash(const struct ddsi_sertype *type, const struct ddsi_keyhash *hash)
{
    (void)hash;
    return new_sample(type, SDK_KEY, ri_ros_message_new(-1, 0));
}

/// The application's sample is a message.
static struct ddsi_serdata *from_sample(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind,
                                        const void *sample)
{
    RiRosMessage *m = NULL;
    if (kind == SDK_DATA)
        memcpy(&m, sample, sizeof m);
    return new_sample(type, kind, m ? ri_ros_message_ref(m) : ri_ros_message_new(-1, 0));
}

static void to_bytes(const struct ddsi_serdata *d, size_t offset, size_t size, void *out)
{
    memcpy(out, ((const Sample *)d)->m->bytes + offset, size); // up to 3 bytes of padding are in the spare room
}

static struct ddsi_serdata *lend_bytes(const struct ddsi_serdata *d, size_t offset, size_t size, ddsrt_iovec_t *out)
{
    out->iov_base = ((const Sample *)d)->m->bytes + offset;
    out->iov_len = size;
    return ddsi_serdata_ref(d);
}

static void return_bytes(struct ddsi_serdata *d, const ddsrt_iovec_t *lent)
{
    (void)lent;
    ddsi_serdata_unref(d);
}

/// Into the application's sample: a message of its own.
static bool to_sample(const struct ddsi_serdata *d, void *sample, void **unused, void *unused_end)
{
    (void)unused;
    (void)unused_end;
    RiRosMessage *m = ri_ros_message_ref(((const Sample *)d)->m);
    memcpy(sample, &m, sizeof m);
    return true;
}

static struct ddsi_serdata *to_untyped(const struct ddsi_serdata *d)
{
    struct ddsi_serdata *key = new_sample(d->type, SDK_KEY, ri_ros_message_new(-1, 0));
    if (key)
        key->type = NULL;
    return key;
}

static bool untyped_to_sample(const struct ddsi_sertype *type, const struct ddsi_serdata *d, void *sample,
                              void **unused, void *unused_end)
{
    (void)type;
    return to_sample(d, sample, unused, unused_end);
}

static void free_sample(struct ddsi_serdata *d)
{
    ri_ros_message_unref(((Sample *)d)->m);
    free(d);
}

static size_t print_sample(const struct ddsi_sertype *type, const struct ddsi_serdata *d, char *out, size_t room)
{
    (void)type;
    return (size_t)snprintf(out, room, "%zu bytes", ((const Sample *)d)->m->size);
}

static void get_keyhash(const struct ddsi_serdata *d, struct ddsi_keyhash *out, bool md5)
{
    (void)d;
    (void)md5;
    memset(out, 0, sizeof *out);
}

static const struct {
    struct ddsi_serdata_ops ops;
    void *more[8]; ///< of shared memory: none
} sample_ops = {.ops = {
                    .eqkey = same_key,
                    .get_size = sample_size,
                    .from_ser = from_fragments,
                    .from_ser_iov = from_pieces,
                    .from_keyhash = from_keyhash,
                    .from_sample = from_sample,
                    .to_ser = to_bytes,
                    .to_ser_ref = lend_bytes,
                    .to_ser_unref = return_bytes,
                    .to_sample = to_sample,
                    .to_untyped = to_untyped,
                    .untyped_to_sample = untyped_to_sample,
                    .free = free_sample,
                    .print = print_sample,
                    .get_keyhash = get_keyhash,
                }};

// --- types ---------------------------------------------------------------------------------------

static void free_type(struct ddsi_sertype *type)
{
    ddsi_sertype_fini(type);
    free(type);
}

static void zero_samples(const struct ddsi_sertype *type, void *samples, size_t count)
{
    (void)type;
    memset(samples, 0, count * sizeof(RiRosMessage *));
}

static void resize_samples(void **out, const struct ddsi_sertype *type, void *old, size_t old_count, size_t count)
{
    (void)type;
    char *block = realloc(old, count * sizeof(RiRosMessage *));
    if (block && count > old_count)
        memset(block + old_count * sizeof(RiRosMessage *), 0, (count - old_count) * sizeof(RiRosMessage *));
    for (size_t i = 0; i < count; i++)
        out[i] = block ? block + i * sizeof(RiRosMessage *) : NULL;
}

static void free_samples(const struct ddsi_sertype *type, void **samples, size_t count, dds_free_op_t op)
{
    (void)type;
    for (size_t i = 0; i < count; i++) {
        RiRosMessage *m;
        memcpy(&m, samples[i], sizeof m);
        ri_ros_message_unref(m);
        memset(samples[i], 0, sizeof m);
    }
    if (count && (op & DDS_FREE_ALL_BIT))
        free(samples[0]);
}

static bool equal_types(const struct ddsi_sertype *a, const struct ddsi_sertype *b)
{
    (void)a;
    (void)b;
    return true; // names are compared by Cyclone
}

static uint32_t hash_type(const struct ddsi_sertype *type)
{
    (void)type;
    return 0;
}

static struct ddsi_sertype *derive_type(const struct ddsi_sertype *type, dds_data_representation_id_t representation,
                                        dds_type_consistency_enforcement_qospolicy_t consistency)
{
    (void)representation;
    (void)consistency;
    return (struct ddsi_sertype *)type; // the one form there is
}

static const struct ddsi_sertype_ops type_ops = {
    .version = ddsi_sertype_v0,
    .free = free_type,
    .zero_samples = zero_samples,
    .realloc_samples = resize_samples,
    .free_samples = free_samples,
    .equal = equal_types,
    .hash = hash_type,
    .derive_sertype = derive_type,
};

// --- entities ------------------------------------------------------------------------------------

typedef struct Dds Dds;

/// A topic's reader or writer.
typedef struct Entity {
    Dds *dds;
    int endpoint;
    dds_entity_t handle;
    atomic_int peers; ///< readers or writers that match it now
} Entity;

struct Dds {
    RiRosSetup setup;
    dds_entity_t domain, participant, waitset, stop, info;
    Entity *entities; ///< [setup.count]
    pthread_t thread;
    bool threaded;
};

static RiStatus fail(const Dds *d, const char *what, const char *name, dds_return_t code)
{
    return ri_error(d->setup.ctx, RI_ERR_IO, "ROS 2: %s '%s': %s", what, name, dds_strretcode(-code));
}

/// Quality of service as ROS 2 spells it, with the hash of the type in the user data.
static dds_qos_t *make_qos(const RiRosEndpoint *e, const char *hash)
{
    char user[RI_ROS_HASH + 16];
    dds_qos_t *q = dds_create_qos();
    if (!q)
        return NULL;
    dds_qset_reliability(q,
                         e->qos.reliability == RI_ROS_RELIABLE ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT,
                         DDS_MSECS(100));
    dds_qset_durability(q, e->qos.durability == RI_ROS_TRANSIENT_LOCAL ? DDS_DURABILITY_TRANSIENT_LOCAL
                                                                       : DDS_DURABILITY_VOLATILE);
    if (e->keep_all)
        dds_qset_history(q, DDS_HISTORY_KEEP_ALL, 0);
    else
        dds_qset_history(q, DDS_HISTORY_KEEP_LAST, e->qos.depth);
    dds_qset_writer_data_lifecycle(q, false);
    const int n = snprintf(user, sizeof user, "typehash=%s;", hash);
    dds_qset_userdata(q, user, (size_t)n);
    return q;
}

/// A reader or writer on a topic with the given DDS name.
static RiStatus add_entity(Dds *d, const char *topic_name, const RiRosEndpoint *e, dds_entity_t *out)
{
    char type_name[RI_ROS_TYPE_NAME], hash[RI_ROS_HASH];
    Type *room = calloc(1, sizeof *room);
    struct ddsi_sertype *type = &room->base;
    if (!room || !ri_ros_type_hash(e->type, hash)) {
        free(room);
        return ri_error(d->setup.ctx, RI_ERR_MEMORY, "out of memory");
    }
    ri_ros_type_dds_name(e->type, type_name);
    ddsi_sertype_init(type, type_name, &type_ops, &sample_ops.ops, true);
    type->allowed_data_representation = DDS_DATA_REPRESENTATION_FLAG_XCDR1;
    const dds_entity_t topic = dds_create_topic_sertype(d->participant, topic_name, &type, NULL, NULL, NULL);
    if (topic < 0) {
        ddsi_sertype_unref(type);
        return fail(d, "topic", e->name, topic);
    }
    dds_qos_t *q = make_qos(e, hash);
    *out =
        e->out ? dds_create_writer(d->participant, topic, q, NULL) : dds_create_reader(d->participant, topic, q, NULL);
    dds_delete_qos(q);
    return *out < 0 ? fail(d, e->out ? "writer" : "reader", e->name, *out) : RI_OK;
}

/// Takes what a reader has and puts it into the inbox.
static void take_all(const Entity *entity)
{
    RiRosMessage *messages[TAKEN] = {NULL};
    void *samples[TAKEN];
    dds_sample_info_t info[TAKEN];
    dds_return_t n;
    for (int i = 0; i < TAKEN; i++)
        samples[i] = &messages[i];
    do {
        memset(messages, 0, sizeof messages);
        n = dds_take(entity->handle, samples, info, TAKEN, TAKEN);
        for (int i = 0; i < n; i++) {
            RiRosMessage *own = NULL;
            if (messages[i] && info[i].valid_data && (own = ri_ros_message_new(entity->endpoint, messages[i]->size)))
                memcpy(own->bytes, messages[i]->bytes, own->size = messages[i]->size);
            ri_ros_message_unref(messages[i]);
            if (own)
                ri_ros_queue_put(entity->dds->setup.inbox, own, false);
        }
    } while (n == TAKEN);
}

/// The receiving thread.
static void *receive(void *user)
{
    Dds *d = user;
    for (bool going = true; going;) {
        dds_attach_t ready[64];
        const dds_return_t n = dds_waitset_wait(d->waitset, ready, 64, DDS_INFINITY);
        for (int i = 0; i < n && i < 64; i++) {
            if (ready[i] < 0)
                going = false;
            else
                take_all(&d->entities[ready[i]]);
        }
        if (n < 0)
            going = false;
    }
    return NULL;
}

static void on_readers(dds_entity_t writer, const dds_publication_matched_status_t status, void *user)
{
    (void)writer;
    atomic_store(&((Entity *)user)->peers, (int)status.current_count);
}

static void on_writers(dds_entity_t reader, const dds_subscription_matched_status_t status, void *user)
{
    (void)reader;
    atomic_store(&((Entity *)user)->peers, (int)status.current_count);
}

/// Counts the peers of an entity from here on: asking Cyclone before every message would cost more
/// than the message.
static void listen_to(Entity *entity, bool out)
{
    dds_listener_t *l = dds_create_listener(entity);
    if (out)
        dds_lset_publication_matched(l, on_readers);
    else
        dds_lset_subscription_matched(l, on_writers);
    dds_set_listener(entity->handle, l);
    dds_delete_listener(l);
    if (out) { // those that came before
        dds_publication_matched_status_t s;
        if (dds_get_publication_matched_status(entity->handle, &s) == 0 && s.current_count > 0)
            on_readers(entity->handle, s, entity);
    } else {
        dds_subscription_matched_status_t s;
        if (dds_get_subscription_matched_status(entity->handle, &s) == 0 && s.current_count > 0)
            on_writers(entity->handle, s, entity);
    }
}

static RiStatus add_endpoints(Dds *d)
{
    for (int i = 0; i < d->setup.count; i++) {
        const RiRosEndpoint *e = &d->setup.endpoints[i];
        char name[RI_ROS_NAME + 4];
        snprintf(name, sizeof name, "rt%s", e->name);
        d->entities[i].dds = d;
        d->entities[i].endpoint = i;
        atomic_init(&d->entities[i].peers, 0);
        RI_TRY(add_entity(d, name, e, &d->entities[i].handle));
        listen_to(&d->entities[i], e->out);
        if (e->out)
            continue;
        const dds_entity_t condition = dds_create_readcondition(
            d->entities[i].handle, DDS_ANY_SAMPLE_STATE | DDS_ANY_VIEW_STATE | DDS_ANY_INSTANCE_STATE);
        if (condition < 0 || dds_waitset_attach(d->waitset, condition, i) < 0)
            return fail(d, "reader", e->name, condition);
    }
    return RI_OK;
}

// --- being a node --------------------------------------------------------------------------------

static void put_gid(RiRosWriter *w, dds_entity_t entity, int size)
{
    dds_guid_t guid = {{0}};
    uint8_t *to = ri_ros_put_room(w, (size_t)size, false);
    dds_get_guid(entity, &guid);
    if (to) {
        memset(to, 0, (size_t)size);
        memcpy(to, guid.v, sizeof guid.v);
    }
}

static void put_gids(RiRosWriter *w, const Dds *d, bool out, int size)
{
    uint32_t count = 0;
    for (int i = 0; i < d->setup.count; i++)
        count += d->setup.endpoints[i].out == out;
    ri_ros_put_u32(w, count);
    for (int i = 0; i < d->setup.count; i++)
        if (d->setup.endpoints[i].out == out)
            put_gid(w, d->entities[i].handle, size);
}

/// Tells which endpoints belong to which node; the sample stays for those who come later.
static RiStatus announce(Dds *d)
{
    const RiRosEndpoint e = {.name = "ros_discovery_info",
                             .type = ri_ros_type_find("rmw_dds_common/ParticipantEntitiesInfo"),
                             .out = true,
                             .qos = {.durability = RI_ROS_TRANSIENT_LOCAL, .depth = 1}};
    const int size = d->setup.options->discovery == RI_ROS_HUMBLE ? GID_HUMBLE : GID_JAZZY;
    RiRosWriter w;
    RI_TRY(add_entity(d, e.name, &e, &d->info));
    ri_ros_write_begin(&w, RI_ROS_CDR, -1, 0, 4096);
    put_gid(&w, d->participant, size);
    ri_ros_put_u32(&w, 1);
    ri_ros_put_string(&w, d->setup.space);
    ri_ros_put_string(&w, d->setup.options->node);
    put_gids(&w, d, false, size);
    put_gids(&w, d, true, size);
    RiRosMessage *m = ri_ros_write_end(&w);
    if (!m)
        return ri_error(d->setup.ctx, RI_ERR_MEMORY, "out of memory");
    const dds_return_t code = dds_write(d->info, &m);
    ri_ros_message_unref(m);
    return code < 0 ? fail(d, "writer", e.name, code) : RI_OK;
}

// --- life cycle ----------------------------------------------------------------------------------

/// The scene's domain, else the environment's, else 0; -1: the environment's is none.
static int domain_id(const RiRosOptions *o)
{
    const char *text = getenv("ROS_DOMAIN_ID");
    char *end;
    if (o->domain >= 0 || !text || !*text)
        return o->domain >= 0 ? o->domain : 0;
    const long id = strtol(text, &end, 10);
    return *end == '\0' && id >= 0 && id <= 232 ? (int)id : -1;
}

/// Loopback only, unless the scene or the user's own CYCLONEDDS_URI says otherwise.
static void configure(Dds *d)
{
    static const char loopback[] =
        "<CycloneDDS><Domain id=\"any\"><General><Interfaces><NetworkInterface address=\"127.0.0.1\"/></Interfaces>"
        "<AllowMulticast>false</AllowMulticast></General><Discovery><ParticipantIndex>auto</ParticipantIndex>"
        "<MaxAutoParticipantIndex>32</MaxAutoParticipantIndex><Peers><Peer address=\"127.0.0.1\"/></Peers></Discovery>"
        "<Internal><SocketReceiveBufferSize min=\"default\" max=\"8MB\"/></Internal></Domain></CycloneDDS>";
    const char *own = getenv("CYCLONEDDS_URI");
    if (own && *own)
        return;
    if (d->setup.options->network == RI_ROS_LOOPBACK) // another link of this process may have made the domain already
        d->domain = dds_create_domain((dds_domainid_t)domain_id(d->setup.options), loopback);
}

static RiStatus open_participant(Dds *d)
{
    if (domain_id(d->setup.options) < 0)
        return ri_error(d->setup.ctx, RI_ERR_ARGUMENT, "ROS_DOMAIN_ID is '%.60s': a domain is a number from 0 to 232",
                        getenv("ROS_DOMAIN_ID"));
    dds_qos_t *q = dds_create_qos();
    dds_qset_userdata(q, "enclave=/;", 10);
    configure(d);
    d->participant = dds_create_participant((dds_domainid_t)domain_id(d->setup.options), q, NULL);
    dds_delete_qos(q);
    if (d->participant < 0)
        return fail(d, "participant of node", d->setup.options->node, d->participant);
    d->waitset = dds_create_waitset(d->participant);
    d->stop = dds_create_guardcondition(d->participant);
    if (d->waitset < 0 || d->stop < 0 || dds_waitset_attach(d->waitset, d->stop, -1) < 0)
        return fail(d, "waiting of node", d->setup.options->node, d->waitset);
    return RI_OK;
}

static void close_dds(void *self)
{
    Dds *d = self;
    if (!d)
        return;
    if (d->threaded) {
        dds_set_guardcondition(d->stop, true);
        pthread_join(d->thread, NULL);
    }
    for (int i = 0; i < d->setup.count; i++) // readers that are alive get what was sent last
        if (d->setup.endpoints[i].out && d->entities[i].handle > 0)
            dds_wait_for_acks(d->entities[i].handle, DDS_MSECS(100));
    if (d->participant > 0)
        dds_delete(d->participant);
    if (d->domain > 0)
        dds_delete(d->domain);
    free(d->entities);
    free(d);
}

static RiStatus start(Dds *d)
{
    RI_TRY(open_participant(d));
    RI_TRY(add_endpoints(d));
    RI_TRY(announce(d));
    if (pthread_create(&d->thread, NULL, receive, d) != 0)
        return ri_error(d->setup.ctx, RI_ERR_IO, "ROS 2: cannot start a thread");
    d->threaded = true;
    return RI_OK;
}

static RiStatus open_dds(const RiRosSetup *setup, void **out_self)
{
    *out_self = NULL;
    Dds *d = calloc(1, sizeof *d);
    if (!d || !(d->entities = calloc((size_t)setup->count + 1, sizeof *d->entities))) {
        free(d);
        return ri_error(setup->ctx, RI_ERR_MEMORY, "out of memory");
    }
    d->setup = *setup;
    const RiStatus status = start(d);
    if (status != RI_OK)
        close_dds(d);
    else
        *out_self = d;
    return status;
}

static bool publish(void *self, RiRosMessage *m)
{
    const Dds *d = self;
    return dds_write(d->entities[m->endpoint].handle, &m) >= 0;
}

static int count_peers(void *self, int endpoint)
{
    return atomic_load(&((Dds *)self)->entities[endpoint].peers);
}

// --- looking at others ---------------------------------------------------------------------------

/// "/mer/joint_states" of "rt/mer/joint_states", "sensor_msgs/JointState" of its DDS name. False:
/// not a topic of ROS.
static bool ros_names(const dds_builtintopic_endpoint_t *e, char topic[RI_ROS_NAME], char type[RI_ROS_TYPE_NAME])
{
    char package[RI_ROS_TYPE_NAME], name[RI_ROS_TYPE_NAME];
    if (strncmp(e->topic_name, "rt/", 3) != 0 || sscanf(e->type_name, "%127[^:]::msg::dds_::%127s", package, name) != 2)
        return false;
    if (*name && name[strlen(name) - 1] == '_')
        name[strlen(name) - 1] = '\0';
    snprintf(topic, RI_ROS_NAME, "%.255s", e->topic_name + 2);
    snprintf(type, RI_ROS_TYPE_NAME, "%.60s/%.60s", package, name);
    return true;
}

/// Looks for an endpoint in one node's list of identifiers.
static bool holds_gid(RiRosReader *r, const uint8_t *gid, int size)
{
    bool found = false;
    const uint32_t count = ri_ros_get_count(r, (size_t)size);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        uint8_t own[GID_HUMBLE];
        for (int k = 0; k < size; k++)
            own[k] = ri_ros_get_u8(r);
        found |= memcmp(own, gid, GID_JAZZY) == 0;
    }
    return found;
}

/// The node that an announcement gives an endpoint to. False: not in it, or its identifiers are of
/// another size.
static bool find_node(const RiRosMessage *m, const uint8_t *gid, int size, char out[RI_ROS_NAME])
{
    RiRosReader r;
    bool found = false;
    ri_ros_read_begin(&r, RI_ROS_CDR, m->bytes, m->size);
    for (int k = 0; k < size; k++)
        ri_ros_get_u8(&r);
    const uint32_t nodes = ri_ros_get_count(&r, 16);
    for (uint32_t i = 0; i < nodes && !r.failed; i++) {
        char space[RI_ROS_NAME], name[RI_ROS_NAME];
        ri_ros_get_string(&r, space, sizeof space);
        ri_ros_get_string(&r, name, sizeof name);
        const bool reads = holds_gid(&r, gid, size), writes = holds_gid(&r, gid, size);
        if (!r.failed && (reads || writes)) {
            ri_ros_join_name(out, RI_ROS_NAME, space, name);
            found = true;
        }
    }
    return found && ri_ros_read_end(&r);
}

/// Adds the endpoints of a builtin reader.
static void add_seen(dds_entity_t reader, bool out, RiRosMessage *const *infos, int info_count, RiRosGraph *graph)
{
    void *sample = NULL;
    dds_sample_info_t info;
    while (dds_take(reader, &sample, &info, 1, 1) > 0) {
        const dds_builtintopic_endpoint_t *e = sample;
        char topic[RI_ROS_NAME], type[RI_ROS_TYPE_NAME], node[RI_ROS_NAME] = "";
        const bool seen = info.valid_data && ros_names(e, topic, type);
        for (int i = 0; seen && i < info_count && !node[0]; i++)
            if (!find_node(infos[i], e->key.v, GID_JAZZY, node) && !find_node(infos[i], e->key.v, GID_HUMBLE, node))
                node[0] = '\0';
        if (seen && !node[0])
            snprintf(node, sizeof node, "(participant %02x%02x%02x%02x)", e->key.v[8], e->key.v[9], e->key.v[10],
                     e->key.v[11]);
        if (seen)
            ri_ros_graph_add(graph, node, topic, type, out, 0.0);
        dds_return_loan(reader, &sample, 1);
        sample = NULL;
    }
}

static RiStatus look_dds(RiContext *ctx, const RiRosOptions *options, double seconds, RiRosGraph *graph)
{
    enum { MOST = 256 };
    const RiRosEndpoint e = {.name = "ros_discovery_info",
                             .type = ri_ros_type_find("rmw_dds_common/ParticipantEntitiesInfo"),
                             .keep_all = true,
                             .qos = {.durability = RI_ROS_TRANSIENT_LOCAL, .depth = 1}};
    Dds d = {.setup = {.ctx = ctx, .options = options}};
    RiRosMessage *infos[MOST];
    int count = 0;
    RiStatus status = open_participant(&d);
    const dds_entity_t writers = dds_create_reader(d.participant, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, NULL, NULL),
                       readers = dds_create_reader(d.participant, DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION, NULL, NULL);
    if (status == RI_OK)
        status = add_entity(&d, e.name, &e, &d.info);
    if (status == RI_OK) {
        dds_sleepfor((dds_duration_t)(seconds * 1e9));
        void *sample = &infos[0];
        dds_sample_info_t info;
        infos[0] = NULL;
        while (count < MOST && dds_take(d.info, &sample, &info, 1, 1) > 0) {
            if (info.valid_data && infos[count])
                count++;
            else
                ri_ros_message_unref(infos[count]);
            sample = &infos[count < MOST ? count : MOST - 1];
            if (count < MOST)
                infos[count] = NULL;
        }
        add_seen(writers, true, infos, count, graph);
        add_seen(readers, false, infos, count, graph);
    }
    for (int i = 0; i < count; i++)
        ri_ros_message_unref(infos[i]);
    if (d.participant > 0)
        dds_delete(d.participant);
    if (d.domain > 0)
        dds_delete(d.domain);
    return status;
}

const RiRosTransport ri_ros_dds = {.name = "ROS 2",
                                   .look = look_dds,
                                   .format = RI_ROS_CDR,
                                   .open = open_dds,
                                   .publish = publish,
                                   .peers = count_peers,
                                   .close = close_dds};
#endif
