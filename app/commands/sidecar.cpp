// SPDX-License-Identifier: GPL-3.0-or-later
// echolux sidecar: writes a description for a file that contains none.
#include "app/dataset/sidecar/sidecar.hpp"
#include "app/command_line/options.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/sidecar_dialogue.hpp"
#include "app/dataset/container/container.hpp"
#include "app/dataset/recording/counted.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/whole_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <iostream>
#include <memory>
#include <set>

namespace echolux {

namespace {

struct SidecarOptions {
    std::string file;
    std::string kind;
    std::string array;
    GivenFacts given;
    bool accept = false;
    bool print = false;
    OutputOptions out;
};

Terminal standardTerminal() {
    return {[](const std::string& line) { fmt::print(stderr, "{}\n", line); },
            [](const std::string& prompt) -> std::optional<std::string> {
                fmt::print(stderr, "{}", prompt);
                std::string answer;
                if (!std::getline(std::cin, answer)) return std::nullopt;
                const auto blank = [](char each) { return each == ' ' || each == '\t'; };
                while (!answer.empty() && blank(answer.back())) answer.pop_back();
                while (!answer.empty() && blank(answer.front())) answer.erase(0, 1);
                return answer;
            }};
}

/// Sets the centre frequency, which the user has not given. For real samples it follows from
/// `bandCentre`, the centre of the band as a fraction of the sampling frequency; 0 = unknown. For
/// I/Q pairs it is the demodulation frequency.
void followBand(ChannelImport& import, double bandCentre) {
    if (bandCentre > 0.0 && !import.pairs()) {
        import.centreFrequencyHz = std::round(bandCentre * import.samplingFrequencyHz / 1e4) * 1e4;
        import.centreEstimated = true;
    }
    if (import.pairs() && import.centreFrequencyHz == 0.0)
        import.centreFrequencyHz = import.demodulationFrequencyHz;
}

class Describer {
public:
    Describer(const SidecarOptions& options, Terminal terminal)
        : m_options(options), m_terminal(std::move(terminal)),
          m_file(std::make_shared<const InputFile>(options.file)),
          m_container(openContainer(m_file)), m_asks(!options.accept && isatty(STDIN_FILENO) != 0) {
        refuseKnown();
    }

    void run() {
        const Kind kind = kindOf();
        const std::string text = kind == Kind::Spectra  ? describeSpectra()
                                 : kind == Kind::Images ? describeImages()
                                                        : describeChannels();
        if (m_options.print) {
            fmt::print("{}", text);
            return;
        }
        const std::filesystem::path kept = keep(text);
        fmt::print("Kept in {}\n", kept.string());
        OpenOptions open;
        open.sidecar = kept;
        const auto recording = openRecording(m_options.file, open);
        const RecordingInfo& info = recording->info();
        fmt::print("It opens: {}, {} of {}\n", info.format,
                   counted(info.frameCount, kind == Kind::Spectra ? "B-scan" : "frame"),
                   info.frame.describe());
        for (const std::string& warning : info.warnings) m_terminal.tell(warning);
    }

private:
    enum class Kind { Channels, Spectra, Images };

    /// A file that contains its own description needs no sidecar.
    void refuseKnown() const {
        if (findSidecar(m_file->path(), m_file->size(), std::nullopt)) return;
        std::string format;
        try {
            format = openRecording(m_options.file)->info().format;
        } catch (const Error&) {
            return;
        }
        throw Error(fmt::format("'{}' opens without a sidecar, as {}; 'echolux info' tells what it "
                                "holds.",
                                m_options.file, format));
    }

    Kind kindOf() const {
        if (m_options.kind == "spectra") return Kind::Spectra;
        if (m_options.kind == "image") return Kind::Images;
        if (!m_options.kind.empty()) return Kind::Channels;
        if (readRawImport(m_options.file)) return Kind::Spectra;
        if (readImageImport(m_options.file)) return Kind::Images;
        if (readChannelImport(m_options.file)) return Kind::Channels;
        checkArray();
        // A fact that only one kind of data has decides the kind.
        if (anyGiven({"form", "depth-step", "line-step", "sector"})) return Kind::Images;
        if (const auto axes = m_options.given.find("axes");
            axes != m_options.given.end() && axes->second.find("depth") != std::string::npos)
            return Kind::Images;
        if (anyGiven({"axes", "fs", "pitch", "angles", "wave", "probe"})) return Kind::Channels;
        if (anyGiven({"centre-wavelength", "bandwidth", "samples", "lines"})) return Kind::Spectra;
        if (m_container) {
            if (looksLikeImages(m_file->path(), *m_container, m_options.array)) return Kind::Images;
            const bool spectra =
                echolux::mayBeSpectra(m_file->path(), *m_container, m_options.array);
            return spectra && !m_options.given.contains("shape") ? Kind::Spectra : Kind::Channels;
        }
        const ElementType type = guessElementType(*m_file);
        if (looksLikeImages(*m_file, type, 0)) return Kind::Images;
        const bool spectra = !m_options.given.contains("shape");
        return spectra && !looksLikeEchoes(*m_file, type, 0) ? Kind::Spectra : Kind::Channels;
    }
    bool anyGiven(std::initializer_list<const char*> keys) const {
        return std::ranges::any_of(keys,
                                   [&](const char* key) { return m_options.given.contains(key); });
    }

