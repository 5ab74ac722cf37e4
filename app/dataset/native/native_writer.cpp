// SPDX-License-Identifier: GPL-3.0-or-later
// Lays out the native recording so that written frames stay readable whenever writing ends.
// NOTE: three choices guarantee this. The file is in HDF5's single-writer mode, which writes the
// index of a frame only after the frame. Everything has a checksum (metadata of format 1.10,
// deflated chunks). Without free-space management each allocation is at the end of the file, so
// everything that describes a frame lies before the first byte of the next frame.
#include "app/dataset/native/native_writer.hpp"

#include "app/dataset/container/hdf5_attributes.hpp"
#include "app/dataset/native/chunk_encoder.hpp"
#include "app/dataset/native/native_aberration.hpp"
#include "app/dataset/native/native_acquisition.hpp"
#include "app/dataset/native/native_format.hpp"
#include "app/dataset/native/native_frame_facts.hpp"
#include "app/dataset/native/native_image.hpp"
#include "app/dataset/native/native_pose.hpp"
#include "app/dataset/native/native_rows.hpp"
#include "app/dataset/native/native_spectrometer.hpp"
#include "app/dataset/native/written_file.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/failure_text.hpp"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace echolux {

namespace {

using hdf5::require;

constexpr hsize_t kTargetChunkBytes = hsize_t{1} << 20;
constexpr hsize_t kMaxChunkBytes = (hsize_t{1} << 32) - 1;

Error pathError(const std::filesystem::path& path, const std::string& what) {
    return Error(fmt::format("Cannot write '{}': {}.", path.string(), what));
}

/// Extent of a chunk: one frame, n entries of its first axis, all entries of the other axes. n is
/// the largest divisor of the first axis with at most kTargetChunkBytes, but at least 1. A frame
/// with a single axis is one chunk. Throws std::runtime_error for chunks of more than 4 GiB.
std::vector<hsize_t> chunkExtent(const std::vector<hsize_t>& frame, DType type) {
    const hsize_t sample = type == DType::Packed12 ? 1 : bytesOf(type, 1);
    hsize_t row = sample;
    for (std::size_t i = 1; i < frame.size(); ++i) row *= frame[i];
    hsize_t rows = frame.front();
    if (frame.size() > 1) {
        rows = std::clamp<hsize_t>(kTargetChunkBytes / row, 1, frame.front());
        while (frame.front() % rows != 0) --rows;
    }
    if (row > kMaxChunkBytes / rows)
        throw std::runtime_error("one transmit takes more than 4 GiB; shorten the record");
    std::vector<hsize_t> chunk{1, rows};
    chunk.insert(chunk.end(), frame.begin() + 1, frame.end());
    return chunk;
}

std::string deletedWith(std::int64_t frames) {
    return fmt::format(
        "the file was deleted or replaced while it was written, and its {} frames are "
        "lost; record again",
        frames);
}

Hdf5Handle createFile(const std::filesystem::path& path, bool repeatable) {
    const Hdf5Handle layout = hdf5::creation(H5P_FILE_CREATE);
    // NOTE: HDF5 keeps this choice in an object that has the time.
    if (!repeatable)
        require(H5Pset_file_space_strategy(layout.get(), H5F_FSPACE_STRATEGY_NONE, false, 1),
                "preparing the file");
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS));
    require(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110),
            "preparing the file");
#if H5_VERSION_GE(1, 10, 7)
    H5Pset_file_locking(access.get(), true, true); // file systems without locks are accepted
#endif
    errno = 0;
    Hdf5Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, layout.get(), access.get()));
    if (!file)
        throw pathError(path, fmt::format("{}; choose another place",
                                          errno != 0 ? std::strerror(errno) : "HDF5 refused it"));
    return file;
}

/// Channel data keep the first version of the format where programs that know only this version
/// read them correctly.
std::int64_t versionFor(const FrameSpec& frame) {
    if (native::isImage(frame)) return native::kImageVersion;
    if (frame.spectrometer) return native::kSpectraVersion;
    if (!frame.acquisition->rangeWeights.values.empty()) return native::kWeightedVersion;
    return native::needsArrayVersion(*frame.acquisition) ? native::kArrayVersion
                                                         : native::kEchoVersion;
}

void writeProvenance(hid_t file, const Provenance& provenance) {
    const Hdf5Handle group = native::createGroup(file, native::kProvenance);
    hdf5::writeText(group.get(), native::kProgram, provenance.program);
    hdf5::writeText(group.get(), native::kOrigin, provenance.source);
    hdf5::writeText(group.get(), native::kCreated, provenance.created);
    if (provenance.seed)
        hdf5::writeText(group.get(), native::kSeed, std::to_string(*provenance.seed));
    const Hdf5Handle notes = native::createGroup(file, native::kNotes);
    std::map<std::string, int> taken; // a recording of a recording has some names twice
    for (const auto& [name, text] : provenance.notes) {
        const int number = ++taken[name];
        hdf5::writeText(notes.get(), number == 1 ? name : fmt::format("{} ({})", name, number),
                        text);
    }
}

