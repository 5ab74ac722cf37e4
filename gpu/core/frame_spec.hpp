// SPDX-License-Identifier: GPL-3.0-or-later
// What a frame of data is: sample type, named axes with spacing and unit, signal facts, geometry.
#pragma once

#include "gpu/core/acquisition.hpp"
#include "gpu/core/dtype.hpp"
#include "gpu/core/pose.hpp"
#include "gpu/core/spectrometer.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

enum class AxisName {
    Frame,
    Transmit,
    Channel,
    Sample,
    Elevation,
    Depth,
    Lateral,
    Velocity, ///< of a Doppler spectrum, along or towards the beam
    SlowTime, ///< from frame to frame, for pictures of what happens at one place
    Bubble,   ///< places in a list, see gpu/flow/bubbles.hpp
    Property, ///< what is known of each
};
std::string_view nameOf(AxisName name); ///< "frame", "transmit", ..., "property"

/// Coordinate of index i is origin + i * spacing, in `unit`.
struct Axis {
    AxisName name = AxisName::Sample;
    std::int64_t size = 0;
    double spacing = 1.0;
    double origin = 0.0;
    std::string unit; ///< SI: "m", "s", "m/s"; empty for plain indices

    bool operator==(const Axis&) const = default;
};

/// The range in which values are shown, for example -60 to 0 dB.
struct ValueRange {
    double min = 0.0;
    double max = 1.0;
    std::string unit;      ///< "dB", or empty
    std::string reference; ///< what 0 dB is, for example "running maximum"

    bool operator==(const ValueRange&) const = default;
};

/// The lowest and the highest code of a converter. It clips at them.
struct ConverterRange {
    double lowest = 0.0;
    double highest = 0.0;

    /// The range of the samples x * factor + offset.
    ConverterRange mapped(double factor, double offset) const;

    bool operator==(const ConverterRange&) const = default;
};

/// How recorded B-scans, of OCT or ultrasound, make volumes.
struct VolumeStack {
    std::int64_t bscansPerVolume = 1; ///< of all places together; 1 = no volume
    double spacingM = 0.0;            ///< from one place of a volume to the next; 0 = unknown
    /// B-scans of each place, one after the other. With volumes it divides bscansPerVolume.
    std::int64_t repeats = 1;

    std::int64_t places() const { return std::max<std::int64_t>(bscansPerVolume / repeats, 1); }
    bool operator==(const VolumeStack&) const = default;
};

/// How ensembles of `frames` B-scans of `stack` make volumes. An ensemble counts as one B-scan, of
/// one place. Where `repeats` is 1, the recording may not know of repeats, so neighbours in the
/// stack become one place. No volume where volumes do not consist of whole ensembles.
VolumeStack stackOfEnsembles(const VolumeStack& stack, std::int64_t frames);

/// Levels that the image shows black and white at first, for samples as they are stored.
struct SuggestedLevels {
    double darkDb = 0.0;
    double brightDb = 0.0;

    bool operator==(const SuggestedLevels&) const = default;
};

/// What may be mixed where a value between samples is wanted.
enum class ValueKind : std::uint8_t {
    Plain,     ///< the values themselves, for example RF echoes or brightness
    Amplitude, ///< the values, which are 0 or greater
    Power,     ///< the values, which are squares of amplitudes
    Level,     ///< dB of an amplitude: the amplitudes are mixed
    Cyclic,    ///< places on a circle of FrameSpec::cycle: the unit vectors are mixed
    Label,     ///< names in form of numbers: the nearest one counts
};

struct Sector;       ///< gpu/core/sector.hpp
struct SectorBounds; ///< gpu/core/sector.hpp

/// How far a recorded frame was processed before it was recorded.
enum class RecordedForm : std::uint8_t {
    Signals,    ///< channel data, or spectra
    Beamformed, ///< an image of real (RF) or complex (IQ) echoes
    Envelope,   ///< an image of their amplitudes
    Decibels,   ///< an image of levels in dB
    Picture,    ///< brightness of pixels, without a known meaning
};
/// "signals", "beamformed", "envelope", "decibels", "picture"
std::string_view nameOf(RecordedForm form);

