% SPDX-License-Identifier: GPL-3.0-or-later
% The first image of a recording in MATLAB, through libecholux. MATLAB needs a C compiler (mex -setup).
loadlibrary('libecholux', 'echolux.h');
recording = calllib('libecholux', 'echolux_open', 'recording.h5');
raw = calllib('libecholux', 'echolux_recording_spec', recording);
pipeline = calllib('libecholux', 'echolux_pipeline_new', [], raw, 'auto', 0, 1);
bytes = calllib('libecholux', 'echolux_spec_bytes', raw);
frame = libpointer('uint8Ptr', zeros(1, bytes, 'uint8'));
calllib('libecholux', 'echolux_recording_read', recording, 0, frame, bytes);
calllib('libecholux', 'echolux_push', pipeline, frame, bytes, 0);
calllib('libecholux', 'echolux_take', pipeline, 60);
name = calllib('libecholux', 'echolux_output_name', pipeline, 0);
spec = calllib('libecholux', 'echolux_output_spec', pipeline, name);
rows = calllib('libecholux', 'echolux_spec_axis_size', spec, 0);
columns = calllib('libecholux', 'echolux_spec_axis_size', spec, 1);
image = libpointer('singlePtr', zeros(columns, rows, 'single')); % MATLAB's first index runs fastest
calllib('libecholux', 'echolux_output_copy', pipeline, name, image, 4 * rows * columns);
imagesc(image.Value'); colormap gray; colorbar;
calllib('libecholux', 'echolux_pipeline_free', pipeline);
calllib('libecholux', 'echolux_close', recording);
unloadlibrary('libecholux');
