// SPDX-License-Identifier: Apache-2.0
/// \file
/// Text for pictures of bytes, by cairo where the system has it.
#ifndef RI_IO_PLOT_TEXT_H
#define RI_IO_PLOT_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/// A line of text as coverage: 0 (nothing) to 255.
typedef struct RiTextMask {
    const uint8_t *cover; ///< [height x stride]
    int width, height, stride;
    int base;       ///< row of the base line
    double advance; ///< [pixels] from the start to where the next text would begin
    void *surface;
} RiTextMask;

/// False: there is no cairo, or it has no font or memory.
bool ri_text_mask(const char *text, double size, RiTextMask *out);
void ri_text_mask_free(RiTextMask *mask);

#endif
