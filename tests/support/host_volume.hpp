// SPDX-License-Identifier: GPL-3.0-or-later
// A volume in host memory for tests of whatever draws one.
#pragma once

#include "render/interop/volume_supplier.hpp"
#include "tests/support/oct_frames.hpp"

#include <utility>
#include <vector>

namespace echolux::testing_support {

class HostVolume final : public VolumeSupplier {
public:
    HostVolume(FrameSpec spec, const std::vector<float>& values) : m_voxels(values.size()) {
        m_volume.spec = std::move(spec);
        m_volume.shape = {m_volume.spec.axes[0].size, m_volume.spec.axes[1].size,
                          m_volume.spec.axes[2].size};
        m_volume.voxels = m_voxels.data();
        setBscans(0, values);
        offerAgain();
    }
    static HostVolume of(const LayeredOct& sample) {
        std::vector<float> all;
        for (std::int64_t i = 0; i < sample.bscans; ++i) {
            const std::vector<float> bscan = sample.bscan(i);
            all.insert(all.end(), bscan.begin(), bscan.end());
        }
        return {sample.bufferSpec(sample.bscans), all};
    }
    void setBscans(std::int64_t first, const std::vector<float>& values) {
        const std::int64_t count =
            static_cast<std::int64_t>(values.size()) / m_volume.shape.slice();
        storeBscans({}, m_voxels.data(), m_volume.shape, values.data(), first, count);
        m_changed.push_back({first, count});
    }
    const DisplayVolume* acquire() override {
        if (m_changed.empty()) return nullptr;
        m_offered = std::exchange(m_changed, {});
        m_volume.changed = m_offered;
        m_volume.exposure = exposure;
        m_volume.backend = backend;
        return &m_volume;
    }
    void release(device::Stream) override { ++released; }
    void offerAgain() override { m_changed = {{0, m_volume.shape.bscans}}; }

    const std::vector<BscanRange>& offered() const { return m_offered; } ///< by acquire(), last

    int released = 0;
    Backend backend = Backend::Cpu; ///< where the voxels are said to be
    Exposure exposure;

private:
    std::vector<Half> m_voxels;
    std::vector<BscanRange> m_changed;
    std::vector<BscanRange> m_offered;
    DisplayVolume m_volume;
};

} // namespace echolux::testing_support
