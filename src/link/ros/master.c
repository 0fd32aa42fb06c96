// SPDX-License-Identifier: Apache-2.0
/// \file
/// The master of ROS 1, as far as nodes need it to find each other: registrations, look-ups, the
/// state of the system, parameters as they were set.
///
/// One thread serves all calls, one after the other. Publishers' changes are told to subscribers
/// (publisherUpdate) after the answer is out. Bounded: ENTRIES registrations and parameters; more
/// are refused.
#include "link/ros/master.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "link/ros/net.h"

enum { ENTRIES = 4096, NAME = 256, VALUE = 1 << 20, DEADLINE = 1000 };

typedef enum Role { PUBLISHER, SUBSCRIBER, SERVICE } Role;

typedef struct Entry {
    Role role;
    char node[NAME], name[NAME], type[NAME], uri[NAME];
} Entry;

typedef struct Param {
    char key[NAME];
    char *xml; ///< the value as it was set
} Param;

struct RiRosMaster {
    int socket, port;
    bool local;
    pthread_t thread;
    atomic_bool stop;
    Entry *entries; ///< [ENTRIES]
    int entry_count;
    Param *params; ///< [ENTRIES]
    int param_count;
    char changed[NAME]; ///< topic whose publishers have changed; "": none
    RiRpc call, reply;
};

// --- tables --------------------------------------------------------------------------------------

static int find_entry(const RiRosMaster *m, Role role, const char *node, const char *name)
{
    for (int i = 0; i < m->entry_count; i++) {
        const Entry *e = &m->entries[i];
        if (e->role == role && strcmp(e->name, name) == 0 && (!node || strcmp(e->node, node) == 0))
            return i;
    }
    return -1;
}

static bool add_entry(RiRosMaster *m, Role role, const char *node, const char *name, const char *type, const char *uri)
{
    int i = find_entry(m, role, role == SERVICE ? NULL : node, name);
    if (i < 0) {
        if (m->entry_count == ENTRIES)
            return false;
        i = m->entry_count++;
    }
    Entry *e = &m->entries[i];
    e->role = role;
    snprintf(e->node, NAME, "%s", node);
    snprintf(e->name, NAME, "%s", name);
    snprintf(e->type, NAME, "%s", type);
    snprintf(e->uri, NAME, "%s", uri);
    return true;
}

static int find_param(const RiRosMaster *m, const char *key)
{
    for (int i = 0; i < m->param_count; i++)
        if (strcmp(m->params[i].key, key) == 0)
            return i;
    return -1;
}

static bool set_param(RiRosMaster *m, const char *key, const char *xml, size_t size)
{
    char *copy = size < VALUE ? malloc(size + 32) : NULL;
    int i = find_param(m, key);
    if (!copy || (i < 0 && m->param_count == ENTRIES)) {
        free(copy);
        return false;
    }
    memcpy(copy, xml, size);
    copy[size] = '\0';
    if (i < 0) {
        i = m->param_count++;
        snprintf(m->params[i].key, NAME, "%s", key);
    } else {
        free(m->params[i].xml);
    }
    m->params[i].xml = copy;
    return true;
}

// --- answers -------------------------------------------------------------------------------------

/// Words of a call.
typedef struct Words {
    char at[5][NAME];
} Words;

static void put_names(const RiRosMaster *m, RiText *t, Role role, const char *topic)
{
    ri_rpc_begin_array(t);
    for (int i = 0; i < m->entry_count; i++)
        if (m->entries[i].role == role && strcmp(m->entries[i].name, topic) == 0)
            ri_rpc_string(t, role == PUBLISHER ? m->entries[i].uri : m->entries[i].node);
    ri_rpc_end_array(t);
}

static bool is_first(const RiRosMaster *m, int entry)
{
    return find_entry(m, m->entries[entry].role, NULL, m->entries[entry].name) == entry;
}

