// SPDX-License-Identifier: GPL-3.0-or-later
// Entries that wait to be done, one after another, from several senders.
#pragma once

#include "app/replay/session_target.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <deque>
#include <functional>
#include <memory>
#include <optional>

namespace echolux {

class Background;

/// Each entry is done after the one before: an opening once the recording is there, an image once
/// the window stands still. One entry per turn of the event loop, so that the window stays alive.
class EntryQueue : public QObject {
    Q_OBJECT
public:
    using Done = std::function<void(const QString& problem)>; ///< empty: it was done
    /// One sender. What its entries say of the next opening concerns its own openings alone; after
    /// one that failed, its entries that wait are not done.
    struct Sender {
        SessionPerformer performer;
        bool isLost = false; ///< its recording was not opened
    };
    using SenderPtr = std::shared_ptr<Sender>;
    /// False while the entry must wait, at most for kPatienceMs.
    using IsReady = std::function<bool(const SessionEntry& entry)>;
    static constexpr qint64 kPatienceMs = 60'000;

    EntryQueue(Background& background, IsReady isReady);

    void add(SessionEntry entry, const SenderPtr& sender, Done done);
    void drop(const SenderPtr& sender); ///< its entries that wait are forgotten, unanswered
    void recordingOpened();             ///< call for each recording that was opened

private:
    struct Waiting {
        SessionEntry entry;
        SenderPtr sender;
        Done done;
    };
    void turn();
    bool endOpening();
    bool mayBegin();
    QString perform(const Waiting& next);

    Background& m_background;
    IsReady m_isReady;
    std::deque<Waiting> m_waiting;
    std::optional<Waiting> m_opening; ///< performed; its recording is on its way
    bool m_isOpened = false;          ///< since m_opening was performed
    QString m_failure;                ///< of the latest opening
    bool m_isBusy = false;            ///< an entry is being done; it may show a dialog
    QElapsedTimer m_sinceFirst;       ///< how long the first entry has waited
    QTimer m_next;
};

} // namespace echolux
