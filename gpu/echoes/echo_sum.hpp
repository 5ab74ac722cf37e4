// SPDX-License-Identifier: GPL-3.0-or-later
// The echoes of point scatterers in the elements of any array, summed where the backend computes.
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

/// A scatterer, with what the medium does to its echo.
struct EchoPoint {
    Point at;
    double amplitude = 0.0; ///< of its echo, the attenuation of `pulse` included
    double centreM = 0.0;   ///< distance from the array's centre
    double decay = 0.0;     ///< Np/m, of ways longer than centreM
    std::int64_t pulse = 0; ///< number of its first value in EchoPulses::table
};

/// Pulses at all fractions of a sample.
struct EchoPulses {
    std::span<const double> table; ///< [shape][phases + 1][taps]
    std::int64_t phases = 0;       ///< that a sample is divided into
    std::int64_t taps = 0;
    std::int64_t lead = 0; ///< a pulse with its peak at n begins at sample n - lead
};

/// An element that sends, `sample` behind the origin of the common clock.
struct Firing {
    std::int64_t element = 0;
    double sample = 0.0;
    double weight = 1.0;
};

/// Who sends, who listens, and when.
struct EchoArray {
    echoes::ElementShape shape;
    std::vector<echoes::ElementFace> faces;   ///< of each element
    std::vector<std::vector<Firing>> firings; ///< of each transmit
    std::vector<std::int64_t> firstSamples;   ///< of each transmit's record, on the common clock
    std::vector<std::int32_t> heard;          ///< [transmit][channel]: the element
    std::int64_t channels = 0;
    std::int64_t samples = 0; ///< of a record
    double samplesPerMetre = 0.0;
    std::int64_t fineness = 1; ///< points between samples where fields are kept
    double samplingHz = 0.0;   ///< for delays of screens
    echoes::ScreenTables screens;
    bool screensOnTransmit = true; ///< sent pulses pass them too, not echoes alone
};

/// How much is kept at once.
struct EchoRoom {
    std::int64_t points = 0; ///< scatterers, at most
    std::int64_t bytes = 0;  ///< of their paths, and of their fields, at most

    /// On CUDA by what is free there.
    static EchoRoom of(Backend backend);
};

/// For each scatterer and each transmit the field there, which is the sum of the pulses of all
/// parts of all elements that fire,
///   u(t) = b sum over e of a_e g_e exp(-d (l_e - r)) p(t - t_e - l_e / c),
/// is built once on a grid `fineness` times as fine as the samples, and each channel adds what it
/// hears of it, g_k exp(-d (l_k - r)) u(t - l_k / c), by a cubic through four points of that grid:
/// at 24 points per period within 1e-4 of the peak. Screens delay and weight what goes along the
/// straight way between an element's centre and a scatterer (see echoes::passScreens). In double
/// precision on both backends; each sample is summed in the order of the scatterers, so that
/// results depend on neither the number of threads nor the size of runs. The CPU's are the same on
/// every machine; those of a GPU differ from them by the rounding of its functions.
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
    bool m_sendsPastScreens = false; ///< sent pulses pass no screens where echoes do
    EchoPulses m_pulses;
    std::int64_t m_fieldRoom = 0;       ///< values of a field, at most
    std::int64_t m_run = 1;             ///< scatterers whose fields are kept at once
    std::int64_t m_transmitsAtOnce = 1; ///< transmits, likewise
    ComputeTable<double> m_table;
    ComputeTable<echoes::ElementFace> m_faces;
    ComputeTable<Firing> m_firings;           ///< of one transmit after the other
    ComputeTable<std::int64_t> m_firingStart; ///< [transmit + 1]
    ComputeTable<std::int64_t> m_firstSamples;
    ComputeTable<std::int32_t> m_heard;
    ComputeTable<echoes::Screen> m_screens;
    ComputeTable<double> m_screenValues;
    Buffer m_points;
    Buffer m_pathSamples; ///< [element][part][scatterer]
    Buffer m_pathGains;   ///< likewise
    Buffer m_sentSamples; ///< the same of sent pulses, where they pass no screens
    Buffer m_sentGains;
    Buffer m_extents; ///< [transmit][scatterer]
    Buffer m_fields;  ///< [transmit][scatterer][phase][sample]
    Buffer m_sum;     ///< on CUDA
};

} // namespace echolux
