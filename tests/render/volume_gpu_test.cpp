// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes in device memory on screen: the same picture as from host memory, whole and shrunk, and
// through interop without a copy to the host and without allocation.
#include "tests/support/gl_context.hpp"
#include "tests/support/gpu.hpp"
#include "tests/support/host_volume.hpp"
#include "tests/support/offscreen.hpp"

#include "gpu/memory/transfer.hpp"
#include "render/gl/objects.hpp"
#include "render/view/volume_canvas.hpp"

#include <cstdlib>

namespace echolux {
namespace {

using testing_support::HostVolume;
using testing_support::LayeredOct;
using testing_support::Offscreen;

constexpr int kSize = 200;
constexpr Rect kWhole{0.0, 0.0, kSize, kSize};
const LayeredOct kSample{.bscans = 24, .lines = 40, .bins = 56};

/// The voxels of a host volume on the device; each offer is still in flight when it is handed out.
class DeviceVolume final : public VolumeSupplier {
public:
    explicit DeviceVolume(HostVolume& host) {
        const DisplayVolume* from = host.acquire();
        m_volume = *from;
        m_host = Buffer(MemoryKind::Pinned, from->shape.bytes());
        m_voxels = Buffer(MemoryKind::Device, from->shape.bytes());
        std::memcpy(m_host.data(), from->voxels, from->shape.bytes());
        host.release(nullptr);
        m_volume.voxels = m_voxels.as<const Half>();
        m_volume.backend = Backend::Cuda;
        m_volume.ready = m_ready.get();
        offerAgain();
    }
    ~DeviceVolume() override { m_stream.synchronize(); }
    void offer(BscanRange range) {
        const Exec exec{Backend::Cuda, m_stream.get()};
        upload(exec, m_voxels.data(), m_host.data(), m_voxels.bytes());
        m_ready.record(exec);
        m_changed = {range};
    }
    const DisplayVolume* acquire() override {
        if (m_changed.empty()) return nullptr;
        m_offered = std::exchange(m_changed, {});
        m_volume.changed = m_offered;
        return &m_volume;
    }
    void release(device::Stream stream) override {
        m_read.record({Backend::Cuda, stream});
        m_read.blockStream({Backend::Cuda, m_stream.get()});
    }
    void offerAgain() override { offer({0, m_volume.shape.bscans}); }

private:
    Stream m_stream{Backend::Cuda, "test"};
    Event m_ready{Backend::Cuda, false};
    Event m_read{Backend::Cuda, false};
    Buffer m_host;
    Buffer m_voxels;
    DisplayVolume m_volume;
    std::vector<BscanRange> m_changed;
    std::vector<BscanRange> m_offered;
};

class CudaVolumes : public testing_support::GlTest {
protected:
    void SetUp() override {
        ECHOLUX_NEED_GPU();
        GlTest::SetUp();
        if (!m_context) return;
        m_target = std::make_unique<Offscreen>(kSize, kSize);
    }
    void TearDown() override { m_target.reset(); }
    std::vector<std::uint32_t> drawn(VolumeCanvas& canvas) {
        VolumeScene scene;
        scene.mode = VolumeScene::Mode::Slices;
        scene.slicesAt = {0.3, 0.6, 0.4};
        scene.display = {.min = 30.0, .max = 100.0, .smooth = false};
        for (int i = 0; i < 20; ++i) {
            canvas.draw(scene, kWhole, {kSize, kSize});
            m_target->pixels();
            if (canvas.lastScale() == 1.0) break;
        }
        return m_target->pixels();
    }
    std::unique_ptr<Offscreen> m_target;
};

TEST_F(CudaVolumes, LookAsTheyDoFromHostMemory) {
    for (const std::size_t maxBytes : {std::size_t{1} << 30U, std::size_t{20000}}) {
        HostVolume host = HostVolume::of(kSample);
        VolumeCanvas fromHost(maxBytes);
        ASSERT_TRUE(fromHost.takeNewest(host));
        host.offerAgain();
        DeviceVolume device(host);
        VolumeCanvas fromDevice(maxBytes);
        ASSERT_TRUE(fromDevice.takeNewest(device));
        const auto expected = drawn(fromHost);
        const auto pixels = drawn(fromDevice);
        int different = 0; // sums of shrunk voxels may differ in the last bit
        for (std::size_t i = 0; i < pixels.size(); ++i) {
            const int a = static_cast<int>(pixels[i] & 0xffU);
            const int b = static_cast<int>(expected[i] & 0xffU);
            different += std::abs(a - b) > 1 ? 1 : 0;
        }
        EXPECT_EQ(different, 0) << maxBytes;
        ASSERT_TRUE(fromDevice.path());
        EXPECT_EQ(fromDevice.path()->interop, gl::vendorName().find("NVIDIA") != std::string::npos)
            << fromDevice.path()->reason;
    }
}

TEST_F(CudaVolumes, InteropCopiesNothingToTheHostAndAllocatesNothing) {
    HostVolume host = HostVolume::of(kSample);
    DeviceVolume device(host);
    VolumeCanvas canvas;
    ASSERT_TRUE(canvas.takeNewest(device));
    if (!canvas.path()->interop) GTEST_SKIP() << canvas.path()->reason;
    const MemoryCounters before = memoryCounters();
    for (std::int64_t i = 0; i < 100; ++i) {
        device.offer({i % 20, 3});
        ASSERT_TRUE(canvas.takeNewest(device));
        drawn(canvas);
    }
    EXPECT_EQ(memoryCounters().deviceToHost, before.deviceToHost);
    EXPECT_EQ(memoryCounters().allocations, before.allocations);
}

} // namespace
} // namespace echolux
