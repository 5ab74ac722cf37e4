// SPDX-License-Identifier: GPL-3.0-or-later
// Writes and opens descriptions as files in a folder of their own.
#include "app/live/frame_description.hpp"

#include "app/dataset/native/native_writer.hpp"
#include "app/dataset/recording/printable.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/failure_text.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

namespace echolux {
namespace {

/// Removed with all that is in it.
class DescriptionFolder {
public:
    DescriptionFolder() {
        std::error_code none;
        std::string pattern =
            (std::filesystem::temp_directory_path(none) / "echolux-live-XXXXXX").string();
        if (none || ::mkdtemp(pattern.data()) == nullptr)
            throw Error("No temporary folder for the description of live frames; set TMPDIR.");
        m_path = pattern;
    }
    DescriptionFolder(const DescriptionFolder&) = delete;
    DescriptionFolder& operator=(const DescriptionFolder&) = delete;
    ~DescriptionFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
    std::filesystem::path operator/(const char* file) const { return m_path / file; }

private:
    std::filesystem::path m_path;
};

void writeBytes(const std::filesystem::path& file, std::span<const std::byte> bytes) {
    std::ofstream out(file, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
    if (!out.flush())
        throw Error(fmt::format("The description of live frames cannot be written to '{}'; free "
                                "space there, or set TMPDIR.",
                                file.string()));
}

/// Another program wrote all texts in it.
RecordingInfo factsIn(const std::filesystem::path& file) {
    try {
        RecordingInfo info = openRecording(file)->info();
        for (auto& [name, text] : info.notes) {
            name = printable(name);
            text = printable(text);
        }
        for (std::string& warning : info.warnings) warning = printable(warning);
        return info;
    } catch (const std::exception& error) {
        throw Error(printable(failureText(error)));
    }
}

} // namespace

std::string descriptionOf(const RecordingInfo& info) {
    const DescriptionFolder folder;
    const std::filesystem::path file = folder / "frame.echolux.h5";
    Provenance provenance;
    provenance.program = "Echolux";
    provenance.source = info.path.string();
    provenance.notes = info.notes;
    provenance.aberration = info.aberration;
    NativeWriter writer(file, info.frame, info.frameRateHz, provenance, {.repeatable = true});
    writer.append(std::vector<std::byte>(info.frame.bytes()));
    writer.close();
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

RecordingInfo describedFrame(std::span<const std::byte> description,
                             std::span<const std::byte> frame) {
    const DescriptionFolder folder;
    constexpr unsigned char kHdf5[] = {0x89, 'H', 'D', 'F'};
    const bool isRecording = description.size() > sizeof kHdf5 &&
                             std::memcmp(description.data(), kHdf5, sizeof kHdf5) == 0;
    if (isRecording) {
        writeBytes(folder / "frame.echolux.h5", description);
        return factsIn(folder / "frame.echolux.h5");
    }
    writeBytes(folder / "frame.raw", frame);
    writeBytes(folder / "frame.raw.toml", description);
    return factsIn(folder / "frame.raw");
}

} // namespace echolux
