// SPDX-License-Identifier: GPL-3.0-or-later
// What a call is refused with.
#pragma once

#include "gpu/core/error.hpp"

#include <string>

namespace echolux::testing_support {

/// The sentence of the Error that `act` throws, or "accepted".
template <class Act> std::string refusal(Act act) {
    try {
        act();
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

} // namespace echolux::testing_support
