// SPDX-License-Identifier: GPL-3.0-or-later
// Records for the scan-line kernels of Gronvold 2008, and one kernel's measurement on them.
#pragma once

#include "app/commands/bench_documents.hpp"
#include "gpu/ladder/echo_field.hpp"
#include "gpu/memory/buffer.hpp"

#include <cstdint>
#include <vector>

namespace echolux {

/// Echoes as the kernels read them, of one shape: codes at fs or floats at 4 fs.
class ScanData {
public:
    /// Of the echoes themselves. `shape`: channels, samples, beams and factor count.
    ScanData(const Exec& exec, const ladder::ScanProblem& shape);
    /// Of records at 4 fs that `records`, [beam][channel][4 sample] in compute memory, holds.
    ScanData(const Exec& exec, const ladder::ScanProblem& shape, Buffer records,
             ladder::SampleAt exact);
    ~ScanData();
    ScanData(const ScanData&) = delete;
    ScanData& operator=(const ScanData&) = delete;

    struct Measured {
        double ms = 0.0;
        double deviation = 0.0;
        double bytes = 0.0; ///< that must be read and written once
    };
    /// `problem` of the shape; its lines, weights, constants, order and block are its own.
    Measured measure(const DocumentBench& bench, const ladder::ScanProblem& problem) const;
    const ladder::EchoField& field() const { return m_field; }
    const Buffer& records() const { return m_records; }

private:
    void bind();

    Exec m_exec;
    ladder::ScanGeometry m_geometry;
    ladder::ScanProblem m_shape;
    ladder::EchoField m_field;
    Buffer m_records;
    Buffer m_weights;
    ladder::SampleAt m_exact; ///< what the records would hold in double precision
    device::Texture m_recordTexture = 0;
    device::Texture m_weightTexture = 0;
};

constexpr double kAllowedOfLines = 5e-3; ///< deviation, by codes and texture units

/// Greatest difference of 4xUP's output `up`, [line][4 sample], from its filters over `exact`,
/// [line][sample], in double precision at the ends of lines and a spread of places, over its
/// greatest magnitude.
double upDeviation(int taps, std::int64_t lines, std::int32_t samples,
                   const std::vector<float>& exact, const std::vector<float>& up);

/// The shape of tables 2 to 5, and of table 6.
ladder::ScanProblem scanShape(bool reduced);
ladder::ScanProblem realTimeShape(bool reduced);

} // namespace echolux
