import { writeSync } from 'node:fs'

/** Thrown when the server cannot start; the message names the problem and its remedy. */
export class StartRefusal extends Error {
  override name = 'StartRefusal'
}

const STDERR = 2

/** Prints the message and exits. Any other error is a fault or a bug and keeps its stack. */
export function endWithSentence(reason: unknown): never {
  if (!(reason instanceof StartRefusal)) throw reason
  writeSync(STDERR, `${reason.message}\n`)
  process.exit(1)
}
