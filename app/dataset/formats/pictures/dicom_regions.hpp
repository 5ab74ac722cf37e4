// SPDX-License-Identifier: GPL-3.0-or-later
// The calibrated regions of an ultrasound picture (C.8.5.5 of the DICOM standard's part 3): each
// has a scale of its own.
#pragma once

#include "app/dataset/formats/pictures/picture_file.hpp"

#include <optional>
#include <string>
#include <vector>

namespace echolux {

struct DicomRegion {
    enum class Kind { Other = 0, Tissue = 1, MMode = 2, Spectrum = 3, Waveform = 4 };
    Kind kind = Kind::Other;
    bool metricAcross = false; ///< its columns are in cm
    bool metricDown = false;   ///< its rows are in cm
    /// Pixels of the picture, from 0; right and bottom belong to it.
    double left = 0.0;
    double top = 0.0;
    double right = 0.0;
    double bottom = 0.0;
    double stepX = 0.0; ///< units per pixel
    double stepY = 0.0;
    /// The pixel, counted from left and top, whose value is known, and its value.
    struct Reference {
        double pixelX = 0.0, pixelY = 0.0;
        double valueX = 0.0, valueY = 0.0;
    };
    std::optional<Reference> reference = {};

    double area() const { return (right - left + 1.0) * (bottom - top + 1.0); }
};

/// A part of the picture whose pixels have one scale.
struct DicomPart {
    std::string name; ///< for people
    std::int64_t left = 0;
    std::int64_t top = 0;
    std::int64_t columns = 0;
    std::int64_t rows = 0;
    std::optional<DicomRegion> scale = {}; ///< empty: nothing gives its pixels a length
};

/// The parts to choose from, the usual one first. The whole picture alone where its regions do not
/// contradict each other; else each region, and the whole picture without a scale.
std::vector<DicomPart> partsOf(std::vector<DicomRegion> regions, std::int64_t columns,
                               std::int64_t rows);

/// Depth 0 is the region's top, unless a reference pixel says otherwise. Lateral 0 is the region's
/// middle. Directions that are not in cm get no scale.
void takePlaces(const DicomPart& part, PictureAxis& lateral, PictureAxis& depth);

} // namespace echolux
