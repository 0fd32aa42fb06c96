// SPDX-License-Identifier: Apache-2.0
/// \file
/// Ground made of analytic parts: what building, queries and lines share.
///
/// Parts are added and taken away in order. Neighbours of the same sign form a **set**; a point's
/// distance is folded over the sets,
///
///     added:   d <- min(d, least distance of the set)          taken away:   d <- max(d, -least distance of the set)
///
/// and the least distance of a set is found in a tree of boxes that skips whatever is farther than
/// what is known already. Endless parts stand outside the tree.
#ifndef RI_TERRAIN_SHAPES_H
#define RI_TERRAIN_SHAPES_H

#include <stdint.h>

#include "terrain/shape.h"
#include "terrain/terrain.h"

enum { RI_TREE_LEAF = 1, RI_TREE_DEPTH = 64 };

typedef struct RiPlacedShape {
    RiShape shape;
    RiPose pose;
    int material; ///< -1: that of what is taken away
} RiPlacedShape;

/// Inner node: children at `first` and `first + 1`; leaf: `count` parts from order[first].
typedef struct RiTreeNode {
    RiVec3 low, high;
    int first, count;
} RiTreeNode;

typedef struct RiShapeSet {
    bool hole;
    int begin, end;     ///< parts
    int *order;         ///< parts in the tree, by leaf
    int placed;         ///< how many of them
    const int *endless; ///< parts outside the tree
    int endless_count;
    RiTreeNode *nodes;
    int node_count; ///< 0: no tree
} RiShapeSet;

typedef struct RiShapes {
    RiTerrain terrain;
    int count;
    RiPlacedShape *parts;
    int set_count;
    RiShapeSet *sets;
    double rough;     ///< largest roughness of a part; if it is not 0, lines are marched
    RiVec3 low, high; ///< bounds of everything
    size_t bytes;
} RiShapes;

/// Builds the tree of a set over the world's boxes of all parts; `order` and `nodes` have room for
/// them (2 placed - 1 nodes).
void ri_tree_build(RiShapeSet *set, const RiVec3 (*boxes)[2]);

/// Nearest part of a set to p, if its distance is below *best, which is lowered. Returns its index
/// or -1; the normal is in the part's frame.
int ri_set_nearest(const RiShapes *g, const RiShapeSet *set, RiVec3 p, double *best, RiVec3 *out_normal);

/// Points o + t d.
typedef struct RiLine {
    RiVec3 o, d;
} RiLine;
/// Where a line goes from free into solid for the first time at or after `from`. False: it does
/// not. `out_part` is the part whose border it is.
bool ri_shapes_enter(const RiShapes *g, const RiLine *line, double from, double *out_t, int *out_part);
/// Where the first part, without its roughness, begins or ends on the line; INFINITY: nowhere.
double ri_shapes_first_event(const RiShapes *g, const RiLine *line);

#endif
