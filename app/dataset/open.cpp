// SPDX-License-Identifier: GPL-3.0-or-later
// Opens any recording: by its sidecar first, then by its content, then by a plugin.
#include "app/dataset/calibration/calibration.hpp"
#include "app/dataset/carried/carried_facts.hpp"
#include "app/dataset/container/archive.hpp"
#include "app/dataset/container/container.hpp"
#include "app/dataset/container/detect.hpp"
#include "app/dataset/container/hdf5_file.hpp"
#include "app/dataset/container/mat5_arrays.hpp"
#include "app/dataset/container/npy.hpp"
#include "app/dataset/container/npz.hpp"
#include "app/dataset/container/text_array.hpp"
#include "app/dataset/formats/aligned_cube.hpp"
#include "app/dataset/formats/bristol.hpp"
#include "app/dataset/formats/clarius.hpp"
#include "app/dataset/formats/cubdl.hpp"
#include "app/dataset/formats/ipasc.hpp"
#include "app/dataset/formats/mfmc.hpp"
#include "app/dataset/formats/must.hpp"
#include "app/dataset/formats/named_recording.hpp"
#include "app/dataset/formats/octproz.hpp"
#include "app/dataset/formats/picmus.hpp"
#include "app/dataset/formats/pictures/dicom.hpp"
#include "app/dataset/formats/pictures/metaimage.hpp"
#include "app/dataset/formats/pictures/nifti.hpp"
#include "app/dataset/formats/pictures/nrrd.hpp"
#include "app/dataset/formats/pictures/tiff.hpp"
#include "app/dataset/formats/sd_raw.hpp"
#include "app/dataset/formats/thorlabs.hpp"
#include "app/dataset/formats/uff_task_force.hpp"
#include "app/dataset/formats/ustb.hpp"
#include "app/dataset/formats/verasonics.hpp"
#include "app/dataset/formats/zea.hpp"
#include "app/dataset/guarded/open_here.hpp"
#include "app/dataset/guarded/reader_process.hpp"
#include "app/dataset/guarded/remote_recording.hpp"
#include "app/dataset/native/native_recording.hpp"
#include "app/dataset/plugins/plugin_readers.hpp"
#include "app/dataset/recording/file_reader.hpp"
#include "app/dataset/recording/headerless_data.hpp"
#include "app/dataset/recording/opening.hpp"
#include "app/dataset/sidecar/image_recording.hpp"
#include "app/dataset/sidecar/sidecar_recording.hpp"
#include "app/dataset/sidecar/spectra_recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

