// SPDX-License-Identifier: GPL-3.0-or-later
// Previews of images in each order that their axes may have: the power of what changes from frame
// to frame.
#pragma once

#include "app/dataset/frames/image_import.hpp"

#include <QImage>
#include <QString>

#include <memory>
#include <vector>

namespace echolux {

struct OrderPreview {
    ImageImport import; ///< the description with its axes in this order
    QImage power;       ///< of each pixel less its mean over frames, 40 dB; lines run across
    QString text;       ///< "frame, depth, line", slowest first; of arrays in index order
};

/// One per order of frames, depths and lines that fits the file and has two frames or more, that of
/// `import` first. Empty where `import` lacks one of these axes. Takes up to 16 frames and 32 MiB
/// per order; larger ones are left out. Any thread. Throws Error where the file cannot be read.
std::vector<OrderPreview> orderPreviews(const std::shared_ptr<const InputFile>& file,
                                        const std::shared_ptr<ArrayContainer>& container,
                                        const ImageImport& import);

} // namespace echolux
