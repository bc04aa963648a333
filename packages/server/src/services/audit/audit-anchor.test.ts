import { once } from 'node:events'
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { describePostgres, freshDatabase, temporaryFolder } from '@binnacle/stores/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createOutbound } from '#services/outbound/outbound.ts'
import { parseAnchors } from '#storage/audit/anchor.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { type ChainedRecord, GENESIS, hashRecord } from '#storage/audit/chain.ts'
import { newAdminStore } from '#testkit/admin-store.ts'
import { openAuditAnchor, scheduleAnchor } from './audit-anchor.ts'

const ACT = serverAuditContext('settings.update')

describe('a log with an anchor', () => {
  test('[ADB-20] is compared with every anchor, which is signed by a key outside the data folder', async () => {
    const { anchor, change, anchorFile, keyFile } = await anchored()
    await anchor.write()
    await change('60')
    const last = await anchor.write()
    expect(parseAnchors(readFileSync(anchorFile, 'utf8')).anchors).toEqual([
      expect.objectContaining({ seq: 3 }),
      last,
    ])
    expect(await anchor.compare()).toEqual({ anchors: 2, last, fault: undefined })
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
  })

  test('[ADB-21] that was rewritten as a whole is noticed, although its chain verifies', async () => {
    const { anchor, store, edit } = await anchored()
    await anchor.write()
    edit((records) => records.map((record) => ({ ...record, actor: 'nobody' })))
    expect((await store.audit.verify()).fault).toBeUndefined()
    expect((await anchor.compare())?.fault).toMatchObject({ seq: 3, kind: 'altered' })
  })

  test('[ADB-22] whose tail was cut with its head is noticed', async () => {
    const { anchor, store, edit } = await anchored()
    await anchor.write()
    edit((records) => records.slice(0, 2))
    expect((await store.audit.verify()).fault).toBeUndefined()
    expect((await anchor.compare())?.fault).toMatchObject({ seq: 3, kind: 'removed' })
  })

  test('[ADB-23] whose records were reordered and chained again is noticed', async () => {
    const { anchor, store, edit } = await anchored()
    await anchor.write()
    edit(([first, second, third]) => [second, first, third].filter((record) => record !== undefined))
    expect((await store.audit.verify()).fault).toBeUndefined()
    expect((await anchor.compare())?.fault).toMatchObject({ kind: 'altered' })
  })

  test('[ADB-24] an anchor that was forged or damaged is a fault too', async () => {
    const { anchor, anchorFile } = await anchored()
    const { signature: _, ...genuine } = await anchor.write()
    appendFileSync(anchorFile, `${JSON.stringify({ ...genuine, seq: 1, signature: 'AAAA' })}\n`)
    expect((await anchor.compare())?.fault).toMatchObject({ kind: 'forged' })
    writeFileSync(anchorFile, 'not an anchor\n')
    expect((await anchor.compare())?.fault?.detail).toMatch(/^1 anchors in the file .+ cannot be read\.$/)
  })
})

test('[ADB-25] a key or a file of anchors inside the data folder is refused at the start', async () => {
  const folder = temporaryFolder()
  const { store } = await newAdminStore()
  const options = { dataFolder: folder, audit: store.audit, outbound: createOutbound({ allowedHosts: [] }) }
  const inside = join(folder, 'inside')
  expect(() => openAuditAnchor({ ...options, keyFile: inside, place: '/elsewhere/anchors' })).toThrow(
    `BINNACLE_AUDIT_KEY is '${inside}', but it must be outside the data folder`,
  )
  expect(() => openAuditAnchor({ ...options, keyFile: '/elsewhere/key', place: inside })).toThrow(
    /^BINNACLE_AUDIT_ANCHOR is/,
  )
})

test('[ADB-26] a webhook gets each anchor; one that refuses it fails the task with the reason', async () => {
  const received: string[] = []
  let status = 204
  const server = createServer(async (request, response) => {
    received.push(await text(request))
    response.writeHead(status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { anchor } = await anchored(`http://127.0.0.1:${port}/anchors?key=secret`)
  const written = await anchor.write()
  expect(received.map((body) => JSON.parse(body))).toEqual([written])
  expect(await anchor.compare()).toBeUndefined()
  expect(anchor.place).toBe(`the webhook at 127.0.0.1:${port}`)
  status = 500
  await expect(anchor.write()).rejects.toThrow(/could not be sent to the webhook at .+: HTTP 500\.$/)
})

describePostgres('a PostgreSQL database', () => {
  test('[ADB-26] holds the anchors and gives them back', async () => {
    const { url } = await freshDatabase(onTestFinished)
    const { anchor, edit } = await anchored(url)
    const first = await anchor.write()
    expect(await anchor.compare()).toEqual({ anchors: 1, last: first, fault: undefined })
    edit((records) => records.slice(0, 1))
    expect((await anchor.compare())?.fault).toMatchObject({ kind: 'removed' })
  })
})

test('[ADB-27] a server with an anchor has a task that writes it every hour', async () => {
  const { store } = await newAdminStore()
  await scheduleAnchor(store.tasks)
  await scheduleAnchor(store.tasks)
  const tasks = (await store.tasks.list()).filter(({ kind }) => kind === 'audit.anchor')
  expect(tasks).toMatchObject([{ schedule: '0 * * * *', is_enabled: 1 }])
})

/** A log of three records with an anchor elsewhere. */
async function anchored(givenPlace?: string) {
  const { store, file } = await newAdminStore()
  const change = (value: string) => store.settings.update(ACT, 'cache_ttl', { value })
  for (const value of ['1', '2', '3']) await change(value)
  const elsewhere = temporaryFolder()
  const anchorFile = join(elsewhere, 'anchors.jsonl')
  const keyFile = join(elsewhere, 'key.pem')
  const anchor = openAuditAnchor({
    place: givenPlace ?? anchorFile,
    keyFile,
    dataFolder: join(file, '..'),
    audit: store.audit,
    outbound: createOutbound({ allowedHosts: [] }),
  })

  /** Rewrites the log as somebody with access to the file would: the chain and its head agree. */
  function edit(work: (records: ChainedRecord[]) => ChainedRecord[]): void {
    const database = new DatabaseSync(file)
    const rows = database.prepare('SELECT * FROM audit_log ORDER BY seq').all()
    // The table's columns are the fields of a record.
    const records = work(rows as unknown as ChainedRecord[])
    for (const { name } of database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name LIKE 'audit%'")
      .all())
      database.exec(`DROP TRIGGER "${name}"`)
    database.exec('DELETE FROM audit_log')
    let last = GENESIS
    for (const [index, record] of records.entries()) {
      const next = { ...record, seq: index + 1, prev_hash: last.hash }
      const chained = { ...next, hash: hashRecord(next, last.hash) }
      const names = Object.keys(chained)
      database
        .prepare(`INSERT INTO audit_log (${names.join()}) VALUES (${names.map(() => '?').join()})`)
        .run(...Object.values(chained))
      last = chained
    }
    database.prepare('UPDATE audit_head SET seq = ?, hash = ?').run(last.seq, last.hash)
    database.close()
  }

  return { store, anchor, change, anchorFile, keyFile, edit }
}
