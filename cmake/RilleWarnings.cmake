# Warnings are errors, from the first day.
add_library(rille_warnings INTERFACE)
target_compile_options(rille_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wvla -Wformat=2 -Werror
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>)
