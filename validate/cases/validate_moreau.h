// SPDX-License-Identifier: Apache-2.0
/// \file
/// The rows of the case `moreau` that have a file of their own.
#ifndef RI_STUDY_VALIDATE_MOREAU_H
#define RI_STUDY_VALIDATE_MOREAU_H

#include "validate/validate.h"

/// Bodies that touch each other, mechanisms with impacts and friction.
RI_MUST_CHECK RiStatus ri_case_moreau_bodies(RiValidation *run);
/// Impacts located in time.
RI_MUST_CHECK RiStatus ri_case_moreau_located(RiValidation *run);
/// The six-phase traction test.
RI_MUST_CHECK RiStatus ri_case_moreau_traction(RiValidation *run);
/// A rover on rough ground.
RI_MUST_CHECK RiStatus ri_case_moreau_rough(RiValidation *run);
/// Cohesion: a glued box.
RI_MUST_CHECK RiStatus ri_case_moreau_bonds(RiValidation *run);

#endif
