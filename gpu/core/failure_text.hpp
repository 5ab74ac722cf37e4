// SPDX-License-Identifier: GPL-3.0-or-later
// What a user is told of an exception.
#pragma once

#include <exception>
#include <new>
#include <string>

namespace echolux {

/// The library names exhausted memory by its class.
inline bool isExhaustedMemory(const std::exception& failure) {
    return dynamic_cast<const std::bad_alloc*>(&failure) != nullptr;
}

/// Why it failed, as a part of a sentence.
inline std::string reasonOf(const std::exception& failure) {
    return isExhaustedMemory(failure) ? "the memory is exhausted" : failure.what();
}

/// An Error's own sentence; one of our own where memory is exhausted.
inline std::string failureText(const std::exception& failure) {
    if (!isExhaustedMemory(failure)) return failure.what();
    return "The memory is exhausted; close other programs, or ask for less at once.";
}

} // namespace echolux
