// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the native recording, including one whose writer was killed or whose end is missing.
#include "app/dataset/native/native_recording.hpp"

#include "app/dataset/container/hdf5_attributes.hpp"
#include "app/dataset/container/hdf5_chunk_check.hpp"
#include "app/dataset/container/hdf5_filters.hpp"
#include "app/dataset/container/hdf5_guard.hpp"
#include "app/dataset/container/hdf5_storage.hpp"
#include "app/dataset/frames/layout_check.hpp"
#include "app/dataset/frames/reciprocity.hpp"
#include "app/dataset/native/native_aberration.hpp"
#include "app/dataset/native/native_acquisition.hpp"
#include "app/dataset/native/native_chunks.hpp"
#include "app/dataset/native/native_format.hpp"
#include "app/dataset/native/native_frame_facts.hpp"
#include "app/dataset/native/native_image.hpp"
#include "app/dataset/native/native_pose.hpp"
#include "app/dataset/native/native_rows.hpp"
#include "app/dataset/native/native_spectrometer.hpp"
#include "app/dataset/native/salvage_driver.hpp"
#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/opening.hpp"
#include "app/dataset/recording/parser.hpp"
#include "gpu/core/sector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <system_error>

namespace echolux {

namespace {

struct OpenFile {
    Hdf5Handle id;
    bool salvaged = false; ///< never closed, or cut off
};

OpenFile openFile(const std::filesystem::path& path) {
    guardHdf5();
    noteParser(Parser::Hdf5);
    OpenFile file;
    file.id = Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    if (file.id) return file;
    file.id = openSalvaged(path);
    file.salvaged = true;
    return file;
}

bool startsLikeHdf5(const std::filesystem::path& path) {
    constexpr std::string_view kSignature("\x89HDF\r\n\x1a\n", 8);
    std::string head(kSignature.size(), '\0');
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return false;
    std::ifstream file(path, std::ios::binary);
    return file.read(head.data(), static_cast<std::streamsize>(head.size())) && head == kSignature;
}

class NativeRecording : public Recording, public StampedFrames {
public:
    explicit NativeRecording(const std::filesystem::path& path);
    void readFrame(std::int64_t index, std::span<std::byte> out) override;
    std::vector<FramePart> partsOf(std::int64_t index) const override;
    std::vector<FrameStamp> stamps(std::int64_t first, std::int64_t count) const override;

private:
    std::optional<Hdf5Handle> group(const char* name) const {
        return native::openGroup(m_file.id.get(), name);
    }

    void checkVersion() const;
    void openFrames();
    void readAcquisition();
    void refuse(const std::optional<std::string>& contradiction) const;
    void readNotes();
    void checkStorage();
    void countFrames();
    std::int64_t wholeBeginning(std::int64_t claimed, std::span<std::byte> buffer) const;
    std::int64_t upToLastWhole(std::int64_t claimed, std::span<std::byte> buffer) const;
    Error damaged(std::int64_t frame) const;
    bool isStored(std::int64_t frame) const;
    bool isWhole(std::int64_t frame, std::span<std::byte> buffer) const;
    bool tryRead(std::int64_t frame, std::span<std::byte> out) const;

