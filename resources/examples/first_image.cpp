// SPDX-License-Identifier: GPL-3.0-or-later
// The first image of a recording as a PGM picture, by the C interface with owners that free.
//   c++ -std=c++17 first_image.cpp -lecholux -o first_image && ./first_image recording.h5 image.pgm
#include <echolux.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

using Recording = std::unique_ptr<echolux_recording, decltype(&echolux_close)>;
using Pipeline = std::unique_ptr<echolux_pipeline, decltype(&echolux_pipeline_free)>;

void require(bool isTrue) {
    if (!isTrue) throw std::runtime_error(echolux_last_error());
}

void write(const char* from, const char* to) {
    const Recording recording(echolux_open(from), &echolux_close);
    require(recording != nullptr);
    const echolux_spec* raw = echolux_recording_spec(recording.get());
    const Pipeline pipeline(echolux_pipeline_new(nullptr, raw, "auto", 0, 1),
                            &echolux_pipeline_free);
    require(pipeline != nullptr);

    std::vector<char> frame(static_cast<std::size_t>(echolux_spec_bytes(raw)));
    require(echolux_recording_read(recording.get(), 0, frame.data(), frame.size()) == ECHOLUX_OK);
    require(echolux_push(pipeline.get(), frame.data(), frame.size(), 0) == ECHOLUX_OK);
    require(echolux_take(pipeline.get(), 60.0) == ECHOLUX_OK);

    const char* name = echolux_output_name(pipeline.get(), 0);
    const echolux_spec* spec = echolux_output_spec(pipeline.get(), name);
    const auto rows = echolux_spec_axis_size(spec, 0);
    const auto columns = echolux_spec_axis_size(spec, 1);
    std::vector<float> decibels(static_cast<std::size_t>(rows * columns));
    require(echolux_output_copy(pipeline.get(), name, decibels.data(),
                                decibels.size() * sizeof(float)) == ECHOLUX_OK);

    std::FILE* file = std::fopen(to, "wb");
    if (file == nullptr) throw std::runtime_error("The picture cannot be written.");
    const float brightest = *std::max_element(decibels.begin(), decibels.end());
    std::fprintf(file, "P5 %lld %lld 255\n", static_cast<long long>(columns),
                 static_cast<long long>(rows));
    for (const float value : decibels) // 60 dB from black to white
        std::fputc(
            static_cast<int>(std::clamp((value - brightest) / 60.0F + 1.0F, 0.0F, 1.0F) * 255),
            file);
    std::fclose(file);
}

} // namespace

int main(int argc, char** argv) {
    try {
        if (argc != 3) throw std::runtime_error("Give a recording and a picture to write.");
        write(argv[1], argv[2]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
    return 0;
}
