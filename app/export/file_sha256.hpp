// SPDX-License-Identifier: GPL-3.0-or-later
// SHA-256 of a file, which tells recordings apart.
#pragma once

#include <QString>

#include <stop_token>

namespace echolux {

/// SHA-256 of a file's bytes, in hex. For a file over 2 GiB: "sampled:" and the SHA-256 of its size
/// in digits and of 128 pieces of 4 MiB spread over it. Empty where the file cannot be read or
/// `stop` was requested.
QString fileSha256(const QString& path, const std::stop_token& stop = {});

} // namespace echolux
