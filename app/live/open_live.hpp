// SPDX-License-Identifier: GPL-3.0-or-later
// Live sources by their addresses.
#pragma once

#include "app/live/live_recording.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace echolux {

/// An address names a live source:
///   simulator:echoes?elements=64&waves=3&depth=40&fc=5&rate=50&phantom=cine
///   simulator:oct?sample=retina&device=spectrometer&lines=128&rate=25&places=1&repeats=1
///   shared:NAME      frames that another program writes to shared memory (echolux help live)
///   replay:FILE      a recording as if it were live
///   camera:NAME      spectra of a camera (echolux help live)
///   igtl:HOST:PORT   images of a server of OpenIGTLink
///   zmq:HOST:PORT    arrays that another program publishes by ZeroMQ
///   NAME:OPTIONS     the source NAME of a plugin that is loaded
/// Numbers as on the command line (mm, MHz, Hz). Missing values have their defaults; "simulator" is
/// "simulator:echoes".
bool isLiveAddress(std::string_view text);
/// Throws Error unless isLiveAddress().
void checkLiveAddress(const std::string& text);
/// The file that the address plays; null for other sources.
std::optional<std::filesystem::path> replayedFile(const std::string& address);

/// The kinds of address, each with one line of help.
std::vector<std::pair<std::string, std::string>> liveAddressKinds();

/// Another program on this machine writes the frames of this address: shared memory.
bool hasWriter(std::string_view address);

/// The source alone, without a thread. Where `stop` can be requested, shared memory is waited for
/// until then. Throws Error for an address that names none.
std::unique_ptr<LiveSource> liveSource(const std::string& address, Backend backend,
                                       const std::stop_token& stop = {});

/// Throws Error for an address that names no source, and as LiveRecording does. `backend`: where
/// simulators compute. `stop`: as for liveSource().
std::unique_ptr<LiveRecording> openLive(const std::string& address, Backend backend,
                                        const LivePlace& place, const std::stop_token& stop = {});

} // namespace echolux
