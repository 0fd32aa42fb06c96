// SPDX-License-Identifier: Apache-2.0
/// \file
/// Logs, shown.
#include "view.h"

CliExit view_replay(const ViewArgs *args)
{
    cli_error("%s: replay is not built yet", args->inputs[0]);
    return CLI_ENVIRONMENT;
}
