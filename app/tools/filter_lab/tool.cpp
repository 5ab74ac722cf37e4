// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the interpolators in the pipeline in force, and tests filters in the background.
#include "app/tools/filter_lab/tool.hpp"

#include "app/desktop/workbench/tool_type.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/lab/filter_test.hpp"
#include "app/lab/read_response.hpp"
#include "ui/controls/number_text.hpp"
#include "ui/lab/filter_lab_panel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace echolux {
namespace {

lab::Upsampling upsamplingOf(const StageState& stage) {
    const auto number = [&](const char* key) {
        return std::get<std::int64_t>(stage.params.get(key));
    };
    const auto design = std::get<std::string>(stage.params.get("design"));
    return {static_cast<int>(number("factor")), number("taps"),
            design == "lagrange"        ? FractionalDesign::Lagrange
            : design == "least_squares" ? FractionalDesign::LeastSquares
                                        : FractionalDesign::Sinc};
}

LabCurve::Family familyOf(const lab::Interpolator& interpolator) {
    if (interpolator.before) return LabCurve::Family::Upsampled;
    switch (interpolator.kind) {
    case DelayInterpolation::Lagrange: return LabCurve::Family::Lagrange;
    case DelayInterpolation::Sinc: return LabCurve::Family::Sinc;
    case DelayInterpolation::LeastSquares: return LabCurve::Family::LeastSquares;
    default: return LabCurve::Family::Simple;
    }
}

/// Enough to compare kinds; a click shows the others.
bool isShownAtFirst(const QString& id) {
    static const QStringList kFirst{"linear",
                                    "lagrange_3",
                                    "lagrange_5",
                                    "sinc_6",
                                    "sinc_11",
                                    "least_squares_6",
                                    "upsample_3_sinc_11_linear"};
    return kFirst.contains(id);
}

QVector<double> listOf(const std::vector<double>& values) { return {values.begin(), values.end()}; }

SampledBand bandOf(const FrameSpec& frame) {
    return {echoBand(frame, usualBandwidth(frame)), frame.samplingFrequencyHz(),
            frame.demodulationFrequencyHz};
}

bool isElsewhere(const SampledBand& a, const SampledBand& b) {
    constexpr double kNoticed = 0.005; // cycles per sample
    return std::abs(a.band.centre - b.band.centre) > kNoticed ||
           std::abs(a.band.width - b.band.width) > kNoticed;
}

/// A text such as "5.00 MHz", or cycles per sample.
QString centreText(const SampledBand& at) {
    if (!(at.samplingHz > 0.0)) return numberText(at.band.centre, 2);
    return numberText(at.band.centre * at.samplingHz * 1e-6, 2) + " MHz";
}

QString bandText(const std::optional<SampledBand>& recorded, bool elsewhere,
                 const std::optional<SampledBand>& read) {
    if (!recorded) return {};
    const QString text = "recording " + centreText(*recorded);
    return elsewhere ? text + ", beamformed " + centreText(*read) : text;
}

} // namespace

namespace tools {

ToolType filter_lab();
ToolType filter_lab() {
    return toolType<FilterLabPanel, FilterLabTool>("filter_lab", "Filter lab");
}

} // namespace tools

FilterLabTool::FilterLabTool(FilterLabPanel& panel, Workbench& bench)
    : m_panel(panel), m_bench(bench), m_comparer(panel.imagePage(), bench),
      m_interpolators(lab::comparedInterpolators()) {
    connect(&bench, &Workbench::pipelineChanged, this, &FilterLabTool::syncFromPipeline);
    connect(&panel, &FilterLabPanel::testChanged, this, &FilterLabTool::test);
    connect(&panel, &FilterLabPanel::responseChanged, this, &FilterLabTool::respond);
    connect(&panel, &FilterLabPanel::cameIntoSight, this, [this] {
        if (m_stale) test();
        respond();
    });
    showCurves();
}

FilterLabTool::~FilterLabTool() { m_stop.request_stop(); }

void FilterLabTool::syncFromPipeline() {
    if (!m_bench.isOpen()) return;
    const std::optional<lab::Interpolator> before = m_inUse;
    lookAtPipeline(*m_bench.snapshot());
    showBands();
    if (m_inUse != before) {
        showCurves();
        test();
    }
    respond();
}

void FilterLabTool::lookAtPipeline(const Snapshot& snapshot) {
    m_inUse.reset();
    m_recorded.reset();
    m_read.reset();
    if (snapshot.input.spectrometer != nullptr) return;
    m_recorded = bandOf(snapshot.input);
    const StageState* beamform = snapshot.findRole(Role::Beamforms);
    if (beamform == nullptr) return;
    const StageState* upsample = snapshot.findRole(Role::Upsamples);
    m_inUse = lab::interpolatorOf(beamform->params, upsample != nullptr
                                                        ? std::optional(upsamplingOf(*upsample))
                                                        : std::nullopt);
    m_read = bandOf(upsample != nullptr ? upsample->input() : beamform->input());
}

