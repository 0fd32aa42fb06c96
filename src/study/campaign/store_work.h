// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the files of the store share: transactions that survive a lost server.
#ifndef RI_STUDY_CAMPAIGN_STORE_WORK_H
#define RI_STUDY_CAMPAIGN_STORE_WORK_H

#include <rille/study/store.h>

/// What a transaction does, and for whom.
typedef RiStatus (*RiStoreDeed)(RiStore *s, void *user);

/// A transaction; where the server is lost, again and again until it is back or patience has run
/// out. Each deed may be done twice without harm.
RI_MUST_CHECK RiStatus ri_store_transact(RiStore *s, RiStoreDeed deed, void *user);

#endif
