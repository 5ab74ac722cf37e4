// SPDX-License-Identifier: GPL-3.0-or-later
// Figures as files.
#pragma once

#include "app/paper/figure.hpp"

#include <QByteArray>

#include <string>

namespace echolux {

/// The file's content, in the format of `ending`: "pdf", "svg", "png" or "tif" ("tiff"). Axes and
/// text are vectors in the first two. Throws Error for another ending, where a picture would have
/// more than 32767 pixels along a side, and as sizeOfFigure().
QByteArray figureFile(const std::string& ending, const std::vector<FigurePanel>& panels,
                      const FigureStyle& style);

/// Throws Error, which lists the formats, for an ending that figureFile() does not know.
void requireFigureEnding(const std::string& ending);

/// The figure with `style.dpi`.
QImage figurePicture(const std::vector<FigurePanel>& panels, const FigureStyle& style);

/// 8-bit colours with the picture's resolution.
QByteArray tiffFile(const QImage& picture);

} // namespace echolux
