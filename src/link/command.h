// SPDX-License-Identifier: Apache-2.0
/// \file
/// Requests of pages: text of the protocol -> RiViewCommand.
#ifndef RI_LINK_COMMAND_H
#define RI_LINK_COMMAND_H

#include <rille/json.h>
#include <rille/view.h>

enum { RI_WHY = 200 };

/// Reads and checks a request. False: `why` says what is wrong; the id, if it could be read, is in
/// `out`. `j` is scratch.
bool ri_command_parse(RiJson *j, const char *text, size_t size, RiViewCommand *out, char why[RI_WHY]);

#endif
