// SPDX-License-Identifier: GPL-3.0-or-later
// Writes output files by QSaveFile.
#include "app/commands/output_file.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

namespace echolux {

OutputFile::OutputFile(const std::string& path) : m_file(QString::fromStdString(path)) {
    if (!m_file.open(QIODevice::WriteOnly)) refuse();
}

void OutputFile::commit() {
    if (!m_file.commit()) refuse();
}

void OutputFile::refuse() const {
    throw Error(fmt::format(
        "{} cannot be written ({}); check the folder, its permissions and the free space.",
        m_file.fileName().toStdString(), m_file.errorString().toStdString()));
}

void writeText(const std::string& path, const std::string& text) {
    OutputFile file(path);
    const auto size = static_cast<qint64>(text.size());
    if (file.device().write(text.data(), size) != size) file.refuse();
    file.commit();
}

} // namespace echolux
