// SPDX-License-Identifier: GPL-3.0-or-later
// The volume's functors give the same on both backends, to the bit but for sums.
#include "tests/support/gpu.hpp"

#include "gpu/memory/transfer.hpp"
#include "gpu/volume/volume.hpp"

#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

namespace echolux {
namespace {

struct Result {
    std::vector<Half> voxels;
    std::vector<Half> turned; ///< the same of slices of echoes
    std::vector<float> highest;
    std::vector<float> mean;
    std::vector<Half> small;
};

template <class T> std::vector<T> fetched(const Exec& exec, const Buffer& buffer) {
    std::vector<T> values(buffer.bytes() / sizeof(T));
    download(exec, values.data(), buffer.data(), buffer.bytes());
    if (exec.backend == Backend::Cuda) device::synchronize(exec.stream);
    return values;
}

Result runOn(Backend backend) {
    const VolumeShape shape{7, 13, 101};
    const Shrink shrink{2, 3, 5};
    const std::int64_t count = 3;
    std::vector<float> frame(static_cast<std::size_t>(count * shape.slice()));
    std::mt19937 random(11);
    std::normal_distribution<float> values(-30.0F, 40.0F);
    for (float& value : frame) value = values(random);

    const Stream stream(backend, "test");
    const Exec exec{backend, stream.get()};
    const auto make = [backend](std::size_t bytes) {
        return Buffer(computeMemory(backend), bytes);
    };
    const Buffer in = make(frame.size() * sizeof(float));
    const Buffer voxels = make(shape.bytes());
    const auto rows = static_cast<std::size_t>(shape.bscans * shape.lines) * sizeof(float);
    const Buffer highest = make(rows);
    const Buffer mean = make(rows);
    const Buffer small = make(shrink.of(shape).bytes());
    upload(exec, in.data(), frame.data(), in.bytes());
    fillVolume(exec, voxels.as<Half>(), shape, -12.5F);
    storeBscans(exec, voxels.as<Half>(), shape, in.as<float>(), 5, count);
    projectBscans(exec, voxels.as<Half>(), shape, Projection::Maximum, {3, 77}, 0, shape.bscans,
                  highest.as<float>());
    projectBscans(exec, voxels.as<Half>(), shape, Projection::Mean, {3, 77}, 0, shape.bscans,
                  mean.as<float>());
    shrinkBscans(exec, voxels.as<Half>(), shape, shrink, 0, shrink.of(shape).bscans,
                 small.as<Half>());
    std::vector<Half> stored = fetched<Half>(exec, voxels);
    storeTurnedBscans(exec, voxels.as<Half>(), shape, in.as<float>(), 5, count);
    return {std::move(stored), fetched<Half>(exec, voxels), fetched<float>(exec, highest),
            fetched<float>(exec, mean), fetched<Half>(exec, small)};
}

TEST(VolumeGpu, AgreesWithTheCpu) {
    ECHOLUX_NEED_GPU();
    const Result cpu = runOn(Backend::Cpu);
    const Result cuda = runOn(Backend::Cuda);
    EXPECT_EQ(cpu.voxels, cuda.voxels);
    EXPECT_EQ(cpu.turned, cuda.turned);
    EXPECT_NE(cpu.turned, cpu.voxels);
    EXPECT_EQ(cpu.highest, cuda.highest);
    for (std::size_t i = 0; i < cpu.mean.size(); ++i) EXPECT_NEAR(cpu.mean[i], cuda.mean[i], 1e-3);
    for (std::size_t i = 0; i < cpu.small.size(); ++i)
        EXPECT_NEAR(fromHalf(cpu.small[i]), fromHalf(cuda.small[i]), 0.1);
}

} // namespace
} // namespace echolux
