// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the container by the file's content.
#include "app/dataset/container/container.hpp"

#include "app/dataset/container/detect.hpp"
#include "app/dataset/container/hdf5_file.hpp"
#include "app/dataset/container/mat5_arrays.hpp"
#include "app/dataset/container/npy.hpp"
#include "app/dataset/container/npz.hpp"
#include "app/dataset/container/text_array.hpp"

namespace echolux {

std::shared_ptr<ArrayContainer> openContainerHere(const std::shared_ptr<const InputFile>& file) {
    switch (detectKind(*file)) {
    case FileKind::Npy: return openNpy(file);
    case FileKind::Zip: return openNpz(file->path());
    case FileKind::Hdf5:
    case FileKind::Mat73: return Hdf5File::openReadOnly(file->path());
    case FileKind::Raw: return looksLikeText(*file) ? openText(*file) : nullptr;
    case FileKind::Mat5: return openMat5Arrays(*file);
    }
    return nullptr;
}

} // namespace echolux
