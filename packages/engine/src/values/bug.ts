/** An invariant of ours broke: whoever runs the engine must stop trading. */
export class Bug extends Error {
  override readonly name = 'Bug'
}

/** Throws a Bug unless the claim holds. */
export function assert(claim: boolean, otherwise: string): asserts claim {
  if (!claim) throw new Bug(otherwise)
}

/** Ends a switch over a closed union; reaching it at run time is a bug. */
export function unreachable(value: never): never {
  throw new Bug(`unreachable: ${JSON.stringify(value)}`)
}
