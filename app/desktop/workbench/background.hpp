// SPDX-License-Identifier: GPL-3.0-or-later
// Long work off the window's thread. A strip shows its progress, and Cancel ends the wait at once.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>

namespace echolux {

class ProgressStrip;

/// Each job has a thread of its own. A job that cannot be interrupted runs on after it was
/// cancelled; its result is dropped.
class Background : public QObject {
    Q_OBJECT
public:
    /// The last part of a job, on the window's thread. May be empty, may throw.
    using Finish = std::function<void()>;
    using Work = std::function<Finish(const std::stop_token&)>;
    /// Reports the share of the work that is done, 0 to 1. Any thread.
    using Report = std::function<void(double)>;
    using ReportingWork = std::function<Finish(const std::stop_token&, const Report&)>;
    enum class Kind {
        Opening,   ///< a new one replaces the former; cancelled when the window closes
        Saving,    ///< is finished also after the window has closed
        Exporting, ///< cancelled when the window closes
        Quiet      ///< not shown, cannot be cancelled
    };

    explicit Background(ProgressStrip& strip);
    ~Background() override; ///< waits for all jobs

    void start(Kind kind, const QString& text, Work work);
    /// The same, with a progress bar.
    void startReporting(Kind kind, const QString& text, ReportingWork work);
    /// Destroys `held` on a thread of its own, because its destructor may wait: that of an engine
    /// waits for a read in progress. Does nothing for null.
    void throwAway(std::shared_ptr<void> held);
    void cancel(); ///< cancels the job that the strip shows
    bool isOpening() const { return !underWay(Kind::Opening).isEmpty(); }
    /// Texts of the jobs that run and were not cancelled, oldest first.
    QStringList underWay(Kind kind) const;

signals:
    void failed(const QString& sentence, echolux::Background::Kind kind);
    /// Done or failed; emitted before the result is delivered.
    void ended(echolux::Background::Kind kind);

private:
    struct Job {
        std::uint64_t id = 0;
        Kind kind = Kind::Quiet;
        QString text;
        bool givenUp = false;
        double done = -1.0; ///< share of the work; negative: unknown
        std::jthread thread;
    };
    struct Result {
        Finish finish;
        QString sentence; ///< text of an exception
    };
    void run(std::uint64_t id, const std::stop_token& stop, Work work);
    void finished(std::uint64_t id, Result& result);
    void progressed(std::uint64_t id, double done);
    void giveUp(Job& job);
    Job* shown();
    void showProgress();

    ProgressStrip& m_strip;
    std::list<Job> m_jobs; ///< oldest first; cancelled jobs stay until their threads end
    std::uint64_t m_lastId = 0;
};

} // namespace echolux
