// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps HDF5 from plug-ins, external links, external storage and virtual datasets.
#include "app/dataset/container/hdf5_guard.hpp"

#include "app/dataset/container/hdf5_filters.hpp"

#include <mutex>

namespace echolux {

namespace {

constexpr const char* kNoOther =
    "; Echolux opens no other file on a file's word, copy the data into this file";

} // namespace

void guardHdf5() {
    static std::once_flag done;
    std::call_once(done, [] {
        quietHdf5();
        H5open();
        H5PLset_loading_state(0);
        H5Lunregister(H5L_TYPE_EXTERNAL);
        registerDecoders();
    });
    quietHdf5();
}

std::optional<std::string> linkObstacle(hid_t at, const std::string& name) {
    H5L_info_t link{};
    if (H5Lget_info(at, name.c_str(), &link, H5P_DEFAULT) < 0) return "is a damaged link";
    if (link.type == H5L_TYPE_HARD) return std::nullopt;
    if (link.type == H5L_TYPE_EXTERNAL)
        return std::string("is an external link, to an object in another file") + kNoOther;
    if (link.type != H5L_TYPE_SOFT) return "is a link of a kind that Echolux does not know";
    if (H5Oexists_by_name(at, name.c_str(), H5P_DEFAULT) > 0) return std::nullopt;
    return "is a link that leads nowhere, in a circle or to another file; copy the file again, "
           "with the data that it links to";
}

std::optional<std::string> dataObstacle(hid_t dataset) {
    const Hdf5Handle plist(H5Dget_create_plist(dataset));
    if (!plist) return "has a damaged description; copy the file again";
    if (H5Pget_layout(plist.get()) == H5D_VIRTUAL)
        return std::string("has its numbers in other datasets (it is virtual)") + kNoOther;
    if (H5Pget_external_count(plist.get()) > 0)
        return std::string("has its numbers in external files") + kNoOther;
    return std::nullopt;
}

} // namespace echolux
