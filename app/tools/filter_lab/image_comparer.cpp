// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tools/filter_lab/image_comparer.hpp"

#include "app/desktop/workbench/workbench.hpp"
#include "app/lab/band_error.hpp"
#include "app/lab/image_difference.hpp"
#include "app/session/interpolation_imager.hpp"
#include "gpu/core/error.hpp"
#include "ui/controls/number_text.hpp"
#include "ui/lab/image_comparison.hpp"
#include "ui/theme/theme.hpp"

#include <algorithm>
#include <numbers>
#include <utility>

namespace echolux {
namespace {

constexpr std::int64_t kLeastPauseMs = 0; // the user asks
constexpr double kDifferenceRangeDb = 80.0;
constexpr std::int64_t kMostPixels = 600; ///< of the picture of a difference, per side

/// Coordinates of an axis on screen.
struct Scale {
    QString unit;
    double first = 0.0;
    double last = 0.0;
};

Scale scaleOf(const Axis& axis) {
    const bool angle = axis.unit == "rad";
    const double factor = angle ? 180.0 / std::numbers::pi : axis.unit == "m" ? 1e3 : 1.0;
    return {angle ? prettyUnit("deg") : QString("mm"), axis.origin * factor,
            (axis.origin + static_cast<double>(axis.size - 1) * axis.spacing) * factor};
}

/// The picture of a difference; of several pixels in one cell the greatest counts.
LabPicture pictureOf(const FrameSpec& spec, const std::vector<float>& levels, const QString& text) {
    const Axis& depth = *spec.find(AxisName::Depth);
    const Axis& lateral = *spec.find(AxisName::Lateral);
    const Scale across = scaleOf(lateral);
    const Scale down = scaleOf(depth);
    const std::int64_t columns = std::min(lateral.size, kMostPixels);
    const std::int64_t rows = std::min(depth.size, kMostPixels);
    LabPicture picture;
    if (columns < 2 || rows < 2) return picture;
    picture.rangeDb = kDifferenceRangeDb;
    picture.text = text;
    picture.unit = across.unit;
    picture.columns = static_cast<int>(columns);
    picture.rows = static_cast<int>(rows);
    picture.from = across.first;
    picture.to = across.last;
    picture.depthFromMm = down.first;
    picture.depthToMm = down.last;
    picture.values.assign(static_cast<std::size_t>(columns * rows),
                          static_cast<float>(lab::ImageDifference::kFloorDb));
    for (std::int64_t row = 0; row < depth.size; ++row) {
        for (std::int64_t column = 0; column < lateral.size; ++column) {
            const std::int64_t cell =
                row * rows / depth.size * columns + column * columns / lateral.size;
            float& shown = picture.values[static_cast<std::size_t>(cell)];
            shown = std::max(shown, levels[static_cast<std::size_t>(row * lateral.size + column)]);
        }
    }
    return picture;
}

/// The chain's key without the interpolation, which the table varies.
std::string keyOf(const Snapshot& snapshot) {
    const AmplitudeChain chain = amplitudeChain(snapshot);
    const auto plain = withValue(snapshot, chain.beamform, "interpolation", std::string("linear"));
    return amplitudeChain(*plain).key;
}

} // namespace

/// One comparison, handed from the worker to the window.
struct ComparedFrame {
    std::string key = {};
    std::int64_t frame = -1;
    std::vector<ComparedImage> rows = {};
};

std::vector<lab::Interpolator> imagedInterpolators(const lab::Interpolator& used) {
    using Kind = DelayInterpolation;
    std::vector<lab::Interpolator> all = lab::comparedInterpolators();
    std::erase_if(all, [](const lab::Interpolator& each) { return each.before.has_value(); });
    all.insert(all.begin() + 2, {{}, Kind::Texture});
    const auto behind = std::ranges::find(all, Kind::LeastSquares, &lab::Interpolator::kind);
    all.insert(behind, {{}, Kind::Sinc, das::kMaxTaps});
    if (std::ranges::find(all, used) == all.end()) all.push_back(used);
    return all;
}

ImageComparer::ImageComparer(ImageComparison& page, Workbench& bench)
    : m_page(page), m_bench(bench), m_runner(bench, kLeastPauseMs) {
    connect(&page, &ImageComparison::comparisonWanted, this, [this] {
        m_asked = true;
        m_runner.request();
    });
    connect(&m_runner, &ProbeRunner::due, this, &ImageComparer::compare);
    connect(&bench, &Workbench::recordingChanged, this, &ImageComparer::forgetRecording);
    connect(&bench, &Workbench::pipelineChanged, this, &ImageComparer::showAge);
    connect(&bench, &Workbench::framePresented, this, &ImageComparer::showAge);
}

ImageComparer::~ImageComparer() { m_stop.request_stop(); }

void ImageComparer::forgetRecording() {
    m_stop.request_stop();
    m_madeFrame = -1;
    m_page.setBusy(false);
    m_page.setProblem({});
    m_page.setImages({}, {});
}

void ImageComparer::showAge() {
    if (m_madeFrame < 0 || !m_page.isVisible() || !m_bench.isOpen()) return;
    bool same = m_madeFrame == m_bench.shownFrame();
    if (same && !m_bench.isPlaying()) {
        try {
            same = keyOf(*m_bench.snapshot()) == m_madeKey;
        } catch (const Error&) {
            same = false;
        }
    }
    m_page.setStale(!same);
}

/// NOTE: the runner is also due after results of a former recording were dropped.
void ImageComparer::compare() {
    if (!std::exchange(m_asked, false)) return;
    const SnapshotPtr snapshot = m_bench.snapshot();
    auto compared = std::make_shared<ComparedFrame>();
    auto chain = std::make_shared<AmplitudeChain>();
    try {
        *chain = amplitudeChain(*snapshot);
        compared->key = keyOf(*snapshot);
    } catch (const Error& error) {
        return m_page.setProblem(m_bench.inLabels(error.what()));
    }
    m_page.setProblem({});
    m_page.setBusy(true);
    m_stop = {};
    const StageState& beamform = snapshot->stage(chain->beamform);
    const auto used = lab::interpolatorOf(beamform.params, std::nullopt);
    auto imager =
        std::make_shared<InterpolationImager>(m_bench.backend().backend, m_bench.backend().gpu);
    m_runner.start(
        {.stage = {},
         .prepare = [imager, chain] { imager->prepare(*chain); },
         .take =
             [imager, compared](const ProbedFrame& frame) {
                 imager->take(frame.samples);
                 compared->frame = frame.index;
                 return true;
             },
         .compute =
             [imager, compared, stop = m_stop.get_token(), all = imagedInterpolators(*used), used,
              band = echoBand(beamform.input(), usualBandwidth(beamform.input()))] {
                 std::vector<BeamformReading> readings;
                 for (const lab::Interpolator& each : all)
                     readings.push_back({each.kind, each.taps});
                 const InterpolatedImages made = imager->images(readings, stop);
                 if (made.images.empty()) return;
                 const auto best = static_cast<std::size_t>(
                     std::ranges::min_element(all, {},
                                              [&](const lab::Interpolator& each) {
                                                  return lab::bandError(each, band);
                                              }) -
                     all.begin());
                 for (std::size_t i = 0; i < all.size(); ++i) {
                     ComparedImage& row = compared->rows.emplace_back();
                     row.name = QString::fromStdString(all[i].label());
                     row.best = i == best;
                     row.inUse = all[i] == used;
                     row.ms = made.images[i].beamformMs;
                     const lab::ImageDifference difference = lab::imageDifference(
                         made.images[i].amplitudes, made.images[best].amplitudes);
                     row.differenceDb = difference.rmsDb;
                     row.difference =
                         pictureOf(made.spec, difference.levelsDb,
                                   QString("%1 from %2")
                                       .arg(row.name)
                                       .arg(QString::fromStdString(all[best].label())));
                 }
             },
         .accept = [this, compared](const ProbeOutcome& outcome) { show(*compared, outcome); }});
}

void ImageComparer::show(const ComparedFrame& compared, const ProbeOutcome& outcome) {
    m_page.setBusy(false);
    m_page.setProblem(outcome.problem.empty() ? QString() : m_bench.inLabels(outcome.problem));
    if (compared.rows.empty()) return;
    m_madeKey = compared.key;
    m_madeFrame = compared.frame;
    const auto best = std::ranges::find(compared.rows, true, &ComparedImage::best);
    m_page.setImages(compared.rows, QString("Frame %1, %2, compared with %3")
                                        .arg(compared.frame + 1)
                                        .arg(QString::fromStdString(m_bench.backend().device))
                                        .arg(best->name));
    showAge();
}

} // namespace echolux
