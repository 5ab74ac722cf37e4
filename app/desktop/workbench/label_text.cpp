// SPDX-License-Identifier: GPL-3.0-or-later
// Finds names in a sentence and replaces them by labels.
#include "app/desktop/workbench/label_text.hpp"

#include <QRegularExpression>

namespace echolux {
namespace {

QString quoted(const std::string& label) {
    return QString("\"%1\"").arg(QString::fromStdString(label));
}

/// Replaces choices that follow the label of a row and "to". "or" may join several.
void labelChoices(QString& text, const ParamRow& row) {
    const QString after =
        QRegularExpression::escape(quoted(row.label)) + R"( to (?:(?:"[^"]*"|\w+) or )?\K)";
    for (const ParamChoice& choice : row.choices) {
        const QString id = QString::fromStdString(choice.id);
        text.replace(QRegularExpression(after + id + "\\b"), quoted(choice.label));
    }
}

/// Keys that are ordinary words ("delays") count as names only in quotes, or after "parameter",
/// "set" and "make".
void labelParameters(QString& text, const StageType& type) {
    for (const ParamRow& row : type.table.rows()) {
        const QString key = QString::fromStdString(row.key);
        const QString label = quoted(row.label);
        text.replace(QString("parameter '%1'").arg(key), label);
        text.replace(QString("'%1'").arg(key), label);
        const QString before = key.contains('_') ? "\\b" : "(?<=\\bset |\\bmake |\\bparameter )";
        text.replace(QRegularExpression(before + key + "\\b(?![\"'])"), label);
        labelChoices(text, row);
    }
}

} // namespace

QString inLabels(const std::string& sentence, const Snapshot& snapshot) {
    QString text = QString::fromStdString(sentence);
    const StageState* speaker = nullptr;
    for (const StageState& stage : snapshot.stages) {
        for (const std::string& name : {stage.id, stage.type->id}) {
            const QString id = QString::fromStdString(name);
            const bool leads = text.startsWith(id + ": ");
            const QString mention = QString("tage '%1'").arg(id);
            if (!leads && !text.contains(mention)) continue;
            if (leads) text.replace(0, id.size(), QString::fromStdString(stage.type->label));
            text.replace(mention, "tage " + quoted(stage.type->label));
            speaker = &stage;
        }
    }
    // The stage that reports the sentence means its own parameters first. Others may have the same
    // key.
    if (speaker != nullptr) labelParameters(text, *speaker->type);
    for (const StageState& stage : snapshot.stages) labelParameters(text, *stage.type);
    return text;
}

QString inASentence(QString label) {
    const bool isWord = label.size() > 1 && label[1].isLower();
    if (isWord) label[0] = label[0].toLower();
    return label;
}

} // namespace echolux
