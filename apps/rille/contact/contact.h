// SPDX-License-Identifier: Apache-2.0
/// \file
/// Commands of `rille contact`, one file each.
#ifndef RILLE_APP_CONTACT_H
#define RILLE_APP_CONTACT_H

int contact_pairs(int argc, char **argv);
int contact_solve(int argc, char **argv);

#endif
