// SPDX-License-Identifier: GPL-3.0-or-later
// A process without rights that parses one file of a stranger. It can crash, and nothing else.
#pragma once

#include "app/dataset/guarded/at_work.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace echolux {

/// True where this process parses files itself: in the reader process, and where the environment
/// variable ECHOLUX_READ_INSIDE is set (for debuggers and sanitizers, whose findings a process
/// would hide).
bool readsHere();
/// Makes readsHere() true. Called by the reader process, before anything else.
void readHere();

/// How long the process may take for an answer.
struct Patience {
    double processorSeconds = 60.0;
    double seconds = 600.0; ///< waiting for a disk included

    /// For an answer that needs `bytes` of the file.
    static Patience forBytes(std::uint64_t bytes);
};

/// Not thread-safe. Each call that waits for an answer throws what the process answered as an
/// error, and a sentence where the process crashed, took too long, or answered what makes no sense.
class ReaderProcess {
public:
    /// Starts the process. `file` is named in sentences.
    explicit ReaderProcess(std::filesystem::path file);
    ReaderProcess(const ReaderProcess&) = delete;
    ReaderProcess& operator=(const ReaderProcess&) = delete;
    ~ReaderProcess();

    /// Sends a question. Each ticket must be used in answer().
    std::uint64_t send(const std::string& question);
    std::string answer(std::uint64_t ticket, const Patience& patience = {});

    template <class Answer, class... Values>
    Answer ask(const Patience& patience, Ask kind, Values... values) {
        const std::string bytes = answer(send(wire::encoded(kind, std::move(values)...)), patience);
        try {
            return wire::decoded<Answer>(bytes);
        } catch (const wire::Garbled&) {
            failWith(kNonsense);
        }
    }

    /// Memory for frames that both processes see. Called once.
    std::byte* share(std::size_t bytes);

    const std::filesystem::path& file() const { return m_file; }
    static constexpr std::string_view kNonsense = "its reader tells what cannot be";
    static constexpr std::string_view kMadeSo = "it is damaged, or made to do harm";
    /// Ends the process and throws the sentence "Cannot open 'x': `what`; `why`."
    [[noreturn]] void failWith(std::string_view what, std::string_view why = kMadeSo);

private:
    void start();
    /// Throws where it takes too long.
    void receive(void* to, std::size_t bytes, const Patience& patience, double began);
    std::string receiveAnswer(const Patience& patience);
    [[noreturn]] void failAsItEnded();
    void end();

    std::filesystem::path m_file;
    std::string m_failed; ///< why there is no process any more
    pid_t m_process = -1;
    int m_socket = -1;
    int m_memory = -1;
    const AtWork* m_atWork = nullptr;
    std::byte* m_shared = nullptr;
    std::size_t m_sharedBytes = 0;
    std::uint64_t m_sent = 0;
    std::uint64_t m_received = 0;
    std::map<std::uint64_t, std::string> m_answers; ///< by ticket
};

} // namespace echolux
