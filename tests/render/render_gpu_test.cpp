// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA frames on screen: contents through interop and through the host, and no copy to the host
// in 200 frames of interop, by CUPTI's records.
#include "tests/support/fetched.hpp"
#include "tests/support/gl_context.hpp"
#include "tests/support/gpu.hpp"
#include "tests/support/synthetic_frames.hpp"
#if defined(ECHOLUX_HAS_CUPTI)
#include "tests/support/cupti_copies.hpp"
#endif

#include "gpu/memory/transfer.hpp"
#include "render/gl/objects.hpp"
#include "render/view/frame_canvas.hpp"

#include <numeric>

namespace echolux {
namespace {

using testing_support::imageSpec;
using testing_support::valueAt;

/// Frames in device memory, each written on a stream of its own right before it is handed out.
class DeviceSupplier : public FrameSupplier {
public:
    DeviceSupplier(std::int64_t rows, std::int64_t columns)
        : m_pixels(MemoryKind::Device, static_cast<std::size_t>(rows * columns) * sizeof(float)),
          m_host(MemoryKind::Pinned, m_pixels.bytes()) {
        m_frame.spec = std::make_shared<const FrameSpec>(imageSpec(rows, columns, 1e-4));
        m_frame.pixels = m_pixels.as<float>();
        m_frame.backend = Backend::Cuda;
        m_frame.ready = m_ready.get();
    }
    ~DeviceSupplier() override { m_stream.synchronize(); }

    /// The same memory as [lateral][depth].
    void transpose() {
        FrameSpec spec = *m_frame.spec;
        std::swap(spec.axes[0].name, spec.axes[1].name);
        m_frame.spec = std::make_shared<const FrameSpec>(std::move(spec));
    }

    /// Values first, first + 1, ...; the copy is in flight when this returns.
    void offer(float first) {
        std::iota(m_host.as<float>(), m_host.as<float>() + m_frame.spec->count(), first);
        const Exec exec{Backend::Cuda, m_stream.get()};
        upload(exec, m_pixels.data(), m_host.data(), m_pixels.bytes());
        offerAgain();
    }
    void offerAgain() {
        m_ready.record({Backend::Cuda, m_stream.get()});
        ++m_frame.serial;
        m_fresh = true;
    }
    const DisplayFrame* acquire() override {
        return std::exchange(m_fresh, false) ? &m_frame : nullptr;
    }
    /// As a session does: its next writes wait for the reader.
    void release(device::Stream stream) override {
        ++released;
        m_read.record({Backend::Cuda, stream});
        m_read.blockStream({Backend::Cuda, m_stream.get()});
        m_read.synchronize();
    }
    void presented(std::uint64_t) override {}

