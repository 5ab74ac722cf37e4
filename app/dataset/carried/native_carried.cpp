// SPDX-License-Identifier: GPL-3.0-or-later
// The group `carried` of an Echolux recording.
#include "app/dataset/carried/native_carried.hpp"

#include "app/dataset/carried/carried_hdf5.hpp"
#include "app/dataset/container/hdf5_attributes.hpp"

#include <memory>
#include <stdexcept>
#include <string>

namespace echolux {

namespace {

constexpr const char* kGroup = "carried";
constexpr const char* kFamilyName = "family";
constexpr const char* kFirstAxis = "first_axis"; ///< "frame" where a fact is one per frame

std::string placeOf(const std::string& name) { return std::string(kGroup) + "/" + name; }

/// Null where HDF5 cannot open the file.
std::shared_ptr<Hdf5File> openWhole(const std::filesystem::path& path) {
    try {
        return Hdf5File::openReadOnly(path);
    } catch (const Error&) {
        return nullptr;
    }
}

} // namespace

CarriedFacts nativeCarried(const RecordingInfo& info) {
    // NOTE: a recording that was never finished, or lacks its end, opens but has no such group: the
    // group is written last.
    const auto tree = openWhole(info.path);
    if (!tree || !tree->has(kGroup) || !tree->isGroup(kGroup)) return {};
    FactCollector facts(tree, tree->textAttribute(kGroup, kFamilyName).value_or(""),
                        [](const std::string&) { return false; });
    facts.addBelow(kGroup, "");
    CarriedFacts found = facts.take();
    for (CarriedFact& fact : found.facts)
        fact.perFrame = tree->textAttribute(placeOf(fact.name), kFirstAxis) == "frame" &&
                        !fact.layout.shape.empty() && fact.layout.shape.front() == info.frameCount;
    return found;
}

void writeNativeCarried(const std::filesystem::path& path, const CarriedFacts& facts) {
    if (facts.facts.empty()) return;
    quietHdf5();
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS));
    hdf5::require(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110),
                  "preparing the file");
#if H5_VERSION_GE(1, 10, 7)
    H5Pset_file_locking(access.get(), true, true); // file systems without locks are accepted
#endif
    Hdf5Handle file(
        hdf5::require(H5Fopen(path.c_str(), H5F_ACC_RDWR, access.get()), "opening it again"));
    Hdf5Handle group(hdf5::require(
        H5Gcreate2(file.get(), kGroup, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "making a group"));
    writeVariableText(group.get(), kFamilyName, facts.family);
    for (const CarriedFact& fact : facts.facts) {
        writeFact(group.get(), fact.name, fact);
        if (!fact.perFrame) continue;
        const Hdf5Handle dataset(hdf5::require(
            H5Dopen2(group.get(), fact.name.c_str(), H5P_DEFAULT), "opening a dataset"));
        writeVariableText(dataset.get(), kFirstAxis, "frame");
    }
    if (!group.close() || !file.close()) throw std::runtime_error("closing the file");
}

} // namespace echolux
