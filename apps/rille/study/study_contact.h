// SPDX-License-Identifier: Apache-2.0
/// \file
/// Pieces of `rille study contact-models`.
#ifndef RILLE_APP_STUDY_CONTACT_H
#define RILLE_APP_STUDY_CONTACT_H

#include <rille/study/contact_models.h>

enum { CONTACT_MODELS = 7 };

/// A model of contact: one of our integrators, or a program beside us.
typedef struct ContactModel {
    const char *label;
    const char *integrator; ///< NULL: another engine's
    const char *program;    ///< its program
    const char *argument;   ///< of the program; may be NULL
    const char *what;       ///< in words, for the report
    char version[48];       ///< as the program says; "" until it ran
    bool there;             ///< can be used
    RiContactTrace traces[RI_CONTACT_CASES];
    RiContactResult results[RI_CONTACT_CASES];
} ContactModel;

typedef struct ContactStudy {
    RiContactRover rover;
    RiContactCase cases[RI_CONTACT_CASES];
    int case_count;
    ContactModel models[CONTACT_MODELS];
} ContactStudy;

/// Whether a model's program is there. `folder` NULL: bench/peers beside the running program.
bool contact_peer_find(const ContactModel *m, const char *folder, char path[], size_t size);
/// One case by another engine. RI_ERR_IO: it could not be started, crashed or said nonsense.
RI_MUST_CHECK RiStatus contact_peer_run(RiContext *ctx, const RiSpec *spec, ContactModel *m, const char *path,
                                        const RiContactCase *c, RiContactTrace *trace);

/// A result in words: "26.61 deg", "not up".
void contact_word(const RiContactCase *c, const RiContactResult *r, char out[32]);
/// The table, as text with columns or as Markdown.
void contact_print_table(FILE *out, const ContactStudy *s, bool markdown);
/// results.csv, figures, report.md and report.html into a folder.
RI_MUST_CHECK RiStatus contact_write_report(RiContext *ctx, const char *folder, const ContactStudy *s);

int cmd_study_contact(int argc, char **argv);

#endif
