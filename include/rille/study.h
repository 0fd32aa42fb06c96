// SPDX-License-Identifier: Apache-2.0
/// \file
/// Many runs and what is learnt from them, whole: campaigns with their store, fits, searches, and
/// the published studies that `rille study` repeats.
///
///     plan.h --> collect.h (one run) --> store.h (all runs) --> stats.h, indices.h, parquet.h
///     plan.h, collect.h --> fit_series.h, search.h
///
/// Most programs need none of these: rille/campaign.h steps many robots in one process.
#ifndef RILLE_STUDY_H
#define RILLE_STUDY_H

#include <rille/study/collect.h>
#include <rille/study/contact_models.h>
#include <rille/study/dist.h>
#include <rille/study/fit_screw.h>
#include <rille/study/fit_series.h>
#include <rille/study/fit_soil.h>
#include <rille/study/indices.h>
#include <rille/study/parquet.h>
#include <rille/study/plan.h>
#include <rille/study/posterior.h>
#include <rille/study/rock_fields.h>
#include <rille/study/sample.h>
#include <rille/study/search.h>
#include <rille/study/stats.h>
#include <rille/study/store.h>
#include <rille/study/tilt_table.h>

#endif
