// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of a phantom: what stands still is summed once.
#include "app/source/echo_simulator.hpp"

namespace echolux {

namespace {

FrameSpec checkedFrame(const EchoSetup& setup) {
    checkSetup(setup);
    return frameOf(setup);
}

} // namespace

EchoSimulator::EchoSimulator(const EchoSetup& setup, Phantom phantom, Backend backend)
    : m_setup(setup), m_frame(checkedFrame(setup)), m_phantom(std::move(phantom)),
      m_sums(setup, m_frame, backend) {
    m_still.assign(static_cast<std::size_t>(m_frame.count()), 0.0);
    m_sums.add(m_phantom.still, m_still);
    m_converter = EchoConverter(m_setup.converter, echoes(0));
}

std::span<const double> EchoSimulator::echoes(std::int64_t index) {
    if (!m_phantom.moves()) return m_still;
    m_phantom.movingAt(static_cast<double>(index) / m_setup.frameRateHz, m_moving);
    m_echoes = m_still;
    m_sums.add(m_moving, m_echoes);
    return m_echoes;
}

void EchoSimulator::render(std::int64_t index, std::span<std::int16_t> out) {
    m_converter.convert(index, echoes(index),
                        static_cast<std::size_t>(m_frame.sizeOf(AxisName::Sample)), out);
}

} // namespace echolux
