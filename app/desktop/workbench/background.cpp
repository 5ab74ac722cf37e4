// SPDX-License-Identifier: GPL-3.0-or-later
// Threads of long work, and what is done with their results.
#include "app/desktop/workbench/background.hpp"

#include "ui/controls/failure_sentence.hpp"
#include "ui/window/progress_strip.hpp"

#include <algorithm>
#include <exception>

namespace echolux {

Background::Background(ProgressStrip& strip) : m_strip(strip) {
    connect(&m_strip, &ProgressStrip::cancelled, this, &Background::cancel);
}

Background::~Background() {
    for (Job& job : m_jobs) {
        if (job.kind == Kind::Opening || job.kind == Kind::Exporting) job.thread.request_stop();
    }
    // NOTE: joined here, because std::jthread would ask the other jobs to stop as well.
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
    job.thread =
        std::jthread([this, id = job.id, work = std::move(work)](
                         const std::stop_token& stop) mutable { run(id, stop, std::move(work)); });
    showProgress();
}

void Background::startReporting(Kind kind, const QString& text, ReportingWork work) {
    const std::uint64_t id = m_lastId + 1; // the number that start() will give
    const Report report = [this, id](double done) {
        QMetaObject::invokeMethod(
            this, [this, id, done] { progressed(id, done); }, Qt::QueuedConnection);
    };
    start(kind, text, [work = std::move(work), report](const std::stop_token& stop) {
        return work(stop, report);
    });
}

void Background::progressed(std::uint64_t id, double done) {
    const auto at = std::ranges::find(m_jobs, id, &Job::id);
    if (at == m_jobs.end()) return;
    at->done = done;
    if (&*at == shown()) m_strip.setDone(done);
}

void Background::run(std::uint64_t id, const std::stop_token& stop, Work work) {
    const auto result = std::make_shared<Result>();
    try {
        result->finish = work(stop);
    } catch (const std::exception& error) {
        result->sentence = sentenceOf(error);
    }
    // NOTE: the data that the work holds may take long to release. After finished() is posted this
    // thread is joined, so the data are released before.
    work = nullptr;
    QMetaObject::invokeMethod(
        this, [this, id, result] { finished(id, *result); }, Qt::QueuedConnection);
}

void Background::finished(std::uint64_t id, Result& result) {
    const auto at = std::ranges::find(m_jobs, id, &Job::id);
    const bool givenUp = at->givenUp;
    const Kind kind = at->kind;
    at->thread.join(); // the thread has ended its work
    m_jobs.erase(at);
    showProgress();
    emit ended(kind);
    if (givenUp) {
        if (result.finish) throwAway(std::make_shared<Finish>(std::move(result.finish)));
        return;
    }
    if (!result.sentence.isEmpty()) {
        emit failed(result.sentence, kind);
        return;
    }
    try {
        if (result.finish) result.finish();
    } catch (const std::exception& error) {
        emit failed(sentenceOf(error), kind);
    }
}

void Background::throwAway(std::shared_ptr<void> held) {
    if (!held) return;
    start(Kind::Quiet, {}, [held = std::move(held)](const std::stop_token&) { return Finish(); });
}

void Background::giveUp(Job& job) {
    job.givenUp = true;
    job.thread.request_stop();
}

void Background::cancel() {
    if (Job* job = shown()) giveUp(*job);
    showProgress();
}

QStringList Background::underWay(Kind kind) const {
    QStringList texts;
    for (const Job& job : m_jobs)
        if (job.kind == kind && !job.givenUp) texts << job.text;
    return texts;
}

/// The job that began last.
Background::Job* Background::shown() {
    const auto at = std::find_if(m_jobs.rbegin(), m_jobs.rend(), [](const Job& job) {
        return job.kind != Kind::Quiet && !job.givenUp;
    });
    return at == m_jobs.rend() ? nullptr : &*at;
}

void Background::showProgress() {
    if (const Job* job = shown()) {
        m_strip.begin(job->text);
        m_strip.setDone(job->done);
    } else {
        m_strip.end();
    }
}

} // namespace echolux
