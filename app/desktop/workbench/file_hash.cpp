// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the hash of a file on a thread.
#include "app/desktop/workbench/file_hash.hpp"

namespace echolux {

FileHash::FileHash(const QString& path)
    : m_thread([this, path](const std::stop_token& stop) {
          QString hash = fileSha256(path, stop);
          const std::lock_guard lock(m_mutex);
          m_hash = std::move(hash);
          m_done.notify_all();
      }) {}

std::optional<QString> FileHash::wait(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    m_done.wait(lock, stop, [this] { return m_hash.has_value(); });
    return m_hash;
}

} // namespace echolux
