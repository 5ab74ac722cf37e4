// SPDX-License-Identifier: GPL-3.0-or-later
// The sum of the echoes of point scatterers in the elements of any array, on either backend.
#pragma once

#include "gpu/echoes/element_path.hpp"
#include "gpu/echoes/screen_path.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/stage/compute_table.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace echolux {

/// A scatterer, with the effect of the medium on its echo.
struct EchoPoint {
    Point at;
    double amplitude = 0.0; ///< amplitude of its echo, including the attenuation of `pulse`
    double centreM = 0.0;   ///< distance from the array's centre
    double decay = 0.0;     ///< attenuation in Np/m of the part of a way beyond centreM
    std::int64_t pulse = 0; ///< number of its first value in EchoPulses::table
    double strength = 1.0;  ///< a square of the field is multiplied by it, see Echoed
};

/// Pulses at all fractions of a sample.
struct EchoPulses {
    std::span<const double> table; ///< [shape][phases + 1][taps]
    std::int64_t phases = 0;       ///< number of phases per sample
    std::int64_t taps = 0;
    std::int64_t lead = 0;               ///< a pulse of time n begins at sample n - lead
    std::span<const double> turned = {}; ///< as table, but a quarter of a period later: for squares
};

/// What scatterers send back of a sent field u with its quadrature v (the Hilbert transform): the
/// field, or the real or the imaginary part of (u + j v)^2. The latter two are a second harmonic
/// and its quadrature; they have no part at low frequencies.
enum class Echoed : std::uint8_t { Field, Square, TurnedSquare };

/// An element that sends. `sample` is its firing time on the common clock, in samples.
struct Firing {
    static constexpr std::int64_t kScatterers = -1; ///< no element: the scatterers themselves sound

    std::int64_t element = 0;
    double sample = 0.0;
    double weight = 1.0;
};

/// The elements, which of them send and listen in each transmit, and when.
struct EchoArray {
    echoes::ElementShape shape;
    std::vector<echoes::ElementFace> faces;   ///< of each element
    std::vector<std::vector<Firing>> firings; ///< of each transmit
    std::vector<std::int64_t> firstSamples;   ///< number of the first sample of each transmit's
                                              ///< record, on the common clock
    std::vector<std::int32_t> heard;          ///< [transmit][channel]: the element that the channel
                                              ///< hears
    std::int64_t channels = 0;
    std::int64_t samples = 0; ///< of a record
    double samplesPerMetre = 0.0;
    std::int64_t fineness = 1; ///< points per sample of the fields
    double samplingHz = 0.0;   ///< for delays of screens
    echoes::ScreenTables screens;
    bool screensOnTransmit = true; ///< sent pulses pass the screens too; false: only echoes do
    Echoed echoed = Echoed::Field;
};

/// Limits of memory.
struct EchoRoom {
    std::int64_t points = 0; ///< most scatterers
    std::int64_t bytes = 0;  ///< most bytes of their paths, and most bytes of their fields

    /// Limits for a backend; on CUDA they depend on the free memory.
    static EchoRoom of(Backend backend);
};

/// For each scatterer and each transmit the field at the scatterer is computed once, on a grid
/// `fineness` times as fine as the samples. It is the sum of the pulses of all parts of all
/// elements that fire:
///   u(t) = b sum over e of a_e g_e exp(-d (l_e - r)) p(t - t_e - l_e / c).
/// Then each channel adds its echo g_k exp(-d (l_k - r)) u(t - l_k / c), by a cubic through four
/// points of that grid. At 24 points per period the error is below 1e-4 of the peak. Screens delay
/// and weight sound on the straight way between an element's centre and a scatterer (see
/// echoes::passScreens).
///
/// With Echoed::Square a channel adds g_k exp(-2 d (l_k - r)) s Re((u + j v)^2) instead, with the
/// directivity g_k at twice the frequency and s EchoPoint::strength.
///
/// Both backends use double precision. Each sample is summed in the order of the scatterers, so
/// results depend neither on the number of threads nor on the number of scatterers handled at once.
/// Results of the CPU are the same on every machine. Those of a GPU differ by the rounding of its
/// functions.
class EchoSum {
public:
    /// Throws OutOfMemory where the array does not fit into the GPU's memory.
    EchoSum(Backend backend, const EchoArray& array, const EchoPulses& pulses)
        : EchoSum(backend, array, pulses, EchoRoom::of(backend)) {}
    EchoSum(Backend backend, const EchoArray& array, const EchoPulses& pulses,
            const EchoRoom& room);

    Backend backend() const { return m_exec.backend; }
    /// sum[transmit][channel][sample] += the echoes of `points`. Returns when it is done.
    void add(std::span<const EchoPoint> points, std::span<double> sum);

private:
    void addRun(std::span<const EchoPoint> run, double* sum);
    bool squares() const { return m_echoed != Echoed::Field; }

    Stream m_stream;
    Exec m_exec;
    echoes::ElementShape m_shape;
    std::int64_t m_elements = 0;
    std::int64_t m_transmits = 0;
    std::int64_t m_channels = 0;
    std::int64_t m_samples = 0;
    std::int64_t m_fineness = 1;
    double m_samplesPerMetre = 0.0;
    double m_samplingHz = 0.0;
    echoes::ScreenShape m_screenShape;
    std::int64_t m_screenCount = 0;
    std::int64_t m_sentScreenCount = 0; ///< of those that sent pulses pass
    Echoed m_echoed = Echoed::Field;
    bool m_sentPathsDiffer = false; ///< from those of echoes
    EchoPulses m_pulses;
    std::int64_t m_fieldRoom = 0;       ///< most values of a field
    std::int64_t m_run = 1;             ///< number of scatterers whose fields are kept at once
    std::int64_t m_transmitsAtOnce = 1; ///< number of transmits whose fields are kept at once
    ComputeTable<double> m_table;
    ComputeTable<double> m_turnedTable; ///< for squares
    ComputeTable<echoes::ElementFace> m_faces;
    ComputeTable<Firing> m_firings;           ///< of all transmits, one after the other
    ComputeTable<std::int64_t> m_firingStart; ///< [transmit + 1]
    ComputeTable<std::int64_t> m_firstSamples;
    ComputeTable<std::int32_t> m_heard;
    ComputeTable<echoes::Screen> m_screens;
    ComputeTable<double> m_screenValues;
    Buffer m_points;
    Buffer m_pathSamples; ///< [element][part][scatterer]
    Buffer m_pathGains;   ///< [element][part][scatterer]
    Buffer m_sentSamples; ///< m_pathSamples for sent pulses, where their paths differ
    Buffer m_sentGains;
    Buffer m_extents; ///< [transmit][scatterer]
    Buffer m_fields;  ///< [transmit][scatterer][phase][sample]
    Buffer m_turned;  ///< quadratures of the fields, for squares
    Buffer m_sum;     ///< on CUDA
};

} // namespace echolux