    OpenFile m_file;
    Hdf5Handle m_dataset;
    Hdf5Handle m_stamps; ///< null where the file has none
    Hdf5Handle m_memoryType;
    std::vector<hsize_t> m_extent; ///< [frame] and the stored axes
    std::vector<hsize_t> m_chunk;
    std::optional<NativeChunks> m_chunks;          ///< where threads can decode chunks at once
    mutable std::optional<Hdf5ChunkCheck> m_check; ///< where HDF5 must decode them
    ReciprocalFill m_fill;
};

NativeRecording::NativeRecording(const std::filesystem::path& path) {
    m_info.path = path;
    m_info.format = "Echolux recording";
    m_file = openFile(path);
    if (!m_file.id)
        throw fileError(path, "it is no HDF5 file, or its beginning is damaged; choose a recording "
                              "that Echolux wrote");
    checkVersion();
    openFrames();
    native::readFrameFacts(m_dataset.get(), m_info);
    refuse(contradictionInLayout(m_info.frame));
    checkStorage();
    if (const auto image = group(native::kImage))
        native::readImage(*image, m_info.frame, path);
    else if (const auto spectrometer = group(native::kSpectrometer))
        native::readSpectrometer(*spectrometer, m_info.frame, path);
    else
        readAcquisition();
    if (const auto pose = group(native::kPose))
        m_info.frame.pose = std::make_shared<const Pose>(native::readPose(*pose, path));
    refuse(native::contradictionIn(m_info.frame));
    if (m_info.frame.sector) placeLines(m_info.frame);
    readNotes();
    countFrames();
    m_stamps = native::openStamps(m_file.id.get());
    if (m_stamps)
        native::takeRate(m_info, stamps(0, 1).at(0), stamps(m_info.frameCount - 1, 1).at(0));
    m_fill = ReciprocalFill(m_info, [this](std::span<std::byte> out) { readFrame(0, out); });
}

void NativeRecording::checkVersion() const {
    const auto version = hdf5::readInteger(m_file.id.get(), native::kVersionName);
    if (!version)
        throw fileError(m_info.path, fmt::format("it is an HDF5 file without the attribute '{}'; "
                                                 "choose a recording that Echolux wrote",
                                                 native::kVersionName));
    if (*version > native::kVersion)
        throw fileError(m_info.path, fmt::format("it is a recording of format version {} and this "
                                                 "program reads up to {}; use a newer Echolux",
                                                 *version, native::kVersion));
    if (*version < 1)
        throw fileError(m_info.path, fmt::format("its format version {} never existed; it is "
                                                 "damaged, record or copy it again",
                                                 *version));
}

void NativeRecording::refuse(const std::optional<std::string>& contradiction) const {
    if (contradiction)
        throw fileError(m_info.path, *contradiction + "; it is damaged, record or copy it again");
}

void NativeRecording::openFrames() {
    const Hdf5Handle access(H5Pcreate(H5P_DATASET_ACCESS));
    // Each chunk is read once per frame, so a cache would only copy it.
    H5Pset_chunk_cache(access.get(), 0, 0, H5D_CHUNK_CACHE_W0_DEFAULT);
    m_dataset = Hdf5Handle(H5Dopen2(m_file.id.get(), native::kFrames, access.get()));
    if (!m_dataset)
        throw fileError(m_info.path, "it ends before its first frame; record or copy it again");
    m_extent = hdf5::extentOf(m_dataset.get());
    const Hdf5Handle layout(H5Dget_create_plist(m_dataset.get()));
    m_chunk.resize(m_extent.size());
    const int rank = static_cast<int>(m_extent.size());
    if (rank < 2 || H5Pget_layout(layout.get()) != H5D_CHUNKED ||
        H5Pget_chunk(layout.get(), rank, m_chunk.data()) != rank || m_chunk[0] != 1 ||
        m_chunk[1] > m_extent[1] ||
        !std::equal(m_chunk.begin() + 2, m_chunk.end(), m_extent.begin() + 2))
        throw fileError(m_info.path, "its frames are not stored one by one; it was rewritten by "
                                     "another program, use the original");
}

void NativeRecording::readAcquisition() {
    native::readAcquisition(m_file.id.get(), m_info.frame, m_info.path);
    m_info.aberration = native::readAberration(
        m_file.id.get(), m_info.frame.acquisition->probe.elements.size(), m_info.path);
}

void NativeRecording::readNotes() {
    for (const char* name : {native::kProvenance, native::kNotes})
        if (const auto at = group(name))
            for (auto& note : hdf5::readAllTexts(at->get()))
                m_info.notes.push_back(std::move(note));
}

/// Checks extent, size and type of the samples against the facts in the file, before memory is
/// allocated for a frame. Throws Error where they contradict each other or a frame is too large.
/// Also sets m_memoryType, and how chunks are read: m_chunks or else m_check.
void NativeRecording::checkStorage() {
    constexpr std::uint64_t kMostDeflateRatio = 1032;
    const std::vector<hsize_t> stored = native::storedExtent(m_info.frame);
    if (!std::equal(stored.begin(), stored.end(), m_extent.begin() + 1, m_extent.end()))
        throw fileError(m_info.path, "its samples have another extent than its axes; it is "
                                     "damaged, record or copy it again");
    if (m_info.frame.bytes() / kMostDeflateRatio > std::filesystem::file_size(m_info.path))
        throw fileError(m_info.path, fmt::format("one frame should have {} bytes, more than the "
                                                 "file can hold; record or copy it again",
                                                 m_info.frame.bytes()));
    checkLoadSize(m_info.path, "one frame", m_info.frame.bytes());
    native::SampleTypes types = native::sampleTypes(m_info.frame.dtype);
    const Hdf5Handle type(H5Dget_type(m_dataset.get()));
    if (H5Tequal(type.get(), types.stored.get()) <= 0)
        throw fileError(m_info.path, "its samples are of another type than it says; it is damaged, "
                                     "record or copy it again");
    m_memoryType = std::move(types.memory);
    if (!m_file.salvaged)
        m_chunks = NativeChunks::of(m_dataset.get(), m_memoryType.get(), m_chunk, m_extent[1],
                                    m_info.frame.bytes());
    if (m_chunks) return;
    Hdf5Storage storage{.chunk = {}, .filters = {}, .elementBytes = H5Tget_size(type.get())};
    if (const auto obstacle = storageObstacle(m_dataset.get(), 0, storage))
        throw fileError(m_info.path, fmt::format("'{}' {}", native::kFrames, *obstacle));
    m_check.emplace(std::move(storage));
}

/// Finds the last whole frame by bisection. Frames lie in the order of their numbers, so a file
/// without its end has whole frames at its beginning.
std::int64_t NativeRecording::wholeBeginning(std::int64_t claimed,
                                             std::span<std::byte> buffer) const {
    if (claimed > 0 && isWhole(claimed - 1, buffer)) return claimed;
    std::int64_t whole = 0;
    std::int64_t broken = claimed;
    while (whole < broken) {
        const std::int64_t middle = whole + (broken - whole) / 2;
        if (isWhole(middle, buffer))
            whole = middle + 1;
        else
            broken = middle;
    }
    return whole;
}

/// A complete file may be damaged in places. Each damage costs only its own frame. Only damaged
/// frames at the end are left out.
std::int64_t NativeRecording::upToLastWhole(std::int64_t claimed,
                                            std::span<std::byte> buffer) const {
    constexpr std::int64_t kMostTried = 64;
    for (std::int64_t last = claimed; last > std::max<std::int64_t>(claimed - kMostTried, 0);
         --last)
        if (isWhole(last - 1, buffer)) return last;
    return wholeBeginning(claimed, buffer);
}

void NativeRecording::countFrames() {
    const auto claimed = static_cast<std::int64_t>(
        std::min<hsize_t>(m_extent[0], std::numeric_limits<std::int64_t>::max()));
    std::vector<std::byte> buffer(m_info.frame.bytes());
    const std::int64_t count =
        m_file.salvaged ? wholeBeginning(claimed, buffer) : upToLastWhole(claimed, buffer);
    if (count == 0)
        throw fileError(m_info.path, "it holds no whole frame, so it was cut off during the first "
                                     "one; record or copy it again");
    m_info.frameCount = count;
    m_info.firstFrameSound = count == 1 || isWhole(0, buffer);
    if (!m_info.firstFrameSound)
        m_info.warnings.push_back(fmt::format("The recording is damaged: frame 1 of {} cannot be "
                                              "read, and perhaps others too.",
                                              claimed));
    if (count < claimed && !m_info.firstFrameSound)
        m_info.warnings.push_back(
            fmt::format("Of {} frames, those after frame {} are left out.", claimed, count));
    else if (count < claimed && m_file.salvaged)
        m_info.warnings.push_back(
            fmt::format("The recording was cut off or damaged: {} whole.",
                        count == 1 ? fmt::format("only the first of {} frames is", claimed)
                                   : fmt::format("the first {} of {} frames are", count, claimed)));
    else if (count < claimed)
        m_info.warnings.push_back(fmt::format("The recording is damaged: it opens up to its last "
                                              "whole frame, {} of {}.",
                                              count, claimed));
    else if (m_file.salvaged)
        m_info.warnings.push_back(fmt::format(
            "The recording was never finished: it opens up to its last whole frame, number {}.",
            count));
}

Error NativeRecording::damaged(std::int64_t frame) const {
    return Error(fmt::format("Cannot read frame {} of '{}': its samples are damaged or cannot be "
                             "reached; skip it, or copy the file again.",
                             frame + 1, m_info.path.string()));
}

bool NativeRecording::isStored(std::int64_t frame) const {
    std::vector<hsize_t> at(m_extent.size(), 0);
    at[0] = static_cast<hsize_t>(frame);
    for (at[1] = 0; at[1] < m_extent[1]; at[1] += m_chunk[1]) {
        hsize_t bytes = 0;
        H5Dget_chunk_storage_size(m_dataset.get(), at.data(), &bytes);
        if (bytes == 0) return false; // or it failed
    }
    return true;
}

bool NativeRecording::tryRead(std::int64_t frame, std::span<std::byte> out) const try {
    if (m_chunks) {
        for (const FramePart& part : m_chunks->partsOf(frame, [&] { return damaged(frame); }))
            part.read(out.subspan(part.begin, part.bytes));
        return true;
    }
    std::vector<hsize_t> first(m_extent.size(), 0);
    first[0] = static_cast<hsize_t>(frame);
    std::vector<hsize_t> extent = m_extent;
    extent[0] = 1;
    if (!m_check->areWhole(m_dataset.get(), first, extent)) return false;
    const ChunkLimit limit(m_check->mostBytes());
    const Hdf5Handle memory = hdf5::simpleSpace(extent);
    const Hdf5Handle place = native::selectFrame(m_dataset.get(), frame);
    return H5Dread(m_dataset.get(), m_memoryType.get(), memory.get(), place.get(), H5P_DEFAULT,
                   out.data()) >= 0;
} catch (const std::runtime_error&) { // damage, or HDF5 failed
    return false;
}

bool NativeRecording::isWhole(std::int64_t frame, std::span<std::byte> buffer) const {
    Opening::checkTime();
    return isStored(frame) && tryRead(frame, buffer);
}

void NativeRecording::readFrame(std::int64_t index, std::span<std::byte> out) {
    quietHdf5();
    if (index < 0 || index >= m_info.frameCount || out.size() != m_info.frame.bytes())
        throw Error(fmt::format("Cannot read frame {} of '{}' into {} bytes: it has {} frames of "
                                "{} bytes.",
                                index + 1, m_info.path.string(), out.size(), m_info.frameCount,
                                m_info.frame.bytes()));
    if (!isWhole(index, out)) throw damaged(index);
    m_fill.apply(out);
}

std::vector<FramePart> NativeRecording::partsOf(std::int64_t index) const {
    if (!m_chunks || m_fill.fills() || index < 0 || index >= m_info.frameCount) return {};
    quietHdf5();
    return m_chunks->partsOf(index, [this, index] { return damaged(index); });
}

std::vector<FrameStamp> NativeRecording::stamps(std::int64_t first, std::int64_t count) const {
    if (!m_stamps) return {};
    quietHdf5();
    return native::readStamps(m_stamps.get(), first, count);
}

} // namespace

bool isNative(const std::filesystem::path& path) {
    if (!startsLikeHdf5(path)) return false;
    const OpenFile file = openFile(path);
    return file.id && H5Aexists(file.id.get(), native::kVersionName) > 0;
}

std::unique_ptr<Recording> openNative(const std::filesystem::path& path) {
    return std::make_unique<NativeRecording>(path);
}

} // namespace echolux
