// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes two tables with a value per element.
#include "app/dataset/native/native_aberration.hpp"

#include "app/dataset/container/hdf5_attributes.hpp"
#include "app/dataset/native/native_acquisition.hpp"
#include "app/dataset/native/native_format.hpp"

namespace echolux::native {

void writeAberration(hid_t file, const AberrationTruth& truth) {
    const Hdf5Handle group = createGroup(file, kAberration);
    const auto write = [&](const char* name, const std::vector<double>& values) {
        hdf5::writeTable(group.get(), name, std::vector<hsize_t>{values.size()}, values);
    };
    write(kAberrationDelay, truth.delayS);
    if (!truth.amplitude.empty()) write(kAberrationAmplitude, truth.amplitude);
}

std::shared_ptr<const AberrationTruth> readAberration(hid_t file, std::size_t elements,
                                                      const std::filesystem::path& path) {
    const std::optional<Hdf5Handle> group = openGroup(file, kAberration);
    if (!group) return nullptr;
    const auto read = [&](const char* name) {
        const std::vector<hsize_t> extent{elements};
        return demand(path, hdf5::readTable(group->get(), name, extent), name);
    };
    auto truth = std::make_shared<AberrationTruth>();
    truth->delayS = read(kAberrationDelay);
    if (H5Lexists(group->get(), kAberrationAmplitude, H5P_DEFAULT) > 0)
        truth->amplitude = read(kAberrationAmplitude);
    if (const auto wrong = contradictionIn(*truth, elements))
        throw fileError(path, *wrong + "; it is damaged, record or copy it again");
    return truth;
}

} // namespace echolux::native
