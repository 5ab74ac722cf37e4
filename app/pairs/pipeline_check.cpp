// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a shipped pipeline runs, shows points where they are, and has no data where there is
// none.
#include "app/pairs/expectations.hpp"
#include "app/pairs/findings.hpp"
#include "app/pairs/images.hpp"
#include "app/pipeline/past_images.hpp"
#include "app/session/checked_image.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/firing.hpp"
#include "gpu/core/sector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace echolux::pairs {
namespace {

/// Values inside and outside of the part that scan conversion fills; pixels beside its border are
/// left out, and so are those of images without such a part.
void checkOutside(const Image& image, const std::string& view, Findings& found) {
    if (image.spec.within == nullptr) return;
    const double margin = 1.5 * image.spec.find(AxisName::Lateral)->spacing;
    std::size_t filled = 0;
    std::size_t empty = 0;
    for (std::size_t i = 0; i < image.values.size(); ++i) {
        const Point p = image.placeOf(i);
        const auto holds = [&](double x, double z) {
            return image.spec.within->contains(p.x + x * margin, p.z + z * margin);
        };
        const std::array around{holds(-1, -1), holds(1, -1), holds(-1, 1),
                                holds(1, 1),   holds(0, -1), holds(0, 1),
                                holds(-1, 0),  holds(1, 0),  holds(0, 0)};
        const auto in = std::ranges::count(around, true);
        if (in == 0 && !std::isnan(image.values[i])) ++filled;
        if (in == std::ssize(around) && std::isnan(image.values[i])) ++empty;
    }
    found.expect(filled == 0, fmt::format("{} pixels of view {} outside of the sector have a value",
                                          filled, view));
    found.expect(empty == 0,
                 fmt::format("{} pixels of view {} in the sector have none", empty, view));
}

void checkValues(const Image& image, const std::string& view, Findings& found) {
    std::size_t numbers = 0;
    bool infinite = false;
    for (const float value : image.values) {
        numbers += std::isnan(value) ? 0 : 1;
        infinite = infinite || std::isinf(value);
    }
    found.expect(!infinite, fmt::format("view {} has values without limit", view));
    found.expect(numbers > 0, fmt::format("view {} holds no value", view));
    const bool mayHaveGaps = image.spec.within != nullptr || image.spec.hasGaps;
    found.expect(
        mayHaveGaps || numbers == image.values.size(),
        fmt::format("{} values of view {} are not numbers", image.values.size() - numbers, view));
}

void checkPlaces(const Task& task, const std::string& pipeline, const Image& image,
                 Findings& found) {
    constexpr double kPointReachM = 0.6e-3;
    double farthest = 0.0;
    for (const Point& point : task.truth(Scene::Moving).points) {
        const auto peak = peakNear(image, point, kPointReachM);
        const double offset = peak ? distance(peak->place, point) : HUGE_VAL;
        farthest = std::max(farthest, offset);
        found.expect(offset <= tolerableOffsetM(task.acquired, pipeline),
                     fmt::format("the point ({:.1f}, {:.1f}) mm lies {:.2f} wavelengths away",
                                 1e3 * point.x, 1e3 * point.z, offset / kWavelengthM));
    }
    found.add("offset", farthest / kWavelengthM, "wavelengths");
}

/// The view that shows echoes in their places: the one named "image", else the first one.
std::size_t imageView(const Snapshot& snapshot) {
    const auto at = std::ranges::find(snapshot.views, "image", &ViewState::id);
    return at == snapshot.views.end() ? 0 : static_cast<std::size_t>(at - snapshot.views.begin());
}

} // namespace

void checkPipeline(const Task& task, const std::string& name, Findings& found) {
    const auto recording = task.open(Scene::Moving);
    const FrameSpec& raw = recording->info().frame;
    PipelineConfig config = fittedPipeline(name, raw);
    const SnapshotPtr usual = imagingSnapshot(raw, config);
    if (usual->ensemble() > 1 || imagesBefore(*usual) > 0 || task.acquired.array->isVolume())
        config = coarsely(config, raw);
    const SnapshotPtr snapshot = imagingSnapshot(raw, config);
    const std::vector<Image> views = viewsOf(*recording, snapshot, task.backend);
    for (std::size_t view = 0; view < views.size(); ++view) {
        const std::string id = nameOf(snapshot->views[view]);
        checkValues(views[view], id, found);
        if (views[view].isInSpace()) checkOutside(views[view], id, found);
    }
    const Image& image = views[imageView(*snapshot)];
    if (image.isInSpace()) checkPlaces(task, name, image, found);
}

} // namespace echolux::pairs
