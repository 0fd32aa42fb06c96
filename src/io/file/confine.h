// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a child around foreign code may still reach once it has loaded its libraries: the folder of
/// the file that it reads or writes, and no network. The kernel enforces it (Landlock for files,
/// seccomp for system calls), whatever the foreign code or the names inside a foreign file ask for.
/// Decision record: docs/decisions/0042-confined-children.md.
#ifndef RI_IO_CONFINE_H
#define RI_IO_CONFINE_H

#include <stdbool.h>

#include <rille/file.h>

/// For the child only, and for good: from here on files can be opened below the folder of `path`
/// (and below that of the file behind it, if it is a link), and where PROJ and GDAL keep their own
/// tables; nothing can be executed, no socket made, no privilege gained. With `writes` files may be
/// made in the folder, too. What the kernel does not offer is left out: ri_confine_text says so.
void ri_confine(const char *path, bool writes);

#endif
