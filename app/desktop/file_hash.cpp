// SPDX-License-Identifier: GPL-3.0-or-later
// Reading a file to its end in pieces.
#include "app/desktop/file_hash.hpp"

#include <QCryptographicHash>
#include <QFile>

namespace echolux {

QString fileSha256(const QString& path, const std::stop_token& stop) {
    constexpr qint64 kPiece = qint64{4} << 20;
    QFile file(path);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!file.open(QIODevice::ReadOnly)) return {};
    while (!file.atEnd()) {
        if (stop.stop_requested()) return {};
        hash.addData(file.read(kPiece));
        if (file.error() != QFileDevice::NoError) return {};
    }
    return QString::fromLatin1(hash.result().toHex());
}

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
