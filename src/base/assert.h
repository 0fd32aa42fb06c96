// SPDX-License-Identifier: Apache-2.0
/// \file
/// RI_ASSERT: preconditions and invariants that only a programming error can break.
///
/// Asserts are on where CMake defines RILLE_ASSERTS=1 (presets dev, tsan, coverage and fuzz) and
/// off in release builds. A failed assert prints file, line, function and expression to standard
/// error and aborts. When asserts are off the expression is compiled but never evaluated, so it
/// must have no side effects, and it may be expensive.
///
/// Bad input, a failing environment and diverging numerics are no programming errors: they return
/// an RiStatus.
#ifndef RI_BASE_ASSERT_H
#define RI_BASE_ASSERT_H

#ifndef RILLE_ASSERTS
#define RILLE_ASSERTS 0
#endif

/// Reports a failed assert and aborts. Always part of the library, whether asserts are on or off.
__attribute__((noreturn, cold)) void ri_assert_failed(const char *file, int line, const char *function,
                                                      const char *expression);

#if RILLE_ASSERTS
#define RI_ASSERT(expression) ((expression) ? (void)0 : ri_assert_failed(__FILE__, __LINE__, __func__, #expression))
#else
#define RI_ASSERT(expression) ((void)sizeof((expression) ? 1 : 0))
#endif

#endif
