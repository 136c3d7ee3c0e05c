//! Convolutions with fewer products: Winograd's minimal filtering, F(2 × 2, 3 × 3), in integers.
//!
//! A tile of two by two cells reads four by four. These are added up to sixteen parts, and the nine weights to sixteen others; what
//! belongs together is multiplied, and the four sums of the tile are sums of the sixteen. That takes 16 products instead of 36. Weights are
//! kept doubled in both directions, lest halves are needed, so that everything is exact, and sums come out four times as large; as they do not
//! leave 30 bits, it does no harm that what is added up on the way may wrap.

use crate::convolution::{Convolution, Given, finished};

/// Values that are worked on together.
pub(crate) const GROUP: usize = 16;

/// Parts of a tile.
const PARTS: usize = 16;

/// The weights of a pair of inputs for a group of outputs: the two of each output side by side, four in a word.
pub(crate) type Words = [i64; GROUP / 2];

/// Sums for two groups of outputs, as they were multiplied.
pub(crate) type Products = [[i32; GROUP]; 2];

/// Memory for a layer.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Tiles {
    /// By part, group of inputs and tile.
    parts: Vec<[i16; GROUP]>,
    /// By part and tile.
    products: Vec<Products>,
}

/// Weights by output, neighbour and input; as they are multiplied: by two groups of outputs, part and pair of inputs.
pub(crate) fn words(weights: &[i16], inputs: usize) -> Vec<[Words; 2]> {
    let doubled = |a: i32, b: i32, c: i32| [2 * a, a + b + c, a - b + c, 2 * c];
    let pairs = inputs / 2;
    let mut words = vec![[[0; GROUP / 2]; 2]; weights.len() / 9 / (4 * GROUP) * PARTS];
    for (output, weights) in weights.chunks_exact(9 * inputs).enumerate() {
        for input in 0..inputs {
            let weight = |neighbour: usize| i32::from(weights[neighbour * inputs + input]);
            let line =
                |row: usize| doubled(weight(3 * row), weight(3 * row + 1), weight(3 * row + 2));
            let [above, here, below] = [line(0), line(1), line(2)];
            for column in 0..4 {
                let parts = doubled(above[column], here[column], below[column]);
                for (row, part) in parts.into_iter().enumerate() {
                    let place =
                        (output / (2 * GROUP) * PARTS + 4 * row + column) * pairs + input / 2;
                    let words: &mut Words = &mut words[place][output / GROUP % 2];
                    let shift = 16 * (output % 2 * 2 + input % 2);
                    words[output % GROUP / 2] |= i64::from(part as u16) << shift;
                }
            }
        }
    }
    words
}

/// How large a board and a layer are: rows and columns, and groups of inputs and outputs.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Sizes {
    board: [usize; 2],
    inputs: usize,
    outputs: usize,
}

/// The usual sizes: where the compiler knows them, it knows most places beforehand.
const USUAL: Sizes = Sizes { board: [6, 6], inputs: 4, outputs: 4 };

/// As [`Convolution::apply_plainly`], for layers that have words and boards that have whole tiles. `multiply` is given a part's weights by pair of
/// inputs and its values by group of inputs and tile, and writes what each tile's products add up to.
#[inline(always)]
pub(crate) fn apply(
    layer: &Convolution,
    given: &Given<'_>,
    out: &mut [i16],
    memory: &mut Tiles,
    multiply: impl Fn(&[[Words; 2]], &[[i16; GROUP]], &mut [Products]),
) {
    let (inputs, outputs) = (layer.inputs / GROUP, layer.outputs() / GROUP);
    let sizes = Sizes { board: given.size, inputs, outputs };
    if sizes == USUAL {
        apply_sized(layer, given, USUAL, out, memory, multiply);
    } else {
        apply_sized(layer, given, sizes, out, memory, multiply);
    }
}

