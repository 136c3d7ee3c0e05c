// The look of each game: its own file, or the generic table.
import type { ComponentType } from "preact";
import type { Games } from "../scenes";
import type { BoardProps, GameLook } from "./board";
import { GenericBoard, GenericEmblem } from "./generic";

/** A look whose game is known by its name only: the server has said that the data are of that game. */
type AnyLook = Omit<GameLook<keyof Games>, "Board"> & { Board: ComponentType<Record<keyof BoardProps<keyof Games>, unknown>> };

const found = import.meta.glob<AnyLook>("../games/*.tsx", { eager: true, import: "default" });
const looks = new Map(Object.entries(found).map(([path, look]) => [path.replace(/^.*\/|\.tsx$/g, ""), look]));
const generic: AnyLook = { Board: GenericBoard as AnyLook["Board"], Emblem: GenericEmblem };

/** How a game looks. */
export const lookOf = (game: string): AnyLook => looks.get(game) ?? generic;
