import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { ChainedRecord, ChainHead } from '#storage/audit/chain.ts'
import { faultOfLoss, findOpenLosses, LOSS_ACTIONS } from '#storage/audit/losses.ts'
import { type ChainFault, findChainFault } from '#storage/audit/verify-chain.ts'
import type { AuditVerdict } from './audit-verifier.ts'

const startMs = performance.now()
const database = new DatabaseSync(workerData, { readOnly: true })
// One read transaction: records and head are of the same moment.
database.exec('BEGIN')
let lastRead: number | undefined
let head: ChainHead | undefined
const fault = findFault()
// A log that cannot be read may fail here too.
const loss = fault === undefined ? findLoss() : undefined
const verdict: AuditVerdict = { head, fault, loss, durationMs: performance.now() - startMs }
database.close()
parentPort?.postMessage(verdict)

/** An unreadable record is a fault too, named by its expected number. */
function findFault(): ChainFault | undefined {
  try {
    head = readHead()
    lastRead = 0
    return findChainFault({ head, records: readRecords(), seqOfHash })
  } catch (cause) {
    const seq = lastRead === undefined ? 0 : lastRead + 1
    const what = seq === 0 ? 'The end marker of the log' : `Record ${seq}`
    const detail = `${what} cannot be read: ${workerData} is damaged (${String(cause)}).`
    return { seq, kind: 'altered', detail }
  }
}

function readHead(): ChainHead | undefined {
  const row = database.prepare('SELECT seq, hash FROM audit_head').get()
  // The table is STRICT: its columns are an integer and a text.
  return row as ChainHead | undefined
}

function* readRecords(): Generator<ChainedRecord> {
  for (const row of database.prepare('SELECT * FROM audit_log ORDER BY seq').iterate()) {
    const record = recordOf(row)
    yield record
    lastRead = record.seq
  }
}

function findLoss(): ChainFault | undefined {
  const marks = LOSS_ACTIONS.map(() => '?').join(', ')
  const query = database.prepare(`SELECT * FROM audit_log WHERE action IN (${marks}) ORDER BY seq`)
  const [first] = findOpenLosses(query.all(...LOSS_ACTIONS).map(recordOf))
  return first && faultOfLoss(first)
}

function recordOf(row: Record<string, SQLOutputValue>): ChainedRecord {
  // The table is STRICT and its columns are the fields of a record.
  return row as unknown as ChainedRecord
}

function seqOfHash(hash: string): number | undefined {
  const row = database.prepare('SELECT seq FROM audit_log WHERE hash = ?').get(hash)
  return row === undefined ? undefined : Number(row.seq)
}
