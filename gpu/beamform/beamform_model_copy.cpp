// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/beamform/beamform_model_copy.hpp"

#include "gpu/memory/transfer.hpp"

namespace echolux::das {

ModelCopy::ModelCopy(const Exec& exec, const Model& model) : m_constants(model.constants) {
    m_constants.element = sent(exec, model.elements);
    m_constants.face = sent(exec, model.faces);
    m_constants.transmit = sent(exec, model.transmits);
    takeShadows(m_constants, sent(exec, model.shadows));
    m_constants.grid.beam = sent(exec, model.beams);
    m_constants.blended = sent(exec, model.blended);
    m_constants.receiveWeight = sent(exec, model.receiveWeights);
    m_constants.rangeWeight = sent(exec, model.rangeWeights);
    m_constants.channelOf = sent(exec, model.channelOf);
    m_constants.readTable = sent(exec, model.readTable);
}

template <class T> const T* ModelCopy::sent(const Exec& exec, const std::vector<T>& values) {
    if (values.empty()) return nullptr;
    Buffer& buffer = m_buffers.emplace_back(computeMemory(exec.backend), values.size() * sizeof(T));
    upload(exec, buffer.data(), values.data(), buffer.bytes());
    return buffer.as<T>();
}

} // namespace echolux::das
