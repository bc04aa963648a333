import { type FileHandle, open } from 'node:fs/promises'
import type { CommandOutcome } from './command-outcome.ts'

/** What was requested of a node, and what came of it. A request is durable before it is sent. */
export interface CommandJournal {
  append(record: CommandRecord): Promise<void>
  /** Commands of earlier runs whose outcome is not recorded. */
  readonly unsettled: readonly RequestRecord[]
  /** Returns the request that was first recorded with an id, for the latest that a key can repeat. */
  firstRequest(id: string): RequestRecord | undefined
  close(): Promise<void>
}

export interface RequestRecord {
  readonly type: 'requested'
  readonly id: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly actor: string
  /** Milliseconds since 1970-01-01 UTC. */
  readonly at: number
  /** The node does not begin it later than this. */
  readonly expiresAt: number
}

export interface SettlementRecord {
  readonly type: 'settled'
  readonly id: string
  readonly at: number
  readonly outcome: CommandOutcome
}

export type CommandRecord = RequestRecord | SettlementRecord

/** A journal that ends with the process. */
export function createMemoryCommandJournal(): CommandJournal & { readonly records: CommandRecord[] } {
  const records: CommandRecord[] = []
  const first = new FirstRequests()
  return {
    records,
    unsettled: [],
    append: async (record) => {
      records.push(record)
      first.add(record)
    },
    firstRequest: (id) => first.get(id),
    close: async () => {},
  }
}

/** Opens the journal file; records are lines of JSON, and each is on the disk when `append` resolves. */
export async function openCommandJournal(file: string): Promise<CommandJournal> {
  const handle = await open(file, 'a+', 0o600)
  const text = await handle.readFile('utf8')
  const records = text.split('\n').flatMap((line) => parseRecord(line) ?? [])
  // A line that a crash cut short stays a line of its own.
  if (text !== '' && !text.endsWith('\n')) await handle.appendFile('\n')
  return new FileCommandJournal(handle, records)
}

class FileCommandJournal implements CommandJournal {
  readonly #handle: FileHandle
  readonly #first = new FirstRequests()
  readonly unsettled: readonly RequestRecord[]
  #last: Promise<void> = Promise.resolve()

  constructor(handle: FileHandle, records: readonly CommandRecord[]) {
    this.#handle = handle
    this.unsettled = findUnsettled(records)
    for (const record of records) this.#first.add(record)
  }

  firstRequest(id: string): RequestRecord | undefined {
    return this.#first.get(id)
  }

  append(record: CommandRecord): Promise<void> {
    const written = this.#last.then(async () => {
      await this.#handle.appendFile(`${JSON.stringify(record)}\n`)
      await this.#handle.datasync()
      this.#first.add(record)
    })
    // A failed append is reported to its caller; the next one is tried.
    this.#last = written.catch(() => {})
    return written
  }

  async close(): Promise<void> {
    await this.#last
    await this.#handle.close()
  }
}

/** As many as the embedded engine has keys. */
const MAX_FIRST_REQUESTS = 10_000

class FirstRequests {
  readonly #requests = new Map<string, RequestRecord>()

  add(record: CommandRecord): void {
    if (record.type !== 'requested' || this.#requests.has(record.id)) return
    this.#requests.set(record.id, record)
    const [oldest] = this.#requests.keys()
    if (this.#requests.size > MAX_FIRST_REQUESTS && oldest !== undefined) this.#requests.delete(oldest)
  }

  get(id: string): RequestRecord | undefined {
    return this.#requests.get(id)
  }
}

function findUnsettled(records: readonly CommandRecord[]): RequestRecord[] {
  const requests = new Map<string, RequestRecord>()
  for (const record of records) {
    if (record.type === 'requested') requests.set(record.id, record)
    else if (record.outcome.status !== 'unknown') requests.delete(record.id)
  }
  return [...requests.values()]
}

function parseRecord(line: string): CommandRecord | null {
  try {
    // Only this file writes records; a line that a crash cut short does not parse.
    return line === '' ? null : (JSON.parse(line) as CommandRecord)
  } catch {
    return null
  }
}