void FilterLabTool::showBands() {
    const bool elsewhere = m_recorded && m_read && isElsewhere(*m_recorded, *m_read);
    LabBands bands;
    if (m_recorded) bands.recording = LabBand{m_recorded->band.centre, m_recorded->band.width};
    if (elsewhere) bands.beamformed = LabBand{m_read->band.centre, m_read->band.width};
    bands.sampling = sampling();
    m_panel.setBands(bands, bandText(m_recorded, elsewhere, m_read));
}

LabSampling FilterLabTool::sampling() const {
    const std::optional<SampledBand>& read = m_read ? m_read : m_recorded;
    if (!read) return {};
    const bool asRecorded = m_recorded && read->samplingHz == m_recorded->samplingHz &&
                            read->demodulationHz == m_recorded->demodulationHz;
    return {read->samplingHz * 1e-6, asRecorded};
}

void FilterLabTool::showCurves() {
    m_interpolators = lab::comparedInterpolators();
    if (m_inUse && std::ranges::find(m_interpolators, *m_inUse) == m_interpolators.end())
        m_interpolators.push_back(*m_inUse);
    m_panel.setCurves(curves());
}

std::vector<LabCurve> FilterLabTool::curves() const {
    std::vector<LabCurve> made;
    for (const lab::Interpolator& each : m_interpolators) {
        LabCurve& curve = made.emplace_back();
        curve.id = QString::fromStdString(each.id());
        curve.name = QString::fromStdString(each.label());
        curve.family = familyOf(each);
        curve.inUse = m_inUse == each;
        curve.shownAtFirst = isShownAtFirst(curve.id);
    }
    // The first members have the plainest lines: the longest of those that are shown at first.
    std::array<int, 5> members{};
    for (const bool first : {true, false}) {
        for (std::size_t i = made.size(); i-- > 0;) {
            LabCurve& curve = made[i];
            if (curve.shownAtFirst == first)
                curve.member = members[static_cast<std::size_t>(curve.family)]++;
        }
    }
    return made;
}

void FilterLabTool::test() {
    m_stop.request_stop();
    m_stop = {};
    m_stale = true;
    if (!m_panel.isVisible()) return;
    lab::FilterTest test{lab::usualFrequencies(), m_panel.spread(), m_panel.noise()};
    m_bench.compute([this, test = std::move(test), interpolators = m_interpolators,
                     shown = curves(),
                     stop = m_stop.get_token()](const std::stop_token&) -> Background::Finish {
        const auto levels = lab::signalToNoiseDb(interpolators, test, stop);
        if (levels.empty()) return {};
        LabLevels found{listOf(test.frequencies), shown};
        for (std::size_t i = 0; i < levels.size(); ++i)
            found.curves[i].levelsDb = listOf(levels[i]);
        return [this, found = std::move(found), stop] {
            if (stop.stop_requested()) return;
            m_stale = false;
            m_panel.setLevels(found);
        };
    });
}

void FilterLabTool::respond() {
    if (!m_panel.isVisible()) return;
    const auto at = std::ranges::find(m_interpolators, m_panel.responseOf().toStdString(),
                                      &lab::Interpolator::id);
    if (at == m_interpolators.end()) return m_panel.setResponse({});
    const SampledBand read = m_read.value_or(m_recorded.value_or(SampledBand{}));
    const lab::ReadResponse response = lab::readResponse(*at, m_panel.fraction(), read.band);
    if (m_familyOf != std::optional(std::pair(*at, read.band))) {
        m_familyOf = {*at, read.band};
        m_family = lab::responseFamily(*at, read.band);
    }
    LabResponse shown{
        QString::fromStdString(at->label()), m_panel.fraction(),     listOf(response.frequencies),
        listOf(response.magnitudeDb),        listOf(response.delay), sampling()};
    for (const lab::ReadResponse& each : m_family)
        shown.family.push_back({each.fraction, listOf(each.frequencies), listOf(each.magnitudeDb),
                                listOf(each.delay)});
    for (const lab::Tap& tap : response.taps) {
        shown.tapOffsets << tap.offset;
        shown.tapWeights << tap.weight;
    }
    if (m_read || m_recorded) shown.band = LabBand{read.band.centre, read.band.width};
    m_panel.setResponse(shown);
}

} // namespace echolux
