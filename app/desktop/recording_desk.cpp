// SPDX-License-Identifier: GPL-3.0-or-later
// Adopts, reopens and moves recordings.
#include "app/desktop/recording_desk.hpp"

#include "app/desktop/assumed_parameter.hpp"
#include "app/desktop/edit_desk.hpp"
#include "app/desktop/message_desk.hpp"
#include "app/desktop/prepared_recording.hpp"
#include "app/desktop/workbench/recording_text.hpp"
#include "app/session/session.hpp"
#include "ui/controls/failure_sentence.hpp"
#include "ui/window/status_bar.hpp"

#include <QFileInfo>

#include <utility>

namespace echolux {
namespace {

QString backendText(const BackendChoice& backend) {
    const QString device = QString::fromStdString(backend.device);
    return backend.backend == Backend::Cuda ? "CUDA: " + device : device;
}

} // namespace

RecordingDesk::RecordingDesk(StatusBar& status, Session& session, Background& background,
                             EditDesk& edits, MessageDesk& messages)
    : m_status(status), m_session(session), m_background(background), m_edits(edits),
      m_messages(messages) {
    connect(&edits, &EditDesk::reopenWanted, this, &RecordingDesk::reopen);
    showFacts();
}

QString RecordingDesk::path() const { return QString::fromStdString(m_shown.file.string()); }

QString RecordingDesk::folder() const {
    return m_shown.file.empty() ? QString() : QFileInfo(path()).absolutePath();
}

void RecordingDesk::showFacts() {
    m_status.setBackend(backendText(m_session.backend()),
                        QString::fromStdString(m_session.backend().reason));
    if (!m_session.isOpen()) return;
    const RecordingInfo& info = m_session.recording();
    m_status.setSource(sourceText(info), path());
    QStringList tracks;
    for (const std::string& track : info.tracks) tracks << QString::fromStdString(track);
    emit tracksChanged(tracks, static_cast<int>(info.track));
    emit titleChanged(QString::fromStdString(info.path.filename().string()) + " - Echolux");
}

void RecordingDesk::adopt(PreparedEngine prepared, const OpenRequest& asked) {
    adopt(std::move(prepared), asked, [this] { m_edits.opened(m_shown); });
}

/// `told` is called instead of reporting to the list of edits.
void RecordingDesk::adopt(PreparedEngine prepared, const OpenRequest& asked,
                          const std::function<void()>& told) {
    if (!prepared.engine) return;
    m_edits.leaving();
    emit leaving();
    m_shown = asked;
    close(m_session.adopt(std::move(prepared)));
    if (std::exchange(m_shown.choosePipeline, nullptr))
        m_shown.pipeline = toConfig(*m_session.snapshot());
    m_messages.withdraw({Topic::Recording, Topic::Volume, Topic::Calibration, Topic::Opening,
                         Topic::Edit, Topic::Pipeline, Topic::Engine});
    showFacts();
    emit adopted();
    told();
    // The first warning is visible, the others are below it.
    const auto& warnings = m_session.recording().warnings;
    for (auto warning = warnings.rbegin(); warning != warnings.rend(); ++warning)
        tellWarning(QString::fromStdString(*warning));
}

/// Where a parameter holds an assumed value, the message offers to set it.
void RecordingDesk::tellWarning(const QString& sentence) {
    MessageAction action;
    if (const auto parameter = assumedParameter(sentence, *m_session.snapshot())) {
        action = {"Set it\u2026",
                  [this, parameter] { emit parameterWanted(parameter->stage, parameter->key); }};
    }
    m_messages.tell(Severity::Warning, sentence, Topic::Recording, action);
}

void RecordingDesk::close(PreparedEngine former) {
    if (former.engine) m_background.throwAway(std::make_shared<PreparedEngine>(std::move(former)));
}

/// Prepares the recording in its last state on `choice`. Then `adopted` takes it over.
Background::Work RecordingDesk::preparing(const RecordingState& left, const BackendChoice& choice,
                                          const std::function<void(PreparedEngine)>& adopted) {
    OpenRequest request = left.asked;
    request.pipeline = left.pipeline;
    request.calibration = left.calibration;
    request.choosePipeline = nullptr;
    return [request, choice, place = m_session.placeOn(choice), adopted,
            beside = std::weak_ptr(m_session.shared())](
               const std::stop_token& stop) -> Background::Finish {
        const auto prepared =
            std::make_shared<PreparedEngine>(prepareRecording(request, place, stop, beside));
        prepared->choice = choice;
        return [adopted, prepared] { adopted(std::move(*prepared)); };
    };
}

void RecordingDesk::reopen(const RecordingState& left, const std::function<void()>& adopted) {
    m_messages.withdraw({Topic::Opening});
    m_background.start(
        Background::Kind::Opening, QString::fromStdString(left.asked.openingText()),
        preparing(left, left.backend, [this, asked = left.asked, adopted](PreparedEngine prepared) {
            adopt(std::move(prepared), asked, adopted);
        }));
}

void RecordingDesk::move(const PipelineMove& move) {
    RecordingState left = m_edits.recordingState();
    left.pipeline = move.pipeline;
    const PlayState at = m_session.player().state();
    const auto adopted = [this, move, at](PreparedEngine prepared) {
        if (!prepared.engine) return;
        if (move.isMeant && !move.isMeant()) {
            close(std::move(prepared));
            return;
        }
        adopt(std::move(prepared), m_shown, [this, &move] { m_edits.moved(move.name); });
        emit moved(move, at);
        m_messages.tell(Severity::Info,
                        move.name.detail + ": it runs on " +
                            QString::fromStdString(m_session.backend().device) +
                            " now, as the pipeline asks.",
                        Topic::General);
    };
    m_messages.withdraw({Topic::Opening});
    m_background.start(
        Background::Kind::Opening, "Moving to " + move.placeName(),
        [this, left, move, adopted](const std::stop_token& stop) -> Background::Finish {
            try {
                const BackendChoice choice =
                    chooseBackend(nameOf(move.place.backend), move.place.gpu);
                return preparing(left, choice, adopted)(stop);
            } catch (const std::exception& error) {
                if (!move.refused) throw;
                return
                    [refused = move.refused, sentence = sentenceOf(error)] { refused(sentence); };
            }
        });
}

} // namespace echolux
