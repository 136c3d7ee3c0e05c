import type { BoardProps } from "./board";

export function SaboteurBoard({ scene }: BoardProps) {
  return <pre>{JSON.stringify(scene, null, 1)}</pre>;
}
