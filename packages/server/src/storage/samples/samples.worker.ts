import { parentPort, workerData } from 'node:worker_threads'
import { StartRefusal } from '#config/start-refusal.ts'
import { createSamples, type Samples, type SamplesAnswer, type SamplesRequest } from './samples.ts'
import { openSamplesStore } from './samples-store.ts'

const answer = (message: SamplesAnswer) => parentPort?.postMessage(message)
const samples = open()

parentPort?.on('message', async (request: SamplesRequest) => {
  if (samples === undefined) return
  const { id } = request
  try {
    answer({ kind: 'done', id, reply: await run(samples, request) })
  } catch (fault) {
    answer({ kind: 'failed', id, message: fault instanceof Error ? fault.message : String(fault) })
  }
  if (request.kind === 'close') parentPort?.close()
})

function open(): Samples | undefined {
  let damage: string | undefined
  try {
    // Set by openSamples.
    const store = openSamplesStore(workerData as string, { onDamage: (message) => (damage = message) })
    const opened = createSamples(store)
    answer({ kind: 'opened', atStart: opened.atStart, damage })
    return opened
  } catch (fault) {
    if (!(fault instanceof StartRefusal)) throw fault
    answer({ kind: 'refused', message: fault.message })
    parentPort?.close()
    return undefined
  }
}

async function run(opened: Samples, request: SamplesRequest) {
  switch (request.kind) {
    case 'add':
      await opened.add(request.batch)
      return undefined
    case 'query':
      return opened.query(request.query)
    case 'coverage':
      return opened.coverage(request.series, request.from)
    case 'close':
      await opened.close()
      return undefined
    default:
      return request satisfies never
  }
}
