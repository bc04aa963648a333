import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Memory in use after garbage collection. */
export async function retainedBytes(): Promise<number> {
  // Sockets and promises release memory in later turns of the event loop.
  for (let turn = 0; turn < 3; turn += 1) {
    await setImmediate()
    collectGarbage()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
