#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// A picture that was drawn with fewer pixels, enlarged. It lies in the lower left of its texture.
uniform sampler2D picture;
uniform vec2 size; // of the picture, in texels
in vec2 place;
out vec4 colour;

void main() {
    vec2 texel = clamp(vec2(place.x, 1.0 - place.y) * size, vec2(0.5), size - 0.5);
    colour = texture(picture, texel / vec2(textureSize(picture, 0)));
}
