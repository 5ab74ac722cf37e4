// SPDX-License-Identifier: GPL-3.0-or-later
// One picked image column: the raw line of the channel above it, its spectrum, and the envelope
// down the column; of OCT the A-scan's spectrum as recorded and as resampled, and the A-scan
// itself.
#pragma once

#include "app/session/column/peak_shape.hpp"
#include "gpu/core/complex.hpp"
#include "gpu/core/frame_spec.hpp"
#include "gpu/fft/fft.hpp"
#include "gpu/memory/buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

/// What a view shows along the picked column.
struct ViewLine {
    std::string view; ///< its id, see nameOf(ViewState)
    std::vector<float> values;
    std::optional<ValueRange> range; ///< that they are meant for, with their unit
    Axis along;                      ///< down the view: depth or sample
};

struct ColumnData {
    double lateralM = 0.0;
    std::int64_t frame = 0;
    std::int64_t transmit = 0; ///< the least steered one
    std::int64_t channel = 0;  ///< nearest to the column
    /// Of OCT spectra: rf counts samples instead of seconds, there is no spectrumDb, and the last
    /// group of members is filled instead of envelope.
    bool oct = false;
    std::int64_t line = 0; ///< A-scan within its B-scan, as recorded
    // Raw line, before any stage: physical value over time.
    std::vector<float> rf; ///< real part of IQ data
    double rfStartS = 0.0;
    double rfStepS = 0.0;
    std::vector<std::size_t> clipped; ///< see clipping.hpp
    // Its spectrum, Hann window: dB re its maximum. Centred on the demodulation frequency for IQ
    // data.
    std::vector<float> spectrumDb;
    double spectrumStartHz = 0.0;
    double spectrumStepHz = 0.0;
    // Envelope down the column, linear, in the pipeline's units; empty where the pipeline takes
    // none.
    std::vector<float> envelope;
    double depthStartM = 0.0;
    double depthStepM = 0.0;
    // Of images recorded as levels or pictures instead: the column as it is shown.
    std::vector<float> shown;
    std::optional<ValueRange> shownRange;
    // What leaves k_linearize, equally spaced in wavenumber over the same range; empty without it.
    std::vector<float> remapped;
    // The finished A-scan, in the image's unit (dB), over depthStartM and depthStepM.
    std::vector<float> ascan;
    std::string ascanUnit;
    std::string depthUnit;         ///< "m", or empty: bins
    std::optional<PeakShape> peak; ///< of the A-scan, in its samples
    /// In the order of the views: those whose columns are those of the first one. Empty where the
    /// pipeline has one view and that is an image.
    std::vector<ViewLine> views;
};

/// All channels of one transmit as they were recorded, for looking at. Magnitude less the code's
/// zero; of several samples in a row the greatest, where there are more than kMostRows.
struct ChannelMatrix {
    static constexpr std::int64_t kMostRows = 2048;

    std::int64_t frame = 0;
    std::int64_t transmit = 0;
    std::int64_t channels = 0;
    std::int64_t rows = 0;      ///< in time
    double startS = 0.0;        ///< where row 0 begins, on the clock of Transmit::firstSampleS
    double stepS = 0.0;         ///< from row to row
    std::vector<float> level{}; ///< [channel][row]
};

/// Reads raw lines of one recording; allocates once.
class RawLineReader {
public:
    explicit RawLineReader(const FrameSpec& raw);
    // From one raw frame in host memory.
    /// The raw line, and its spectrum, of the channel whose element is nearest to `place` on the
    /// face, seen along depth.
    void readChannel(ColumnData& column, const std::byte* frame, const Point& place);
    /// The same of channel number `index`, clamped to those that there are.
    void readChannel(ColumnData& column, const std::byte* frame, std::int64_t index);
    /// Empty where the recording is no channel data or has no such transmit.
    ChannelMatrix readChannels(const std::byte* frame, std::int64_t transmit) const;
    /// The raw spectrum of an A-scan, counted through the frame.
    void readSpectrum(ColumnData& column, const std::byte* frame, std::int64_t line) const;

private:
    const Point* elementOf(std::int64_t transmit, std::int64_t channel) const;
    std::int64_t straightestTo(double lateralM) const;
    void readLine(ColumnData& column, const std::byte* frame);
    void takeSpectrum(ColumnData& column, const std::vector<Complex>& line);

    FrameSpec m_raw;
    FftShape m_shape;
    std::unique_ptr<Fft> m_fft;
    Buffer m_in;
    Buffer m_out;
    Buffer m_work;
};

/// The axis that columns of an image are counted along: lateral, or of channel data channel. Null
/// where it has neither.
const Axis* acrossOf(const FrameSpec& image);
/// Index of the image column nearest to `place` on that axis, in its unit, clamped to the image.
/// Precondition: it has one.
std::int64_t columnIndex(const FrameSpec& image, double place);

} // namespace echolux
