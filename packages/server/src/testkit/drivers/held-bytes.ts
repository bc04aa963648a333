import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** What is held in memory when all that nobody needs is gone. */
export async function heldBytes(): Promise<number> {
  // What a socket or a promise still holds is let go in a turn of its own.
  for (let turn = 0; turn < 3; turn += 1) {
    await setImmediate()
    collectGarbage()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
