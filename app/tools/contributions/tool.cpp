// SPDX-License-Identifier: GPL-3.0-or-later
// Sums the terms of the selected pixel, and shows how far they agree.
#include "app/tools/contributions/tool.hpp"

#include "app/desktop/workbench/recording_text.hpp"
#include "app/desktop/workbench/tool_type.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/lab/beam_geometry.hpp"
#include "app/session/pixel_terms.hpp"
#include "gpu/core/error.hpp"
#include "ui/lab/contribution_plot.hpp"

#include <cmath>
#include <complex>
#include <vector>

namespace echolux {
namespace {

constexpr std::int64_t kProbePauseMs = 100;

BeamformedPixel pixelOf(const lab::BeamGeometry& geometry, const lab::PlanePoint& at,
                        std::int64_t slice) {
    const auto line = geometry.lineOf(at);
    if (!line) return {.lateralM = at.x, .depthM = at.z, .slice = slice};
    return {.lateralM = at.x,
            .depthM = geometry.placeOf(at).range,
            .column = static_cast<std::int64_t>(*line)};
}

/// The parts of the terms along their sum; of RF the terms themselves.
Contributions contributionsOf(const std::vector<Complex>& terms, bool complex) {
    std::complex<double> sum;
    double magnitudes = 0.0;
    std::int64_t counted = 0;
    for (const Complex& term : terms) {
        const std::complex<double> value{term.re, term.im};
        sum += value;
        magnitudes += std::abs(value);
        counted += value != 0.0 ? 1 : 0;
    }
    const double length = std::abs(sum);
    const std::complex<double> along =
        complex && length > 0.0 ? std::conj(sum) / length : std::complex<double>{1.0, 0.0};
    Contributions shown;
    for (const Complex& term : terms) {
        const std::complex<double> value{term.re, term.im};
        shown.inPhase.push_back((value * along).real());
        if (complex) shown.magnitude.push_back(std::abs(value));
    }
    shown.text = QString("%1 elements").arg(counted);
    if (magnitudes > 0.0) shown.agreement = length / magnitudes;
    return shown;
}

} // namespace

namespace tools {

ToolType contributions();
ToolType contributions() {
    return toolType<ContributionPlot, ContributionsTool>("contributions", "Contributions",
                                                         ToolType::Place::Closed, "Beams");
}

} // namespace tools

ContributionsTool::ContributionsTool(ContributionPlot& plot, Workbench& bench)
    : m_plot(plot), m_bench(bench), m_runner(bench, kProbePauseMs),
      m_terms(std::make_shared<PixelTerms>()) {
    connect(&bench, &Workbench::pipelineChanged, this, &ContributionsTool::request);
    connect(&bench, &Workbench::selectionChanged, this, &ContributionsTool::request);
    connect(&bench, &Workbench::framePresented, this, &ContributionsTool::request);
    connect(&plot, &ContributionPlot::sightChanged, this, &ContributionsTool::request);
    connect(&m_runner, &ProbeRunner::due, this, &ContributionsTool::compute);
}

void ContributionsTool::request() {
    if (!m_plot.isVisible()) return;
    if (!m_bench.isOpen() || m_bench.beams() == nullptr)
        return m_plot.clear("Open a recording of channel data that is beamformed");
    if (!m_bench.selectedPixel()) return m_plot.clear();
    m_runner.request();
}

void ContributionsTool::compute() {
    if (!m_bench.isOpen() || !m_plot.isVisible()) return;
    const lab::BeamGeometry* beams = m_bench.beams();
    const auto at = m_bench.selectedPixel();
    if (beams == nullptr || !at) return;
    std::shared_ptr<const PixelChain> chain;
    try {
        chain = std::make_shared<const PixelChain>(
            pixelChain(*m_bench.snapshot(), pixelOf(*beams, *at, m_bench.chosenBscan())));
    } catch (const Error& error) {
        return m_plot.clear(m_bench.inLabels(error.what()));
    }
    const QString place = pixelText(at->x, at->z) + ", ";
    const bool complex = isComplex(beams->input().dtype);
    auto found = std::make_shared<Contributions>();
    m_runner.start({.prepare = [terms = m_terms, chain] { terms->prepare(*chain); },
                    .take =
                        [terms = m_terms](const ProbedFrame& frame) {
                            terms->take(frame.samples);
                            return true;
                        },
                    .compute = [terms = m_terms, found,
                                complex] { *found = contributionsOf(terms->terms(), complex); },
                    .accept =
                        [this, found, place](const ProbeOutcome& outcome) {
                            if (!outcome.problem.empty())
                                return m_plot.clear(m_bench.inLabels(outcome.problem));
                            if (!outcome.taken || !m_bench.selectedPixel()) return;
                            found->text.prepend(place);
                            m_plot.setContributions(*found);
                        }});
}

} // namespace echolux
