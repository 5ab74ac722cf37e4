// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences for people: each under its topic in the message bar, in the labels of the window.
#pragma once

#include "ui/window/message_bar.hpp"

#include <QObject>
#include <QString>

#include <initializer_list>
#include <string>

namespace echolux {

class Session;

class MessageDesk : public QObject {
    Q_OBJECT
public:
    MessageDesk(MessageBar& bar, const Session& session);

    /// In place of what was told of the same; nothing to tell: it is mended. Of a recording and of
    /// its calibration there may be several.
    void tell(Severity severity, const QString& sentence, Topic topic,
              const MessageAction& action = {});
    void fail(const QString& sentence, Topic topic); ///< an error, logged too
    void withdraw(std::initializer_list<Topic> topics);
    /// What the pipeline in force warns of, each text once, however long a slider is dragged.
    void followPipeline();
    /// Stages and parameters by their names on screen.
    QString inLabels(const std::string& sentence) const;

    /// From now on tells what the desk emits of `failed`, `warned` and `informed`, as far as it has
    /// them.
    template <class Desk>
    void listenTo(const Desk& desk, Topic failures, Topic warnings = Topic::General) {
        if constexpr (requires { &Desk::failed; }) {
            connect(&desk, &Desk::failed, this,
                    [this, failures](const QString& sentence) { fail(sentence, failures); });
        }
        if constexpr (requires { &Desk::warned; }) {
            connect(&desk, &Desk::warned, this, [this, warnings](const QString& sentence) {
                tell(Severity::Warning, sentence, warnings);
            });
        }
        if constexpr (requires { &Desk::informed; }) {
            connect(&desk, &Desk::informed, this, [this](const QString& sentence) {
                tell(Severity::Info, sentence, Topic::General);
            });
        }
    }

private:
    MessageBar& m_bar;
    const Session& m_session;
    QString m_pipelineWarning; ///< told already
};

} // namespace echolux
