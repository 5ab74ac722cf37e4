// SPDX-License-Identifier: GPL-3.0-or-later
// Delays that are computed once for all frames. With DelaySource::Table each element and each
// transmit has a table over the pixels, without the axes along which its delays do not change: an
// element that is a long line needs a table over two axes of a volume, not three. With
// DelaySource::Full there is one table [transmit][element][pixel], as in the first kernels of
// Jarosik, Lewandowski and Yiu 2024.
#pragma once

#include "gpu/beamform/beamform_model.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/memory/buffer.hpp"

#include <cstddef>

namespace echolux::das {

class DelayTables {
public:
    /// Bytes of the tables of a model, the places in them included; 0 for DelaySource::Kernel.
    static std::size_t bytesOf(const Model& model, DelaySource source);

    /// Holds room for the tables of `model`, in compute memory; for DelaySource::Kernel none.
    void allocate(const Exec& exec, const Model& model, DelaySource source);
    bool isAllocated() const { return m_receive.bytes() > 0 || m_full.bytes() > 0; }

    /// Enqueues the computation of the tables, and points `constants` to them. `constants` are
    /// those of `model`, with arrays in compute memory. The model has the transmits of that of
    /// allocate(), or some of them. It must live until the copies are done.
    void fill(const Exec& exec, const Model& model, Constants& constants);

private:
    Buffer m_receive;
    Buffer m_transmit;
    Buffer m_receiveSteps;
    Buffer m_transmitSteps;
    Buffer m_full;
    std::vector<TableSteps> m_receivePlaces;
    std::vector<TableSteps> m_transmitPlaces;
};

} // namespace echolux::das
