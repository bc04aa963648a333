import rooms from './rooms.json' with { type: 'json' }

export interface Room {
  folder: string
  mayImport: readonly string[]
}

/** The rooms and the arrows between them (style B.2); the rules file for dependency-cruiser reads the same table. */
export const ROOMS: Readonly<Record<string, Room>> = rooms

/** The room a file lies in, if any. */
export function roomOf(path: string): string | undefined {
  return Object.keys(ROOMS).find((room) => path.startsWith(`${ROOMS[room]?.folder}/`))
}
