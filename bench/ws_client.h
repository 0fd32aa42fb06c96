// SPDX-License-Identifier: Apache-2.0
/// \file
/// A small HTTP and WebSocket client on a raw socket, for tests and benchmarks: it can also do what
/// no browser does (send garbage, never read, lie about lengths). Blocking, with a timeout of five
/// seconds on every read.
#ifndef RI_BENCH_WS_CLIENT_H
#define RI_BENCH_WS_CLIENT_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WS_ROOM = 1 << 22 };

typedef struct Ws {
    int fd;
    unsigned char *data; ///< WS_ROOM bytes: what came and was not taken yet
    size_t size;
} Ws;

/// A message of the server.
typedef struct WsMessage {
    int opcode;          ///< 1 text, 2 binary, 8 close; -1: the connection ended
    unsigned char *data; ///< in the client's buffer until the next call; text is terminated
    size_t size;
} WsMessage;

static inline bool ws_connect(Ws *w, int port)
{
    const struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const struct timeval patience = {.tv_sec = 5};
    *w = (Ws){.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), .data = malloc(WS_ROOM + 1)};
    setsockopt(w->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return w->data && w->fd >= 0 && connect(w->fd, (const struct sockaddr *)&to, sizeof to) == 0;
}

static inline void ws_close(Ws *w)
{
    if (w->fd >= 0)
        close(w->fd);
    free(w->data);
    *w = (Ws){.fd = -1};
}

static inline bool ws_send_raw(const Ws *w, const void *data, size_t size)
{
    return send(w->fd, data, size, MSG_NOSIGNAL) == (ssize_t)size;
}

/// Reads more; false at the end.
static inline bool ws_more(Ws *w)
{
    const ssize_t n = w->size < WS_ROOM ? recv(w->fd, w->data + w->size, WS_ROOM - w->size, 0) : -1;
    if (n <= 0)
        return false;
    w->size += (size_t)n;
    w->data[w->size] = '\0';
    return true;
}

static inline void ws_take(Ws *w, size_t size)
{
    memmove(w->data, w->data + size, w->size - size);
    w->size -= size;
}

/// Sends a request and returns the status code of the answer (0: none came); the head stays at the
/// front of w->data if `keep`.
static inline int ws_request(Ws *w, const char *request, bool keep)
{
    int code = 0;
    w->size = 0;
    w->data[0] = '\0';
    if (!ws_send_raw(w, request, strlen(request)))
        return 0;
    const unsigned char *end;
    while (!(end = (const unsigned char *)strstr((const char *)w->data, "\r\n\r\n")))
        if (!ws_more(w))
            return 0;
    if (sscanf((const char *)w->data, "HTTP/1.%*d %d", &code) != 1)
        return 0;
    if (!keep)
        ws_take(w, (size_t)(end - w->data) + 4);
    return code;
}

/// One GET on a connection of its own. `extra` are further header lines, each ending with CR LF.
static inline int ws_get(int port, const char *path, const char *host, const char *extra)
{
    Ws w;
    char request[4096];
    int code = 0;
    if (ws_connect(&w, port)) {
        snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: %s\r\n%s\r\n", path, host, extra);
        code = ws_request(&w, request, false);
    }
    ws_close(&w);
    return code;
}

/// Opens a WebSocket; returns the status code (101: it is open).
static inline int ws_open(Ws *w, int port, const char *path, const char *protocol, const char *extra)
{
    char request[2048];
    if (!ws_connect(w, port))
        return 0;
    snprintf(request, sizeof request,
             "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: "
             "dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n%s%s%s%s\r\n",
             path, port, protocol ? "Sec-WebSocket-Protocol: " : "", protocol ? protocol : "", protocol ? "\r\n" : "",
             extra);
    return ws_request(w, request, false);
}

/// Sends a masked frame that claims `claimed` bytes and has `size`.
static inline bool ws_send_frame(const Ws *w, int opcode, bool final, const void *data, size_t size, uint64_t claimed)
{
    unsigned char head[14] = {(unsigned char)((final ? 0x80 : 0) | opcode)};
    size_t n = 2;
    if (claimed < 126) {
        head[1] = (unsigned char)(0x80 | claimed);
    } else if (claimed < 65536) {
        head[1] = 0x80 | 126;
        for (int i = 0; i < 2; i++)
            head[n++] = (unsigned char)(claimed >> (8 * (1 - i)));
    } else {
        head[1] = 0x80 | 127;
        for (int i = 0; i < 8; i++)
            head[n++] = (unsigned char)(claimed >> (8 * (7 - i)));
    }
    n += 4; // a mask of zeros leaves the data as they are
    return ws_send_raw(w, head, n) && (size == 0 || ws_send_raw(w, data, size));
}

static inline bool ws_text(const Ws *w, const char *text)
{
    return ws_send_frame(w, 1, true, text, strlen(text), strlen(text));
}

/// The next message; pings are answered and not shown.
static inline WsMessage ws_receive(Ws *w)
{
    static const WsMessage ended = {.opcode = -1};
    for (;;) {
        while (w->size < 2)
            if (!ws_more(w))
                return ended;
        const int opcode = w->data[0] & 15, kind = w->data[1] & 127;
        const size_t head = kind == 127 ? 10 : kind == 126 ? 4 : 2;
        while (w->size < head)
            if (!ws_more(w))
                return ended;
        uint64_t size = kind < 126 ? (uint64_t)kind : 0;
        for (size_t i = 2; i < head; i++)
            size = size << 8 | w->data[i];
        if (size > WS_ROOM / 2)
            return ended;
        while (w->size < head + size)
            if (!ws_more(w))
                return ended;
        static _Thread_local unsigned char *held; // the message, out of the way of what follows it
        static _Thread_local size_t room;
        if (room < size + 1) {
            free(held);
            held = malloc(room = 2 * size + 64);
            if (!held)
                return ended;
        }
        memcpy(held, w->data + head, size);
        held[size] = '\0';
        ws_take(w, head + (size_t)size);
        if (opcode == 9) {
            ws_send_frame(w, 10, true, held, size, size);
            continue;
        }
        return (WsMessage){opcode, held, (size_t)size};
    }
}

/// Waits for a text message that contains `part`; NULL if the connection ends or 2000 others come
/// first.
static inline const char *ws_expect(Ws *w, const char *part)
{
    for (int i = 0; i < 2000; i++) {
        const WsMessage m = ws_receive(w);
        if (m.opcode < 0 || m.opcode == 8)
            return NULL;
        if (m.opcode == 1 && strstr((const char *)m.data, part))
            return (const char *)m.data;
    }
    return NULL;
}

#endif