Hdf5Handle createFrames(hid_t file, const std::vector<hsize_t>& stored,
                        const std::vector<hsize_t>& chunk, const native::SampleTypes& types,
                        int deflateLevel) {
    std::vector<hsize_t> extent{0};
    std::vector<hsize_t> maximum{H5S_UNLIMITED};
    extent.insert(extent.end(), stored.begin(), stored.end());
    maximum.insert(maximum.end(), stored.begin(), stored.end());
    const int rank = static_cast<int>(extent.size());

    const Hdf5Handle layout = hdf5::creation(H5P_DATASET_CREATE);
    const unsigned level = static_cast<unsigned>(std::clamp(deflateLevel, 0, 9));
    require(H5Pset_chunk(layout.get(), rank, chunk.data()), "choosing chunks");
    require(H5Pset_shuffle(layout.get()), "choosing a filter");
    // Mandatory, because the reader recognises a whole chunk by the checksum of its deflate stream.
    require(H5Pset_filter(layout.get(), H5Z_FILTER_DEFLATE, H5Z_FLAG_MANDATORY, 1, &level),
            "choosing a filter");
    require(H5Pset_fill_time(layout.get(), H5D_FILL_TIME_NEVER), "choosing no fill");
    const Hdf5Handle access(H5Pcreate(H5P_DATASET_ACCESS));
    // No chunk cache: frames go directly to the file, before their index.
    require(H5Pset_chunk_cache(access.get(), 0, 0, H5D_CHUNK_CACHE_W0_DEFAULT),
            "choosing no cache");
    const Hdf5Handle space(H5Screate_simple(rank, extent.data(), maximum.data()));
    return Hdf5Handle(require(H5Dcreate2(file, native::kFrames, types.stored.get(), space.get(),
                                         H5P_DEFAULT, layout.get(), access.get()),
                              "making the frames"));
}

} // namespace

void ownHdf5() {
    H5dont_atexit();
    H5open();
}

void checkWritable(const std::filesystem::path& path, const NativeWriterOptions& options) {
    std::error_code ignored;
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    if (!std::filesystem::is_directory(folder, ignored))
        throw pathError(path, fmt::format("the folder '{}' does not exist; make it, or choose "
                                          "another place",
                                          folder.string()));
    if (!std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) return;
    if (!std::filesystem::is_regular_file(path, ignored))
        throw pathError(path, "there is something else than a file; choose another name");
    for (const std::filesystem::path& used : options.inUse)
        if (std::filesystem::equivalent(path, used, ignored))
            throw pathError(path, "this recording is being read; choose another name");
    if (!options.overwrite)
        throw pathError(path, "the file exists; choose another name, or replace it with --force");
    if (native::isBeingWritten(path))
        throw pathError(path,
                        "a program is writing this recording now; wait for its end, or choose "
                        "another name");
}

struct NativeWriter::Handles {
    Hdf5Handle file;
    Hdf5Handle frames;
    Hdf5Handle rawFrames; ///< only where the options name a raw file
    Hdf5Handle stamps;    ///< only where the options want them
    ChunkEncoder encoder;
    std::vector<hsize_t> chunk;                  ///< extent of a chunk
    std::vector<std::vector<std::byte>> encoded; ///< the chunks of a frame
};

NativeWriter::NativeWriter(std::filesystem::path path, const FrameSpec& frame, double frameRateHz,
                           const Provenance& provenance, const NativeWriterOptions& options)
    : m_path(std::move(path)), m_frameBytes(frame.bytes()) {
    const int level = std::clamp(options.deflateLevel, 0, 9);
    const std::size_t sampleBytes = frame.dtype == DType::Packed12 ? 1 : bytesOf(frame.dtype, 1);
    m_hdf5 = std::make_unique<Handles>(
        Handles{{}, {}, {}, {}, ChunkEncoder(sampleBytes, level), {}, {}});
    quietHdf5();
    auto wrong = native::contradictionIn(frame);
    if (!wrong && provenance.aberration && frame.acquisition)
        wrong = contradictionIn(*provenance.aberration, frame.acquisition->probe.elements.size());
    if (wrong)
        throw pathError(m_path,
                        fmt::format("{}; correct the description of the recording", *wrong));
    checkWritable(m_path, options);
    m_unseen.emplace(m_path);
    m_hdf5->file = createFile(m_unseen->name(), options.repeatable);
    native::markBeingWritten(m_hdf5->file.get());
    try {
        hdf5::writeInteger(m_hdf5->file.get(), native::kVersionName, versionFor(frame));
        writeProvenance(m_hdf5->file.get(), provenance);
        if (native::isImage(frame))
            native::writeImage(m_hdf5->file.get(), frame);
        else if (frame.spectrometer)
            native::writeSpectrometer(m_hdf5->file.get(), frame);
        else
            native::writeAcquisition(m_hdf5->file.get(), frame);
        if (frame.pose) native::writePose(m_hdf5->file.get(), *frame.pose);
        if (provenance.aberration && frame.acquisition)
            native::writeAberration(m_hdf5->file.get(), *provenance.aberration);
        const std::vector<hsize_t> stored = native::storedExtent(frame);
        m_hdf5->chunk = chunkExtent(stored, frame.dtype);
        m_hdf5->frames = createFrames(m_hdf5->file.get(), stored, m_hdf5->chunk,
                                      native::sampleTypes(frame.dtype), level);
        m_hdf5->encoded.resize(stored.front() / m_hdf5->chunk[1]);
        native::writeFrameFacts(m_hdf5->frames.get(), frame, frameRateHz);
        if (!options.rawFile.empty())
            m_hdf5->rawFrames = native::createRawFrames(m_hdf5->file.get(), options.rawFile);
        if (options.stamped) m_hdf5->stamps = native::createStamps(m_hdf5->file.get());
        require(H5Fflush(m_hdf5->file.get(), H5F_SCOPE_LOCAL), "writing the description");
        require(H5Fstart_swmr_write(m_hdf5->file.get()), "starting to write frames");
    } catch (const std::exception& error) {
        m_hdf5->frames.close();
        m_hdf5->rawFrames.close();
        m_hdf5->stamps.close();
        m_hdf5->file.close();
        throw pathError(m_path, failureText(error));
    }
}

