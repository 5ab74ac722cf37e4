// SPDX-License-Identifier: GPL-3.0-or-later
// A live source of a plugin, on a thread of its own: a source that throws, stalls or changes its
// frames ends by itself and not the program.
#pragma once

#include "app/live/live_source.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace echolux {

using SourceOpener = std::unique_ptr<LiveSource> (*)(const std::string& options);

class GuardedSource final : public LiveSource {
public:
    struct Patience {
        std::chrono::milliseconds opening{10'000};
        std::chrono::milliseconds closing{1'000}; ///< then its thread is left behind
    };
    /// Longest wait in one next().
    static constexpr std::chrono::milliseconds kWait{100};

    /// `who`: "the source 'x' of the plugin /path/y.so". Throws Error that names it where it fails,
    /// gives nothing, does not open in time, or where its facts contradict each other.
    GuardedSource(SourceOpener open, const std::string& address, const std::string& who,
                  const Patience& patience);
    GuardedSource(SourceOpener open, const std::string& address, const std::string& who)
        : GuardedSource(open, address, who, Patience()) {}
    ~GuardedSource() override;

    const RecordingInfo& info() const override { return m_info; }
    /// Nothing while the source has not answered. Changed where its frames have another layout than
    /// at the opening. Throws Error where it throws.
    Outcome next(std::span<std::byte> out, FrameStamp& stamp, const std::stop_token& stop) override;
    std::string reason() const override { return m_reason; }
    std::vector<LiveParameter> parameters() const override;
    /// Takes effect after the frame that the source is making.
    void setParameter(const std::string& key, double value) override;
    /// Those after the latest frame.
    std::vector<std::pair<std::string, std::string>> readouts() const override;

private:
    struct Shared;
    static void work(const std::shared_ptr<Shared>& shared, SourceOpener open,
                     const std::string& options);
    static void answer(Shared& shared, LiveSource& source);
    static void set(Shared& shared, LiveSource& source);
    void leave();

    std::string m_who;
    Patience m_patience;
    RecordingInfo m_info;
    std::string m_reason;
    std::shared_ptr<Shared> m_shared; ///< outlives this object where the source stalls
    std::thread m_thread;
};

} // namespace echolux
