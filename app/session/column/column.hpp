// SPDX-License-Identifier: GPL-3.0-or-later
// One picked column of the image. Of ultrasound: the raw line of the channel above it, its
// spectrum, and the envelope down the column. Of OCT: the A-scan's spectrum as recorded and as
// resampled, and the A-scan itself.
#pragma once

#include "app/session/column/line_spectrum.hpp"
#include "app/session/column/peak_shape.hpp"
#include "gpu/core/complex.hpp"
#include "gpu/core/frame_spec.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

/// What a view shows along the picked column.
struct ViewLine {
    std::string view; ///< the view's id, see nameOf(ViewState)
    std::vector<float> values;
    std::optional<ValueRange> range; ///< the range that the values are shown in, with their unit
    Axis along;                      ///< the axis along the line: depth or sample
};

/// Two-sided spectrum of a line of I and Q, with a Hann window.
struct IqSpectrum {
    std::string stage;          ///< id of the stage whose output it is
    std::vector<float> levelDb; ///< relative to the maximum, negative frequencies first
    double startHz = 0.0;       ///< of the first level, negative: 0 is the carrier that was
                                ///< removed
    double stepHz = 0.0;
    double demodulationHz = 0.0; ///< the carrier
};

struct ColumnData {
    double lateralM = 0.0;
    std::int64_t frame = 0;
    std::int64_t transmit = 0; ///< the least steered one
    std::int64_t channel = 0;  ///< the channel whose element is nearest to the column
    /// OCT spectra: rf counts samples instead of seconds, spectrumDb is empty, and the last group
    /// of members is filled instead of envelope.
    bool oct = false;
    std::int64_t line = 0; ///< A-scan within its B-scan, as recorded
    // Raw line, before any stage: physical value over time.
    std::vector<float> rf; ///< of IQ data the real part
    double rfStartS = 0.0;
    double rfStepS = 0.0;
    std::vector<std::size_t> clipped; ///< see clipping.hpp
    // Spectrum of the raw line with a Hann window, in dB relative to its maximum. For IQ data it is
    // centred on the demodulation frequency.
    std::vector<float> spectrumDb;
    double spectrumStartHz = 0.0;
    double spectrumStepHz = 0.0;
    /// The same line where stages have made it complex; empty where none does.
    std::optional<IqSpectrum> iq;
    // Envelope down the column, linear, in the pipeline's units. Empty where the pipeline computes
    // none.
    std::vector<float> envelope;
    double depthStartM = 0.0;
    double depthStepM = 0.0;
    // In place of the envelope for images that were recorded as levels or pictures: the column as
    // it is shown.
    std::vector<float> shown;
    std::optional<ValueRange> shownRange;
    // Output of k_linearize: equally spaced in wavenumber over the same range. Empty without that
    // stage.
    std::vector<float> remapped;
    // The finished A-scan, in the image's unit (dB), over depthStartM and depthStepM.
    std::vector<float> ascan;
    std::string ascanUnit;
    std::string depthUnit;         ///< "m", or empty: bins
    std::optional<PeakShape> peak; ///< highest peak of the A-scan, in samples of the A-scan
    /// Lines of the views that have the same columns as the first one, in the order of the views.
    /// Empty where the pipeline has a single view and it is an image.
    std::vector<ViewLine> views;
};

/// All channels of one transmit as recorded, for display: magnitudes of the codes minus codeOffset.
/// Where there are more than kMostRows samples, each row holds the greatest of several consecutive
/// samples.
struct ChannelMatrix {
    static constexpr std::int64_t kMostRows = 2048;

    std::int64_t frame = 0;
    std::int64_t transmit = 0;
    std::int64_t channels = 0;
    std::int64_t rows = 0;      ///< in time
    double startS = 0.0;        ///< time of row 0, on the clock of Transmit::firstSampleS
    double stepS = 0.0;         ///< from row to row
    std::vector<float> level{}; ///< [channel][row]
};

/// Reads raw lines of one recording. Allocates only when constructed.
class RawLineReader {
public:
    explicit RawLineReader(const FrameSpec& raw);
    // `frame` is one raw frame in host memory.
    /// Reads the raw line and its spectrum of the channel whose element is nearest to `place` in x
    /// and y; depth does not count.
    void readChannel(ColumnData& column, const std::byte* frame, const Point& place);
    /// The same for channel number `index`, clamped to the channels that exist.
    void readChannel(ColumnData& column, const std::byte* frame, std::int64_t index);
    /// Returns no channels where the recording is no channel data or has no such transmit.
    ChannelMatrix readChannels(const std::byte* frame, std::int64_t transmit) const;
    /// Reads the raw spectrum of an A-scan. `line` counts all lines of the frame.
    void readSpectrum(ColumnData& column, const std::byte* frame, std::int64_t line) const;

private:
    const Point* elementOf(std::int64_t transmit, std::int64_t channel) const;
    std::int64_t straightestTo(double lateralM) const;
    void readLine(ColumnData& column, const std::byte* frame);
    void takeSpectrum(ColumnData& column, const std::vector<Complex>& line);

    FrameSpec m_raw;
    LineSpectrum m_spectrum;
};

/// The axis that counts the columns of an image: lateral, channel for channel data, or time for
/// pictures of one place. Null where there is none of them.
const Axis* acrossOf(const FrameSpec& image);
/// Index of the image column nearest to `place`, which is a coordinate on that axis; clamped to the
/// image. Precondition: acrossOf() is not null.
std::int64_t columnIndex(const FrameSpec& image, double place);

} // namespace echolux