    template <class Import> static const char* kindName() {
        if (std::is_same_v<Import, RawImport>) return "spectra";
        return std::is_same_v<Import, ImageImport> ? "images" : "channel data";
    }

    template <class Import> void refuseForeign(const DescriptionRows<Import>& rows) const {
        for (const auto& [key, text] : m_options.given)
            if (std::ranges::find(rows, key, optionOf) == rows.end())
                throw Error(fmt::format("--{} says nothing of these data, which are taken for {}; "
                                        "leave it out, or choose with --kind.",
                                        key, kindName<Import>()));
    }

    template <class Import>
    void complete(const DescriptionRows<Import>& rows, Import& import,
                  const std::function<void(const std::string&, Import&)>& told = {}) {
        for (const DescriptionRow<Import>& row : rows)
            if (m_options.given.contains(optionOf(row)) && !row.applies(import))
                throw Error(fmt::format("--{} means nothing for data as they are described here; "
                                        "leave it out.",
                                        optionOf(row)));
        if (m_asks) {
            m_terminal.tell("Enter accepts the value in brackets.");
            askFor(rows, m_options.given, import, m_terminal, told);
        } else {
            tellGuesses(rows, m_options.given, import, m_terminal);
        }
        if (const std::string unknown = unknownFacts(rows, import); !unknown.empty())
            throw Error(
                fmt::format("'{}' tells too little of itself; give {}.", m_options.file, unknown));
    }

    void checkArray() const {
        if (m_options.array.empty()) return;
        if (!m_container)
            throw Error(fmt::format("'{}' is headerless: it holds no array '{}'.", m_options.file,
                                    m_options.array));
        if (!m_container->has(m_options.array))
            throw Error(fmt::format("'{}' holds no array '{}', but {}.", m_options.file,
                                    m_options.array, m_container->list()));
    }

    /// The facts from which sizes are guessed.
    ChannelImport beginning(double& bandCentre) {
        const auto& rows = channelRows();
        checkArray();
        if (m_container) {
            const ArrayGuess guess = guessArray(m_file->path(), *m_container, m_options.array);
            bandCentre = guess.bandCentre;
            return guess.import;
        }
        ChannelImport import;
        import.type = guessElementType(*m_file);
        takeGiven(rows, m_options.given, import, {"dtype", "offset", "trailer"});
        const auto suggestions = suggestChannelImports(*m_file, import, 1);
        if (!suggestions.empty()) {
            import = suggestions.front();
        } else {
            import.axes = {{ArrayAxis::Frame, -1},
                           {ArrayAxis::Transmit, 1},
                           {ArrayAxis::Channel, 128},
                           { ArrayAxis::Sample,
                             1024 }};
        }
        return import;
    }

    std::string describeChannels() {
        const auto& rows = channelRows();
        refuseForeign(rows);
        double bandCentre = 0.0;
        ChannelImport import;
        if (auto kept = readChannelImport(m_options.file); kept && m_options.array.empty())
            import = *kept;
        else
            import = beginning(bandCentre);
        takeGiven(rows, m_options.given, import);
        if (m_options.given.contains("fc")) import.centreEstimated = false;
        const auto follow = [&](ChannelImport& each) {
            if (m_options.given.contains("fc") || each.samplingFrequencyHz <= 0.0) return;
            if (bandCentre == 0.0 && each.centreFrequencyHz == 0.0)
                bandCentre = guessBandCentre(*m_file, each);
            followBand(each, bandCentre);
        };
        const bool centreKnown = import.centreFrequencyHz > 0.0 && !import.centreEstimated;
        if (!centreKnown) follow(import);
        complete<ChannelImport>(rows, import, [&](const std::string& key, ChannelImport& each) {
            if (key == "fc") each.centreEstimated = false;
            if ((key == "fs" || key == "fd") && !centreKnown) follow(each);
        });
        const ChannelFit fit = checkChannelImport(import, m_file->size());
        if (!fit.fits) throw Error(fmt::format("'{}': {}", m_options.file, fit.sentence));
        m_terminal.tell(fit.sentence);
        openChannelImport(m_file, import);
        m_keep = [this, import] { return writeChannelImport(m_options.file, import); };
        return toSidecar(import);
    }

