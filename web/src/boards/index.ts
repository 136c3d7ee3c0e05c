import type { Board, Boards } from "./board";
import { GeisterBoard } from "./geister";
import { LabyrinthBoard } from "./labyrinth";
import { SaboteurBoard } from "./saboteur";
import { SevensBoard } from "./sevens";

const boards: Boards = {
  geister: GeisterBoard,
  labyrinth: LabyrinthBoard,
  saboteur: SaboteurBoard,
  sevens: SevensBoard,
};

/** The board of a game, if it has one. */
export const boardOf = (game: string) => (Object.hasOwn(boards, game) ? (boards[game as keyof Boards] as Board) : undefined);