    int released = 0;

private:
    Stream m_stream{Backend::Cuda, "test"};
    Event m_ready{Backend::Cuda, false};
    Event m_read{Backend::Cuda, false};
    Buffer m_pixels;
    Buffer m_host;
    DisplayFrame m_frame;
    bool m_fresh = false;
};

class CudaCanvas : public testing_support::GlTest {
protected:
    void SetUp() override {
        ECHOLUX_NEED_GPU();
        GlTest::SetUp();
        if (!m_context) return;
        m_canvas = std::make_unique<FrameCanvas>();
    }
    void TearDown() override { m_canvas.reset(); }
    static bool nvidiaDraws() { return gl::vendorName().find("NVIDIA") != std::string::npos; }
    std::unique_ptr<FrameCanvas> m_canvas;
};

TEST_F(CudaCanvas, TextureHoldsWhatTheDeviceHeld) {
    DeviceSupplier supplier(37, 53);
    for (const float first : {0.0F, 1000.0F, -5.0F}) {
        supplier.offer(first);
        ASSERT_TRUE(m_canvas->takeNewest(supplier));
        const std::vector<float> shown = m_canvas->readBack();
        for (std::size_t i = 0; i < shown.size(); ++i) {
            ASSERT_EQ(shown[i], first + static_cast<float>(i)) << i;
        }
        EXPECT_EQ(valueAt(*m_canvas, 5, 2), first + 2 * 53 + 5);
    }
    EXPECT_EQ(supplier.released, 3);
}

TEST_F(CudaCanvas, LinesOfOctAreReadAsColumns) {
    DeviceSupplier supplier(37, 53);
    supplier.transpose();
    supplier.offer(0.0F);
    ASSERT_TRUE(m_canvas->takeNewest(supplier));
    EXPECT_EQ(m_canvas->width(), 37);
    EXPECT_EQ(m_canvas->height(), 53);
    EXPECT_EQ(valueAt(*m_canvas, 5, 2), 5 * 53 + 2);
}

TEST_F(CudaCanvas, InteropIsChosenWhereNvidiaDraws) {
    DeviceSupplier supplier(16, 16);
    supplier.offer(0.0F);
    m_canvas->takeNewest(supplier);
    ASSERT_TRUE(m_canvas->path());
    EXPECT_EQ(m_canvas->path()->interop, nvidiaDraws()) << m_canvas->path()->reason;
    if (!nvidiaDraws()) {
        EXPECT_EQ(m_canvas->path()->badge, "upload: no NVIDIA OpenGL");
    }
}

TEST_F(CudaCanvas, SizeMayChange) {
    for (const std::int64_t columns : {64, 17, 300}) {
        DeviceSupplier supplier(20, columns);
        supplier.offer(1.0F);
        ASSERT_TRUE(m_canvas->takeNewest(supplier));
        const std::vector<float> shown = m_canvas->readBack();
        ASSERT_EQ(shown.size(), static_cast<std::size_t>(20 * columns));
        EXPECT_EQ(shown.back(), static_cast<float>(20 * columns));
        EXPECT_EQ(m_canvas->path()->interop, nvidiaDraws()) << m_canvas->path()->reason;
    }
}

TEST_F(CudaCanvas, SteadyStateAllocatesNothing) {
    DeviceSupplier supplier(512, 384);
    supplier.offer(0.0F);
    m_canvas->takeNewest(supplier);
    const bool interop = m_canvas->path()->interop;
    const MemoryCounters before = memoryCounters();
    for (int i = 0; i < 20; ++i) {
        supplier.offerAgain();
        ASSERT_TRUE(m_canvas->takeNewest(supplier));
    }
    const MemoryCounters after = memoryCounters();
    EXPECT_EQ(after.allocations, before.allocations);
    EXPECT_EQ(after.deviceToHost - before.deviceToHost, interop ? 0U : 20U);
}

#if defined(ECHOLUX_HAS_CUPTI)
TEST_F(CudaCanvas, TwoHundredFramesOfInteropCopyNothingToTheHost) {
    if (!nvidiaDraws()) GTEST_SKIP() << "OpenGL is drawn by " << gl::rendererName();
    DeviceSupplier supplier(1024, 512);
    supplier.offer(0.0F);
    m_canvas->takeNewest(supplier);
    ASSERT_TRUE(m_canvas->path()->interop) << m_canvas->path()->reason;

    testing_support::startCountingCopies();
    constexpr unsigned kFrames = 200;
    for (unsigned i = 0; i < kFrames; ++i) {
        supplier.offerAgain();
        ASSERT_TRUE(m_canvas->takeNewest(supplier));
        m_canvas->draw({0, 0, 16, 16}, {0, 0, 16, 16}, {16, 16}, {});
    }
    const auto counts = testing_support::stopCountingCopies();
    EXPECT_EQ(counts.toHost, 0U);
    EXPECT_EQ(counts.fromHost, 0U);
    EXPECT_GE(counts.onDevice, kFrames) << "else the records saw nothing";

    // The records do see a copy to the host when there is one.
    testing_support::startCountingCopies();
    Buffer device(MemoryKind::Device, 1024);
    Buffer host(MemoryKind::Pinned, 1024);
    const Stream stream(Backend::Cuda, "control");
    download({Backend::Cuda, stream.get()}, host.data(), device.data(), 1024);
    EXPECT_EQ(testing_support::stopCountingCopies().toHost, 1U);
}
#endif

} // namespace
} // namespace echolux
