//! The protocol again, as plainly as it can be said.

use std::fmt::Write as _;

/// A piece: where it stands in its owner's frame, and whether it is red. Captured is (9, 9), escaped
/// (8, 8).
#[derive(Clone, Copy)]
struct Ghost {
    x: i32,
    y: i32,
    red: bool,
}

/// A game on a server with `--no-ng-terminate`.
pub(crate) struct Model {
    ghosts: [[Ghost; 8]; 2],
    set: [bool; 2],
    plies: u16,
    limit: u16,
    over: bool,
}

enum Said {
    Set([usize; 4]),
    Move(usize, i32, i32),
}

/// Lines of at most 128 bytes; `None` for longer ones. What follows the last CR LF is left out.
pub(crate) fn split(bytes: &[u8]) -> Vec<Option<Vec<u8>>> {
    let mut lines = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at + 1 < bytes.len() {
        if bytes[at] == 13 && bytes[at + 1] == 10 {
            let line = &bytes[start..at];
            lines.push((line.len() <= 128).then(|| line.to_vec()));
            at += 2;
            start = at;
        } else {
            at += 1;
        }
    }
    lines
}

fn read(line: &[u8]) -> Option<Said> {
    let text: String = line.iter().map(|&byte| char::from(byte)).collect();
    let letter = |c: char| "ABCDEFGH".find(c.to_ascii_uppercase());
    if text.starts_with("SET:") && text.chars().count() == 8 {
        let mut reds = [0; 4];
        for (red, c) in reds.iter_mut().zip(text.chars().skip(4)) {
            *red = letter(c)?;
        }
        let mut sorted = reds;
        sorted.sort_unstable();
        return sorted.windows(2).all(|pair| pair[0] < pair[1]).then_some(Said::Set(reds));
    }
    let parts: Vec<&str> = text.strip_prefix("MOV:")?.split(',').collect();
    let [piece, direction] = parts[..] else { return None };
    let mut letters = piece.chars();
    let (Some(c), None) = (letters.next(), letters.next()) else { return None };
    let (dx, dy) = match direction.to_ascii_uppercase().as_str() {
        "N" | "NORTH" => (0, -1),
        "S" | "SOUTH" => (0, 1),
        "E" | "EAST" => (1, 0),
        "W" | "WEST" => (-1, 0),
        _ => return None,
    };
    Some(Said::Move(letter(c)?, dx, dy))
}

impl Model {
    pub(crate) fn new(limit: u16) -> Model {
        let ghost = |i: usize| Ghost { x: 1 + (i % 4) as i32, y: 4 + (i / 4) as i32, red: false };
        let side = std::array::from_fn(ghost);
        Model { ghosts: [side; 2], set: [false; 2], plies: 0, limit, over: false }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    /// Whose turn it is, or who has still to place.
    pub(crate) fn mover(&self) -> usize {
        if self.set == [true, true] {
            usize::from(self.plies % 2)
        } else {
            usize::from(self.set[0])
        }
    }

    fn board(&self, seat: usize, open: bool) -> String {
        let mut text = String::new();
        for owner in [seat, 1 - seat] {
            for ghost in self.ghosts[owner] {
                let here = ghost.x < 6;
                let turned = owner != seat && here;
                let (x, y) = if turned { (5 - ghost.x, 5 - ghost.y) } else { (ghost.x, ghost.y) };
                let colour = match (owner == seat, here, ghost.red) {
                    (true, true, true) => 'R',
                    (true, true, false) => 'B',
                    (false, true, _) if !open => 'u',
                    (_, _, true) => 'r',
                    (_, _, false) => 'b',
                };
                write!(text, "{x}{y}{colour}").expect("writing to a string");
            }
        }
        text
    }

    /// What a server says to whom after a line.
    pub(crate) fn line(&mut self, seat: usize, line: Option<&[u8]>) -> Vec<(usize, String)> {
        let refused = vec![(seat, "NG ".to_owned())];
        let Some(said) = line.and_then(read) else { return refused };
        if self.set != [true, true] {
            let Said::Set(reds) = said else { return refused };
            if self.set[seat] {
                return refused;
            }
            for i in reds {
                self.ghosts[seat][i].red = true;
            }
            self.set[seat] = true;
            let mut due = vec![(seat, "OK ".to_owned())];
            if self.set == [true, true] {
                due.push((0, format!("MOV?{}", self.board(0, false))));
            }
            return due;
        }
        let Said::Move(piece, dx, dy) = said else { return refused };
        if seat != self.mover() {
            return refused;
        }
        let ghost = self.ghosts[seat][piece];
        if ghost.x >= 6 {
            return refused;
        }
        let (x, y) = (ghost.x + dx, ghost.y + dy);
        let mut answer = "OK ";
        let mut winner = None;
        if !(0..6).contains(&x) || !(0..6).contains(&y) {
            let left = (ghost.x, ghost.y) == (0, 0) && (dy == -1 || dx == -1);
            let right = (ghost.x, ghost.y) == (5, 0) && (dy == -1 || dx == 1);
            if ghost.red || !(left || right) {
                return refused;
            }
            (self.ghosts[seat][piece].x, self.ghosts[seat][piece].y) = (8, 8);
            winner = Some(seat);
        } else {
            if self.ghosts[seat].iter().any(|own| (own.x, own.y) == (x, y)) {
                return refused;
            }
            (self.ghosts[seat][piece].x, self.ghosts[seat][piece].y) = (x, y);
            for enemy in &mut self.ghosts[1 - seat] {
                if (5 - enemy.x, 5 - enemy.y) == (x, y) {
                    (enemy.x, enemy.y) = (9, 9);
                    answer = if enemy.red { "OKR" } else { "OKB" };
                }
            }
            let lost = |red: bool| {
                self.ghosts[1 - seat].iter().filter(|g| g.x == 9 && g.red == red).count() == 4
            };
            if lost(false) {
                winner = Some(seat);
            } else if lost(true) {
                winner = Some(1 - seat);
            }
        }
        self.plies += 1;
        let mut due = vec![(seat, answer.to_owned())];
        match winner {
            Some(winner) => {
                due.push((winner, format!("WON:{}", self.board(winner, true))));
                due.push((1 - winner, format!("LST:{}", self.board(1 - winner, true))));
                self.over = true;
            }
            None if self.plies == self.limit => {
                due.extend([0, 1].map(|seat| (seat, format!("DRW:{}", self.board(seat, true)))));
                self.over = true;
            }
            None => due.push((1 - seat, format!("MOV?{}", self.board(1 - seat, false)))),
        }
        due
    }
}
