// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sockets of ROS 1.
#include "link/ros/net.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PATIENCE = 2000 }; ///< [ms]

int ri_net_listen(int port, bool everywhere, int *out_port)
{
    const int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), yes = 1;
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    socklen_t size = sizeof a;
    a.sin_addr.s_addr = htonl(everywhere ? INADDR_ANY : INADDR_LOOPBACK);
    if (s < 0)
        return -1;
    setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(s, (const struct sockaddr *)&a, sizeof a) != 0 || listen(s, 64) != 0 ||
        getsockname(s, (struct sockaddr *)&a, &size) != 0) {
        close(s);
        return -1;
    }
    *out_port = ntohs(a.sin_port);
    return s;
}

/// Waits for a socket; false after the patience.
static bool wait_for(int s, short what)
{
    struct pollfd p = {.fd = s, .events = what};
    int n;
    do
        n = poll(&p, 1, PATIENCE);
    while (n < 0 && errno == EINTR);
    return n > 0;
}

static bool find_address(const char *host, bool local, struct in_addr *out)
{
    const struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found;
    char own[256] = "";
    gethostname(own, sizeof own - 1);
    if (inet_pton(AF_INET, host, out) == 1)
        return !local || (ntohl(out->s_addr) >> 24) == 127;
    if (strcmp(host, "localhost") == 0 || strcmp(host, own) == 0) {
        out->s_addr = htonl(INADDR_LOOPBACK);
        return true;
    }
    if (local || getaddrinfo(host, NULL, &hints, &found) != 0)
        return false;
    *out = ((const struct sockaddr_in *)(const void *)found->ai_addr)->sin_addr;
    freeaddrinfo(found);
    return true;
}

int ri_net_connect(const char *host, int port, bool local)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int error = 0;
    const int yes = 1;
    socklen_t size = sizeof error;
    if (!find_address(host, local, &a.sin_addr))
        return -1;
    const int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (s < 0)
        return -1;
    const bool now = connect(s, (const struct sockaddr *)&a, sizeof a) == 0;
    if (!now && (errno != EINPROGRESS || !wait_for(s, POLLOUT) ||
                 getsockopt(s, SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error != 0)) {
        close(s);
        return -1;
    }
    setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return s;
}

bool ri_net_send(int s, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        const ssize_t n = send(s, at, size, MSG_NOSIGNAL);
        if (n > 0) {
            at += n;
            size -= (size_t)n;
        } else if (n == 0 || (errno != EAGAIN && errno != EINTR) || !wait_for(s, POLLOUT)) {
            return false;
        }
    }
    return true;
}

/// Reads a whole HTTP answer; where its body is.
static bool receive(int s, RiText *answer, size_t *body, size_t *size)
{
    char piece[4096];
    for (;;) {
        if (!wait_for(s, POLLIN))
            return false;
        const ssize_t n = recv(s, piece, sizeof piece, 0);
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            continue;
        if (n < 0)
            return false;
        if (n > 0)
            ri_text_put(answer, piece, (size_t)n);
        const RiRpcState state = answer->failed
                                     ? RI_RPC_HTTP_BAD
                                     : ri_rpc_http_scan(answer->at ? answer->at : "", answer->size, n == 0, body, size);
        if (state != RI_RPC_HTTP_MORE)
            return state == RI_RPC_HTTP_WHOLE;
    }
}

bool ri_net_call(const char *uri, bool local, const char *method, const char *const *params, int count,
                 const char *last, RiText *answer, RiRpc *x)
{
    const RiAllocator memory = ri_plain_memory();
    char host[256];
    int port;
    size_t body, size;
    long code = -1;
    RiText call, request;
    const int s = ri_rpc_http_address(uri, host, sizeof host, &port) ? ri_net_connect(host, port, local) : -1;
    if (s < 0)
        return false;
    ri_text_init(&call, &memory);
    ri_text_init(&request, &memory);
    ri_rpc_call(&call, method, params, count, last);
    ri_rpc_http_request(&request, host, port, call.at, call.size);
    const bool good = !call.failed && !request.failed && ri_net_send(s, request.at, request.size) &&
                      receive(s, answer, &body, &size) && ri_rpc_parse(x, answer->at + body, size) && !x->fault &&
                      ri_rpc_get_int(ri_rpc_item(x, ri_rpc_param(x, 0), 0), &code) && code == 1;
    ri_text_free(&call);
    ri_text_free(&request);
    close(s);
    return good;
}