/// [[name, [nodes]], ...] of one role.
static void put_state(const RiRosMaster *m, RiText *t, Role role)
{
    ri_rpc_begin_array(t);
    for (int i = 0; i < m->entry_count; i++) {
        if (m->entries[i].role != role || !is_first(m, i))
            continue;
        ri_rpc_begin_array(t);
        ri_rpc_string(t, m->entries[i].name);
        ri_rpc_begin_array(t);
        for (int k = i; k < m->entry_count; k++)
            if (m->entries[k].role == role && strcmp(m->entries[k].name, m->entries[i].name) == 0)
                ri_rpc_string(t, m->entries[k].node);
        ri_rpc_end_array(t);
        ri_rpc_end_array(t);
    }
    ri_rpc_end_array(t);
}

/// [[topic, type], ...]; `published`: of those that have a publisher.
static void put_types(const RiRosMaster *m, RiText *t, bool published)
{
    ri_rpc_begin_array(t);
    for (int i = 0; i < m->entry_count; i++) {
        const Entry *e = &m->entries[i];
        const bool known = e->role == PUBLISHER ||
                           (!published && e->role == SUBSCRIBER && find_entry(m, PUBLISHER, NULL, e->name) < 0);
        if (!known || !is_first(m, i))
            continue;
        ri_rpc_begin_array(t);
        ri_rpc_string(t, e->name);
        ri_rpc_string(t, e->type);
        ri_rpc_end_array(t);
    }
    ri_rpc_end_array(t);
}

static int enlist(RiRosMaster *m, Role role, const Words *w, RiText *value)
{
    const bool service = role == SERVICE;
    // services: node, name, service address, node's address; topics: node, name, type, node's
    // address
    if (!add_entry(m, role, w->at[0], w->at[1], service ? "" : w->at[2], service ? w->at[2] : w->at[3]))
        return -1;
    if (role == PUBLISHER)
        snprintf(m->changed, NAME, "%s", w->at[1]);
    if (service)
        ri_rpc_int(value, 1);
    else
        put_names(m, value, role == PUBLISHER ? SUBSCRIBER : PUBLISHER, w->at[1]);
    return 1;
}

static int delist(RiRosMaster *m, Role role, const Words *w, RiText *value)
{
    const int i = find_entry(m, role, w->at[0], w->at[1]);
    if (i >= 0)
        m->entries[i] = m->entries[--m->entry_count];
    if (i >= 0 && role == PUBLISHER)
        snprintf(m->changed, NAME, "%s", w->at[1]);
    ri_rpc_int(value, i >= 0);
    return 1;
}

static int look_up(const RiRosMaster *m, bool service, const Words *w, RiText *value)
{
    for (int i = 0; i < m->entry_count; i++) {
        const Entry *e = &m->entries[i];
        if ((e->role == SERVICE) == service && strcmp(service ? e->name : e->node, w->at[1]) == 0) {
            ri_rpc_string(value, e->uri);
            return 1;
        }
    }
    ri_rpc_string(value, "");
    return -1;
}

/// setParam: the value is kept as it was written. Dictionaries are not kept.
static int take_param(RiRosMaster *m, const char *key, RiText *value)
{
    static const char *const tags[] = {"string", "int", "boolean", "double", "array"};
    const RiAllocator memory = ri_plain_memory();
    const RiRpcValue *v = ri_rpc_param(&m->call, 2);
    RiText text;
    if (!v || v->kind == RI_RPC_OTHER)
        return -1;
    const bool array = v->kind == RI_RPC_ARRAY;
    ri_text_init(&text, &memory);
    ri_text_format(&text, "<value><%s>%s", tags[v->kind], array ? "<data>" : "");
    ri_text_put(&text, v->text, v->size);
    ri_text_format(&text, "%s</%s></value>", array ? "</data>" : "", tags[v->kind]);
    const bool kept = !text.failed && set_param(m, key, text.at, text.size);
    ri_text_free(&text);
    ri_rpc_int(value, 0);
    return kept ? 1 : -1;
}

