// SPDX-License-Identifier: GPL-3.0-or-later
// A plugin with views that fail, each in its own way.
#include "app/session/view_type.hpp"
#include "gpu/core/error.hpp"
#include "gpu/stage/plugin.hpp"

#include <chrono>
#include <limits>
#include <memory>
#include <stdexcept>
#include <thread>

namespace {

using namespace echolux;

ViewDrawing point() {
    ViewDrawing drawing;
    drawing.curves = {{"", {0.0}, {0.0}}};
    return drawing;
}

template <ViewDrawing (*draws)()> class Drawn final : public PluginView {
public:
    ViewDrawing draw(const ViewedImage&, const ViewRoom&) override { return draws(); }
};

template <ViewDrawing (*draws)()> std::unique_ptr<PluginView> opened() {
    return std::make_unique<Drawn<draws>>();
}

ViewDrawing throwsError() { throw Error("it needs another image."); }
ViewDrawing throwsNumber() { throw 7; } // NOLINT: what a plugin might do
ViewDrawing nothing() { return {}; }
ViewDrawing fewBytes() {
    ViewDrawing drawing = point();
    drawing.width = 3;
    drawing.height = 2;
    drawing.rgba.resize(23);
    return drawing;
}
ViewDrawing huge() {
    ViewDrawing drawing = point();
    drawing.width = 1 << 30;
    drawing.height = -1;
    return drawing;
}
ViewDrawing noExtent() {
    ViewDrawing drawing = point();
    drawing.vertical = {"level", "dB", 1.0, std::numeric_limits<double>::quiet_NaN()};
    return drawing;
}
ViewDrawing unevenCurve() {
    ViewDrawing drawing;
    drawing.curves = {{"slope", {0.0, 1.0}, {0.0}}};
    return drawing;
}
ViewDrawing stalls() {
    while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

constexpr ViewType kNull{.name = "null",
                         .open = []() -> std::unique_ptr<PluginView> { return nullptr; }};
constexpr ViewType kThrowsAtOpening{
    .name = "throws_at_opening",
    .open = []() -> std::unique_ptr<PluginView> { throw std::runtime_error("no licence"); }};
constexpr ViewType kThrows{.name = "throws", .open = opened<throwsError>};
constexpr ViewType kThrowsNumber{.name = "throws_number", .open = opened<throwsNumber>};
constexpr ViewType kNothing{.name = "nothing", .open = opened<nothing>};
constexpr ViewType kFewBytes{.name = "few_bytes", .open = opened<fewBytes>};
constexpr ViewType kHuge{.name = "huge", .open = opened<huge>};
constexpr ViewType kNoExtent{.name = "no_extent", .open = opened<noExtent>};
constexpr ViewType kUnevenCurve{.name = "uneven_curve", .open = opened<unevenCurve>};
constexpr ViewType kStalls{.name = "stalls", .label = "Stalling view", .open = opened<stalls>};
constexpr ViewType kElsewhere{.name = "elsewhere", .output = "map@nowhere", .open = opened<point>};

} // namespace

ECHOLUX_PLUGIN_PARTS("Faulty views", "1.0",
                     .views = {&kNull, &kThrowsAtOpening, &kThrows, &kThrowsNumber, &kNothing,
                               &kFewBytes, &kHuge, &kNoExtent, &kUnevenCurve, &kStalls,
                               &kElsewhere})
