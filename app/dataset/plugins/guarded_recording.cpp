// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences that name the reader.
#include "app/dataset/plugins/guarded_recording.hpp"

#include "app/dataset/frames/array_recording.hpp"
#include "app/dataset/frames/fact_check.hpp"
#include "app/dataset/recording/frame_part.hpp"
#include "app/dataset/recording/input_file.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/failure_text.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <exception>
#include <utility>

namespace echolux {
namespace {

Error failed(const std::filesystem::path& path, const std::string& who, std::string reason) {
    // An error of fileError() already says which file it is about.
    const std::string prefix = fileError(path, "").what();
    const std::string opening = prefix.substr(0, prefix.size() - 1);
    if (reason.starts_with(opening)) reason.erase(0, opening.size());
    while (reason.ends_with('.')) reason.pop_back();
    return fileError(path, fmt::format("{} failed: {}", who, reason));
}

class GuardedRecording final : public Recording {
public:
    GuardedRecording(std::unique_ptr<Recording> recording, const std::filesystem::path& path,
                     const std::string& who, const std::string& warning)
        : m_recording(std::move(recording)), m_who(who) {
        guard(path, m_who, [&] {
            m_info = m_recording->info();
            m_info.path = path;
            m_info.live = false;
            checkFacts(m_info);
        });
        if (m_info.format.empty()) m_info.format = m_who;
        m_info.notes.emplace_back("Read by", m_who);
        if (!warning.empty()) m_info.warnings.push_back(warning);
    }

    void readFrame(std::int64_t index, std::span<std::byte> out) override {
        checkFrameRequest(m_info, index, out.size());
        guard(m_info.path, m_who, [&] { m_recording->readFrame(index, out); });
    }
    /// Parts beyond the frame would be written there, so they are not used.
    std::vector<FramePart> partsOf(std::int64_t index) const override {
        std::vector<FramePart> parts;
        guard(m_info.path, m_who, [&] { parts = m_recording->partsOf(index); });
        std::size_t covered = 0;
        for (FramePart& part : parts) {
            if (part.begin != covered || part.bytes > m_info.frame.bytes() - covered || !part.read)
                return {};
            covered += part.bytes;
            part.read = [this, read = std::move(part.read)](std::span<std::byte> out) {
                guard(m_info.path, m_who, [&] { read(out); });
            };
        }
        if (covered != m_info.frame.bytes()) return {};
        return parts;
    }
    void foresee(std::int64_t index) const override {
        try {
            m_recording->foresee(index);
        } catch (...) { // NOLINT: a hint
        }
    }

private:
    std::unique_ptr<Recording> m_recording;
    std::string m_who;
};

} // namespace

void guard(const std::filesystem::path& path, const std::string& who,
           const std::function<void()>& act) {
    try {
        act();
    } catch (const OutOfMemory&) {
        throw;
    } catch (const std::exception& error) {
        throw failed(path, who, reasonOf(error));
    } catch (...) {
        throw failed(path, who, "it threw something that is no exception");
    }
}

bool isPluginKey(std::string_view name) {
    return !name.empty() &&
           name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == name.npos;
}

std::string failureOf(const std::function<void()>& act) {
    try {
        act();
        return {};
    } catch (const std::exception& error) {
        std::string reason = reasonOf(error);
        while (reason.ends_with('.')) reason.pop_back();
        return reason.empty() ? "it gave no reason" : reason;
    } catch (...) {
        return "it threw something that is no exception";
    }
}

std::unique_ptr<Recording> guardedRecording(std::unique_ptr<Recording> recording,
                                            const std::filesystem::path& path,
                                            const std::string& who, const std::string& warning) {
    if (recording == nullptr)
        throw fileError(path, who + " recognised the file and gave no recording; correct the "
                                    "plugin");
    return std::make_unique<GuardedRecording>(std::move(recording), path, who, warning);
}

} // namespace echolux