/// searchParam: the parameter of that name that is nearest to the caller, from its own namespace
/// outwards.
static int search_param(const RiRosMaster *m, const Words *w, RiText *value)
{
    char space[NAME], full[2 * NAME + 2];
    snprintf(space, sizeof space, "%s", w->at[0]);
    for (;;) {
        snprintf(full, sizeof full, "%s/%s", strcmp(space, "/") == 0 ? "" : space, w->at[1]);
        if (find_param(m, w->at[1][0] == '/' ? w->at[1] : full) >= 0) {
            ri_rpc_string(value, w->at[1][0] == '/' ? w->at[1] : full);
            return 1;
        }
        char *slash = strrchr(space, '/');
        if (!slash)
            return -1;
        *slash = '\0';
    }
}

static int answer_param(RiRosMaster *m, const Words *w, RiText *value)
{
    const char *method = m->call.method;
    const int i = find_param(m, w->at[1]);
    if (strcmp(method, "setParam") == 0)
        return take_param(m, w->at[1], value);
    if (strcmp(method, "searchParam") == 0)
        return search_param(m, w, value);
    if (strcmp(method, "hasParam") == 0) {
        ri_text_format(value, "<value><boolean>%d</boolean></value>", i >= 0);
        return 1;
    }
    if (strcmp(method, "deleteParam") == 0 && i >= 0) {
        free(m->params[i].xml);
        m->params[i] = m->params[--m->param_count];
        ri_rpc_int(value, 0);
        return 1;
    }
    if (i >= 0)
        ri_text_add(value, m->params[i].xml); // getParam, subscribeParam
    else if (strcmp(method, "subscribeParam") == 0)
        ri_text_add(value, "<value><struct></struct></value>"); // ROS's word for "not set"
    else
        ri_rpc_int(value, 0);
    return i >= 0 || strcmp(method, "subscribeParam") == 0 ? 1 : -1;
}

static int answer_system(RiRosMaster *m, RiText *value)
{
    const char *method = m->call.method;
    if (strcmp(method, "getSystemState") == 0) {
        ri_rpc_begin_array(value);
        put_state(m, value, PUBLISHER);
        put_state(m, value, SUBSCRIBER);
        put_state(m, value, SERVICE);
        ri_rpc_end_array(value);
    } else if (strcmp(method, "getPublishedTopics") == 0 || strcmp(method, "getTopicTypes") == 0) {
        put_types(m, value, method[3] == 'P');
    } else if (strcmp(method, "getUri") == 0) {
        char uri[64];
        snprintf(uri, sizeof uri, "http://127.0.0.1:%d/", m->port);
        ri_rpc_string(value, uri);
    } else if (strcmp(method, "getPid") == 0) {
        ri_rpc_int(value, getpid());
    } else if (strcmp(method, "getParamNames") == 0) {
        ri_rpc_begin_array(value);
        for (int i = 0; i < m->param_count; i++)
            ri_rpc_string(value, m->params[i].key);
        ri_rpc_end_array(value);
    } else {
        ri_rpc_int(value, 0);
        return -1;
    }
    return 1;
}

static int answer_call(RiRosMaster *m, RiText *value)
{
    static const char *const roles[] = {"Publisher", "Subscriber", "Service"};
    const char *method = m->call.method;
    Words w;
    for (int i = 0; i < 5; i++)
        ri_rpc_get_string(ri_rpc_param(&m->call, i), w.at[i], NAME);
    for (int role = PUBLISHER; role <= SERVICE; role++) {
        if (strncmp(method, "register", 8) == 0 && strcmp(method + 8, roles[role]) == 0)
            return enlist(m, (Role)role, &w, value);
        if (strncmp(method, "unregister", 10) == 0 && strcmp(method + 10, roles[role]) == 0)
            return delist(m, (Role)role, &w, value);
    }
    if (strcmp(method, "lookupNode") == 0 || strcmp(method, "lookupService") == 0)
        return look_up(m, method[6] == 'S', &w, value);
    if (strstr(method, "Param") && strcmp(method, "getParamNames") != 0)
        return answer_param(m, &w, value);
    return answer_system(m, value);
}

void ri_ros_master_answer(RiRosMaster *m, const RiRpc *call, RiText *out)
{
    const RiAllocator memory = ri_plain_memory();
    RiText value;
    if (call != &m->call)
        m->call = *call;
    ri_text_init(&value, &memory);
    const int code = answer_call(m, &value);
    if (value.size == 0)
        ri_rpc_int(&value, 0);
    ri_rpc_http_answer(out, code, code == 1 ? "ok" : "not known, or not possible", value.failed ? "" : value.at);
    ri_text_free(&value);
}

