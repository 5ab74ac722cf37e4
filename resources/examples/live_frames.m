% SPDX-License-Identifier: GPL-3.0-or-later
% A scanner in MATLAB that Echolux shows live: live_frames, then echolux view --source shared:example.
% Build the library first, see live_frames_library.h. This script has not been run in MATLAB.
loadlibrary('liblive_frames', 'live_frames_library.h');
description = sprintf(['sound_speed = 1540\nprobe.pitch = 0.3e-3\ntransmit.angles = [0]\n' ...
    'signal = { sampling_frequency = 20e6, centre_frequency = 5e6, frame_rate = 100 }\n' ...
    '[data]\ndtype = "<i2"\nshape = [64, 1024]\naxes = ["channel", "sample"]\n']);
problem = calllib('liblive_frames', 'live_open', 'example', 2 * 64 * 1024, description);
if ~isempty(problem), error(problem); end
for frame = 0:5999
    samples = int16(200 * randn(1024, 64)); % MATLAB's first index runs fastest: sample x channel
    at = 501 + mod(frame, 200); % a flat reflector that moves
    samples(at:at + 7, :) = samples(at:at + 7, :) + repmat(int16(6000 * [1 1 -1 -1 1 1 -1 -1]'), 1, 64);
    calllib('liblive_frames', 'live_put', libpointer('int16Ptr', samples), frame);
    pause(0.01);
end
calllib('liblive_frames', 'live_close');
unloadlibrary('liblive_frames');
