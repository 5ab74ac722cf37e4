// SPDX-License-Identifier: GPL-3.0-or-later
// The files opened last, with their options, in the user's settings.
#pragma once

#include "app/session/prepared_engine.hpp"

#include <QSettings>

#include <vector>

namespace echolux {

QSettings userSettings();
/// Leaves `field` as it is where the settings lack the key.
template <class Field> void read(const QSettings& store, const char* key, Field& field) {
    field = store.value(key, field).template value<Field>();
}

/// Newest first, with absolute paths.
std::vector<OpenRequest> recentFiles(QSettings& store);
/// Puts `request` first, and removes an earlier one for the same file.
void addRecentFile(QSettings& store, const OpenRequest& request);

} // namespace echolux
