/** An invariant broke: the host must stop trading. */
export class Bug extends Error {
  override readonly name = 'Bug'
}

/** Throws a Bug unless the claim holds. The value is formatted only then, since this runs everywhere. */
export function assert(claim: boolean, otherwise: string, value?: unknown): asserts claim {
  if (!claim) throw new Bug(value === undefined ? otherwise : `${otherwise}: ${String(value)}`)
}

/** Ends a switch over a closed union; reaching it at run time is a bug. */
export function unreachable(value: never): never {
  throw new Bug(`unreachable: ${JSON.stringify(value)}`)
}
