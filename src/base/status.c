// SPDX-License-Identifier: Apache-2.0
/// \file
/// Texts of the status codes.
#include <rille/status.h>

const char *ri_status_text(RiStatus status)
{
    static const char *const text[] = {
#define RI_STATUS_TEXT(name, words) words,
        RI_STATUS_LIST(RI_STATUS_TEXT)
#undef RI_STATUS_TEXT
    };
    return (unsigned)status < RI_STATUS_COUNT ? text[status] : "unknown status";
}
