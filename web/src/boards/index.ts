import type { Board } from "./board";
import { GeisterBoard } from "./geister";
import { LabyrinthBoard } from "./labyrinth";
import { SaboteurBoard } from "./saboteur";
import { SevensBoard } from "./sevens";

export const boards: Record<string, Board> = {
  geister: GeisterBoard,
  labyrinth: LabyrinthBoard,
  saboteur: SaboteurBoard,
  sevens: SevensBoard,
};