NativeWriter::~NativeWriter() {
    try {
        close();
    } catch (const std::exception&) {
        // Appended frames stay readable although the file was not closed.
    }
}

void NativeWriter::append(std::span<const std::byte> frame, std::int64_t rawFrame) {
    append(frame, {}, rawFrame);
}

void NativeWriter::append(std::span<const std::byte> frame, const FrameStamp& stamp) {
    append(frame, stamp, -1);
}

void NativeWriter::append(std::span<const std::byte> frame, const FrameStamp& stamp,
                          std::int64_t rawFrame) {
    quietHdf5();
    if (m_failed || !m_hdf5->frames)
        throw pathError(m_path, "the recording is closed; start a new one");
    if (frame.size() != m_frameBytes)
        throw pathError(m_path, fmt::format("a frame of {} bytes came where {} belong; start a new "
                                            "recording",
                                            frame.size(), m_frameBytes));
    if (native::isDeleted(m_hdf5->file.get())) {
        m_failed = true;
        throw pathError(m_path, deletedWith(m_frames));
    }
    errno = 0;
    try {
        if (m_hdf5->rawFrames) native::appendRawFrame(m_hdf5->rawFrames.get(), m_frames, rawFrame);
        if (m_hdf5->stamps) native::appendStamp(m_hdf5->stamps.get(), m_frames, stamp);
        writeFrame(frame);
        if (m_frames == 0) m_unseen->commit();
    } catch (const std::exception& error) {
        m_failed = true;
        const std::string kept = m_frames == 0
                                     ? std::string("nothing is written")
                                     : fmt::format("the {} frames before it are kept", m_frames);
        throw pathError(m_path,
                        fmt::format("frame {} failed ({}); {}, free space or choose another place",
                                    m_frames + 1,
                                    errno != 0 ? std::strerror(errno) : failureText(error), kept));
    }
    ++m_frames;
}

/// Chunks are encoded on several threads; HDF5 only puts them into the file.
void NativeWriter::writeFrame(std::span<const std::byte> frame) {
    Handles& to = *m_hdf5;
    const std::size_t bytes = frame.size() / to.encoded.size();
    tbb::parallel_for(std::size_t{0}, to.encoded.size(), [&](std::size_t i) {
        to.encoder.encode(frame.subspan(i * bytes, bytes), to.encoded[i]);
    });
    std::vector<hsize_t> extent = hdf5::extentOf(to.frames.get());
    extent.at(0) = static_cast<hsize_t>(m_frames) + 1;
    require(H5Dset_extent(to.frames.get(), extent.data()), "growing the file");
    std::vector<hsize_t> at(extent.size(), 0);
    at.at(0) = static_cast<hsize_t>(m_frames);
    for (const std::vector<std::byte>& chunk : to.encoded) {
        require(H5Dwrite_chunk(to.frames.get(), H5P_DEFAULT, to.encoder.skipped(), at.data(),
                               chunk.size(), chunk.data()),
                "writing samples");
        at.at(1) += to.chunk[1];
    }
    require(H5Dflush(to.frames.get()), "writing the index");
}

void NativeWriter::close() {
    if (!m_hdf5->file) return;
    quietHdf5();
    const bool deleted = native::isDeleted(m_hdf5->file.get());
    const bool stamped = !m_hdf5->stamps || m_hdf5->stamps.close();
    const bool numbered = (!m_hdf5->rawFrames || m_hdf5->rawFrames.close()) && stamped;
    const bool closed =
        m_hdf5->frames.close() && numbered && H5Fflush(m_hdf5->file.get(), H5F_SCOPE_LOCAL) >= 0;
    const bool ended = m_hdf5->file.close() && closed;
    if (m_frames == 0) return m_unseen.reset();
    if (deleted && !std::exchange(m_failed, true)) throw pathError(m_path, deletedWith(m_frames));
    if (!ended && !m_failed)
        throw pathError(m_path, "the file could not be completed; its frames stay readable, free "
                                "space before the next recording");
}

} // namespace echolux
