// SPDX-License-Identifier: GPL-3.0-or-later
// Errors for files that a user could describe with a sidecar.
#pragma once

#include "gpu/core/error.hpp"

#include <string>
#include <utility>

namespace echolux {

/// Thrown by openRecording() for content of an unknown format. A user must say how to read it.
class HeaderlessData : public Error {
public:
    using Error::Error;
};

/// Thrown by openRecording() for arrays without geometry and timing. A sidecar could add them.
class UndescribedData : public Error {
public:
    /// `reason` is the sentence without the advice for the command line. The window shows it with
    /// its own offer.
    UndescribedData(const std::string& sentence, std::string reason)
        : Error(sentence), m_reason(std::move(reason)) {}
    const std::string& reason() const { return m_reason; }

private:
    std::string m_reason;
};

} // namespace echolux