    std::string describeImages() {
        const auto& rows = imageRows();
        refuseForeign(rows);
        checkArray();
        ImageImport import;
        if (auto kept = readImageImport(m_options.file); kept && m_options.array.empty()) {
            import = *kept;
        } else if (m_container) {
            import = guessImageArray(m_file->path(), *m_container, m_options.array);
        } else {
            takeGiven(rows, m_options.given, import, {"offset", "trailer"});
            if (m_options.given.contains("dtype"))
                takeGiven(rows, m_options.given, import, {"dtype"});
            const auto suggestions = suggestImageImports(*m_file, import, 1);
            if (!suggestions.empty()) {
                import = suggestions.front();
            } else {
                if (!import.type) import.type = guessElementType(*m_file);
                import.axes = {{ArrayAxis::Frame, -1},
                               {ArrayAxis::Depth, 512},
                               { ArrayAxis::Lateral,
                                 256 }};
            }
        }
        takeGiven(rows, m_options.given, import);
        complete<ImageImport>(rows, import);
        const ImageFit fit = checkImageImport(import, m_file->size());
        if (!fit.fits) throw Error(fmt::format("'{}': {}", m_options.file, fit.sentence));
        m_terminal.tell(fit.sentence);
        openImageImport(m_file, import);
        m_keep = [this, import] { return writeImageImport(m_options.file, import); };
        return toSidecar(import);
    }

    std::string describeSpectra() {
        const auto& rows = spectraRows();
        refuseForeign(rows);
        RawImport import;
        checkArray();
        if (const auto kept = readRawImport(m_options.file); kept && m_options.array.empty()) {
            import = *kept;
        } else if (m_container) {
            import = guessSpectraArray(m_file->path(), *m_container, m_options.array);
        } else {
            const ElementType type = guessElementType(*m_file);
            if (type.kind != ElementType::Kind::Signed) import.type.element = type;
            takeGiven(rows, m_options.given, import, {"dtype", "offset", "trailer"});
            const auto suggestions = suggestRawImports(*m_file, import, 1);
            if (!suggestions.empty()) import = suggestions.front();
        }
        takeGiven(rows, m_options.given, import);
        complete<RawImport>(rows, import);
        const RawFit fit = checkRawImport(import, m_file->size());
        if (!fit.fits) throw Error(fmt::format("'{}': {}", m_options.file, fit.sentence));
        m_terminal.tell(fit.sentence);
        openSpectraImport(m_file, import);
        m_keep = [this, import] { return writeRawImport(m_options.file, import); };
        return toSidecar(import);
    }

    std::filesystem::path keep(const std::string& text) const {
        if (m_options.out.path.empty()) return m_keep();
        refuseRecording(m_options.out.path, m_options.file);
        m_options.out.refuseExisting(m_options.out.path);
        writeWhole(m_options.out.path, text);
        return m_options.out.path;
    }

    const SidecarOptions& m_options;
    Terminal m_terminal;
    std::shared_ptr<const InputFile> m_file;
    std::shared_ptr<ArrayContainer> m_container; ///< null for headerless data
    bool m_asks;
    std::function<std::filesystem::path()> m_keep;
};

} // namespace

void addSidecar(CLI::App& app) {
    const auto options = std::make_shared<SidecarOptions>();
    CLI::App* command = app.add_subcommand(
        "sidecar",
        "Describe a file that does not describe itself, and keep the description as its sidecar");
    acceptBackend(*command);
    command->add_option("FILE", options->file, "Headerless data, or arrays")->required();
    command
        ->add_option("--kind", options->kind,
                     "What the file holds (default: a guess from its content)")
        ->check(CLI::IsMember({"channel", "spectra", "image"}));
    command->add_option("--array", options->array, "Name of the array (default: the largest)");
    std::set<std::string> keys;
    const auto add = [&](const auto& rows) {
        for (const auto& row : rows)
            if (const std::string key = optionOf(row); keys.insert(key).second)
                command->add_option_function<std::string>(
                    "--" + key,
                    [options, key](const std::string& text) { options->given[key] = text; },
                    questionOf(row));
    };
    add(channelRows());
    add(spectraRows());
    add(imageRows());
    command->add_flag("-y,--yes", options->accept, "Ask nothing: accept what is guessed");
    command->add_flag("--print", options->print, "Print the sidecar; write nothing");
    command->add_option("-o,--output", options->out.path,
                        "Where the sidecar goes (default: beside FILE, as FILE.toml)");
    command->add_flag("--force", options->out.force, "Replace the file of -o");
    command->footer("In a terminal the command asks for each fact that no option gives, with its "
                    "guess as default.");
    command->callback([options] { Describer(*options, standardTerminal()).run(); });
}

} // namespace echolux
