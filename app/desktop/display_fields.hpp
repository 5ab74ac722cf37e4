// SPDX-License-Identifier: GPL-3.0-or-later
// Display settings by names, as screenshots and sessions keep them.
#pragma once

#include "ui/parameters/display_group.hpp"

#include <QJsonObject>
#include <QString>

#include <map>
#include <string>

namespace echolux {

QJsonObject toJson(const DisplayChoice& display);
/// Names that are missing or have another kind of value leave `display` as it is.
DisplayChoice displayIn(const QJsonObject& fields, DisplayChoice display = {});

/// "gamma": "1.2"; "inverted": "true".
std::map<std::string, std::string> displayTexts(const DisplayChoice& display);
/// `display` with one value. Throws Error where there is no such name or the text is no such value.
DisplayChoice withDisplayText(DisplayChoice display, const std::string& key,
                              const std::string& text);

} // namespace echolux
