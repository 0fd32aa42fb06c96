// SPDX-License-Identifier: Apache-2.0
/// \file
/// HTTP: who may ask, and for what. Paths are looked up in a table; no file of the machine is ever
/// opened.
#include "link/view_work.h" // without the library this file still declares something

#ifdef RILLE_HAVE_WEBSOCKETS

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "link/page.h"
#include "link/server.h"

static const char forbidden_token[] =
    "403: the token is missing or wrong. Open the address that the program printed.\n";
static const char forbidden_host[] = "403: this server does not answer to that host name or origin.\n";
static const char not_found[] = "404: there is nothing at this address.\n";
static const char not_allowed[] = "405: only GET.\n";

// --- who may ask ---------------------------------------------------------------------------------

/// Compares in a time that does not depend on where the first difference is.
static bool same_token(const char *want, const char *got)
{
    const size_t n = strlen(want), m = strlen(got);
    unsigned different = n != m;
    for (size_t i = 0; i < n; i++)
        different |= (unsigned char)want[i] ^ (unsigned char)got[i < m ? i : 0];
    return different == 0;
}

static bool has_token(const RiView *v, struct lws *wsi)
{
    char buffer[VIEW_TOKEN + 16] = "";
    const char *got = lws_get_urlarg_by_name(wsi, "token=", buffer, sizeof buffer);
    return got && got[0] && same_token(v->token, got);
}

/// A header's text; false if it is missing or too long.
static bool header(struct lws *wsi, enum lws_token_indexes which, char *out, size_t size)
{
    return lws_hdr_total_length(wsi, which) > 0 && lws_hdr_copy(wsi, out, (int)size, which) > 0;
}

/// "name:port" with the name ours: what keeps pages of strangers, whose names were pointed at this
/// machine, from asking.
static bool is_our_host(const RiView *v, const char *text)
{
    char name[128], own[128] = "", port[16];
    const char *colon = strrchr(text, ':');
    const size_t n = colon ? (size_t)(colon - text) : strlen(text);
    snprintf(port, sizeof port, "%d", v->port);
    if (n >= sizeof name || strcmp(colon ? colon + 1 : "80", port) != 0)
        return false;
    memcpy(name, text, n);
    name[n] = '\0';
    if (strcmp(name, v->host) == 0 || strcmp(name, "127.0.0.1") == 0 || strcasecmp(name, "localhost") == 0)
        return true;
    struct in_addr address; // open to the net: any address of this machine, and its own name
    return v->open && (inet_pton(AF_INET, name, &address) == 1 ||
                       (gethostname(own, sizeof own - 1) == 0 && strcasecmp(name, own) == 0));
}

static bool is_our_origin(const RiView *v, const char *text)
{
    for (int i = 0; i < v->origin_count; i++)
        if (strcmp(text, v->origins[i]) == 0)
            return true;
    return strncmp(text, "http://", 7) == 0 && is_our_host(v, text + 7);
}

/// Host and, where there is one, origin.
static bool may_ask(const RiView *v, struct lws *wsi)
{
    char text[200];
    if (!header(wsi, WSI_TOKEN_HOST, text, sizeof text) || !is_our_host(v, text))
        return false;
    return lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) <= 0 ||
           (header(wsi, WSI_TOKEN_ORIGIN, text, sizeof text) && is_our_origin(v, text));
}

static int refuse_upgrade(struct lws *wsi, unsigned code, const char *text)
{
    return lws_return_http_status(wsi, code, text) < 0 ? -1 : 1;
}

int ri_http_check_upgrade(ViewServer *s, struct lws *wsi)
{
    char path[16] = "", offered[200] = "";
    if (!may_ask(s->view, wsi))
        return refuse_upgrade(wsi, HTTP_STATUS_FORBIDDEN, forbidden_host);
    if (!has_token(s->view, wsi))
        return refuse_upgrade(wsi, HTTP_STATUS_FORBIDDEN, forbidden_token);
    if (!header(wsi, WSI_TOKEN_GET_URI, path, sizeof path) || (strcmp(path, "/ws") != 0 && strcmp(path, "/") != 0))
        return refuse_upgrade(wsi, HTTP_STATUS_NOT_FOUND, not_found);
    if (!header(wsi, WSI_TOKEN_PROTOCOL, offered, sizeof offered))
        return refuse_upgrade(wsi, HTTP_STATUS_BAD_REQUEST, "400: a WebSocket needs one of our subprotocols");
    if (atomic_load(&s->view->clients) >= VIEW_CLIENTS)
        return refuse_upgrade(wsi, HTTP_STATUS_SERVICE_UNAVAILABLE, "503: too many pages are connected");
    return 0;
}

// --- answers -------------------------------------------------------------------------------------

