// SPDX-License-Identifier: GPL-3.0-or-later
// An exception as a sentence on screen.
#pragma once

#include "gpu/core/failure_text.hpp"

#include <QString>

namespace echolux {

inline QString sentenceOf(const std::exception& failure) {
    return QString::fromStdString(failureText(failure));
}

} // namespace echolux
