// SPDX-License-Identifier: Apache-2.0
/// \file
/// Groups of joints by globs.
#include "device/group.h"

#include <string.h>

#include "base/names.h"

enum { GLOB_ROOM = 256 };

/// Whether a name matches one of several globs separated by commas.
static bool matches(const char *globs, const char *name)
{
    for (const char *at = globs; *at;) {
        at += strspn(at, ", ");
        size_t n = strcspn(at, ",");
        const char *next = at + n;
        while (n > 0 && at[n - 1] == ' ')
            n--;
        char glob[GLOB_ROOM];
        if (n > 0 && n < sizeof glob) {
            memcpy(glob, at, n);
            glob[n] = '\0';
            if (ri_glob_match(glob, name))
                return true;
        }
        at = next;
    }
    return false;
}

/// Number of joints between a joint and the root.
static int depth_of(const RiModel *m, int joint)
{
    int depth = 0;
    for (int link = ri_model_joint(m, joint).parent_link; link >= 0; depth++) {
        const int above = ri_model_link(m, link).joint;
        link = above >= 0 ? ri_model_joint(m, above).parent_link : -1;
    }
    return depth;
}

static bool belongs(const RiModel *m, int joint, const char *globs)
{
    const RiJointInfo info = ri_model_joint(m, joint);
    return !info.merged && info.nv == 1 && matches(globs, info.name);
}

int ri_joint_group(const RiModel *m, const char *globs, RiGroupMember *out_members, int room)
{
    int count = 0;
    for (int i = 0; i < ri_model_joint_count(m); i++) {
        if (!belongs(m, i, globs))
            continue;
        if (count < room) { // a new one goes behind those of its depth
            const RiGroupMember member = {i, depth_of(m, i)};
            int at = count;
            for (; at > 0 && out_members[at - 1].depth > member.depth; at--)
                out_members[at] = out_members[at - 1];
            out_members[at] = member;
        }
        count++;
    }
    return count;
}
