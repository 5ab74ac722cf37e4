// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the kind of file.
#include "app/export/named_arrays.hpp"

#include "app/export/matlab_output.hpp"
#include "app/export/npz_archive.hpp"
#include "gpu/core/error.hpp"

#include <stdexcept>

namespace echolux {

void writeNamedArrays(const OutputFiles& files, std::span<const NumberFact> numbers,
                      std::span<const TextFact> texts, const std::string& program) {
    if (files.target().extension() == ".npz") {
        NpzArchive archive(files);
        for (const NumberFact& each : numbers) archive.put(each.name, npyOf(each));
        for (const TextFact& each : texts) archive.put(each.name, npyOf(each));
        archive.finish();
        return;
    }
    try {
        Hdf5Handle file = matlab::createFile(files);
        for (const NumberFact& each : numbers) matlab::put(file.get(), each);
        for (const TextFact& each : texts) matlab::put(file.get(), each);
        matlab::finish(file, files, program);
    } catch (const Error&) {
        throw;
    } catch (const std::runtime_error& failure) {
        files.refuse(failure.what());
    }
}

} // namespace echolux
