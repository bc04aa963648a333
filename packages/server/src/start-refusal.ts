import { writeSync } from 'node:fs'

/** Why the server does not start: one sentence that says what is wrong and what to do. */
export class StartRefusal extends Error {
  override name = 'StartRefusal'
}

const STDERR = 2

/** Ends the process with the sentence. What is no refusal is a bug or a broken machine, and keeps its stack. */
export function endWithSentence(reason: unknown): never {
  if (!(reason instanceof StartRefusal)) throw reason
  writeSync(STDERR, `${reason.message}\n`)
  process.exit(1)
}