/// Row-major and dense: the last axis is contiguous. Channel data is [transmit][channel][sample]
/// with a Sample axis in seconds (spacing = 1 / sampling frequency; the time of sample 0 is per
/// transmit, see Transmit::firstSampleS). Raw OCT spectra are [lateral][sample], or
/// [elevation][lateral][sample] for several B-scans in one frame, with a Sample axis of plain
/// indices and a spectrometer. Images are [depth][lateral] (ultrasound) or [lateral][depth] (OCT,
/// where each line is computed as a whole), in metres; an axis with an unknown scale has no unit.
/// Ultrasound volumes are [elevation][depth][lateral]. In beam space `sector` is set, and Lateral
/// counts its lines: see lateralAxisOf(). An ensemble is several frames of one place, one after the
/// other. Its Frame axis stands before all others, in seconds where the frame interval is known.
/// Pictures of one place over time are [depth][slow_time] (M-mode) or [velocity][slow_time]
/// (sonogram): the newest line is the last one, at time 0. Velocities fall from row to row.
struct FrameSpec {
    DType dtype = DType::F32;
    std::vector<Axis> axes;
    double codeOffset = 0.0; ///< physical value = (code - codeOffset) * codeScale
    double codeScale = 1.0;
    std::optional<ConverterRange> converterRange; ///< of a recorded sample: in codes, or in values
                                                  ///< after a stage has turned codes into values;
                                                  ///< empty where unknown
    /// Largest magnitude of a recorded sample that was found at opening, a physical value. 0 where
    /// it was not searched, for example because converterRange is known.
    double recordedPeak = 0.0;
    RecordedForm recordedForm = RecordedForm::Signals;
    double centreFrequencyHz = 0.0;       ///< of the transmitted pulse
    double demodulationFrequencyHz = 0.0; ///< of IQ data; 0 for RF
    std::optional<ValueRange> valueRange;
    ValueKind valueKind = ValueKind::Plain;
    double cycle = 0.0;    ///< of cyclic values: values that differ by this mean the same
    bool isOneWay = false; ///< of an image: sound came from its places, and none was sent to them
    bool hasGaps = false;  ///< F32 images: a pixel that is not a number has no data
    std::shared_ptr<const Pose> pose;                 ///< null where unknown
    std::shared_ptr<const Acquisition> acquisition;   ///< null once geometry no longer matters
    std::shared_ptr<const Spectrometer> spectrometer; ///< OCT only; null for ultrasound
    VolumeStack stack;
    double frameIntervalS = 0.0; ///< from one recorded frame to the next; 0 = unknown
    std::optional<SuggestedLevels> suggestedLevels; ///< empty where unknown
    std::shared_ptr<const Sector> sector;       ///< between beamform and scan_conversion; else null
    std::shared_ptr<const SectorBounds> within; ///< after scan_conversion; else null
    /// Of delayed channels, or images of transmits: how many follow each other along a line of the
    /// array, and then the next line follows, see elementsPerLine(). 0: unknown.
    std::int64_t termsPerLine = 0;
    SpectralGrid spectralGrid; ///< between k_linearize and inverse_fft
    /// Of an ensemble of OCT: each frame stands so often in a row, each time as another band of its
    /// spectrum shows it. 1: whole spectra.
    std::int64_t bands = 1;
    /// Of an ensemble: windows overlap, so that any frame of the recording may be the first.
    bool slides = false;

    std::int64_t count() const; ///< samples in one frame
    std::size_t bytes() const;
    const Axis* find(AxisName name) const;    ///< null where the frame has no such axis
    std::int64_t sizeOf(AxisName name) const; ///< 1 where the frame has no such axis
    double samplingFrequencyHz() const;       ///< 1 / spacing of the Sample axis, 0 without one
    std::string describe() const;             ///< "f32 [transmit 7][channel 128][sample 2688]"
    bool isEnsemble() const { return !axes.empty() && axes.front().name == AxisName::Frame; }
    /// Same memory layout: dtype and axis names and sizes agree.
    bool sameLayout(const FrameSpec& other) const;
};

inline constexpr std::int64_t kMostEnsembleFrames = 1024;
/// An ensemble of `frames` frames like `frame`; for 1, `frame` itself.
FrameSpec ensembleOf(FrameSpec frame, std::int64_t frames);
/// One frame of an ensemble; other frames are returned unchanged.
FrameSpec oneFrameOf(FrameSpec spec);

} // namespace echolux
