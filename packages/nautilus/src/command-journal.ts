import { type FileHandle, open } from 'node:fs/promises'
import type { CommandOutcome } from './command-outcome.ts'

/** What was requested of a node, and what came of it. A request is durable before it is sent. */
export interface CommandJournal {
  append(record: CommandRecord): Promise<void>
  /** Commands of earlier runs whose outcome is not recorded. */
  readonly unsettled: readonly RequestRecord[]
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
  return {
    records,
    unsettled: [],
    append: async (record) => {
      records.push(record)
    },
    close: async () => {},
  }
}

/** Opens the journal file; records are lines of JSON, and each is on the disk when `append` resolves. */
export async function openCommandJournal(file: string): Promise<CommandJournal> {
  const handle = await open(file, 'a+', 0o600)
  const text = await handle.readFile('utf8')
  const unsettled = findUnsettled(text)
  // A line that a crash cut short stays a line of its own.
  if (text !== '' && !text.endsWith('\n')) await handle.appendFile('\n')
  return new FileCommandJournal(handle, unsettled)
}

class FileCommandJournal implements CommandJournal {
  readonly #handle: FileHandle
  readonly unsettled: readonly RequestRecord[]
  #last: Promise<void> = Promise.resolve()

  constructor(handle: FileHandle, unsettled: readonly RequestRecord[]) {
    this.#handle = handle
    this.unsettled = unsettled
  }

  append(record: CommandRecord): Promise<void> {
    const written = this.#last.then(async () => {
      await this.#handle.appendFile(`${JSON.stringify(record)}\n`)
      await this.#handle.datasync()
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

function findUnsettled(text: string): RequestRecord[] {
  const requests = new Map<string, RequestRecord>()
  for (const line of text.split('\n')) {
    const record = parseRecord(line)
    if (record?.type === 'requested') requests.set(record.id, record)
    if (record?.type === 'settled' && record.outcome.status !== 'unknown') requests.delete(record.id)
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
