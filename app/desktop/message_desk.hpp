// SPDX-License-Identifier: GPL-3.0-or-later
// Messages to users: each has a topic in the message bar and uses the labels of the window.
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

    /// Shows a message in place of the former one of the same topic. An empty sentence removes it.
    /// Topics Recording and Calibration may show several messages.
    void tell(Severity severity, const QString& sentence, Topic topic,
              const MessageAction& action = {});
    void fail(const QString& sentence, Topic topic); ///< shows an error and logs it
    void withdraw(std::initializer_list<Topic> topics);
    /// Shows the warnings of the pipeline in force. The same text is shown only once, even while a
    /// slider is dragged.
    void followPipeline();
    /// Replaces names of stages and parameters by their labels.
    QString inLabels(const std::string& sentence) const;

    /// Shows the signals `failed`, `warned` and `informed` of `desk` as messages, as far as the
    /// desk has them.
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
    QString m_pipelineWarning; ///< the warning already shown
};

} // namespace echolux
