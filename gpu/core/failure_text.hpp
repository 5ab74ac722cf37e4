// SPDX-License-Identifier: GPL-3.0-or-later
// What a user is told of an exception.
#pragma once

#include <exception>
#include <new>
#include <string>

namespace echolux {

/// An Error's own sentence; one of our own where memory is exhausted, which the library names by
/// its class.
inline std::string failureText(const std::exception& failure) {
    if (dynamic_cast<const std::bad_alloc*>(&failure) == nullptr) return failure.what();
    return "The memory is exhausted; close other programs, or ask for less at once.";
}

} // namespace echolux
