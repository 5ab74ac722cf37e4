// SPDX-License-Identifier: GPL-3.0-or-later
// What the functions echolux_spec_... share.
#pragma once

#include "app/library/calls.hpp"

namespace echolux::library {

/// Throws Misuse where it is no handle, or belongs to a recording or a pipeline.
echolux_spec& own(echolux_spec* spec);
/// Throws Misuse where it is no handle.
const FrameSpec& read(const echolux_spec* spec);
/// The number, or Misuse, which calls it `name`.
double finite(double number, const char* name);

} // namespace echolux::library