namespace echolux {

namespace {

/// One format among those kept in MATLAB files of version 5 and 7.3, or in HDF5 trees. The first
/// reader that recognises a file opens it. A reader is one folder or file of formats/ and one line
/// here.
struct MatlabReader {
    bool (*recognises)(const MatVariables& variables);
    std::unique_ptr<Recording> (*open)(const std::filesystem::path& path, MatVariables variables,
                                       const std::string& version, const OpenOptions& options);
};
/// A reader of files that hold one recording each.
template <auto open>
std::unique_ptr<Recording> openOnly(const std::filesystem::path& path, MatVariables variables,
                                    const std::string& version, const OpenOptions& /*options*/) {
    return open(path, std::move(variables), version);
}
constexpr std::array kMatlabReaders{
    MatlabReader{isAlignedCube,
                 [](const std::filesystem::path& path, MatVariables, const std::string&,
                    const OpenOptions&) { return openAlignedCube(path); }},
    MatlabReader{looksLikeBristol, openOnly<openBristol>},
    MatlabReader{looksLikeVerasonics, openVerasonics},
    MatlabReader{looksLikeMust, openOnly<openMust>},
};

struct Hdf5Reader {
    bool (*recognises)(const Hdf5File& tree);
    std::unique_ptr<Recording> (*open)(std::shared_ptr<Hdf5File> tree, const OpenOptions& options);
};
std::unique_ptr<Recording> openMat73(std::shared_ptr<Hdf5File> tree, const OpenOptions& options);
constexpr std::array kHdf5Readers{
    Hdf5Reader{isAlignedCube, [](std::shared_ptr<Hdf5File> tree,
                                 const OpenOptions&) { return openAlignedCube(tree->path()); }},
    Hdf5Reader{looksLikeUstb, openUstb},
    Hdf5Reader{looksLikeTaskForceUff, openTaskForceUff},
    Hdf5Reader{looksLikePicmus, openPicmus},
    Hdf5Reader{looksLikeMfmc, openMfmc},
    Hdf5Reader{looksLikeIpasc, openIpasc},
    Hdf5Reader{looksLikeCubdl,
               [](std::shared_ptr<Hdf5File> tree, const OpenOptions&) { return openCubdl(tree); }},
    Hdf5Reader{[](const Hdf5File& tree) { return detectTree(tree) == Hdf5Kind::Matlab; },
               openMat73},
    Hdf5Reader{looksLikeZea, openZea},
};

/// A reader of ZIP archives.
struct ArchiveReader {
    bool (*recognises)(const std::shared_ptr<Archive>& archive);
    std::unique_ptr<Recording> (*open)(std::shared_ptr<Archive> archive,
                                       const OpenOptions& options);
};
constexpr std::array kArchiveReaders{
    ArchiveReader{isAlignedCube,
                  [](std::shared_ptr<Archive> archive, const OpenOptions&) {
                      return openAlignedCube(archive->path());
                  }},
    ArchiveReader{isNamedArchive, [](std::shared_ptr<Archive> archive,
                                     const OpenOptions&) { return openNamedArchive(archive); }},
    ArchiveReader{isThorlabs, openThorlabs},
};

constexpr std::array kFileReaders{
    FileReader{isSdRaw, [](std::shared_ptr<const InputFile> file,
                           const OpenOptions&) { return openSdRaw(file); }},
    FileReader{isDicom, openDicom},
    FileReader{isNrrd, openNrrd},
    FileReader{isTiff, openTiff},
    FileReader{isMetaImage, openMetaImage},
    FileReader{isNifti, openNifti},
    FileReader{isClarius, openClarius},
};

/// The reader that recognises `what`; null where none does.
template <class Readers, class What> auto readerOf(const Readers& readers, const What& what) {
    const auto found =
        std::ranges::find_if(readers, [&](const auto& reader) { return reader.recognises(what); });
    return found == readers.end() ? nullptr : &*found;
}

UndescribedData undescribed(const std::filesystem::path& path, const std::string& what,
                            const std::string& advice) {
    return UndescribedData(fileError(path, fmt::format("{}; {}", what, advice)).what(),
                           fileError(path, what).what());
}

std::unique_ptr<Recording> openMatlab(const std::filesystem::path& path, MatVariables variables,
                                      const std::string& version, const OpenOptions& options) {
    if (const auto* reader = readerOf(kMatlabReaders, variables))
        return reader->open(path, std::move(variables), version, options);
    std::string names;
    constexpr std::size_t kMostListed = 8;
    for (std::size_t i = 0; i < std::min(variables.size(), kMostListed); ++i)
        names += fmt::format("{}'{}'", i == 0 ? "" : ", ", variables[i].first);
    throw undescribed(path,
                      fmt::format("its variables ({}) are no recording that Echolux knows",
                                  names.empty() ? "none" : names),
                      fmt::format("save RF and param as MUST does, or exp_data{}", kSidecarHelps));
}

std::unique_ptr<Recording> openMat73(std::shared_ptr<Hdf5File> tree, const OpenOptions& options) {
    if (looksLikeNamedArrays(*tree)) return openNamedArrays(tree);
    return openMatlab(tree->path(), readMat73(tree->path()), "version 7.3", options);
}

std::unique_ptr<Recording> openHdf5(const InputFile& file, const OpenOptions& options) {
    if (isNative(file.path())) return openNative(file.path());
    const auto tree = Hdf5File::openReadOnly(file.path());
    if (const auto* reader = readerOf(kHdf5Readers, *tree)) return reader->open(tree, options);
    throw undescribed(file.path(),
                      fmt::format("its HDF5 datasets ({}) are in no form that Echolux knows, and "
                                  "do not say how they were recorded",
                                  tree->list()),
                      fmt::format("describe them in '{}.toml' ('echolux help sidecar')",
                                  file.path().filename().string()));
}

/// `what` names the kind of file.
UndescribedData needsSidecar(const InputFile& file, const std::string& what) {
    return undescribed(file.path(),
                       fmt::format("{}, and nothing in it says how it was recorded", what),
                       fmt::format("describe it in '{}.toml' beside it ('echolux sidecar' asks and "
                                   "writes it) or give --sidecar ('echolux help sidecar')",
                                   file.path().filename().string()));
}

std::unique_ptr<Recording> openArchive(const InputFile& file, const OpenOptions& options) {
    const auto archive = std::make_shared<Archive>(file.path());
    if (const auto* reader = readerOf(kArchiveReaders, archive))
        return reader->open(archive, options);
    throw needsSidecar(file, fmt::format("it holds the NumPy arrays {}", openNpz(archive)->list()));
}

std::unique_ptr<Recording> openWithSidecar(const std::shared_ptr<const InputFile>& file,
                                           const Sidecar& sidecar) {
    const auto open = [&](const std::shared_ptr<ArrayContainer>& container,
                          const std::string& format) {
        return sidecar.spectra ? openSpectra(file, container, sidecar, format)
               : sidecar.image ? openImages(file, container, sidecar, format)
                               : openDescribed(file, container, sidecar, format);
    };
    const bool headerless = sidecar.dtype || (sidecar.spectra && sidecar.spectra->packed);
    if (headerless) return open(nullptr, "Headerless binary");
    if (isNrrd(*file)) return open(openPictureArray(readNrrd(file)), "NRRD");
    if (isMetaImage(*file)) return open(openPictureArray(readMetaImage(file)), "MetaImage");
    switch (detectKind(*file)) {
    case FileKind::Npy: return open(openNpy(file), "NumPy .npy");
    case FileKind::Zip: return open(openNpz(file->path()), "NumPy .npz");
    case FileKind::Hdf5:
    case FileKind::Mat73: {
        const auto tree = Hdf5File::openReadOnly(file->path());
        return open(tree, std::string(nameOf(detectTree(*tree))));
    }
    case FileKind::Mat5: return open(openMat5Arrays(*file), "MATLAB version 5");
    case FileKind::Raw: break;
    }
    if (looksLikeText(*file)) return open(openText(*file), "Text");
    return open(nullptr, "Headerless binary");
}

bool isZarrArray(const std::filesystem::path& folder) {
    std::error_code none;
    return std::filesystem::exists(folder / ".zarray", none) ||
           std::filesystem::exists(folder / "zarr.json", none);
}

/// True for the folder of a Zarr store, and for its chunks, which lie below numbered folders.
bool isOfZarr(const std::filesystem::path& path) {
    std::error_code none;
    if (std::filesystem::is_directory(path, none))
        return isZarrArray(path) || std::filesystem::exists(path / ".zgroup", none);
    constexpr int kMostAxes = 8;
    std::filesystem::path folder = std::filesystem::absolute(path, none).parent_path();
    for (int i = 0; i < kMostAxes; ++i, folder = folder.parent_path()) {
        if (isZarrArray(folder)) return true;
        const std::string name = folder.filename().string();
        if (name != "c" && name.find_first_not_of("0123456789") != std::string::npos) break;
    }
    return false;
}

void refuseZarr(const std::filesystem::path& path) {
    if (isOfZarr(path))
        throw fileError(path, "it is a Zarr store or a part of one, which Echolux does not read; "
                              "convert its array to NIfTI, .npz or HDF5");
}

/// Throws HeaderlessData or UndescribedData where no built-in reader recognises the content.
std::unique_ptr<Recording> openBuiltIn(const std::shared_ptr<const InputFile>& file,
                                       const OpenOptions& options) {
    const std::filesystem::path& path = file->path();
    if (options.sidecar && isOctprozMeta(*options.sidecar))
        return openOctproz(file, *options.sidecar);
    if (const auto sidecar = findSidecar(path, file->size(), options.sidecar))
        return openWithSidecar(file, *sidecar);
    const FileKind kind = detectKind(*file);
    if (const auto* reader = readerOf(kFileReaders, *file)) return reader->open(file, options);
    switch (kind) {
    case FileKind::Npy:
        throw needsSidecar(*file, fmt::format("it is a NumPy array of {}", openNpy(file)->list()));
    case FileKind::Zip: return openArchive(*file, options);
    case FileKind::Hdf5: return openHdf5(*file, options);
    case FileKind::Mat5: return openMatlab(path, readMat5(*file), "version 5", options);
    case FileKind::Mat73: return openMat73(Hdf5File::openReadOnly(path), options);
    case FileKind::Raw: break;
    }
    if (const auto meta = findOctprozMeta(path)) return openOctproz(file, *meta);
    if (isOctprozMeta(path))
        throw fileError(path, "it describes an OCTproZ recording; choose the raw file beside it");
    refuseZarr(path);
    if (looksLikeText(*file))
        throw needsSidecar(*file, "it is a text in no format that Echolux knows");
    throw HeaderlessData(
        fileError(path,
                  fmt::format("its content is no format that Echolux knows; if it is headerless, "
                              "'echolux view' and 'echolux sidecar' ask what it holds and "
                              "keep that in '{}.toml' beside it, or give --sidecar "
                              "('echolux help sidecar')",
                              path.filename().string()))
            .what());
}

/// Readers of plugins take what no built-in reader recognises.
std::unique_ptr<Recording> openByContent(const std::filesystem::path& path,
                                         const OpenOptions& options) {
    std::error_code none;
    if (std::filesystem::is_directory(path, none)) refuseZarr(path);
    const auto file = std::make_shared<const InputFile>(path);
    refuseWithoutData(*file);
    try {
        return openBuiltIn(file, options);
    } catch (const HeaderlessData&) {
        if (auto recording = openByPlugin(file, options)) return recording;
        throw;
    } catch (const UndescribedData&) {
        if (auto recording = openByPlugin(file, options)) return recording;
        throw;
    }
}

/// Applies the options that no reader knows.
std::unique_ptr<Recording> finished(std::unique_ptr<Recording> recording,
                                    const std::filesystem::path& path, const OpenOptions& options) {
    if (const std::size_t track = options.track.value_or(0);
        track >= std::max<std::size_t>(recording->info().tracks.size(), 1))
        throw fileError(path, fmt::format("track {} was asked for, but it holds one recording; "
                                          "leave the track out",
                                          track + 1));
    if (options.calibration) recording->calibrate(*options.calibration);
    recording->inspectFirstFrame();
    return recording;
}

} // namespace

void Recording::calibrate(const std::filesystem::path& file) {
    if (!m_info.frame.spectrometer)
        throw fileError(m_info.path, fmt::format("the calibration '{}' is for spectra, but these "
                                                 "are channel data; leave it out",
                                                 file.string()));
    AppliedCalibration result =
        applied(loadCalibration(file), *m_info.frame.spectrometer,
                m_info.frame.sizeOf(AxisName::Sample), file.filename().string());
    if (!m_info.uncalibrated) m_info.uncalibrated = m_info.frame.spectrometer;
    m_info.frame.spectrometer = std::make_shared<const Spectrometer>(std::move(result.facts));
    m_info.notes.emplace_back("Calibration", file.string());
    for (std::string& warning : result.warnings) m_info.warnings.push_back(std::move(warning));
}

std::unique_ptr<Recording> openHere(const std::filesystem::path& path, const OpenOptions& options) {
    const Opening opening(path);
    return finished(openByContent(path, options), path, options);
}

namespace {

std::unique_ptr<Recording> openedFile(const std::filesystem::path& path,
                                      const OpenOptions& options) {
    if (readsHere()) return openHere(path, options);
    const auto byPlugin = [&] {
        const Opening opening(path);
        auto recording = openByPlugin(std::make_shared<const InputFile>(path), options);
        return recording ? finished(std::move(recording), path, options) : nullptr;
    };
    try {
        return openRemotely(path, options);
    } catch (const HeaderlessData&) {
        if (auto recording = byPlugin()) return recording;
        throw;
    } catch (const UndescribedData&) {
        if (auto recording = byPlugin()) return recording;
        throw;
    }
}

} // namespace

std::unique_ptr<Recording> openRecording(const std::filesystem::path& path,
                                         const OpenOptions& options) {
    auto recording = openedFile(path, options);
    recording->takeMarks();
    return recording;
}

std::shared_ptr<ArrayContainer> openContainer(const std::shared_ptr<const InputFile>& file) {
    return readsHere() ? openContainerHere(file) : containerRemotely(file);
}

CarriedFacts carriedFacts(const Recording& recording) {
    if (!mayCarryFacts(recording.info())) return {};
    if (const auto* file = dynamic_cast<const CarryingFile*>(&recording)) return file->carried();
    return readsHere() ? carriedFactsHere(recording.info()) : CarriedFacts{};
}

} // namespace echolux
