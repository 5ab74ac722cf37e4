// SPDX-License-Identifier: GPL-3.0-or-later
// A plugin with a view that shows the very values that it gets: each pixel's four bytes are one
// float. Its curve says how often it was asked to draw. The build gives its name and output.
#include "app/session/view_type.hpp"
#include "gpu/stage/plugin.hpp"

#include <cstring>
#include <memory>
#include <string>

namespace {

using namespace echolux;

class Mirror final : public PluginView {
public:
    ViewDrawing draw(const ViewedImage& image, const ViewRoom& room) override {
        ViewDrawing drawing;
        drawing.horizontal = {"across", "m", 0.0, 0.02};
        drawing.vertical = {"turn", "rad", 1.0, -1.0};
        drawing.height = static_cast<int>(image.spec.axes[0].size);
        drawing.width = static_cast<int>(image.spec.axes[1].size);
        drawing.rgba.resize(image.values.size_bytes());
        std::memcpy(drawing.rgba.data(), image.values.data(), image.values.size_bytes());
        m_drawn += 1.0;
        drawing.curves = {{"drawn", {0.0, 0.02}, {m_drawn, m_drawn}}};
        drawing.caption =
            "room " + std::to_string(room.width) + " x " + std::to_string(room.height);
        return drawing;
    }

private:
    double m_drawn = 0.0;
};

constexpr ViewType kView{
    .name = VIEW_NAME,
    .label = "Mirror of the image",
    .help = "Shows what it gets",
    .output = VIEW_OUTPUT,
    .open = []() -> std::unique_ptr<PluginView> { return std::make_unique<Mirror>(); },
};

} // namespace

ECHOLUX_PLUGIN_PARTS("Mirror", "1.0", .views = {&kView})
