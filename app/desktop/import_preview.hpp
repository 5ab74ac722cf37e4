// SPDX-License-Identifier: GPL-3.0-or-later
// Previews of a file as a description reads it.
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
    QString caption;              ///< what the picture shows, with units
    double heightOverWidth = 0.0; ///< 0: unknown
};

// The following functions may run on any thread. They throw Error where there is nothing to show.
// `container`: the container of a file that holds arrays; null for headerless files. `stored`: the
// preview shows the values as stored.

/// Preview of the first lines: a B-scan, or the spectra as stored.
ImportPreview previewOf(const std::shared_ptr<const InputFile>& file,
                        const std::shared_ptr<ArrayContainer>& container, const RawImport& import,
                        bool stored);
/// Preview of the first frame: a coarse image from few transmits, or the samples of its middle
/// transmit. The samples are also shown where facts are missing that an image needs.
ImportPreview previewOf(const std::shared_ptr<const InputFile>& file,
                        const std::shared_ptr<ArrayContainer>& container,
                        const ChannelImport& import, bool stored);
/// Preview of the first frame, of volumes the middle plane: as displayed, or the values as stored.
ImportPreview previewOf(const std::shared_ptr<const InputFile>& file,
                        const std::shared_ptr<ArrayContainer>& container, const ImageImport& import,
                        bool stored);

} // namespace echolux
