//! Agents that try to get from their view to the world it was taken from, or to what is hidden in it.

fn geister(view: &oboro_geister::View) {
    let _ = view.world();
    let _ = view.enemy_reds;
}

fn labyrinth(view: &oboro_labyrinth::View) {
    let _ = view.world();
    let _ = view.cards;
}

fn saboteur(view: &oboro_saboteur::View) {
    let _ = view.world();
    let _ = view.saboteurs;
}

fn sevens(view: &oboro_sevens::View) {
    let _ = view.world();
    let _ = view.hands;
}

fn main() {
    let _ = (geister, labyrinth, saboteur, sevens);
}
