import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { generated } from '@binnacle/engine/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Chance, createChance, drawCommands, type KillCommand } from '#testkit/kill-commands.ts'
import { reach } from '#testkit/reach.ts'
import { pushQuote, query, RealNode } from '#testkit/real-node.ts'
import { expectReportedFigures } from '#testkit/reports.ts'
import { type CommandRecord, openCommandJournal } from './command-journal.ts'
import type { CommandOutcome } from './command-outcome.ts'
import { NautilusDesk } from './nautilus-desk.ts'
import { NodeClient } from './node-client.ts'

const COMMANDS_OF_A_ROUND = 20
/** Each piece has a node and a seed of its own, so that it can be run alone. */
const KILLS_OF_A_PIECE = 25
/** Only a process that hangs takes so long. */
const TIMEOUT_MS = 300_000 + 60_000 * KILLS_OF_A_PIECE
const SCRIPT = join(import.meta.dirname, 'testkit', 'console.script.ts')

let node: RealNode
let client: NodeClient | undefined
let chance: Chance

beforeEach(async () => {
  node = new RealNode()
  await node.start()
})

afterEach(async () => {
  await client?.close()
  await node.remove()
})

test.each(piecesOf('nodeKills'))(
  '[NAUT-131] kills of the node, piece $piece: what was answered is in its journal, nothing is done twice, every unknown outcome is resolved, and the account is shown as reset',
  {
    timeout: TIMEOUT_MS,
  },
  async ({ kills, seed }) => {
    chance = createChance(seed)
    const desk = await connect(join(node.folder, 'console.jsonl'))
    for (let kill = 0; kill < kills; kill += 1) {
      await pushQuote(clientOf(), 50_000)
      const commands = drawCommands(COMMANDS_OF_A_ROUND, chance)
      const answers = await requestUntilKill(commands)
      await node.start()
      await reach(clientOf(), () => desk.views.engine().isRunning && clientOf().unknown.length === 0)
      expect(desk.views.engine().identity?.status).toMatch(/^running, paper account reset at /)
      expect(desk.views.account().exact).toMatchObject({ cash: '100000', realised: '0', fees: '0' })
      for (const [id, outcome] of answers) await expectRecorded(id, outcome)
      await repeat(commands.filter(({ id }) => answers.has(id)).slice(-3))
      expectJournalOnce()
    }
    await trade()
    await expectReportedFigures(clientOf(), desk)
    console.log(`${kills} kills of the node, seed ${seed}`)
  },
)

test.each(piecesOf('consoleKills'))(
  '[NAUT-132] kills of the console, piece $piece: what was answered is in both journals, nothing is done twice, and the next console learns every outcome',
  {
    timeout: TIMEOUT_MS,
  },
  async ({ kills, seed }) => {
    chance = createChance(seed)
    const file = join(node.folder, 'console.jsonl')
    const answers = new Map<string, CommandOutcome>()
    await connect(file)
    await pushQuote(clientOf(), 50_000)
    await clientOf().close()
    for (let kill = 0; kill < kills; kill += 1) {
      await runConsoleUntilKill(file, answers)
    }
    const desk = await connect(file)
    await reach(clientOf(), () => clientOf().unknown.length === 0)
    for (const [id, outcome] of answers) await expectRecorded(id, outcome)
    expectJournalOnce()
    await trade()
    await expectReportedFigures(clientOf(), desk)
    // What is on its way to the journal is in it when the console has closed.
    await clientOf().close()
    expectSettled(file)
    console.log(`${kills} kills of the console, seed ${seed}`)
  },
)

/** BINNACLE_TEST_SEED and the number of the piece repeat it. */
function piecesOf(count: string): { piece: number; kills: number; seed: number }[] {
  const { numRuns, seed } = generated(count)
  return Array.from({ length: Math.ceil(numRuns / KILLS_OF_A_PIECE) }, (_, index) => ({
    piece: index + 1,
    kills: Math.min(KILLS_OF_A_PIECE, numRuns - index * KILLS_OF_A_PIECE),
    seed: seed + index,
  }))
}

