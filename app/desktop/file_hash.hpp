// SPDX-License-Identifier: GPL-3.0-or-later
// SHA-256 of a file, taken once beside everything else.
#pragma once

#include <QString>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace echolux {

/// SHA-256 of a file's bytes, hex; of one over 2 GiB "sampled:" and that of its size in digits and
/// of 128 pieces of 4 MiB spread over it. Empty where it cannot be read or `stop` was requested.
QString fileSha256(const QString& path, const std::stop_token& stop = {});

/// Reads on a thread of its own; whoever lets go of it last stops that.
class FileHash {
public:
    explicit FileHash(const QString& path);

    /// As fileSha256(); null where `stop` was requested first.
    std::optional<QString> wait(const std::stop_token& stop = {});

private:
    std::mutex m_mutex;
    std::condition_variable_any m_done;
    std::optional<QString> m_hash;
    std::jthread m_thread; ///< last: it writes the above
};

} // namespace echolux
