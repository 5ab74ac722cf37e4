// SPDX-License-Identifier: GPL-3.0-or-later
// An output file of a command: it is written completely or not at all.
#pragma once

#include <QSaveFile>

#include <string>

namespace echolux {

/// The constructor opens a temporary file beside `path`, so that an unwritable place is found
/// before the work. commit() renames it to `path`; without commit() nothing remains. Both throw
/// Error.
class OutputFile {
public:
    explicit OutputFile(const std::string& path);
    QIODevice& device() { return m_file; }
    void commit();
    [[noreturn]] void refuse() const; ///< throws the error of an unwritable file

private:
    QSaveFile m_file;
};

/// Writes a file, or leaves the one that is there. Throws Error where it cannot be written.
void writeText(const std::string& path, const std::string& text);

} // namespace echolux
