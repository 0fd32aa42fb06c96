// SPDX-License-Identifier: Apache-2.0
/// \file
/// Plots made of characters.
#ifndef RILLE_PLOT_TERMINAL_H
#define RILLE_PLOT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

#include <rille/plot.h>

typedef struct TerminalStyle {
    int columns;  ///< width of the whole plot
    int rows;     ///< height of a panel's drawing area
    bool braille; ///< dots of braille characters (UTF-8), two by four in a cell; else one letter in a cell
    bool color;
} TerminalStyle;

/// The style that fits standard output: width from COLUMNS or the terminal, braille where the
/// locale is UTF-8.
TerminalStyle plot_terminal_style(void);
/// Prints the plot. False if memory ran out.
bool plot_terminal(FILE *out, const RiPlot *plot, const TerminalStyle *style);

#endif
