// SPDX-License-Identifier: GPL-3.0-or-later
// The one exception type for bad input and failed devices.
#pragma once

#include <stdexcept>
#include <string>

namespace echolux {

/// what() is one full sentence fit for a user: what went wrong, where, and what to do about it.
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Memory does not suffice; it may once something else has been released.
class OutOfMemory : public Error {
public:
    using Error::Error;
};

} // namespace echolux
