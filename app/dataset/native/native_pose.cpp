// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/native/native_pose.hpp"

#include "app/dataset/container/hdf5_attributes.hpp"
#include "app/dataset/native/native_acquisition.hpp"
#include "app/dataset/native/native_format.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace echolux::native {

void writePose(hid_t file, const Pose& pose) {
    const Hdf5Handle group = createGroup(file, kPose);
    std::vector<double> along;
    for (const Point& p : pose.along) along.insert(along.end(), {p.x, p.y, p.z});
    hdf5::writeReals(group.get(), kPoseAlong, along);
    hdf5::writeReals(group.get(), kPoseOrigin,
                     std::array{pose.origin.x, pose.origin.y, pose.origin.z});
    hdf5::writeText(group.get(), kPoseSpace, pose.space);
}

Pose readPose(const Hdf5Handle& at, const std::filesystem::path& path) {
    const auto numbers = [&](const char* name, std::size_t count) {
        auto found = hdf5::readReals(at.get(), name);
        const bool sound =
            found && found->size() == count &&
            std::ranges::all_of(*found, [](double each) { return std::isfinite(each); });
        return demand(path, sound ? std::move(found) : std::nullopt, name);
    };
    const std::vector<double> along = numbers(kPoseAlong, 9);
    const std::vector<double> origin = numbers(kPoseOrigin, 3);
    Pose pose;
    for (std::size_t i = 0; i < pose.along.size(); ++i)
        pose.along[i] = {along[3 * i], along[3 * i + 1], along[3 * i + 2]};
    pose.origin = {origin[0], origin[1], origin[2]};
    pose.space = demand(path, hdf5::readText(at.get(), kPoseSpace), kPoseSpace);
    return pose;
}

} // namespace echolux::native
