// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sockets of ROS 1: listening, connecting within a time, XML-RPC calls to others.
#ifndef RI_LINK_ROS_NET_H
#define RI_LINK_ROS_NET_H

#include "link/ros/xmlrpc.h"

/// Listens on a port (0: a free one) of this machine alone, or of all its addresses. -1: it cannot.
int ri_net_listen(int port, bool everywhere, int *out_port);
/// Connects within 2 s; -1. `local`: to this machine only, others are refused.
int ri_net_connect(const char *host, int port, bool local);
/// Sends everything within 2 s.
bool ri_net_send(int socket, const void *data, size_t size);
/// Calls a method of another program and reads the answer [code, message, value] within 2 s. `x`
/// holds it, its text is in `answer`. False: no answer, or its code is not 1.
bool ri_net_call(const char *uri, bool local, const char *method, const char *const *params, int count,
                 const char *last, RiText *answer, RiRpc *x);

#endif
