// SPDX-License-Identifier: GPL-3.0-or-later
// A file that a command leaves: whole or not at all.
#pragma once

#include <QSaveFile>

#include <string>

namespace echolux {

/// Opens beside `path` at once, so that what cannot be written is refused before the work, and
/// takes its name with commit(); without that nothing is left. Both throw Error.
class OutputFile {
public:
    explicit OutputFile(const std::string& path);
    QIODevice& device() { return m_file; }
    void commit();
    [[noreturn]] void refuse() const; ///< throws what is said where it cannot be written

private:
    QSaveFile m_file;
};

} // namespace echolux
