// SPDX-License-Identifier: Apache-2.0
/// \file
/// Lines and words of a text mesh, with the line number for messages. Works inside the given bytes;
/// nothing is copied and no terminating NUL is needed. Lines end with LF or CR LF.
#ifndef RI_IO_MESH_TEXT_H
#define RI_IO_MESH_TEXT_H

#include <stddef.h>

#include <rille/context.h>

typedef struct RiMeshText {
    RiContext *ctx;
    const char *file;
    const char *next; ///< first byte not yet read of the line
    const char *stop; ///< end of the line, without its LF
    const char *end;  ///< end of the text
    int line;         ///< from 1; 0 before the first line
    int continues;    ///< a backslash at the end of a line joins the next one (OBJ)
} RiMeshText;

/// A word: bytes between white space. size 0: there was none left in the line.
typedef struct RiWord {
    const char *text;
    size_t size;
} RiWord;

/// A word made fit for a message: printable, shortened.
typedef struct RiShown {
    char text[40];
} RiShown;

void ri_mesh_text_init(RiMeshText *text, RiContext *ctx, const char *file, const char *data, size_t size);
/// Goes to the next line; 0 at the end of the text.
int ri_mesh_text_line(RiMeshText *text);
/// The next word of the line.
RiWord ri_mesh_text_word(RiMeshText *text);
/// The next word of the text, over line ends; size 0 at its end.
RiWord ri_mesh_text_word_anywhere(RiMeshText *text);
/// Reads three finite numbers from the line into xyz; `what` names them in the message.
RI_MUST_CHECK RiStatus ri_mesh_text_point(RiMeshText *text, const char *what, double xyz[3]);
/// RI_ERR_FORMAT with "file:line: ".
RiStatus ri_mesh_text_error(const RiMeshText *text, const char *format, ...) RI_PRINTF(2, 3);

/// Is the word `lower`, a lower-case text, in any case?
int ri_word_is(RiWord word, const char *lower);
RiShown ri_word_shown(RiWord word);
/// The word as a finite decimal number, correctly rounded, whatever the process's locale; 0 if it
/// is not one.
int ri_word_double(RiWord word, double *out_value);
/// The word as a decimal integer of at most 18 digits; 0 if it is not one.
int ri_word_integer(RiWord word, long long *out_value);

#endif
