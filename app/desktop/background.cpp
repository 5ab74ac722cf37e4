// SPDX-License-Identifier: GPL-3.0-or-later
// Threads of long work and what becomes of their results.
#include "app/desktop/background.hpp"

#include "ui/progress_strip.hpp"

#include <algorithm>
#include <exception>
#include <ranges>

namespace echolux {

Background::Background(ProgressStrip& strip) : m_strip(strip) {
    connect(&m_strip, &ProgressStrip::cancelled, this, &Background::cancel);
}

Background::~Background() {
    for (Job& job : m_jobs) {
        if (job.kind == Kind::Opening) job.thread.request_stop();
    }
    // NOTE: not left to std::jthread, which would ask the others to stop as well.
    for (Job& job : m_jobs) job.thread.join();
}

void Background::start(Kind kind, const QString& text, Work work) {
    if (kind == Kind::Opening) {
        for (Job& job : m_jobs) {
            if (job.kind == Kind::Opening) giveUp(job);
        }
    }
    Job& job = m_jobs.emplace_back();
    job.id = ++m_lastId;
    job.kind = kind;
    job.text = text;
    job.thread = std::jthread([this, id = job.id, work = std::move(work)](
                                  const std::stop_token& stop) { run(id, stop, work); });
    showProgress();
}

void Background::run(std::uint64_t id, const std::stop_token& stop, const Work& work) {
    Finish finish;
    QString sentence;
    try {
        finish = work(stop);
    } catch (const std::exception& error) {
        sentence = error.what();
    }
    QMetaObject::invokeMethod(
        this, [this, id, finish, sentence] { finished(id, finish, sentence); },
        Qt::QueuedConnection);
}

void Background::finished(std::uint64_t id, const Finish& finish, const QString& sentence) {
    const auto at = std::ranges::find(m_jobs, id, &Job::id);
    const bool givenUp = at->givenUp;
    at->thread.join(); // its last step was to tell of itself
    m_jobs.erase(at);
    showProgress();
    if (givenUp) return;
    if (!sentence.isEmpty()) {
        emit failed(sentence);
        return;
    }
    try {
        if (finish) finish();
    } catch (const std::exception& error) {
        emit failed(error.what());
    }
}

void Background::giveUp(Job& job) {
    job.givenUp = true;
    job.thread.request_stop();
}

void Background::cancel() {
    if (Job* job = shown()) giveUp(*job);
    showProgress();
}

bool Background::isOpening() const {
    return std::ranges::any_of(
        m_jobs, [](const Job& job) { return job.kind == Kind::Opening && !job.givenUp; });
}

/// The one begun last.
Background::Job* Background::shown() {
    auto newestFirst = m_jobs | std::views::reverse;
    const auto at = std::ranges::find_if(
        newestFirst, [](const Job& job) { return job.kind != Kind::Quiet && !job.givenUp; });
    return at == newestFirst.end() ? nullptr : &*at;
}

void Background::showProgress() {
    if (const Job* job = shown()) {
        m_strip.begin(job->text);
    } else {
        m_strip.end();
    }
}

} // namespace echolux
