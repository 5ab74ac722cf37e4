// SPDX-License-Identifier: GPL-3.0-or-later
// Describes frames by an Echolux recording of one frame.
#include "app/live/shared_writer.hpp"

#include "app/dataset/native/native_writer.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace echolux {
namespace {

std::string descriptionOf(const RecordingInfo& info, std::span<const std::byte> frame) {
    std::string pattern = (std::filesystem::temp_directory_path() / "echolux-live-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr)
        throw Error("No temporary folder for the description of live frames; set TMPDIR.");
    const std::filesystem::path file = std::filesystem::path(pattern) / "frame.echolux.h5";
    std::string bytes;
    std::string failure;
    try {
        Provenance provenance;
        provenance.program = "Echolux";
        provenance.source = info.path.string();
        provenance.notes = info.notes;
        provenance.aberration = info.aberration;
        NativeWriter writer(file, info.frame, info.frameRateHz, provenance);
        writer.append(frame);
        writer.close();
        std::ifstream in(file, std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(in), {});
    } catch (const Error& error) {
        failure = error.what();
    }
    std::error_code ignored;
    std::filesystem::remove_all(pattern, ignored);
    if (!failure.empty()) throw Error(failure);
    return bytes;
}

} // namespace

SharedWriter::SharedWriter(const Setup& setup, const RecordingInfo& info,
                           std::span<const std::byte> frame)
    : m_frameBytes(frame.size()) {
    if (!info.frame.acquisition && !info.frame.spectrometer)
        throw Error(fmt::format("'{}' holds images; channel data and spectra alone can be served.",
                                info.path.string()));
    const std::string description = descriptionOf(info, frame);
    const char* failure =
        echolux_live_create(&m_writer, setup.name.c_str(), m_frameBytes, setup.slotCount,
                            setup.blocks ? ECHOLUX_LIVE_BLOCK : ECHOLUX_LIVE_DROP_OLDEST,
                            description.data(), description.size());
    if (failure != nullptr)
        throw Error(fmt::format("Shared memory '{}' cannot be made: {}", setup.name, failure));
}

SharedWriter::~SharedWriter() { echolux_live_close(&m_writer); }

std::span<std::byte> SharedWriter::begin() {
    void* samples = echolux_live_begin(&m_writer);
    if (samples == nullptr) return {};
    return {static_cast<std::byte*>(samples), m_frameBytes};
}

void SharedWriter::publish(const FrameStamp& stamp) {
    const auto number = stamp.number >= 0 ? stamp.number : static_cast<std::int64_t>(m_writer.next);
    echolux_live_publish(&m_writer, number, stamp.deviceNs);
}

std::uint64_t SharedWriter::taken() const {
    return __atomic_load_n(&m_writer.header->taken, __ATOMIC_ACQUIRE);
}

} // namespace echolux
