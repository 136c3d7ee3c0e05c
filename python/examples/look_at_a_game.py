"""Look at a game: play a few moves, see what a seat sees, and ask an agent what it thinks."""

from pathlib import Path

import oboro


def main(picture: str = "game.svg") -> oboro.Live:
    live = oboro.game("sevens", players=4).new_game([None, "eval", "eval", "eval"], seed=7)
    while live.plies < 12:
        live.run()
        live.play(live.actions[0])
    live.run()
    print(live)
    for event in live.story(0)[-4:]:
        print(event["text"]["en"])
    thought = live.analyse("mc:400")
    for value in thought["values"][:3]:
        print(f"{value['action']:>5} {value['value']:.3f}")
    for belief in thought["baseline"][:2]:
        print(belief["subject"], {value["value"]: round(value["probability"], 2) for value in belief["values"]})
    Path(picture).write_text(live._repr_svg_(), encoding="utf-8")
    return live


if __name__ == "__main__":
    main()