/// Tells the subscribers of a topic who publishes it now.
static void tell_subscribers(RiRosMaster *m)
{
    const RiAllocator memory = ri_plain_memory();
    RiText publishers, answer;
    const char *const params[] = {"/master", m->changed};
    ri_text_init(&publishers, &memory);
    put_names(m, &publishers, PUBLISHER, m->changed);
    for (int i = 0; i < m->entry_count && !publishers.failed; i++) {
        const Entry *e = &m->entries[i];
        if (e->role != SUBSCRIBER || strcmp(e->name, m->changed) != 0)
            continue;
        ri_text_init(&answer, &memory);
        ri_net_call(e->uri, m->local, "publisherUpdate", params, 2, publishers.at, &answer, &m->reply);
        ri_text_free(&answer);
    }
    ri_text_free(&publishers);
    m->changed[0] = '\0';
}

// --- serving -------------------------------------------------------------------------------------

/// Reads a request within the deadline and answers it.
static void serve(RiRosMaster *m, int client)
{
    const RiAllocator memory = ri_plain_memory();
    RiText in, out;
    size_t body = 0, size = 0;
    RiRpcState state = RI_RPC_HTTP_MORE;
    char piece[4096];
    ri_text_init(&in, &memory);
    ri_text_init(&out, &memory);
    while (state == RI_RPC_HTTP_MORE) {
        struct pollfd p = {.fd = client, .events = POLLIN};
        const ssize_t n = poll(&p, 1, DEADLINE) > 0 ? recv(client, piece, sizeof piece, 0) : -1;
        if (n < 0)
            break;
        if (n > 0)
            ri_text_put(&in, piece, (size_t)n);
        state = in.failed || !in.at ? RI_RPC_HTTP_BAD : ri_rpc_http_scan(in.at, in.size, n == 0, &body, &size);
    }
    if (state == RI_RPC_HTTP_WHOLE && ri_rpc_parse(&m->call, in.at + body, size))
        ri_ros_master_answer(m, &m->call, &out);
    if (out.size && !out.failed)
        ri_net_send(client, out.at, out.size);
    close(client);
    ri_text_free(&in);
    ri_text_free(&out);
    if (m->changed[0])
        tell_subscribers(m);
}

static void *run(void *user)
{
    RiRosMaster *m = user;
    while (!atomic_load(&m->stop)) {
        struct pollfd p = {.fd = m->socket, .events = POLLIN};
        if (poll(&p, 1, 50) <= 0)
            continue;
        const int client = accept4(m->socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (client >= 0)
            serve(m, client);
    }
    return NULL;
}

static void free_master(RiRosMaster *m)
{
    for (int i = 0; m->params && i < m->param_count; i++)
        free(m->params[i].xml);
    if (m->socket >= 0)
        close(m->socket);
    free(m->entries);
    free(m->params);
    free(m);
}

RiRosMaster *ri_ros_master_start(int port, bool everywhere)
{
    static const char yes[] = "<value><boolean>1</boolean></value>";
    RiRosMaster *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->local = !everywhere;
    m->entries = calloc(ENTRIES, sizeof *m->entries);
    m->params = calloc(ENTRIES, sizeof *m->params);
    m->socket = ri_net_listen(port, everywhere, &m->port);
    atomic_init(&m->stop, false);
    if (!m->entries || !m->params || m->socket < 0 || !set_param(m, "/use_sim_time", yes, sizeof yes - 1) ||
        pthread_create(&m->thread, NULL, run, m) != 0) {
        free_master(m);
        return NULL;
    }
    return m;
}

int ri_ros_master_port(const RiRosMaster *m)
{
    return m->port;
}

void ri_ros_master_stop(RiRosMaster *m)
{
    if (!m)
        return;
    atomic_store(&m->stop, true);
    pthread_join(m->thread, NULL);
    free_master(m);
}
