import { Buffer } from 'node:buffer'
import { writeSync } from 'node:fs'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { describeFailure } from './failure.ts'
import { ModuleDesk } from './module-desk.ts'
import { keepToFolder } from './own-folder.ts'
import type { Beginning, FailureTold, Question, Reply } from './protocol.ts'
import { createSayings, sealGlobals } from './sealed-globals.ts'
import { loadStrategy } from './strategy-module.ts'

/** The process of one custom strategy: takes a question, lets the module think, writes the answer, and so on. */

const ANSWERS = 3

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const beginning: Beginning = JSON.parse(await nextLine())
const sayings = createSayings()
const clock = { now: 0 }
/** What a promise that nobody waits for was rejected with. */
let dropped: FailureTold | undefined
process.on('unhandledRejection', (thrown) => {
  dropped ??= failed(thrown)
})
keepToFolder(beginning.folder)
sealGlobals({ clock, seed: beginning.seed, sayings })

const strategy = await loadStrategy(beginning).catch((thrown: unknown) => {
  answer({ number: 0, intents: [], said: sayings.take(), failure: failed(thrown) })
  return process.exit()
})
const desk = new ModuleDesk(beginning, clock)
answer({ number: 0, intents: [], said: sayings.take(), hearsQuotes: strategy.onQuote !== undefined })
for (;;) answer(think(JSON.parse(await nextLine())))

function think(question: Question): Reply {
  const { number } = question
  try {
    const intents = desk.hear(question, strategy)
    return { number, intents, said: sayings.take(), ...(dropped && { failure: dropped }) }
  } catch (thrown) {
    return { number, intents: [], said: sayings.take(), failure: failed(thrown) }
  }
}

function failed(thrown: unknown): FailureTold {
  return describeFailure(thrown, beginning.folder)
}

async function nextLine(): Promise<string> {
  const { value, done } = await lines.next()
  // The server is gone.
  return done ? process.exit() : value
}

function answer(reply: Reply): void {
  const bytes = Buffer.from(`${print(reply)}\n`)
  for (let written = 0; written < bytes.length; ) written += writeSome(bytes.subarray(written))
}

/** The module may have given every object a way of its own to be printed. */
function print(reply: Reply): string {
  try {
    return JSON.stringify(reply)
  } catch {
    const failure = '{"message":"its answer could not be printed","where":null}'
    return `{"number":${reply.number},"intents":[],"said":[],"failure":${failure}}`
  }
}

function writeSome(bytes: Uint8Array): number {
  try {
    return writeSync(ANSWERS, bytes)
  } catch {
    // The server has not read yet what it was given; one that is gone is found out by the next line.
    return 0
  }
}
