// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/aberration_parts.hpp"

#include "gpu/aberration/element_grid.hpp"
#include "gpu/aberration/estimator.hpp"
#include "gpu/aberration/host_estimate.hpp"
#include "gpu/memory/buffer.hpp"
#include "gpu/memory/preparation.hpp"
#include "gpu/memory/transfer.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

namespace echolux {
namespace {

using aberration::EstimatePart;

/// Clock times of the CPU, events of a CUDA stream. Allocates when constructed.
class Stopwatch {
public:
    Stopwatch(const Exec& exec, std::size_t most) : m_exec(exec), m_times(most) {
        for (std::size_t i = 0; i < most; ++i) m_events.emplace_back(exec.backend, true);
    }
    void start() { m_count = 0; }
    void mark() {
        m_times[m_count] = std::chrono::steady_clock::now();
        m_events[m_count++].record(m_exec);
    }
    /// From mark `i` to the next one.
    double ms(std::size_t i) const {
        m_events[i + 1].synchronize();
        if (m_exec.backend != Backend::Cpu)
            return device::elapsedMs(m_events[i].get(), m_events[i + 1].get());
        return std::chrono::duration<double, std::milli>(m_times[i + 1] - m_times[i]).count();
    }

private:
    Exec m_exec;
    std::vector<std::chrono::steady_clock::time_point> m_times;
    std::vector<Event> m_events;
    std::size_t m_count = 0;
};

void add(EstimateParts& parts, EstimatePart part, double ms) {
    switch (part) {
    case EstimatePart::Sums: parts.sumsMs += ms; break;
    case EstimatePart::Solution: parts.solutionMs += ms; break;
    case EstimatePart::End: parts.endMs += ms; break;
    }
}

void scaleAsUsual(const Exec& exec, const Stream& stream, const Buffer& spectra) {
    aberration::Spectra onHost;
    onHost.values.resize(spectra.bytes() / sizeof(Complex));
    downloadRaw(exec, onHost.values.data(), spectra.data(), spectra.bytes());
    stream.synchronize();
    aberration::toUsualScale(onHost);
    upload(exec, spectra.data(), onHost.values.data(), spectra.bytes());
    stream.synchronize();
}

} // namespace

EstimateParts estimateParts(Backend backend, const FrameSpec& input, const void* samples,
                            const aberration::FocusParams& focus,
                            const aberration::SolveParams& solve) {
    constexpr int kRuns = 5;
    aberration::checkFocus(input, focus);
    const Preparation preparation;
    const Stream stream(backend, "times of aberration");
    const Exec exec{backend, stream.get()};
    const MemoryKind memory = computeMemory(backend);
    const aberration::ElementGrid grid = aberration::elementGrid(input.acquisition->probe);
    aberration::Focus focuser(input, grid, focus);
    aberration::Estimator estimator(
        grid, focuser.mostPoints(),
        aberration::binsOf(focus.centreHz, focus.bandwidthHz, focus.bins),
        aberration::independentBins(focus.bandwidthHz, focus.bins, focus.gateS), solve);
    const Buffer raw(memory, input.bytes());
    const Buffer tables(memory, estimator.tableBytes());
    const Buffer spectra(memory,
                         static_cast<std::size_t>(estimator.spectraCount()) * sizeof(Complex));
    const Buffer scratch(memory, estimator.scratchBytes());
    const auto elements = static_cast<std::size_t>(estimator.elements());
    const auto places = static_cast<std::size_t>(grid.places());
    const Buffer results(memory, (places + 3 * elements + aberration::kFigures) * sizeof(float));
    auto* phase = results.as<float>();
    float* delay = phase + places;
    upload(exec, raw.data(), samples, input.bytes());
    estimator.prepare(exec, tables.data());
    focuser.allocate(exec);
    focuser.set(exec, focus);
    // Least squares takes two marks per pass.
    Stopwatch watch(exec,
                    8 + 2 * static_cast<std::size_t>(std::max<std::int64_t>(solve.passes, 1)));
    std::vector<EstimatePart> order;
    const aberration::EstimateHooks hooks{.afterPart = [&](EstimatePart part) {
        watch.mark();
        order.push_back(part);
    }};
    EstimateParts parts;
    for (int run = -1; run < kRuns; ++run) {
        watch.start();
        watch.mark();
        focuser.run(exec, raw.data(), spectra.as<Complex>());
        watch.mark();
        stream.synchronize();
        if (run >= 0) parts.focusMs += watch.ms(0) / kRuns;
    }
    // The number of iterations depends on the scale.
    if (aberration::isIterated(solve.method)) scaleAsUsual(exec, stream, spectra);
    for (int run = -1; run < kRuns; ++run) {
        order.clear();
        fillBytes(exec, phase, 0, places * sizeof(float));
        stream.synchronize();
        watch.start();
        watch.mark();
        estimator.run(exec, spectra.as<Complex>(), phase, scratch.data(),
                      {delay, delay + elements, delay + 2 * elements, delay + 3 * elements}, hooks);
        stream.synchronize();
        if (run < 0) continue;
        for (std::size_t i = 0; i < order.size(); ++i) add(parts, order[i], watch.ms(i) / kRuns);
    }
    return parts;
}

} // namespace echolux
