export type InTurn = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/** Runs work of the same key one after another, in the order in which it came. */
export function createTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    last.set(key, mine)
    return mine
  }
}
