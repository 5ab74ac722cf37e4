// SPDX-License-Identifier: GPL-3.0-or-later
// Encodes pictures in memory.
#include "ui/controls/picture_bytes.hpp"

#include "gpu/core/error.hpp"

#include <QBuffer>
#include <QImage>
#include <fmt/format.h>

namespace echolux {

std::string pictureBytes(const QImage& picture, const char* format) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    if (!picture.save(&buffer, format)) {
        throw Error(fmt::format("A picture of {} x {} pixels cannot be written as {}; choose a "
                                "smaller one, or another format.",
                                picture.width(), picture.height(), format));
    }
    return buffer.data().toStdString();
}

} // namespace echolux
