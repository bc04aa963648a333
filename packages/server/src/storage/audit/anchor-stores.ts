import { appendFile, mkdir, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ANSWER_TIMEOUT_MS, JobFailure, withClient } from '@binnacle/stores'
import { Anchor, parseAnchors } from './anchor.ts'

/** Where anchors are written. Fails with a JobFailure that says why. */
export interface AnchorStore {
  /** Without secrets, for people. */
  readonly name: string
  write(anchor: Anchor): Promise<void>
  /** Every anchor, oldest first; undefined if the place cannot be read back. */
  read(): Promise<{ anchors: Anchor[]; unreadable: number } | undefined>
}

/** One JSON object per line, appended and synced. */
export function fileAnchors(file: string): AnchorStore {
  return {
    name: `the file ${file}`,
    async write(anchor) {
      try {
        await mkdir(dirname(file), { recursive: true })
        await appendFile(file, `${JSON.stringify(anchor)}\n`, { mode: 0o600 })
        const handle = await open(file, 'r')
        await handle.sync().finally(() => handle.close())
      } catch (fault) {
        throw new JobFailure(`The anchor could not be written to ${file}: ${reasonOf(fault)}.`)
      }
    },
    async read() {
      try {
        return parseAnchors(await readFile(file, 'utf8'))
      } catch (fault) {
        if (Object(fault).code === 'ENOENT') return { anchors: [], unreadable: 0 }
        throw new JobFailure(`The anchors in ${file} could not be read: ${reasonOf(fault)}.`)
      }
    },
  }
}

/** A table of a PostgreSQL database that the owner of the log chose. */
export function postgresAnchors(url: string): AnchorStore {
  const { host, pathname } = new URL(url)
  return {
    name: `PostgreSQL ${host}${pathname}`,
    write: (anchor) =>
      withClient(
        url,
        async (client) => {
          await client.query(CREATE_TABLE)
          await client.query('INSERT INTO binnacle_audit_anchors (anchor) VALUES ($1)', [
            JSON.stringify(anchor),
          ])
        },
        LIMIT,
      ),
    read: () =>
      withClient(
        url,
        async (client) => {
          await client.query(CREATE_TABLE)
          const { rows } = await client.query<{ anchor: unknown }>(
            'SELECT anchor FROM binnacle_audit_anchors ORDER BY id',
          )
          const parsed = rows.map(({ anchor }) => Anchor.safeParse(anchor).data)
          const anchors = parsed.filter((anchor) => anchor !== undefined)
          return { anchors, unreadable: parsed.length - anchors.length }
        },
        LIMIT,
      ),
  }
}

const LIMIT = { answerMs: ANSWER_TIMEOUT_MS }
const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS binnacle_audit_anchors
  (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, written_at timestamptz NOT NULL DEFAULT now(), anchor jsonb NOT NULL)`

function reasonOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault)
}
