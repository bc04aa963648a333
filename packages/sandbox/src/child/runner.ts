import { Buffer } from 'node:buffer'
import { writeSync } from 'node:fs'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { describeFailure } from './failure.ts'
import type { FailureMessage, Reply, StartMessage, UpdateRequest } from './protocol.ts'
import { restrictImports } from './restrict-imports.ts'
import { createConsoleBuffer, sealGlobals } from './sealed-globals.ts'
import { StrategyCaller } from './strategy-caller.ts'
import { loadStrategy } from './strategy-module.ts'

/** The process of one custom strategy: reads an update, calls the module, writes the reply, in a loop. */

const REPLY_FD = 3

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const start: StartMessage = JSON.parse(await nextLine())
const output = createConsoleBuffer()
const clock = { now: 0 }
/** The first unhandled rejection. */
let dropped: FailureMessage | undefined
process.on('unhandledRejection', (thrown) => {
  dropped ??= failureOf(thrown)
})
restrictImports(start.folder)
sealGlobals({ clock, seed: start.seed, output })

const strategy = await loadStrategy(start).catch((thrown: unknown) => {
  sendReply({ number: 0, intents: [], printed: output.take(), failure: failureOf(thrown) })
  return process.exit()
})
const caller = new StrategyCaller(start, clock, strategy)
sendReply({ number: 0, intents: [], printed: output.take(), wantsQuotes: strategy.onQuote !== undefined })
for (;;) sendReply(handleUpdate(JSON.parse(await nextLine())))

function handleUpdate(question: UpdateRequest): Reply {
  const { number } = question
  try {
    const intents = caller.handle(question)
    return { number, intents, printed: output.take(), ...(dropped && { failure: dropped }) }
  } catch (thrown) {
    return { number, intents: [], printed: output.take(), failure: failureOf(thrown) }
  }
}

function failureOf(thrown: unknown): FailureMessage {
  return describeFailure(thrown, start.folder)
}

async function nextLine(): Promise<string> {
  const { value, done } = await lines.next()
  // The server has exited.
  return done ? process.exit() : value
}

function sendReply(reply: Reply): void {
  const bytes = Buffer.from(`${JSON.stringify(reply)}\n`)
  for (let written = 0; written < bytes.length; ) written += writeSome(bytes.subarray(written))
}

function writeSome(bytes: Uint8Array): number {
  try {
    return writeSync(REPLY_FD, bytes)
  } catch {
    // The pipe is full; a server that has exited is noticed when the next line is read.
    return 0
  }
}
