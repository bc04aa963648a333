import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { ChainedLine, ChainHead } from '#audit/chain.ts'
import { findChainFault } from '#audit/verify-chain.ts'
import type { AuditVerdict } from './audit-verifier.ts'

const begun = performance.now()
const database = new DatabaseSync(workerData, { readOnly: true })
// Lines and head as of one moment, while changes go on.
database.exec('BEGIN')
const head = readHead()
const fault = findChainFault({ head, lines: readLines(), seqOfHash })
const verdict: AuditVerdict = { head, fault, durationMs: performance.now() - begun }
database.close()
parentPort?.postMessage(verdict)

function readHead(): ChainHead | undefined {
  const row = database.prepare('SELECT seq, hash FROM audit_head').get()
  // The table is STRICT: its columns are an integer and a text.
  return row as ChainHead | undefined
}

function* readLines(): Generator<ChainedLine> {
  for (const row of database.prepare('SELECT * FROM audit_log ORDER BY seq').iterate()) yield lineOf(row)
}

function lineOf(row: Record<string, SQLOutputValue>): ChainedLine {
  // The table is STRICT and its columns are the fields of a line.
  return row as unknown as ChainedLine
}

function seqOfHash(hash: string): number | undefined {
  const row = database.prepare('SELECT seq FROM audit_log WHERE hash = ?').get(hash)
  return row === undefined ? undefined : Number(row.seq)
}
