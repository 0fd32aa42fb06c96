// SPDX-License-Identifier: Apache-2.0
/// \file
/// The Foxglove WebSocket protocol, version 1, as a server of channels.
#ifndef RI_LINK_FOXGLOVE_H
#define RI_LINK_FOXGLOVE_H

#define RI_FOXGLOVE_PROTOCOL "foxglove.websocket.v1"

#endif
