// SPDX-License-Identifier: GPL-3.0-or-later
// One row per display setting.
#include "app/desktop/display_fields.hpp"

#include "gpu/core/error.hpp"
#include "render/view/colour_map.hpp"

#include <QJsonValue>
#include <QStringList>
#include <fmt/format.h>

#include <array>

namespace echolux {
namespace {

struct Field {
    const char* key;
    QJsonValue (*get)(const DisplayChoice& display);
    void (*set)(DisplayChoice& display, const QJsonValue& value);
};

template <auto member> Field field(const char* key) {
    return {key, [](const DisplayChoice& display) { return QJsonValue(display.*member); },
            [](DisplayChoice& display, const QJsonValue& value) {
                display.*member =
                    value.toVariant().value<std::remove_cvref_t<decltype(display.*member)>>();
            }};
}

const std::array kFields{field<&DisplayChoice::colourMap>("colour_map"),
                         field<&DisplayChoice::inverted>("inverted"),
                         field<&DisplayChoice::smooth>("smooth"),
                         field<&DisplayChoice::gamma>("gamma"),
                         field<&DisplayChoice::opacity>("opacity"),
                         field<&DisplayChoice::priority>("priority"),
                         field<&DisplayChoice::particles>("particles"),
                         field<&DisplayChoice::particleCount>("particle_count"),
                         field<&DisplayChoice::particlePace>("particle_pace"),
                         field<&DisplayChoice::min>("min"),
                         field<&DisplayChoice::max>("max")};

QString textOf(const QJsonValue& value) {
    if (value.isBool()) return value.toBool() ? "true" : "false";
    if (value.isDouble()) return QString::fromStdString(fmt::format("{}", value.toDouble()));
    return value.toString();
}

/// A value of the kind of `like`; undefined where the text is none.
QJsonValue valueOf(const QString& text, const QJsonValue& like) {
    if (like.isString()) return text;
    if (like.isBool())
        return text == "true" || text == "false" ? QJsonValue(text == "true") : QJsonValue();
    bool isNumber = false;
    const double number = text.toDouble(&isNumber);
    return isNumber ? QJsonValue(number) : QJsonValue();
}

} // namespace

QJsonObject toJson(const DisplayChoice& display) {
    QJsonObject fields;
    for (const Field& each : kFields) fields.insert(each.key, each.get(display));
    return fields;
}

DisplayChoice displayIn(const QJsonObject& fields, DisplayChoice display) {
    for (const Field& each : kFields) {
        const QJsonValue value = fields.value(each.key);
        if (value.type() == each.get(display).type()) each.set(display, value);
    }
    return display;
}

std::map<std::string, std::string> displayTexts(const DisplayChoice& display) {
    std::map<std::string, std::string> texts;
    for (const Field& each : kFields) texts[each.key] = textOf(each.get(display)).toStdString();
    return texts;
}

DisplayChoice withDisplayText(DisplayChoice display, const std::string& key,
                              const std::string& text) {
    QStringList names;
    for (const Field& each : kFields) {
        names << each.key;
        if (each.key != key) continue;
        const QJsonValue value = valueOf(QString::fromStdString(text), each.get(display));
        if (value.isNull()) throw Error(fmt::format("'{}' is no value of display.{}", text, key));
        if (key == kFields.front().key) colourMap(text); // throws, with the names there are
        each.set(display, value);
        return display;
    }
    throw Error(
        fmt::format("the display has no '{}'; it has {}", key, names.join(", ").toStdString()));
}

} // namespace echolux
