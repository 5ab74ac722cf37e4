// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of what a description makes of a file.
#pragma once

#include "app/dataset/frames/channel_import.hpp"
#include "app/dataset/frames/image_import.hpp"
#include "app/dataset/frames/raw_import.hpp"

#include <QImage>
#include <QString>

#include <memory>

namespace echolux {

struct ImportPreview {
    QImage picture;
    QString caption;              ///< what it shows, with units
    double heightOverWidth = 0.0; ///< 0: none
};

/// Any thread; throw Error where there is nothing to see. `container`: of a file that holds arrays.
/// The first lines: a B-scan, or the spectra as they are stored.
ImportPreview previewOf(const std::shared_ptr<const InputFile>& file,
                        const std::shared_ptr<ArrayContainer>& container, const RawImport& import,
                        bool stored);
/// The first frame: an image, coarse and of few transmits, or the samples of its middle transmit.
/// Where facts are missing that an image needs, the samples.
ImportPreview previewOf(const std::shared_ptr<const InputFile>& file,
                        const std::shared_ptr<ArrayContainer>& container,
                        const ChannelImport& import, bool stored);
/// The first frame, of volumes the middle plane: as it is shown, or its values as they are stored.
ImportPreview previewOf(const std::shared_ptr<const InputFile>& file,
                        const std::shared_ptr<ArrayContainer>& container, const ImageImport& import,
                        bool stored);

} // namespace echolux
