// SPDX-License-Identifier: GPL-3.0-or-later
// Whether points lie where they are, lose nothing between the pixels, and are measured as wide as
// they are.
#include "app/pairs/expectations.hpp"
#include "app/pairs/findings.hpp"
#include "app/pairs/images.hpp"
#include "app/pipeline/graph_edits.hpp"
#include "app/session/checked_image.hpp"
#include "gpu/beamform/beamform_defaults.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/firing.hpp"
#include "gpu/stage/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace echolux::pairs {
namespace {

constexpr double kReachM = 0.7e-3;
constexpr double kMostLossDb = 0.5; ///< of default grids, where the largest volume allows it
constexpr const char* kReference = "fixed_reference"; ///< a parameter of what makes levels
constexpr const char* kAmplitudes = "envelope";       ///< the stage whose output is not yet in dB

/// The pipeline with 0 dB at the amplitude `reference`.
PipelineConfig withReference(PipelineConfig config, double reference) {
    for (StageConfig& stage : config.stages) {
        if (stageType(stage.type).table.find(kReference) == nullptr) continue;
        setValue(stage, "reference", std::string("fixed"));
        setValue(stage, kReference, reference);
    }
    return config;
}

/// What the program says of voxels that a large volume makes coarser, if that is more.
double mostLossDb(const Snapshot& snapshot) {
    const StageState* beamform = snapshot.findWith<BeamformParams>();
    if (beamform == nullptr) return kMostLossDb;
    const auto& params = beamform->params.as<BeamformParams>();
    return params.grid == PixelGrid::Volume
               ? std::max(kMostLossDb, das::voxelLossDb(beamform->input(), params))
               : kMostLossDb;
}

std::string inMm(const Point& p) {
    return fmt::format("({:.2f}, {:.2f}, {:.2f}) mm", 1e3 * p.x, 1e3 * p.y, 1e3 * p.z);
}

} // namespace

void checkPoints(const Task& task, const std::string& /*name*/, Findings& found) {
    const auto recording = task.open(Scene::Points);
    const FrameSpec& raw = recording->info().frame;
    const PipelineConfig usual = defaultPipeline(raw);
    const std::vector<Point> points = task.truth(Scene::Points).points;
    std::vector<double> amplitudes; ///< of each point on a fine grid
    for (const Point& point : points) {
        const SnapshotPtr fine = imagingSnapshot(raw, finelyRound(usual, raw, point, kReachM));
        const auto peak =
            peakNear(outputOf(*recording, fine, task.backend, kAmplitudes), point, kReachM);
        found.expect(peak && peak->value > 0.0,
                     fmt::format("a fine grid round {} has no value there", inMm(point)));
        amplitudes.push_back(peak ? peak->value : 0.0);
    }
    const double reference = std::ranges::max(amplitudes);
    if (!(reference > 0.0)) return;
    const SnapshotPtr snapshot = imagingSnapshot(raw, withReference(usual, reference));
    const Image image = viewsOf(*recording, snapshot, task.backend).front();
    const double tolerableLossDb = mostLossDb(*snapshot);
    double farthest = 0.0;
    double weakest = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto peak = peakNear(image, points[i], kReachM);
        if (!peak) {
            found.wrong.push_back(fmt::format("the image does not show {}", inMm(points[i])));
            continue;
        }
        const double offset = distance(peak->place, points[i]);
        const double loss = 20.0 * std::log10(amplitudes[i] / reference) - peak->value;
        farthest = std::max(farthest, offset);
        weakest = std::max(weakest, loss);
        found.expect(offset <= tolerableOffsetM(task.acquired),
                     fmt::format("the point {} lies at {}, {:.2f} wavelengths away",
                                 inMm(points[i]), inMm(peak->place), offset / kWavelengthM));
        found.expect(loss <= tolerableLossDb,
                     fmt::format("the point {} loses {:.2f} dB", inMm(points[i]), loss));
    }
    found.add("offset", farthest / kWavelengthM, "wavelengths");
    found.add("loss", weakest, "dB");
}

} // namespace echolux::pairs
