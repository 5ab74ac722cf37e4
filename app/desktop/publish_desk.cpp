// SPDX-License-Identifier: GPL-3.0-or-later
// A target stays while recordings come and go; each engine gets a sink of its own.
#include "app/desktop/publish_desk.hpp"

#include "app/dataset/recording/counted.hpp"
#include "app/session/session.hpp"
#include "gpu/core/error.hpp"
#include "ui/controls/action_text.hpp"

#include <QAction>
#include <QInputDialog>

#include <cstdint>
#include <utility>

namespace echolux {

PublishDesk::PublishDesk(QWidget& window, Session& session) : m_window(window), m_session(session) {
    m_begin = makeAction(this, "&Publish images\u2026", "", {},
                         "Other programs receive each image: 3D Slicer and others by "
                         "OpenIGTLink, Python and others by ZeroMQ");
    connect(m_begin, &QAction::triggered, this, &PublishDesk::ask);
    m_stop = makeAction(this, "Stop publis&hing", "", {}, "Closes all connections");
    connect(m_stop, &QAction::triggered, this, &PublishDesk::stop);
    showState();
}

PublishDesk::~PublishDesk() { leaving(); }

void PublishDesk::ask() {
    const QStringList examples{"igtl:18944", "igtl:18944?colours=gray", "zmq:5556"};
    bool accepted = false;
    const QString address =
        QInputDialog::getItem(&m_window, "Publish images",
                              "Where other programs connect:\n"
                              "   igtl:PORT: OpenIGTLink, with the values of the image\n"
                              "   igtl:PORT?colours=MAP: OpenIGTLink, with colours\n"
                              "   zmq:PORT: ZeroMQ, a header and an array\n"
                              "Programs on this machine can connect; for others write\n"
                              "igtl:ADDRESS:PORT with an address of this machine.",
                              examples, 0, true, &accepted)
            .trimmed();
    if (!accepted || address.isEmpty()) return;
    try {
        publish(address.toStdString());
    } catch (const Error& error) {
        emit failed(error.what());
    }
}

void PublishDesk::publish(const std::string& address) {
    Publication publication{publishTarget(address), {}, nullptr};
    publication.address = publication.target->address();
    m_publications.push_back(std::move(publication));
    begin(m_publications.back());
    emit informed("Images are published at " +
                  QString::fromStdString(m_publications.back().address) + ".");
    showState();
}

void PublishDesk::begin(Publication& publication) {
    if (!m_session.isOpen()) return;
    publication.sink =
        std::make_unique<ImagePublisher>(m_session.backend().backend, publication.target);
    m_session.addSink(*publication.sink);
}

void PublishDesk::leaving() {
    for (Publication& each : m_publications) {
        if (!each.sink) continue;
        m_session.removeSink(*each.sink);
        each.sink.reset();
    }
}

void PublishDesk::adopted() {
    for (Publication& each : m_publications) begin(each);
}

void PublishDesk::stop() {
    leaving();
    m_publications.clear();
    showState();
}

std::vector<PublishCounters> PublishDesk::counters() const {
    std::vector<PublishCounters> all;
    for (const Publication& each : m_publications)
        if (each.sink) all.push_back(each.sink->counters());
    return all;
}

void PublishDesk::follow() { showState(); }

void PublishDesk::showState() {
    QStringList places;
    for (const Publication& each : m_publications) {
        QString place = QString::fromStdString(each.address);
        if (each.sink) {
            const PublishCounters now = each.sink->counters();
            const auto add = [&](std::int64_t count, const char* thing) {
                place += QString::fromStdString(", " + counted(count, thing));
            };
            add(static_cast<std::int64_t>(now.sent), "image");
            if (now.receivers >= 0) add(now.receivers, "receiver");
            if (now.refused > 0) place += ", " + QString::fromStdString(now.reason);
        }
        places << place;
    }
    m_stop->setVisible(!places.isEmpty());
    m_stop->setText(places.isEmpty() ? QString("Stop publis&hing")
                                     : "Stop publis&hing (" + places.join("; ") + ")");
}

} // namespace echolux