static bool put_header(struct lws *wsi, const char *name, const char *value, unsigned char **at, unsigned char *end)
{
    return lws_add_http_header_by_name(wsi, (const unsigned char *)name, (const unsigned char *)value,
                                       (int)strlen(value), at, end) == 0;
}

/// Head of an answer; the body follows piece by piece.
static int begin(ViewServer *s, struct lws *wsi, HttpAnswer *a, unsigned code, const char *type, bool gzip)
{
    static const char policy[] =
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' "
        "data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    unsigned char buffer[LWS_PRE + 2048],
        *at = buffer + LWS_PRE, *const start = at, *const end = buffer + sizeof buffer;
    (void)s;
    a->sent = 0;
    if (lws_add_http_common_headers(wsi, code, type, a->size, &at, end) ||
        !put_header(wsi, "content-security-policy:", policy, &at, end) ||
        !put_header(wsi, "x-content-type-options:", "nosniff", &at, end) ||
        !put_header(wsi, "referrer-policy:", "no-referrer", &at, end) ||
        !put_header(wsi, "cross-origin-resource-policy:", "same-origin", &at, end) ||
        !put_header(wsi, "cache-control:", "no-store", &at, end) ||
        (gzip && !put_header(wsi, "content-encoding:", "gzip", &at, end)) ||
        lws_finalize_write_http_header(wsi, start, &at, end))
        return 1;
    lws_callback_on_writable(wsi);
    return 0;
}

static int say(ViewServer *s, struct lws *wsi, HttpAnswer *a, unsigned code, const char *text)
{
    a->body = (const unsigned char *)text;
    a->size = strlen(text);
    return begin(s, wsi, a, code, "text/plain; charset=utf-8", false);
}

/// "/mesh/12": that mesh.
static int send_mesh(ViewServer *s, struct lws *wsi, HttpAnswer *a, const char *number)
{
    RiView *v = s->view;
    int index = 0;
    for (const char *c = number; *c; c++) {
        if (*c < '0' || *c > '9' || index > 99999)
            return say(s, wsi, a, HTTP_STATUS_NOT_FOUND, not_found);
        index = 10 * index + (*c - '0');
    }
    if (!has_token(v, wsi))
        return say(s, wsi, a, HTTP_STATUS_FORBIDDEN, forbidden_token);
    pthread_mutex_lock(&v->lock);
    const bool there = *number && index < v->mesh_count;
    const ViewMesh mesh = there ? v->meshes[index] : (ViewMesh){0}; // the bytes stay as long as the view
    pthread_mutex_unlock(&v->lock);
    if (!there)
        return say(s, wsi, a, HTTP_STATUS_NOT_FOUND, not_found);
    a->body = mesh.data;
    a->size = mesh.size;
    return begin(s, wsi, a, HTTP_STATUS_OK, "application/octet-stream", false);
}

int ri_http_request(ViewServer *s, struct lws *wsi, HttpAnswer *a, const char *path)
{
    if (!may_ask(s->view, wsi))
        return say(s, wsi, a, HTTP_STATUS_FORBIDDEN, forbidden_host);
    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) <= 0)
        return say(s, wsi, a, HTTP_STATUS_METHOD_NOT_ALLOWED, not_allowed);
    const bool front = strcmp(path, "/") == 0 || strcmp(path, "/index.html") == 0;
    if (front && !has_token(s->view, wsi))
        return say(s, wsi, a, HTTP_STATUS_FORBIDDEN, forbidden_token);
    if (strncmp(path, "/mesh/", 6) == 0)
        return send_mesh(s, wsi, a, path + 6);
    for (int i = 0; i < ri_page_file_count; i++) {
        const RiPageFile *f = &ri_page_files[i];
        if (strcmp(front ? "/index.html" : path, f->path) != 0)
            continue;
        a->body = f->data;
        a->size = f->size;
        return begin(s, wsi, a, HTTP_STATUS_OK, f->type, true);
    }
    return say(s, wsi, a, HTTP_STATUS_NOT_FOUND, not_found);
}

int ri_http_continue(ViewServer *s, struct lws *wsi, HttpAnswer *a)
{
    if (!a || !a->body)
        return 0;
    const size_t left = a->size - a->sent, size = left < HTTP_PIECE ? left : HTTP_PIECE;
    ri_server_begin(s);
    ri_text_put(&s->out, a->body + a->sent, size);
    if (s->out.failed)
        return -1;
    const bool last = size == left;
    if (lws_write(wsi, (unsigned char *)s->out.at + LWS_PRE, size, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) <
        (int)size)
        return -1;
    a->sent += size;
    if (!last) {
        lws_callback_on_writable(wsi);
        return 0;
    }
    a->body = NULL;
    if (lws_http_transaction_completed(wsi))
        return -1;
    ri_server_await(s, wsi); // the connection stays and may bring another request
    return 0;
}

#endif
