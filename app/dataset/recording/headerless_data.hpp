// SPDX-License-Identifier: GPL-3.0-or-later
// The refusals of files that somebody could describe.
#pragma once

#include "gpu/core/error.hpp"

#include <string>
#include <utility>

namespace echolux {

/// Thrown by openRecording() for content that is no format we know: somebody must say how to read
/// it.
class HeaderlessData : public Error {
public:
    using Error::Error;
};

/// Thrown by openRecording() for arrays without geometry and timing: a sidecar would give them.
class UndescribedData : public Error {
public:
    /// `reason`: the sentence without advice for the command line, for those who offer more.
    UndescribedData(const std::string& sentence, std::string reason)
        : Error(sentence), m_reason(std::move(reason)) {}
    const std::string& reason() const { return m_reason; }

private:
    std::string m_reason;
};

} // namespace echolux
