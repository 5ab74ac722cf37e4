// SPDX-License-Identifier: GPL-3.0-or-later
// Shows messages and withdraws messages that they replace.
#include "app/desktop/message_desk.hpp"

#include "app/desktop/workbench/label_text.hpp"
#include "app/session/session.hpp"

#include <QStringList>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace echolux {

MessageDesk::MessageDesk(MessageBar& bar, const Session& session)
    : m_bar(bar), m_session(session) {}

void MessageDesk::tell(Severity severity, const QString& sentence, Topic topic,
                       const MessageAction& action) {
    const bool several = topic == Topic::Recording || topic == Topic::Calibration;
    if (!several) m_bar.withdraw({topic});
    if (!sentence.isEmpty()) m_bar.show(severity, sentence, topic, action);
}

void MessageDesk::fail(const QString& sentence, Topic topic) {
    spdlog::warn("{}", sentence.toStdString());
    tell(Severity::Error, sentence, topic);
}

void MessageDesk::withdraw(std::initializer_list<Topic> topics) {
    if (std::ranges::find(topics, Topic::Pipeline) != topics.end()) m_pipelineWarning.clear();
    m_bar.withdraw(topics);
}

void MessageDesk::followPipeline() {
    QStringList sentences;
    for (const std::string& warning : m_session.snapshot()->warnings())
        sentences.push_back(inLabels(warning));
    const QString text = sentences.join(' ');
    if (std::exchange(m_pipelineWarning, text) != text)
        tell(Severity::Warning, text, Topic::Pipeline);
}

QString MessageDesk::inLabels(const std::string& sentence) const {
    return m_session.isOpen() ? echolux::inLabels(sentence, *m_session.snapshot())
                              : QString::fromStdString(sentence);
}

} // namespace echolux
