// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of frames, which several threads may read at once, are the frames that one thread reads;
// damage in one is found as it is there.
#include "app/dataset/recording/byte_order.hpp"
#include "tests/dataset/native_samples.hpp"
#include "tests/dataset/sidecar_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

namespace echolux {
namespace {

/// The frame put together from its parts, each read by a thread of its own, the last one first.
std::vector<std::byte> fromParts(const std::vector<FramePart>& parts, std::size_t bytes) {
    std::vector<std::byte> frame(bytes, std::byte{0xA5});
    std::vector<std::thread> threads;
    std::size_t covered = 0;
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
        covered += part->bytes;
        EXPECT_LE(part->begin + part->bytes, bytes);
        threads.emplace_back(
            [part, out = std::span(frame).subspan(part->begin, part->bytes)] { part->read(out); });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(covered, bytes);
    return frame;
}

void expectPartsAreFrames(Recording& recording) {
    const std::size_t bytes = recording.info().frame.bytes();
    std::vector<std::byte> whole(bytes);
    for (std::int64_t i = 0; i < recording.info().frameCount; ++i) {
        const std::vector<FramePart> parts = recording.partsOf(i);
        ASSERT_FALSE(parts.empty()) << i;
        recording.readFrame(i, whole);
        ASSERT_TRUE(fromParts(parts, bytes) == whole) << i;
    }
}

TEST(FrameParts, OfNativeRecordingsOfEachSampleType) {
    for (const DType type :
         {DType::U8, DType::I16, DType::U16, DType::F32, DType::ComplexI16, DType::ComplexF32}) {
        SCOPED_TRACE(nameOf(type));
        const test::TemporaryFolder folder;
        test::writeSample(folder / "a.h5", test::sampleSpec(type, 2, 3, 61), 3);
        expectPartsAreFrames(*openNative(folder / "a.h5"));
    }
}

TEST(FrameParts, OfNativeSpectra) {
    const test::TemporaryFolder folder;
    test::writeSample(folder / "a.h5", test::spectraSpec(DType::Packed12, 4, 62), 3);
    expectPartsAreFrames(*openNative(folder / "a.h5"));
}

TEST(FrameParts, LargeFramesHaveSeveral) {
    const test::TemporaryFolder folder;
    const FrameSpec spec = test::sampleSpec(DType::I16, 6, 32, 5000);
    test::writeSample(folder / "a.h5", spec, 1);
    const auto recording = openNative(folder / "a.h5");
    EXPECT_GE(recording->partsOf(0).size(), 2U);
    expectPartsAreFrames(*recording);
}

TEST(FrameParts, DamageNeverPassesForSamples) {
    const test::Hdf5MayLeak damaged;
    const test::TemporaryFolder folder;
    const auto path = folder / "a.h5";
    const FrameSpec spec = test::sampleSpec(DType::I16, 2, 3, 60);
    test::writeSample(path, spec, 6);
    int readable = 0;
    const int refused = test::openDamaged(path, 7, [&](Recording& recording) {
        std::vector<std::byte> got(spec.bytes());
        for (std::int64_t i = 0; i < recording.info().frameCount; ++i) {
            const std::vector<FramePart> parts = recording.partsOf(i);
            if (parts.empty()) continue;
            for (const FramePart& part : parts)
                part.read(std::span(got).subspan(part.begin, part.bytes));
            ASSERT_TRUE(got == test::sampleFrame(spec, i)) << "frame " << i;
            ++readable;
        }
    });
    EXPECT_GT(readable, 100);
    EXPECT_GT(refused, 20);
}

class FramePartsOfFiles : public test::SidecarTest {};

TEST_F(FramePartsOfFiles, OfHeaderlessFramesStoredAsDeliveredInEitherByteOrder) {
    const std::string frames = "shape = [2, 3, 4]\naxes = [\"frame\", \"channel\", \"sample\"]\n";
    for (const std::string type : {"<i2", ">i2"}) {
        test::Parts parts;
        parts.data = "dtype = \"" + type + "\"\n" + frames;
        parts.transmit = "";
        expectPartsAreFrames(*open(parts));
    }
}

TEST(ByteOrder, EachNumberIsTurned) {
    const std::string stored = "abcdefghi";
    const auto turned = [&](std::uint8_t each) {
        std::string bytes = stored;
        turnBytes(each, std::as_writable_bytes(std::span(bytes)));
        return bytes;
    };
    EXPECT_EQ(turned(1), stored);
    EXPECT_EQ(turned(2), "badcfehgi");
    EXPECT_EQ(turned(4), "dcbahgfei");
    EXPECT_EQ(turned(8), "hgfedcbai");
}

TEST_F(FramePartsOfFiles, NoneWhereSamplesAreConvertedOrReordered) {
    for (const std::string& data : {std::string("dtype = \"<i2\"\nshape = [2, 4, 3]\n"
                                                "axes = [\"frame\", \"sample\", \"channel\"]\n"),
                                    std::string("dtype = \"<i2\"\nshape = [3, 4, 2]\n"
                                                "axes = [\"channel\", \"sample\", \"frame\"]\n"),
                                    std::string("dtype = \"<i4\"\nshape = [2, 3, 2]\n"
                                                "axes = [\"frame\", \"channel\", \"sample\"]\n")}) {
        test::Parts parts;
        parts.data = data;
        parts.transmit = "";
        EXPECT_TRUE(open(parts)->partsOf(1).empty()) << data;
    }
}

TEST_F(FramePartsOfFiles, OfSpectraButNotOfReversedOnes) {
    const auto spectra = [&](const std::string& more) {
        test::writeFile(m_folder / "data.raw.toml",
                        "[data]\ndtype = \"<u2\"\nshape = [3, 2, 4]\n"
                        "axes = [\"bscan\", \"lateral\", \"sample\"]\n" +
                            more + "[spectrometer]\n");
        return openRecording(m_path);
    };
    expectPartsAreFrames(*spectra(""));
    const auto mirrored = spectra("mirrored_bscans = \"odd\"\n");
    EXPECT_FALSE(mirrored->partsOf(0).empty());
    EXPECT_TRUE(mirrored->partsOf(1).empty());
}

} // namespace
} // namespace echolux
