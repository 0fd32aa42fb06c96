// SPDX-License-Identifier: Apache-2.0
/// \file
/// ROS 1 by hand: the slave interface (XML-RPC) and TCPROS.
///
///     master <-- registerPublisher, registerSubscriber -- this node -- slave interface: requestTopic, publisherUpdate, ...
///     subscribers --(connect, header)--> our TCPROS port: messages go out
///     we --(requestTopic, connect, header)--> publishers: messages come in
///
/// One thread listens, reads and flushes; the publishing thread writes as much as a socket takes at
/// once and leaves the rest to it. A peer that is too slow loses messages beyond WAITING bytes, and
/// so does nobody else.
///
/// Test: tests/ros/test_ros1.sh (rostopic and rosbag of Debian), tests/link/test_ros1.c.
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "link/ros/graph.h"
#include "link/ros/master.h"
#include "link/ros/net.h"
#include "link/ros/tcpros.h"
#include "link/ros/transport.h"

enum { PEERS = 256, WAITING = 8 << 20, READ = 65536, MASTER_PORT = 11311 };

typedef enum PeerKind {
    PEER_FREE,
    PEER_CALLER, ///< an HTTP request of the slave interface
    PEER_HEADER, ///< has connected to our TCPROS port; its header is awaited
    PEER_READER, ///< gets messages
    PEER_WRITER  ///< sends messages, its header first
} PeerKind;

typedef struct Peer {
    PeerKind kind;
    int socket, endpoint;
    bool greeted;   ///< of a writer: its header was good
    char uri[256];  ///< of a writer
    RiText in, out; ///< bytes that are not whole yet, bytes that wait
    size_t sent;    ///< of `out`
    bool last;      ///< close when all is sent
} Peer;

typedef struct Tcp {
    RiRosSetup setup;
    RiAllocator memory;
    RiRosMaster *own;
    bool local;
    char master[256], uri[256], host[128], node[RI_ROS_NAME];
    int slave, data, slave_port, data_port;
    pthread_t thread;
    bool threaded;
    atomic_bool stop;
    pthread_mutex_t lock; ///< of all below
    Peer peers[PEERS];
    RiRosMessage **latched; ///< [setup.count]
    long long dropped;
    RiRpc call, reply; ///< of the thread
    RiRpc mine;        ///< answers of the master
    bool described;    ///< the master has the robot's URDF as a parameter
} Tcp;

// --- peers ---------------------------------------------------------------------------------------

static Peer *add_peer(Tcp *t, PeerKind kind, int socket, int endpoint)
{
    const int yes = 1;
    for (int i = 0; i < PEERS; i++) {
        Peer *p = &t->peers[i];
        if (p->kind != PEER_FREE)
            continue;
        *p = (Peer){.kind = kind, .socket = socket, .endpoint = endpoint};
        ri_text_init(&p->in, &t->memory);
        ri_text_init(&p->out, &t->memory);
        setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        return p;
    }
    close(socket);
    return NULL;
}

static void drop_peer(Peer *p)
{
    if (p->kind == PEER_FREE)
        return;
    close(p->socket);
    ri_text_free(&p->in);
    ri_text_free(&p->out);
    p->kind = PEER_FREE;
}

