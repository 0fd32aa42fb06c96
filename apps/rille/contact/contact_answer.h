// SPDX-License-Identifier: Apache-2.0
/// \file
/// Answers of solvers to a contact problem, and how `rille contact solve` shows them.
#ifndef RILLE_APP_CONTACT_ANSWER_H
#define RILLE_APP_CONTACT_ANSWER_H

#include <stdbool.h>

#include <rille/cone.h>

#include "json.h"

/// What a solver answered.
typedef struct Answer {
    double *r, *u; ///< 3n each
    RiConeResult result;
    char solver[32];
    int verdict;    ///< of Siconos itself, 0: solved
    bool ours;      ///< counts of our solver's methods are known
    bool missing;   ///< the solver could not be asked; the reason is in the result
    double seconds; ///< CPU time of one solution from nothing
} Answer;

/// A problem with the answers to it.
typedef struct Answers {
    const char *file;
    const RiConeProblem *problem;
    double tolerance;
    Answer *answer;
    int count;
} Answers;

/// "file: 5 contacts, solved by ours: residual ..., time".
void answer_print_line(const Answers *all, const Answer *a);
/// The line, what the solver did, and a row per contact.
void answer_print_table(const Answers *all, const Answer *a);
/// A row per solver, with the largest difference of a velocity from the first answer's.
void answers_print_comparison(const Answers *all);
/// An object: file, problem and the answer; or a sequence `answers` where several solvers were
/// asked.
void answers_print_json(const Answers *all, Json *j);
/// The solution as CSV: contact, state, mu, reaction, velocity, all digits. False (errno says why)
/// if it cannot be written.
bool answer_write_csv(const Answers *all, const Answer *a, const char *path);

#endif
