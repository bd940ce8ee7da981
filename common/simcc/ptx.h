/* ptx.h: inline PTX as C++. inline_ptx.c reads an asm statement; ptx.c translates its text. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Writes the C++ of a text of PTX, as statements. Operand %7 of the asm statement is a variable
 * with this number in its name. False: the text has something that simcc does not know; what was
 * written is no use. */
bool ptx_translate(FILE *f, const char *text);
