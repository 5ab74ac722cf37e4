// SPDX-License-Identifier: GPL-3.0-or-later
// Writes files of NumPy: arrays, and ZIP archives of arrays.
#pragma once

#include "app/export/facts.hpp"
#include "app/export/output_files.hpp"

#include <zip.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace echolux {

/// The bytes of a .npy file.
std::string npyOf(const NumberFact& array);
/// A text as UTF-32. The texts are ASCII except for names; bytes above 127 become '?'.
std::string npyOf(const TextFact& text);

/// Writes the members of a .npz uncompressed. Throws Error where the file cannot be written.
class NpzArchive {
public:
    explicit NpzArchive(const OutputFiles& files);
    NpzArchive(const NpzArchive&) = delete;
    NpzArchive& operator=(const NpzArchive&) = delete;
    ~NpzArchive();

    void put(const std::string& name, std::string bytes);
    /// Adds a .npy file, which must exist until finish().
    void putFile(const std::string& name, const std::filesystem::path& npy);
    void finish();

private:
    void put(const std::string& name, zip_source_t* source);

    const OutputFiles& m_files;
    zip_t* m_archive = nullptr;
    std::vector<std::unique_ptr<std::string>> m_bytes; ///< which the archive reads when it is
                                                       ///< closed
};

} // namespace echolux
