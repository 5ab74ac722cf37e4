// SPDX-License-Identifier: GPL-3.0-or-later
// Spectra that are stored one after the other in a file: B-scan after B-scan, line after line.
#pragma once

#include "app/dataset/container/element_type.hpp"
#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace echolux {

/// How one sample is stored: a number of whole bytes, or 12 bits (see DType::Packed12).
struct SpectrumType {
    std::optional<ElementType> element; ///< empty: packed 12 bits

    DType dtype() const;
    /// Bytes of `count` samples. Packed samples make whole bytes only for an even count.
    std::uint64_t bytes(std::uint64_t count) const;
    bool operator==(const SpectrumType&) const = default;
};
/// The type for NumPy's notation or "packed12"; empty for complex and unknown types.
std::optional<SpectrumType> parseSpectrumType(std::string_view text);

/// Which B-scans were recorded while the scanner moved back.
enum class Mirrored { None, Even, Odd };

struct RawSpectra {
    SpectrumType type;
    std::int64_t samples = 0;           ///< samples per line
    std::int64_t lines = 0;             ///< lines per B-scan, without its background lines
    std::uint64_t offset = 0;           ///< byte offset of the first line of the first B-scan
    std::uint64_t stride = 0;           ///< bytes from one B-scan to the next
    Mirrored mirrored = Mirrored::None; ///< these are delivered with their lines in reverse order
};

/// [lateral][sample]; `lineSpacingM` 0 = unknown.
FrameSpec spectraFrame(DType type, std::int64_t lines, std::int64_t samples, double lineSpacingM);

/// Mean of `lines` spectra at `offset`, in codes.
std::vector<float> meanSpectrum(const InputFile& file, std::uint64_t offset, SpectrumType type,
                                std::int64_t lines, std::int64_t samples);

/// `info.frame` and `info.frameCount` must be known; both are checked against the file.
std::unique_ptr<Recording> makeRawSpectra(RecordingInfo info, std::shared_ptr<const InputFile> file,
                                          const RawSpectra& layout);

} // namespace echolux
