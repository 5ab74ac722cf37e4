// SPDX-License-Identifier: GPL-3.0-or-later
// Delays that are computed once for all frames (DelaySource::Table). Each element and each transmit
// has a table over the pixels, without the axes along which its delays do not change: an element
// that is a long line needs a table over two axes of a volume, not three.
#pragma once

#include "gpu/beamform/beamform_model.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/memory/buffer.hpp"

#include <cstddef>

namespace echolux::das {

class DelayTables {
public:
    /// Bytes of the tables of a model, the places in them included.
    static std::size_t bytesOf(const Model& model);

    /// Holds room for the tables of `model`, in compute memory.
    void allocate(const Exec& exec, const Model& model);
    void release();
    bool isAllocated() const { return m_receive.bytes() > 0; }

    /// Enqueues the computation of the tables, and points `constants` to them. `constants` are
    /// those of `model`, with arrays in compute memory. The model has the transmits of that of
    /// allocate(), or some of them. It must live until the copies are done.
    void fill(const Exec& exec, const Model& model, Constants& constants);

private:
    Buffer m_receive;
    Buffer m_transmit;
    Buffer m_receiveSteps;
    Buffer m_transmitSteps;
    std::vector<TableSteps> m_receivePlaces;
    std::vector<TableSteps> m_transmitPlaces;
};

} // namespace echolux::das
