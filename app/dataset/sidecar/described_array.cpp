// SPDX-License-Identifier: GPL-3.0-or-later
// Reads descriptions of arrays from their sidecar.
#include "app/dataset/sidecar/described_array.hpp"

#include "app/dataset/container/container.hpp"
#include "gpu/core/error.hpp"

#include <algorithm>
#include <utility>

namespace echolux {

namespace {

/// Takes all axes of the array, those named `none` included. Returns false where `shape` has
/// another number of axes than the sidecar.
bool takeAxes(ImportArray& import, const Sidecar& sidecar, const std::vector<std::int64_t>& shape) {
    if (shape.size() != sidecar.axes.size() + sidecar.namedNone.size()) return false;
    std::size_t next = 0;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const bool none = std::ranges::count(sidecar.namedNone, i) > 0;
        import.axes.push_back(
            {none ? std::nullopt : std::optional(sidecar.axes[next++]), shape[i]});
    }
    return true;
}

} // namespace

bool takeArray(ImportArray& import, const Sidecar& sidecar,
               const std::shared_ptr<const InputFile>& file) {
    if (sidecar.arrays.size() > 1 || !sidecar.transmitArrays.empty()) return false;
    if (!sidecar.arrays.empty() && sidecar.arrays.front().find('{') != std::string::npos)
        return false;
    import.type = sidecar.dtype;
    if (import.headerless()) {
        import.complexElements = import.type->components == 2;
        return takeAxes(import, sidecar, sidecar.shape);
    }
    const auto container = openContainer(file);
    if (!container) return false;
    if (!sidecar.arrays.empty()) import.name = sidecar.arrays.front();
    const auto source = container->open(import.name);
    import.complexElements = source->layout().type.components == 2;
    return takeAxes(import, sidecar, source->layout().shape);
}

std::shared_ptr<ArrayContainer> containerFor(const ImportArray& import,
                                             const std::shared_ptr<const InputFile>& file,
                                             std::shared_ptr<ArrayContainer> open) {
    if (import.headerless()) return nullptr;
    if (!open) open = openContainer(file);
    if (!open) throw fileError(file->path(), "it holds no arrays that a sidecar can name");
    return open;
}

} // namespace echolux