async function connect(file: string): Promise<NautilusDesk> {
  client = new NodeClient({ address: node.address, journal: await openCommandJournal(file) })
  const desk = new NautilusDesk(client)
  await reach(client, () => desk.views.engine().isRunning && clientOf().status.isWriter)
  return desk
}

function clientOf(): NodeClient {
  if (client === undefined) throw new Error('there is no console yet')
  return client
}

/** Sends all commands at once and kills the node after a random number of answers; returns the answers. */
async function requestUntilKill(commands: readonly KillCommand[]): Promise<Map<string, CommandOutcome>> {
  const answers = new Map<string, CommandOutcome>()
  const isTime = Promise.withResolvers<void>()
  const killAfter = chance.below(commands.length)
  if (killAfter === 0) isTime.resolve()
  const requests = commands.map(async (command) => {
    const outcome = await clientOf().request(command)
    if (outcome.status === 'completed' || outcome.status === 'failed') answers.set(command.id, outcome)
    if (answers.size >= killAfter) isTime.resolve()
  })
  await Promise.race([isTime.promise, Promise.all(requests)])
  await node.end('SIGKILL')
  await Promise.all(requests)
  return answers
}

async function runConsoleUntilKill(file: string, answers: Map<string, CommandOutcome>): Promise<void> {
  const child = spawn(process.execPath, [SCRIPT, node.address.path, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  let left = 1 + chance.below(COMMANDS_OF_A_ROUND)
  for await (const line of createInterface({ input: child.stdout })) {
    const { ready, id, outcome } = JSON.parse(line)
    if (ready) {
      const commands = drawCommands(COMMANDS_OF_A_ROUND, chance)
      for (const command of commands) child.stdin.write(`${JSON.stringify(command)}\n`)
    } else if (outcome.status === 'completed' || outcome.status === 'failed') answers.set(id, outcome)
    left -= 1
    // Lines that were printed before the kill are read to their end.
    if (left === 0) child.kill('SIGKILL')
  }
  await exited
}

/** A refusal before anything was done leaves no trace in the node's journal. */
async function expectRecorded(id: string, outcome: CommandOutcome): Promise<void> {
  const { status: recorded } = await query(clientOf(), 'command.status', { id })
  if (outcome.status === 'completed') expect(recorded).toBe('completed')
  else expect(['failed', 'none']).toContain(recorded)
}

/** The same command again is answered from the journal, and the node has no order of it. */
async function repeat(commands: readonly KillCommand[]): Promise<void> {
  for (const command of commands.filter(({ name }) => name === 'order.submit')) {
    // One that was refused before anything was done is not in it, and may be done now.
    const { status } = await query(clientOf(), 'command.status', { id: command.id })
    if (status === 'none') continue
    await clientOf().request(command)
    expect(clientOf().view?.find('orders', `C-${command.id}`)).toBeUndefined()
  }
}

function expectJournalOnce(): void {
  const records = linesOf(node.journal) as { request?: { id: string }; id?: string }[]
  const requested = records.flatMap(({ request }) => request?.id ?? [])
  const settled = new Set(records.flatMap(({ id }) => id ?? []))
  expect(requested).toHaveLength(new Set(requested).size)
  expect(requested.filter((id) => !settled.has(id))).toEqual([])
}

/** Every command that a console asked for has an outcome in its own journal. */
function expectSettled(file: string): void {
  const records = linesOf(file) as CommandRecord[]
  const settled = records.filter((record) => record.type === 'settled' && record.outcome.status !== 'unknown')
  const known = new Set(settled.map(({ id }) => id))
  expect(records.filter(({ id }) => !known.has(id))).toEqual([])
}

function linesOf(file: string): unknown[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => parse(line))
}

/** A kill may cut a line short. */
function parse(line: string): unknown[] {
  try {
    return [JSON.parse(line)]
  } catch {
    return []
  }
}

/** Fills, a flip, an order that rests and one that is cancelled. */
async function trade(): Promise<void> {
  await pushQuote(clientOf(), 50_000)
  const commands = drawCommands(2 * COMMANDS_OF_A_ROUND, chance)
  for (const command of commands) await clientOf().request(command)
}
