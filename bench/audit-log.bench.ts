import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openAdminStore } from '../packages/server/src/storage/admin-store.ts'
import { serverAuditContext } from '../packages/server/src/storage/audit/audit-context.ts'
import { type ChainHead, GENESIS, nextRecord } from '../packages/server/src/storage/audit/chain.ts'

/** What the audit record costs a change, beside a bare durable commit, and how long a whole log takes to verify. */

const CHANGES = 2000
const LINES = 100_000

const folder = await mkdtemp(join(tmpdir(), 'binnacle-audit-'))
const bareMs = measureBareCommits()
const file = join(folder, 'admin.sqlite')
const store = await openAdminStore(file)
const auditedMs = await measureAuditedChanges()
fillUpTo(LINES)
const verdict = await store.audit.verify()
await store.close()
await rm(folder, { recursive: true })

console.table({
  'bare commit of one row': { 'changes/s': perSecond(bareMs), ratio: 1 },
  'audited change': { 'changes/s': perSecond(auditedMs), ratio: Number((auditedMs / bareMs).toFixed(1)) },
})
console.log(`${LINES} lines verified in ${Math.round(verdict.durationMs)} ms`)
process.exitCode = verdict.fault === undefined ? 0 : 1

function measureBareCommits(): number {
  const database = new DatabaseSync(join(folder, 'bare.sqlite'))
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (v TEXT) STRICT')
  const insert = database.prepare('INSERT INTO t VALUES (?)')
  const startMs = performance.now()
  for (let value = 0; value < CHANGES; value++) insert.run(String(value))
  const elapsedMs = performance.now() - startMs
  database.close()
  return elapsedMs
}

async function measureAuditedChanges(): Promise<number> {
  const audit = serverAuditContext('settings.update')
  const startMs = performance.now()
  for (let value = 0; value < CHANGES; value++) {
    await store.settings.update(audit, 'cache_ttl', { value: String(value) })
  }
  return performance.now() - startMs
}

/** As the store would, but in one transaction: only the reading is measured. */
function fillUpTo(lines: number): void {
  const database = new DatabaseSync(file)
  const row = database.prepare('SELECT seq, hash FROM audit_head').get()
  let head: ChainHead = { seq: Number(row?.seq ?? GENESIS.seq), hash: String(row?.hash ?? GENESIS.hash) }
  database.exec('BEGIN')
  const insert = database.prepare(
    `INSERT INTO audit_log (seq, at, actor, role, address, action, entity, target, before, after, request_id, prev_hash, hash)
     VALUES (:seq, :at, :actor, :role, :address, :action, :entity, :target, :before, :after, :request_id, :prev_hash, :hash)`,
  )
  const move = database.prepare('UPDATE audit_head SET seq = ?, hash = ?')
  while (head.seq < lines) {
    const setting = {
      key: 'cache_ttl',
      value: '1',
      description: 'Cache TTL in seconds',
      category: 'performance',
    }
    const change = { entity: 'setting', target: 'cache_ttl', before: setting, after: setting }
    const line = nextRecord(head, serverAuditContext('settings.update'), change, new Date())
    insert.run({ ...line })
    move.run(line.seq, line.hash)
    head = line
  }
  database.exec('COMMIT')
  database.close()
}

function perSecond(elapsedMs: number): number {
  return Math.round((CHANGES / elapsedMs) * 1000)
}