/// Sends what waits; false: the peer is gone.
static bool flush(Peer *p)
{
    while (p->sent < p->out.size) {
        const ssize_t n = send(p->socket, p->out.at + p->sent, p->out.size - p->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno == EAGAIN;
        p->sent += (size_t)n;
    }
    p->out.size = p->sent = 0;
    return !p->last;
}

/// Puts bytes behind those that wait. False: too many do.
static bool enqueue(Peer *p, const void *data, size_t size)
{
    if (p->sent > 0) {
        memmove(p->out.at, p->out.at + p->sent, p->out.size - p->sent);
        p->out.size -= p->sent;
        p->sent = 0;
    }
    if (p->out.size > 0 && p->out.size + size > WAITING)
        return false;
    ri_text_put(&p->out, data, size);
    return !p->out.failed;
}

static bool send_message(Peer *p, const RiRosMessage *m)
{
    const uint32_t size = (uint32_t)m->size;
    const uint8_t length[4] = {(uint8_t)size, (uint8_t)(size >> 8), (uint8_t)(size >> 16), (uint8_t)(size >> 24)};
    if (p->out.size - p->sent > 0 && p->out.size - p->sent + m->size > WAITING)
        return false;
    return enqueue(p, length, 4) && enqueue(p, m->bytes, m->size);
}

// --- headers of connections ----------------------------------------------------------------------

static int find_topic(const Tcp *t, const char *name, bool out)
{
    for (int i = 0; i < t->setup.count; i++)
        if (t->setup.endpoints[i].out == out && strcmp(t->setup.endpoints[i].name, name) == 0)
            return i;
    return -1;
}

/// Our header for a topic, length in front.
static void put_header(Tcp *t, RiText *out, int endpoint)
{
    const RiRosEndpoint *e = &t->setup.endpoints[endpoint];
    char md5[RI_MD5_HEX];
    RiText definition, fields;
    ri_text_init(&definition, &t->memory);
    ri_text_init(&fields, &t->memory);
    ri_ros_type_definition(e->type, &definition);
    ri_tcpros_put(&fields, "callerid", t->node);
    ri_tcpros_put(&fields, "topic", e->name);
    ri_tcpros_put(&fields, "type", e->type->name);
    ri_tcpros_put(&fields, "md5sum", ri_ros_type_md5(e->type, md5) ? md5 : "");
    ri_tcpros_put(&fields, "message_definition", definition.at ? definition.at : "");
    ri_tcpros_put(&fields, "latching", e->qos.durability == RI_ROS_TRANSIENT_LOCAL ? "1" : "0");
    ri_tcpros_put(&fields, "tcp_nodelay", "1");
    const uint32_t size = (uint32_t)fields.size;
    const uint8_t length[4] = {(uint8_t)size, (uint8_t)(size >> 8), (uint8_t)(size >> 16), (uint8_t)(size >> 24)};
    ri_text_put(out, length, 4);
    if (!fields.failed)
        ri_text_put(out, fields.at, fields.size);
    out->failed |= fields.failed || definition.failed;
    ri_text_free(&definition);
    ri_text_free(&fields);
}

static void refuse_peer(Peer *p, const char *why)
{
    uint8_t length[4] = {0};
    RiText fields;
    ri_text_init(&fields, p->out.memory);
    ri_tcpros_put(&fields, "error", why);
    length[0] = (uint8_t)fields.size; // sentences are short
    enqueue(p, length, 4);
    enqueue(p, fields.at, fields.size);
    ri_text_free(&fields);
    p->last = true;
}

/// A subscriber's header: the topic must be ours and its type the same.
static void greet_reader(Tcp *t, Peer *p, const uint8_t *header, size_t size)
{
    char topic[RI_ROS_NAME], md5[64], type[RI_ROS_TYPE_NAME], own[RI_MD5_HEX];
    const bool whole = ri_tcpros_check(header, size) && ri_tcpros_get(header, size, "topic", topic, sizeof topic) &&
                       ri_tcpros_get(header, size, "md5sum", md5, sizeof md5) &&
                       ri_tcpros_get(header, size, "type", type, sizeof type);
    const int endpoint = whole ? find_topic(t, topic, true) : -1;
    if (endpoint < 0) {
        refuse_peer(p, whole ? "this node does not publish that topic" : "topic, md5sum or type is missing");
        return;
    }
    const RiRosType *known = t->setup.endpoints[endpoint].type;
    if (!ri_ros_type_md5(known, own) || (strcmp(md5, "*") != 0 && strcmp(md5, own) != 0) ||
        (strcmp(type, "*") != 0 && strcmp(type, known->name) != 0)) {
        refuse_peer(p, "the topic has another type, or another version of it");
        return;
    }
    p->kind = PEER_READER;
    p->endpoint = endpoint;
    put_header(t, &p->out, endpoint);
    if (t->latched[endpoint])
        send_message(p, t->latched[endpoint]);
}

/// A publisher's header, then its messages.
static bool greet_writer(const Tcp *t, Peer *p, const uint8_t *header, size_t size)
{
    char md5[64], own[RI_MD5_HEX];
    p->greeted = ri_tcpros_check(header, size) && ri_tcpros_get(header, size, "md5sum", md5, sizeof md5) &&
                 ri_ros_type_md5(t->setup.endpoints[p->endpoint].type, own) &&
                 (strcmp(md5, own) == 0 || strcmp(md5, "*") == 0);
    return p->greeted;
}

/// Takes whole blocks (length, bytes) out of what has come; false: the peer talks nonsense.
static bool take_blocks(Tcp *t, Peer *p)
{
    size_t at = 0;
    bool good = true;
    while (good && p->in.size - at >= 4 && p->kind != PEER_READER && !p->last) {
        const uint32_t size = ri_tcpros_length((const uint8_t *)p->in.at + at);
        const bool message = p->kind == PEER_WRITER && p->greeted;
        if (size > (message ? RI_TCPROS_MESSAGE : RI_TCPROS_MOST))
            return false;
        if (p->in.size - at - 4 < size)
            break;
        const uint8_t *bytes = (const uint8_t *)p->in.at + at + 4;
        if (p->kind == PEER_HEADER) {
            greet_reader(t, p, bytes, size);
        } else if (!message) {
            good = greet_writer(t, p, bytes, size);
        } else {
            RiRosMessage *m = ri_ros_message_new(p->endpoint, size);
            if (m) {
                memcpy(m->bytes, bytes, m->size = size);
                ri_ros_queue_put(t->setup.inbox, m, false);
            }
        }
        at += 4 + size;
    }
    if (at > 0) {
        memmove(p->in.at, p->in.at + at, p->in.size - at);
        p->in.size -= at;
    }
    return good;
}

// --- the slave interface -------------------------------------------------------------------------

/// Asks a publisher for its address and connects. Without the lock: it may take a while.
static void subscribe(Tcp *t, int endpoint, const char *uri, RiRpc *reply)
{
    static const char protocols[] =
        "<value><array><data><value><array><data><value><string>TCPROS</string></value></data>"
        "</array></value></data></array></value>";
    const char *const params[] = {t->node, t->setup.endpoints[endpoint].name};
    char host[256];
    long port = 0;
    RiText answer;
    int s = -1;
    ri_text_init(&answer, &t->memory);
    if (ri_net_call(uri, t->local, "requestTopic", params, 2, protocols, &answer, reply)) {
        const RiRpcValue *v = ri_rpc_item(reply, ri_rpc_param(reply, 0), 2);
        if (ri_rpc_get_string(ri_rpc_item(reply, v, 1), host, sizeof host) &&
            ri_rpc_get_int(ri_rpc_item(reply, v, 2), &port) && port > 0 && port < 65536)
            s = ri_net_connect(host, (int)port, t->local);
    }
    ri_text_free(&answer);
    if (s < 0)
        return;
    pthread_mutex_lock(&t->lock);
    Peer *p = add_peer(t, PEER_WRITER, s, endpoint);
    if (p) {
        snprintf(p->uri, sizeof p->uri, "%.255s", uri);
        put_header(t, &p->out, endpoint);
        if (!flush(p))
            drop_peer(p);
    }
    pthread_mutex_unlock(&t->lock);
}

static bool is_connected(Tcp *t, int endpoint, const char *uri)
{
    bool found = false;
    pthread_mutex_lock(&t->lock);
    for (int i = 0; i < PEERS; i++)
        found |=
            t->peers[i].kind == PEER_WRITER && t->peers[i].endpoint == endpoint && strcmp(t->peers[i].uri, uri) == 0;
    pthread_mutex_unlock(&t->lock);
    return found;
}

/// Connects to those of a list that are new; `reply` is scratch, and may be `x`.
static void meet_publishers(Tcp *t, int endpoint, const RiRpc *x, const RiRpcValue *list, RiRpc *reply)
{
    char uris[32][256];
    int count = 0;
    for (int i = 0; list && list->kind == RI_RPC_ARRAY && i < list->count && count < 32; i++)
        count += ri_rpc_get_string(ri_rpc_item(x, list, i), uris[count], sizeof uris[count]);
    for (int i = 0; i < count; i++) // x may be reused by calls from here on
        if (strcmp(uris[i], t->uri) != 0 && !is_connected(t, endpoint, uris[i]))
            subscribe(t, endpoint, uris[i], reply);
}

static void put_topics(const Tcp *t, RiText *value, bool out)
{
    ri_rpc_begin_array(value);
    for (int i = 0; i < t->setup.count; i++) {
        if (t->setup.endpoints[i].out != out)
            continue;
        ri_rpc_begin_array(value);
        ri_rpc_string(value, t->setup.endpoints[i].name);
        ri_rpc_string(value, t->setup.endpoints[i].type->name);
        ri_rpc_end_array(value);
    }
    ri_rpc_end_array(value);
}

/// Answers a call of another node; 1 good, 0 failed, -1 wrong.
static int answer_call(const Tcp *t, RiText *value)
{
    const char *method = t->call.method;
    char topic[RI_ROS_NAME];
    if (strcmp(method, "requestTopic") == 0) {
        if (!ri_rpc_get_string(ri_rpc_param(&t->call, 1), topic, sizeof topic) || find_topic(t, topic, true) < 0)
            return 0;
        ri_rpc_begin_array(value);
        ri_rpc_string(value, "TCPROS");
        ri_rpc_string(value, t->host);
        ri_rpc_int(value, t->data_port);
        ri_rpc_end_array(value);
    } else if (strcmp(method, "getPublications") == 0 || strcmp(method, "getSubscriptions") == 0) {
        put_topics(t, value, method[3] == 'P');
    } else if (strcmp(method, "getPid") == 0) {
        ri_rpc_int(value, getpid());
    } else if (strcmp(method, "getMasterUri") == 0) {
        ri_rpc_string(value, t->master);
    } else if (strcmp(method, "getBusInfo") == 0 || strcmp(method, "getBusStats") == 0) {
        ri_rpc_begin_array(value);
        ri_rpc_end_array(value);
    } else if (strcmp(method, "publisherUpdate") == 0 || strcmp(method, "paramUpdate") == 0) {
        ri_rpc_int(value, 0);
    } else {
        return -1; // shutdown, too: the run ends by itself or by its user
    }
    return 1;
}

/// A request that may be whole by now. True: it was answered or is bad.
static bool serve_caller(Tcp *t, Peer *p, bool end)
{
    size_t body, size;
    RiText value, out;
    const RiRpcState state = ri_rpc_http_scan(p->in.at ? p->in.at : "", p->in.size, end, &body, &size);
    if (state == RI_RPC_HTTP_MORE)
        return false;
    if (state == RI_RPC_HTTP_BAD || !ri_rpc_parse(&t->call, p->in.at + body, size))
        return true;
    ri_text_init(&value, &t->memory);
    ri_text_init(&out, &t->memory);
    const int code = answer_call(t, &value);
    if (value.size == 0)
        ri_rpc_int(&value, 0);
    ri_rpc_http_answer(&out, code, code == 1 ? "ok" : "not offered", value.at);
    if (!out.failed && !value.failed)
        ri_net_send(p->socket, out.at, out.size);
    ri_text_free(&value);
    ri_text_free(&out);
    if (strcmp(t->call.method, "publisherUpdate") != 0)
        return true;
    char topic[RI_ROS_NAME];
    const int endpoint =
        ri_rpc_get_string(ri_rpc_param(&t->call, 1), topic, sizeof topic) ? find_topic(t, topic, false) : -1;
    if (endpoint >= 0) {
        pthread_mutex_unlock(&t->lock); // calls to others take their time
        meet_publishers(t, endpoint, &t->call, ri_rpc_param(&t->call, 2), &t->reply);
        pthread_mutex_lock(&t->lock);
    }
    return true;
}

// --- the thread ----------------------------------------------------------------------------------

static void accept_from(Tcp *t, int listener, PeerKind kind)
{
    const int s = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (s >= 0)
        add_peer(t, kind, s, -1);
}

/// Reads what a peer has sent; false: it is to be dropped.
static bool read_peer(Tcp *t, Peer *p)
{
    char piece[READ];
    const ssize_t n = recv(p->socket, piece, sizeof piece, MSG_DONTWAIT);
    if (n < 0)
        return errno == EAGAIN || errno == EINTR;
    if (n > 0 && p->kind != PEER_READER) // readers have nothing more to say
        ri_text_put(&p->in, piece, (size_t)n);
    if (p->in.failed)
        return false;
    if (p->kind == PEER_CALLER)
        return !serve_caller(t, p, n == 0);
    return n > 0 && take_blocks(t, p);
}

static void serve_peers(Tcp *t, const struct pollfd *polled, const int *who, int count)
{
    for (int i = 0; i < count; i++) {
        Peer *p = &t->peers[who[i]];
        if (p->kind == PEER_FREE || p->socket != polled[i].fd)
            continue;
        bool good = true;
        if (polled[i].revents & (POLLIN | POLLHUP | POLLERR))
            good = read_peer(t, p);
        if (good && p->out.size > p->sent)
            good = flush(p);
        if (!good)
            drop_peer(p);
    }
}

static void *serve(void *user)
{
    Tcp *t = user;
    struct pollfd polled[PEERS + 2];
    int who[PEERS];
    while (!atomic_load(&t->stop)) {
        int count = 0;
        bool waiting = false;
        pthread_mutex_lock(&t->lock);
        for (int i = 0; i < PEERS; i++) {
            const Peer *p = &t->peers[i];
            if (p->kind == PEER_FREE)
                continue;
            const bool full = p->out.size > p->sent;
            waiting |= full;
            who[count] = i;
            polled[count++] = (struct pollfd){.fd = p->socket, .events = (short)(POLLIN | (full ? POLLOUT : 0))};
        }
        pthread_mutex_unlock(&t->lock);
        polled[count] = (struct pollfd){.fd = t->slave, .events = POLLIN};
        polled[count + 1] = (struct pollfd){.fd = t->data, .events = POLLIN};
        poll(polled, (nfds_t)count + 2, waiting ? 5 : 20); // what the publishing thread leaves is found soon
        pthread_mutex_lock(&t->lock);
        serve_peers(t, polled, who, count);
        if (polled[count].revents)
            accept_from(t, t->slave, PEER_CALLER);
        if (polled[count + 1].revents)
            accept_from(t, t->data, PEER_HEADER);
        pthread_mutex_unlock(&t->lock);
    }
    return NULL;
}

// --- the master ----------------------------------------------------------------------------------

/// Calls the master; `x` has the answer until the next call.
static bool call_master(Tcp *t, const char *method, const char *const *params, int count, RiText *answer)
{
    return ri_net_call(t->master, t->local, method, params, count, NULL, answer, &t->mine);
}

/// Where the master is: given, in the environment, on this machine, or our own.
static RiStatus find_master(Tcp *t)
{
    const char *given = t->setup.options->master ? t->setup.options->master : getenv("ROS_MASTER_URI");
    const char *const who[] = {t->node};
    RiText answer;
    snprintf(t->master, sizeof t->master, "%s", given && *given ? given : "http://127.0.0.1:11311");
    ri_text_init(&answer, &t->memory);
    const bool there = call_master(t, "getPid", who, 1, &answer);
    ri_text_free(&answer);
    if (there)
        return RI_OK;
    char host[256];
    int port = MASTER_PORT;
    if (given && *given && !ri_rpc_http_address(given, host, sizeof host, &port))
        return ri_error(t->setup.ctx, RI_ERR_ARGUMENT, "ROS 1: '%s' is no address of a master: http://HOST:PORT",
                        given);
    if (given && *given && t->setup.options->master)
        return ri_error(t->setup.ctx, RI_ERR_IO, "ROS 1: no master answers at %s", given);
    t->own = ri_ros_master_start(port, !t->local);
    if (!t->own)
        return ri_error(t->setup.ctx, RI_ERR_IO, "ROS 1: no master answers at %s, and port %d is taken", t->master,
                        port);
    return RI_OK;
}

static RiStatus enlist(Tcp *t, int endpoint)
{
    const RiRosEndpoint *e = &t->setup.endpoints[endpoint];
    const char *const params[] = {t->node, e->name, e->type->name, t->uri};
    RiText answer;
    ri_text_init(&answer, &t->memory);
    const bool good = call_master(t, e->out ? "registerPublisher" : "registerSubscriber", params, 4, &answer);
    if (good && !e->out)
        meet_publishers(t, endpoint, &t->mine, ri_rpc_item(&t->mine, ri_rpc_param(&t->mine, 0), 2), &t->mine);
    ri_text_free(&answer);
    return good ? RI_OK
                : ri_error(t->setup.ctx, RI_ERR_IO, "ROS 1: the master at %s did not take '%s'", t->master, e->name);
}

/// ROS 1 looks for the robot's URDF in a parameter with the topic's name (RViz does, and MoveIt).
static void set_description(Tcp *t, const RiRosMessage *m)
{
    enum { HEAD = 4 }; // the length of the string
    RiText text, answer;
    ri_text_init(&text, &t->memory);
    ri_text_init(&answer, &t->memory);
    if (m->size > HEAD)
        ri_text_put(&text, m->bytes + HEAD, m->size - HEAD);
    const char *const params[] = {t->node, t->setup.endpoints[m->endpoint].name, text.at};
    if (text.at && !text.failed)
        t->described = call_master(t, "setParam", params, 3, &answer);
    ri_text_free(&text);
    ri_text_free(&answer);
}

static void delist_all(Tcp *t)
{
    for (int i = 0; i < t->setup.count; i++) {
        const RiRosEndpoint *e = &t->setup.endpoints[i];
        const char *const params[] = {t->node, e->name, t->uri};
        RiText answer;
        ri_text_init(&answer, &t->memory);
        const bool good = call_master(t, e->out ? "unregisterPublisher" : "unregisterSubscriber", params, 3, &answer);
        ri_text_free(&answer);
        if (!good)
            return; // the master is gone
        if (e->kind == RI_ROS_ROBOT_DESCRIPTION && t->described) {
            ri_text_init(&answer, &t->memory);
            (void)call_master(t, "deleteParam", params, 2, &answer);
            ri_text_free(&answer);
        }
    }
}

// --- life cycle ----------------------------------------------------------------------------------

static void close_tcp(void *self)
{
    Tcp *t = self;
    if (!t)
        return;
    if (t->threaded) {
        if (!t->own)
            delist_all(t);
        atomic_store(&t->stop, true);
        pthread_join(t->thread, NULL);
    }
    ri_ros_master_stop(t->own);
    for (int i = 0; i < PEERS; i++)
        drop_peer(&t->peers[i]);
    for (int i = 0; t->latched && i < t->setup.count; i++)
        ri_ros_message_unref(t->latched[i]);
    if (t->slave >= 0)
        close(t->slave);
    if (t->data >= 0)
        close(t->data);
    free(t->latched);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

/// The name under which others reach this machine.
static void find_host(Tcp *t)
{
    const char *ip = getenv("ROS_IP"), *name = getenv("ROS_HOSTNAME");
    if (t->local)
        snprintf(t->host, sizeof t->host, "127.0.0.1");
    else if (ip && *ip)
        snprintf(t->host, sizeof t->host, "%s", ip);
    else if (name && *name)
        snprintf(t->host, sizeof t->host, "%s", name);
    else
        gethostname(t->host, sizeof t->host - 1);
}

static RiStatus start(Tcp *t)
{
    find_host(t);
    t->slave = ri_net_listen(0, !t->local, &t->slave_port);
    t->data = ri_net_listen(0, !t->local, &t->data_port);
    if (t->slave < 0 || t->data < 0)
        return ri_error(t->setup.ctx, RI_ERR_IO, "ROS 1: cannot listen: %s", strerror(errno));
    snprintf(t->uri, sizeof t->uri, "http://%s:%d/", t->host, t->slave_port);
    RI_TRY(find_master(t));
    if (pthread_create(&t->thread, NULL, serve, t) != 0)
        return ri_error(t->setup.ctx, RI_ERR_IO, "ROS 1: cannot start a thread");
    t->threaded = true; // the master calls back while we register
    for (int i = 0; i < t->setup.count; i++)
        RI_TRY(enlist(t, i));
    return RI_OK;
}

static RiStatus open_tcp(const RiRosSetup *setup, void **out_self)
{
    *out_self = NULL;
    Tcp *t = calloc(1, sizeof *t);
    if (!t || !(t->latched = calloc((size_t)setup->count + 1, sizeof *t->latched))) {
        free(t);
        return ri_error(setup->ctx, RI_ERR_MEMORY, "out of memory");
    }
    t->setup = *setup;
    t->memory = ri_plain_memory();
    t->local = setup->options->network == RI_ROS_LOOPBACK;
    t->slave = t->data = -1;
    pthread_mutex_init(&t->lock, NULL);
    atomic_init(&t->stop, false);
    ri_ros_join_name(t->node, sizeof t->node, setup->space, setup->options->node);
    const RiStatus status = start(t);
    if (status != RI_OK)
        close_tcp(t);
    else
        *out_self = t;
    return status;
}

static bool publish(void *self, RiRosMessage *m)
{
    Tcp *t = self;
    bool all = true;
    if (t->setup.endpoints[m->endpoint].kind == RI_ROS_ROBOT_DESCRIPTION)
        set_description(t, m); // on the publishing thread, which alone talks to the master between start and end
    pthread_mutex_lock(&t->lock);
    if (t->setup.endpoints[m->endpoint].qos.durability == RI_ROS_TRANSIENT_LOCAL) {
        ri_ros_message_unref(t->latched[m->endpoint]);
        t->latched[m->endpoint] = ri_ros_message_ref(m);
    }
    for (int i = 0; i < PEERS; i++) {
        Peer *p = &t->peers[i];
        if (p->kind != PEER_READER || p->endpoint != m->endpoint)
            continue;
        all &= send_message(p, m);
        if (!flush(p))
            drop_peer(p);
    }
    pthread_mutex_unlock(&t->lock);
    return all;
}

static int count_peers(void *self, int endpoint)
{
    Tcp *t = self;
    int count = 0;
    pthread_mutex_lock(&t->lock);
    for (int i = 0; i < PEERS; i++)
        count +=
            t->peers[i].endpoint == endpoint && (t->peers[i].kind == PEER_READER || t->peers[i].kind == PEER_WRITER);
    pthread_mutex_unlock(&t->lock);
    return count;
}

// --- looking at others ---------------------------------------------------------------------------

/// The type of a topic in an answer of getTopicTypes; "" if it is not known.
static void find_type(const RiRpc *types, const char *topic, char out[RI_ROS_TYPE_NAME])
{
    const RiRpcValue *list = ri_rpc_item(types, ri_rpc_param(types, 0), 2);
    char name[RI_ROS_NAME];
    out[0] = '\0';
    for (int i = 0; list && list->kind == RI_RPC_ARRAY && i < list->count; i++) {
        const RiRpcValue *pair = ri_rpc_item(types, list, i);
        if (ri_rpc_get_string(ri_rpc_item(types, pair, 0), name, sizeof name) && strcmp(name, topic) == 0)
            ri_rpc_get_string(ri_rpc_item(types, pair, 1), out, RI_ROS_TYPE_NAME);
    }
}

/// Adds [[topic, [nodes]], ...] of publishers or subscribers.
static void add_state(const RiRpc *state, int which, const RiRpc *types, RiRosGraph *graph)
{
    const RiRpcValue *list = ri_rpc_item(state, ri_rpc_item(state, ri_rpc_param(state, 0), 2), which);
    char topic[RI_ROS_NAME], node[RI_ROS_NAME], type[RI_ROS_TYPE_NAME];
    for (int i = 0; list && list->kind == RI_RPC_ARRAY && i < list->count; i++) {
        const RiRpcValue *row = ri_rpc_item(state, list, i), *nodes = ri_rpc_item(state, row, 1);
        if (!ri_rpc_get_string(ri_rpc_item(state, row, 0), topic, sizeof topic) || !nodes)
            continue;
        find_type(types, topic, type);
        for (int k = 0; nodes->kind == RI_RPC_ARRAY && k < nodes->count; k++)
            if (ri_rpc_get_string(ri_rpc_item(state, nodes, k), node, sizeof node))
                ri_ros_graph_add(graph, node, topic, type, which == 0, 0.0);
    }
}

/// The master knows everybody.
static RiStatus look_tcp(RiContext *ctx, const RiRosOptions *options, double seconds, RiRosGraph *graph)
{
    const RiAllocator memory = ri_plain_memory();
    const char *uri = options->master ? options->master : getenv("ROS_MASTER_URI"), *const who[] = {"/rille"};
    const bool local = options->network == RI_ROS_LOOPBACK;
    RiText a, b;
    RiRpc *state = calloc(2, sizeof *state);
    (void)seconds;
    if (!state)
        return ri_error(ctx, RI_ERR_MEMORY, "out of memory");
    uri = uri && *uri ? uri : "http://127.0.0.1:11311";
    ri_text_init(&a, &memory);
    ri_text_init(&b, &memory);
    const bool good = ri_net_call(uri, local, "getSystemState", who, 1, NULL, &a, &state[0]) &&
                      ri_net_call(uri, local, "getTopicTypes", who, 1, NULL, &b, &state[1]);
    for (int which = 0; good && which < 2; which++)
        add_state(&state[0], which, &state[1], graph);
    ri_text_free(&a);
    ri_text_free(&b);
    free(state);
    return good ? RI_OK : ri_error(ctx, RI_ERR_IO, "ROS 1: no master answers at %s", uri);
}

const RiRosTransport ri_ros_tcp = {.name = "ROS 1",
                                   .look = look_tcp,
                                   .format = RI_ROS_1,
                                   .open = open_tcp,
                                   .publish = publish,
                                   .peers = count_peers,
                                   .close = close_tcp};
