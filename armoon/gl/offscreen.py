"""A thin layer over raw OpenGL 3.3: a context without a screen, programs, textures, targets and meshes."""

from armoon.gl.context import (
    Context,
    blend_over,
    clear,
    draw_depth_only,
    draw_shadow_casters,
    draw_solids,
    front_faces,
    limit_to,
    paint_over,
)
from armoon.gl.memory import (
    TEXTURE_2D,
    TEXTURE_3D,
    Geometry,
    NoVertices,
    Target,
    depth_texture,
    light_texture,
    picture_texture,
    solid_texture,
)
from armoon.gl.program import Program

__all__ = [
    "TEXTURE_2D",
    "TEXTURE_3D",
    "Context",
    "Geometry",
    "NoVertices",
    "Program",
    "Target",
    "blend_over",
    "clear",
    "depth_texture",
    "draw_depth_only",
    "draw_shadow_casters",
    "draw_solids",
    "front_faces",
    "light_texture",
    "limit_to",
    "paint_over",
    "picture_texture",
    "solid_texture",
]
