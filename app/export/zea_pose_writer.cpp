// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/zea_pose_writer.hpp"

#include "app/export/hdf5_output.hpp"
#include "gpu/core/posed.hpp"

#include <array>

namespace echolux {

bool turnsElevation(const FrameSpec& frame) {
    return frame.pose != nullptr && isSquare(*frame.pose) && isLeftHanded(*frame.pose);
}

void writeZeaPose(hid_t metadata, const ExportSubject& subject) {
    if (subject.frame.pose == nullptr) return;
    Pose pose = *subject.frame.pose;
    if (!isSquare(pose)) {
        if (subject.remarks != nullptr)
            subject.remarks->emplace_back("Where the image lies in space is left out: zea holds "
                                          "rotations, and the axes of the image are not "
                                          "perpendicular.");
        return;
    }
    if (isLeftHanded(pose) && subject.isChannelData()) {
        if (subject.remarks != nullptr)
            subject.remarks->emplace_back("Where the probe lies in space is left out: zea holds "
                                          "rotations, and its coordinates are left-handed there.");
        return;
    }
    if (isLeftHanded(pose)) {
        Point& elevation = pose.along[1];
        elevation = {-elevation.x, -elevation.y, -elevation.z};
    }
    const std::array<double, 4> turn = quaternionOf(pose.along);
    const Hdf5Handle group = hdf5::createGroup(metadata, "probe_pose");
    const auto table = [&](const char* name, std::span<const hsize_t> extent,
                           std::span<const double> values) {
        hdf5::writeNumbers(group.get(), name, extent, H5T_IEEE_F32LE, values);
    };
    table("translation", std::array<hsize_t, 2>{1, 3},
          std::array{pose.origin.x, pose.origin.y, pose.origin.z});
    table("rotation", std::array<hsize_t, 2>{1, 4}, turn);
    table("timestamps", std::array<hsize_t, 1>{1}, std::array{0.0});
    table("start_time_offset", {}, std::array{0.0});
    hdf5::writeString(group.get(), "rotation_representation", "quaternion_wxyz");
    hdf5::writeText(group.get(), "space", pose.space);
}

} // namespace echolux
