import { hash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { auditLogs } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { describe, expect, test } from 'vitest'
import { newAdminApp } from '#testkit/admin-app.ts'

const URL = '/api/admin/audit-logs'

describe('the list', () => {
  test('shows actor, action, target, time, address and request id, newest first', async () => {
    const { app } = await newAdminApp()
    await change(app, 'cache_ttl', '1')
    const reply = await change(app, 'session_timeout', '45')
    expect(reply.statusCode).toBe(200)
    const { logs, next_cursor } = (await app.inject(URL)).json()
    expect(next_cursor).toBeNull()
    expect(logs).toHaveLength(2)
    expect(logs[0]).toEqual({
      id: 2,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      actor: 'local',
      role: 'admin',
      address: '127.0.0.1',
      action: 'settings.update',
      entity: 'setting',
      target: 'session_timeout',
      before: expect.objectContaining({ value: '30' }),
      after: expect.objectContaining({ value: '45' }),
      request_id: expect.stringMatching(/^[\da-f]{32}$/),
      hash: expect.stringMatching(/^[\da-f]{64}$/),
    })
  })

  test('is paged by cursor, each record once', async () => {
    const { app } = await newAdminApp()
    for (let value = 1; value <= 7; value++) await change(app, 'cache_ttl', String(value))
    const pages: number[][] = []
    let cursor: number | null | undefined
    while (cursor !== null) {
      const reply = await app.inject(`${URL}?limit=3${cursor === undefined ? '' : `&cursor=${cursor}`}`)
      const page = auditLogs.list.reply.parse(reply.json())
      pages.push(page.logs.map(({ id }) => Number(id)))
      cursor = page.next_cursor ?? null
    }
    expect(pages).toEqual([[7, 6, 5], [4, 3, 2], [1]])
  })

  test('is filtered by action, entity, target, actor and time', async () => {
    const { app } = await newAdminApp()
    await change(app, 'cache_ttl', '1')
    await change(app, 'session_timeout', '1')
    await app.inject({ method: 'DELETE', url: '/api/admin/settings/cache_ttl' })
    await app.inject({ method: 'POST', url: '/api/admin/api-configs', payload: { name: 'a', endpoint: 'b' } })
    const ids = async (query: string) =>
      (await app.inject(`${URL}?${query}`)).json().logs.map(({ id }: { id: number }) => id)
    expect(await ids('action=settings.update')).toEqual([2, 1])
    expect(await ids('entity=api-config')).toEqual([4])
    expect(await ids('target=cache_ttl')).toEqual([3, 1])
    expect(await ids('target=cache_ttl&action=settings.remove')).toEqual([3])
    expect(await ids('actor=local')).toEqual([4, 3, 2, 1])
    expect(await ids('actor=ada')).toEqual([])
    expect(await ids('from=2020-01-01')).toEqual([4, 3, 2, 1])
    expect(await ids('to=2020-01-01')).toEqual([])
    expect(await ids('from=2999-01-01T00:00:00%2B02:00')).toEqual([])
  })
})

describe('the export', () => {
  test('as CSV has a row for each record, oldest first, without formulas', async () => {
    const { app } = await newAdminApp()
    const payload = { key: '=HYPERLINK("http://evil")', value: '@x', category: 'general' }
    await app.inject({ method: 'POST', url: '/api/admin/settings', payload })
    await change(app, 'system_name', '-1')
    const reply = await app.inject(`${URL}/export?format=csv`)
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(reply.headers['content-disposition']).toBe('attachment; filename="audit-log.csv"')
    const [head, first, second, end] = reply.body.split('\r\n')
    expect(head).toBe(
      '"seq","at","actor","role","address","action","entity","target","before","after","request_id","prev_hash","hash"',
    )
    expect(first).toContain('"settings.add","setting","\'=HYPERLINK(""http://evil"")",""')
    expect(second).toMatch(/^"2",".*,"system_name",/)
    expect(end).toBe('')
  })

  test('as JSON lines can be verified elsewhere, with SHA-256 alone', async () => {
    const { app } = await newAdminApp()
    for (const value of ['1', '2', '3']) await change(app, 'cache_ttl', value)
    const reply = await app.inject(`${URL}/export?format=jsonl`)
    expect(reply.headers['content-type']).toBe('application/x-ndjson')
    expect(reply.headers['content-disposition']).toBe('attachment; filename="audit-log.jsonl"')
    const lines = reply.body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toHaveLength(3)
    let last = '0'.repeat(64)
    for (const { prev_hash, hash: own, ...line } of lines) {
      expect(prev_hash).toBe(last)
      expect(own).toBe(hash('sha256', JSON.stringify([1, prev_hash, ...Object.values(line)])))
      last = own
    }
  })

  test('is filtered like the list, and is CSV by default', async () => {
    const { app } = await newAdminApp()
    await change(app, 'cache_ttl', '1')
    await change(app, 'session_timeout', '1')
    const reply = await app.inject(`${URL}/export?target=cache_ttl`)
    expect(reply.headers['content-type']).toMatch('text/csv')
    expect(reply.body.trim().split('\r\n')).toHaveLength(2)
  })
})

describe('the verification', () => {
  test('[ADM-14] finds an unaltered log intact, and says what it cannot show', async () => {
    const { app } = await newAdminApp()
    expect((await app.inject(`${URL}/verify`)).json()).toMatchObject({ intact: true, lines: 0 })
    await change(app, 'cache_ttl', '1')
    const [line] = (await app.inject(URL)).json().logs
    expect((await app.inject(`${URL}/verify`)).json()).toEqual({
      intact: true,
      lines: 1,
      head_hash: line.hash,
      duration_ms: expect.any(Number),
      is_anchored: false,
      note: 'The head of the chain is stored only on this server, so a log that was rewritten or cut together with its head verifies as intact. Keep head_hash elsewhere and compare it.',
    })
  })

  test.each([
    ['altered', "UPDATE audit_log SET actor = 'ada' WHERE seq = 2", 'Record 2 was altered.'],
    ['removed', 'DELETE FROM audit_log WHERE seq = 2', 'Record 2 was removed.'],
    [
      'moved',
      'UPDATE audit_log SET seq = -seq WHERE seq > 1; UPDATE audit_log SET seq = 5 + seq WHERE seq < 0',
      'Record 2 has the contents of record 3: records were moved.',
    ],
  ])('names the line that was %s', async (kind, sql, detail) => {
    const { app, file } = await newAdminApp()
    for (const value of ['1', '2', '3']) await change(app, 'cache_ttl', value)
    const other = new DatabaseSync(file)
    other.exec(`DROP TRIGGER audit_log_is_not_changed; DROP TRIGGER audit_log_is_not_cut; ${sql}`)
    other.close()
    const reply = await app.inject(`${URL}/verify`)
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject({ intact: false, lines: 3, fault: { line: 2, kind, detail } })
  })
})

function change(app: FastifyInstance, key: string, value: string) {
  return app.inject({ method: 'PUT', url: `/api/admin/settings/${key}?value=${value}` })
}
