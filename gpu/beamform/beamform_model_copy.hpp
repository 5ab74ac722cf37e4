// SPDX-License-Identifier: GPL-3.0-or-later
// A copy of a model in compute memory, for calls of the kernels outside the stage.
#pragma once

#include "gpu/beamform/beamform_model.hpp"
#include "gpu/memory/buffer.hpp"

#include <vector>

namespace echolux::das {

class ModelCopy {
public:
    /// Enqueues the copies. `model` must live until they are done.
    ModelCopy(const Exec& exec, const Model& model);
    const Constants& constants() const { return m_constants; } ///< they point to the copies

private:
    template <class T> const T* sent(const Exec& exec, const std::vector<T>& values);

    Constants m_constants;
    std::vector<Buffer> m_buffers;
};

} // namespace echolux::das
