// SPDX-License-Identifier: GPL-3.0-or-later
// Records, textures, and the kernels' times and deviations.
#include "app/bench/scan_data.hpp"

#include "app/bench/runs.hpp"
#include "app/prediction/timed_work.hpp"

#include <utility>

namespace echolux {

ScanData::ScanData(const Exec& exec, const ladder::ScanProblem& shape)
    : m_exec(exec), m_shape(shape), m_field(shape, m_geometry),
      m_records(shape.numbers == device::TextureNumbers::Int16
                    ? inComputeMemory(exec, m_field.codes(shape.factor))
                    : inComputeMemory(exec, m_field.values(shape.factor))),
      m_weights(inComputeMemory(exec, ladder::apodizationCodes(shape, m_geometry))) {
    m_exact = [this](int beam, int channel, std::int64_t n) {
        return m_field.at(beam, channel, static_cast<double>(n) / m_shape.factor);
    };
    bind();
}

ScanData::ScanData(const Exec& exec, const ladder::ScanProblem& shape, Buffer records,
                   ladder::SampleAt exact)
    : m_exec(exec), m_shape(shape), m_field(shape, m_geometry), m_records(std::move(records)),
      m_weights(inComputeMemory(exec, ladder::apodizationCodes(shape, m_geometry))),
      m_exact(std::move(exact)) {
    bind();
}

ScanData::~ScanData() {
    if (m_exec.backend == Backend::Cpu) return;
    device::destroyTexture(m_recordTexture);
    device::destroyTexture(m_weightTexture);
}

void ScanData::bind() {
    if (m_exec.backend == Backend::Cpu) return;
    const bool codes = m_shape.numbers == device::TextureNumbers::Int16;
    const auto samples = static_cast<std::size_t>(m_shape.recordSamples());
    m_recordTexture = device::createClampedTexture(
        m_records.data(), m_shape.numbers, samples, static_cast<std::size_t>(m_shape.records()),
        samples * (codes ? sizeof(std::int16_t) : sizeof(float)));
    const auto weights = static_cast<std::size_t>(m_shape.samples);
    m_weightTexture = device::createClampedTexture(
        m_weights.data(), device::TextureNumbers::Int16, weights,
        static_cast<std::size_t>(m_shape.channels), weights * sizeof(std::int16_t));
}

ScanData::Measured ScanData::measure(const DocumentBench& bench,
                                     const ladder::ScanProblem& problem) const {
    const std::vector<float> constants = ladder::scanConstants(problem, m_geometry);
    ladder::loadScanConstants(m_exec, constants);
    const ladder::ScanInput input{m_records.data(), m_weights.as<std::int16_t>(), m_recordTexture,
                                  m_weightTexture, constants.data()};
    const Buffer out(computeMemory(m_exec.backend),
                     static_cast<std::size_t>(problem.outputs()) * sizeof(float));
    fillBytes(m_exec, out.data(), 0xFF, out.bytes());
    Measured measured;
    measured.ms = medianWorkMs(m_exec, bench.repeat, 1, [&] {
        ladder::sumScanLines(m_exec, problem, input, out.as<float>());
    });
    measured.deviation =
        ladder::scanDeviation(problem, m_geometry, m_field, m_exact, onHost(m_exec, out).data());
    measured.bytes = static_cast<double>(m_records.bytes() + out.bytes());
    return measured;
}

DocumentEntry scanEntry(const char* table, std::string name, const ladder::ScanProblem& problem,
                        const ScanData::Measured& measured) {
    DocumentEntry entry{.table = table, .entry = std::move(name), .unit = "samples/s"};
    entry.measured = problem.samplesRead() / (measured.ms * 1e-3);
    entry.deviation = measured.deviation;
    entry.allowed = kAllowedOfLines;
    entry.gigabytesPerS = measured.bytes / measured.ms / 1e6;
    return entry;
}

ladder::ScanProblem scanShape(bool reduced) {
    ladder::ScanProblem shape;
    shape.samples = reduced ? 768 : 6144;
    shape.beams = reduced ? 3 : 40;
    return shape;
}

ladder::ScanProblem realTimeShape(bool reduced) {
    ladder::ScanProblem shape = scanShape(reduced);
    shape.samples = reduced ? 640 : 5120;
    return shape;
}

} // namespace echolux
