// SPDX-License-Identifier: GPL-3.0-or-later
// Cubes of aligned channels: Herikstad's `u_z` (2009, 4.3.3), the echoes of one focal point.
#pragma once

#include "app/dataset/container/mat_value.hpp"
#include "app/dataset/recording/recording.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace echolux {

class Archive;
class Hdf5File;

/// SI units. A number of 0 is not in the file.
struct AlignedCube {
    std::int32_t rows = 0;            ///< along y
    std::int32_t columns = 0;         ///< along x
    std::int64_t samples = 0;         ///< of each channel
    std::vector<float> values;        ///< [row][column][sample], scaled to a maximum of 1
    double divisor = 1.0;             ///< the largest value in the file
    double samplingFrequencyHz = 0.0; ///< `fs`, 1 kHz to 1 GHz
    double centreFrequencyHz = 0.0;   ///< `fc`, up to half of `fs`
    double soundSpeedMps = 0.0;       ///< `c`
    double pitchM = 0.0;              ///< `pitch`, in x and y
    double focusM = 0.0;              ///< `focus`, depth of the focal point
    /// `delay_s` and `amplitude`, tables (x, y), as [row][column]; null: not in the file.
    std::shared_ptr<const AberrationTruth> truth = {};
};

/// Empty where the file has no array `u_z`. Throws Error, a sentence, where `u_z` is no such cube,
/// where other facts are impossible, and where the file cannot be read.
std::optional<AlignedCube> loadAlignedCube(const std::filesystem::path& path);

bool isAlignedCube(const MatVariables& variables);
bool isAlignedCube(const Hdf5File& tree);
bool isAlignedCube(const std::shared_ptr<Archive>& archive);

/// One frame of one transmit, f32. The elements stand on a sphere round the focal point, so that
/// its echoes reach all at once (see alignedOn()). Numbers that the file lacks are those of
/// Herikstad's data (2009, 5.1.2), with a warning. Throws Error as loadAlignedCube() does.
std::unique_ptr<Recording> openAlignedCube(const std::filesystem::path& path);

/// Herikstad's data (2009, 5.1.2).
namespace herikstad {
inline constexpr double kSamplingHz = 70.248e6;
inline constexpr double kCentreHz = 3.5e6;
inline constexpr double kFocusM = 60e-3;
} // namespace herikstad

} // namespace echolux
