// SPDX-License-Identifier: GPL-3.0-or-later
// Files of NumPy: a ZIP archive of arrays.
#pragma once

#include "app/export/facts.hpp"
#include "app/export/output_files.hpp"

#include <zip.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace echolux {

/// The bytes of a .npy.
std::string npyOf(const NumberFact& array);
/// As UTF-32, one character each: texts here are ASCII but for names, of which bytes above 127
/// become '?'.
std::string npyOf(const TextFact& text);

/// Members of a .npz, stored. Throws Error where it cannot be written.
class NpzArchive {
public:
    explicit NpzArchive(const OutputFiles& files);
    NpzArchive(const NpzArchive&) = delete;
    NpzArchive& operator=(const NpzArchive&) = delete;
    ~NpzArchive();

    void put(const std::string& name, std::string bytes);
    /// A .npy that stays until finish().
    void putFile(const std::string& name, const std::filesystem::path& npy);
    void finish();

private:
    void put(const std::string& name, zip_source_t* source);

    const OutputFiles& m_files;
    zip_t* m_archive = nullptr;
    std::vector<std::unique_ptr<std::string>> m_bytes; ///< that the archive reads at its end
};

} // namespace echolux
