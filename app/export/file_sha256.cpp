// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a file to its end in pieces. Of a long file it reads some pieces.
#include "app/export/file_sha256.hpp"

#include <QCryptographicHash>
#include <QFile>

namespace echolux {

namespace {
constexpr qint64 kPiece = qint64{4} << 20;
constexpr qint64 kLong = qint64{2} << 30; ///< a disk reads as much within seconds
constexpr qint64 kSampled = 128; ///< pieces of a longer file, the first and last among them
} // namespace

QString fileSha256(const QString& path, const std::stop_token& stop) {
    QFile file(path);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!file.open(QIODevice::ReadOnly)) return {};
    const qint64 size = file.size();
    const bool sampled = size > kLong;
    if (sampled) hash.addData(QByteArray::number(size));
    for (qint64 piece = 0; sampled ? piece < kSampled : !file.atEnd(); ++piece) {
        if (stop.stop_requested()) return {};
        if (sampled) file.seek((size - kPiece) / (kSampled - 1) * piece);
        hash.addData(file.read(kPiece));
        if (file.error() != QFileDevice::NoError) return {};
    }
    return (sampled ? "sampled:" : "") + QString::fromLatin1(hash.result().toHex());
}

} // namespace echolux
