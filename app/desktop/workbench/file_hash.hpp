// SPDX-License-Identifier: GPL-3.0-or-later
// SHA-256 of a file, computed once in the background.
#pragma once

#include "app/export/file_sha256.hpp"

#include <QString>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace echolux {

/// Reads the file on a thread of its own. The destructor stops it.
class FileHash {
public:
    explicit FileHash(const QString& path);

    /// Waits for fileSha256(). Null where `stop` was requested first.
    std::optional<QString> wait(const std::stop_token& stop = {});

private:
    std::mutex m_mutex;
    std::condition_variable_any m_done;
    std::optional<QString> m_hash;
    std::jthread m_thread; ///< must stay the last member: it writes the others
};

} // namespace echolux
