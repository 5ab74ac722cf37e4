// SPDX-License-Identifier: GPL-3.0-or-later
// Records for the scan-line kernels of Gronvold 2008, and the measurement of one kernel on them.
#pragma once

#include "app/bench/documents.hpp"
#include "gpu/ladder/echo_field.hpp"
#include "gpu/memory/buffer.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace echolux {

/// Echoes in the form that the kernels read: codes or floats, at fs or at 4 fs.
class ScanData {
public:
    /// Records computed from the echoes. `shape` gives channels, samples, beams, factor and
    /// numbers.
    ScanData(const Exec& exec, const ladder::ScanProblem& shape);
    /// The shape's records, in compute memory.
    ScanData(const Exec& exec, const ladder::ScanProblem& shape, Buffer records,
             ladder::SampleAt exact);
    ~ScanData();
    ScanData(const ScanData&) = delete;
    ScanData& operator=(const ScanData&) = delete;

    struct Measured {
        double ms = 0.0;
        double deviation = 0.0;
        double bytes = 0.0; ///< bytes that must be read and written once
    };
    /// `problem` has the shape of the records. Its lines, weights, constants, order and block may
    /// differ.
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
    ladder::SampleAt m_exact; ///< the records' values in double precision
    device::Texture m_recordTexture = 0;
    device::Texture m_weightTexture = 0;
};

constexpr double kAllowedOfLines = 5e-3; ///< allowed deviation, with codes and texture units

/// Samples of the records that are read per second, with deviation and GB/s.
DocumentEntry scanEntry(const char* table, std::string name, const ladder::ScanProblem& problem,
                        const ScanData::Measured& measured);

/// Gronvold's cycles: those of his 128 processors at 1.35 GHz for one thread.
constexpr double kCyclesPerS = 128.0 * 1.35e9;

/// The shapes of tables 2 to 5 and of table 6.
ladder::ScanProblem scanShape(bool reduced);
ladder::ScanProblem realTimeShape(bool reduced);

} // namespace echolux
