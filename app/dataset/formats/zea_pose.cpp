// SPDX-License-Identifier: GPL-3.0-or-later
// Translations (time, x y z) in metres, and rotations as quaternions, whose order of parts a text
// tells.
#include "app/dataset/formats/zea_pose.hpp"

#include "app/dataset/formats/zea_tree.hpp"
#include "gpu/core/posed.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>

namespace echolux {

namespace {

constexpr const char* kZeaPose = "metadata/probe_pose";

bool isTable(const ZeaFields::Table& table, std::int64_t width) {
    return table.shape.size() == 2 && table.shape[1] == width;
}

} // namespace

void takeZeaPose(const std::shared_ptr<Hdf5File>& tree, RecordingInfo& info) {
    if (!tree->isGroup(kZeaPose)) return;
    const ZeaFields fields(tree, kZeaPose);
    const std::string order = fields.text("rotation_representation").value_or("");
    if (order != "quaternion_wxyz" && order != "quaternion_xyzw") {
        info.warnings.push_back(fmt::format(
            "The pose of the probe is left out: its rotation is '{}', and Echolux reads "
            "quaternions.",
            order.substr(0, 40)));
        return;
    }
    const ZeaFields::Table places = fields.table("translation");
    const ZeaFields::Table turns = fields.table("rotation");
    if (!isTable(places, 3) || !isTable(turns, 4) || places.shape[0] != turns.shape[0])
        throw fileError(info.path, fmt::format("the tables of '{}' do not fit each other; correct "
                                               "the one that is wrong",
                                               kZeaPose));
    std::array<double, 4> quaternion{};
    double size = 0.0;
    for (std::size_t i = 0; i < quaternion.size(); ++i) {
        const std::size_t part = order == "quaternion_wxyz" ? i : (i + 1) % 4;
        quaternion[part] = turns.values[i];
        size += std::abs(turns.values[i]);
    }
    if (!std::isfinite(size) || !(size > 0.0)) return;
    const std::string space = tree->textAttribute(kZeaPose, "space").value_or("zea");
    info.frame.pose = poseOf(columnsOf(quaternion), {},
                             {places.values[0], places.values[1], places.values[2]}, space);
    for (std::size_t i = 0; i < places.values.size(); ++i)
        if (places.values[i] != places.values[i % 3]) {
            info.warnings.emplace_back("The probe moved during the recording; the pose is that of "
                                       "its beginning.");
            break;
        }
}

} // namespace echolux