/// What is done to a group of values is written lane by lane, lane last: that is what compilers make vectors of.
#[inline(always)]
fn apply_sized(
    layer: &Convolution,
    given: &Given<'_>,
    Sizes { board: [rows, columns], inputs, outputs }: Sizes,
    out: &mut [i16],
    Tiles { parts, products }: &mut Tiles,
    multiply: impl Fn(&[[Words; 2]], &[[i16; GROUP]], &mut [Products]),
) {
    let tiles = (rows / 2) * (columns / 2);
    let places = (rows + 2) * (columns + 2);
    parts.resize(PARTS * inputs * tiles, [0; GROUP]);
    products.resize(PARTS * tiles, [[0; GROUP]; 2]);
    // Cut to lengths that are known, lest each access is checked.
    let parts = &mut parts[..PARTS * inputs * tiles];
    let products = &mut products[..PARTS * tiles];
    let input = &given.input.as_chunks().0[..places * inputs];
    let out = &mut out.as_chunks_mut().0[..places * outputs];
    for tile in 0..tiles {
        let corner = corner(tile, columns);
        for group in 0..inputs {
            let taken = take_apart(&input[corner * inputs + group..], inputs, columns + 2);
            for part in 0..PARTS {
                parts[(part * inputs + group) * tiles + tile] = taken[part];
            }
        }
    }
    let (scales, _) = layer.scales.as_chunks();
    let (bias, _) = given.bias.as_chunks();
    let pairs = inputs * GROUP / 2;
    for (block, words) in layer.words.chunks_exact(PARTS * pairs).enumerate() {
        for part in 0..PARTS {
            let words = &words[part * pairs..][..pairs];
            let parts = &parts[part * inputs * tiles..][..inputs * tiles];
            multiply(words, parts, &mut products[part * tiles..][..tiles]);
        }
        for tile in 0..tiles {
            for half in 0..2 {
                let group = 2 * block + half;
                let sums = put_together(products, tile, half);
                for (cell, sums) in sums.iter().enumerate() {
                    let place =
                        corner(tile, columns) + (cell / 2 + 1) * (columns + 2) + cell % 2 + 1;
                    let out = &mut out[place * outputs + group];
                    finish(sums, &scales[group], &bias[group], given.on_top, out);
                }
            }
        }
    }
}

/// The place of the first of the four by four cells that a tile reads.
#[inline(always)]
fn corner(tile: usize, columns: usize) -> usize {
    let across = columns / 2;
    2 * (tile / across * (columns + 2) + tile % across)
}

/// The sixteen parts of a group of inputs of a tile. None of them leaves 14 bits.
#[inline(always)]
fn take_apart(input: &[[i16; GROUP]], inputs: usize, wide: usize) -> [[i16; GROUP]; PARTS] {
    let cell = |row: usize, column: usize| &input[(row * wide + column) * inputs];
    let line = |row: usize| [cell(row, 0), cell(row, 1), cell(row, 2), cell(row, 3)];
    let lines = [line(0), line(1), line(2), line(3)];
    let apart = |a: i16, b: i16, c: i16, d: i16| {
        [a.wrapping_sub(c), b.wrapping_add(c), c.wrapping_sub(b), b.wrapping_sub(d)]
    };
    let mut taken = [[0; GROUP]; PARTS];
    for lane in 0..GROUP {
        let mut across = [[0; 4]; 4];
        for row in 0..4 {
            let [a, b, c, d] = lines[row];
            across[row] = apart(a[lane], b[lane], c[lane], d[lane]);
        }
        let [first, second, third, fourth] = across;
        for column in 0..4 {
            let down = apart(first[column], second[column], third[column], fourth[column]);
            for row in 0..4 {
                taken[4 * row + column][lane] = down[row];
            }
        }
    }
    taken
}

/// The sums of a group of outputs for the four cells of a tile.
#[inline(always)]
fn put_together(products: &[Products], tile: usize, half: usize) -> [[i32; GROUP]; 4] {
    let tiles = products.len() / PARTS;
    let part = |row: usize, column: usize| &products[(4 * row + column) * tiles + tile][half];
    let line = |row: usize| [part(row, 0), part(row, 1), part(row, 2), part(row, 3)];
    let lines = [line(0), line(1), line(2), line(3)];
    let together = |a: i32, b: i32, c: i32, d: i32| {
        [a.wrapping_add(b).wrapping_add(c), b.wrapping_sub(c).wrapping_sub(d)]
    };
    let mut sums = [[0; GROUP]; 4];
    for lane in 0..GROUP {
        let mut across = [[0; 2]; 4];
        for row in 0..4 {
            let [a, b, c, d] = lines[row];
            across[row] = together(a[lane], b[lane], c[lane], d[lane]);
        }
        let [first, second, third, fourth] = across;
        for column in 0..2 {
            let down = together(first[column], second[column], third[column], fourth[column]);
            for row in 0..2 {
                sums[2 * row + column][lane] = down[row] >> 2;
            }
        }
    }
    sums
}

/// What comes out of the sums of a cell.
#[inline(always)]
fn finish(
    sums: &[i32; GROUP],
    scales: &[i64; GROUP],
    bias: &[i32; GROUP],
    on_top: bool,
    out: &mut [i16; GROUP],
) {
    let old = if on_top { *out } else { [0; GROUP] };
    for lane in 0..GROUP {
        // Layers with words have no larger scales, and processors are quicker at products of numbers that are known to be so small.
        let scale = i64::from(scales[lane] as i32);
        out[lane] = finished(sums[lane], scale, bias[lane], old[lane]);
    }
}
