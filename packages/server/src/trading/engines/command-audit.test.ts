import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type PendingRecord, serverAuditContext } from '#storage/audit/audit-context.ts'
import { CommandAudit } from './command-audit.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

const record = (target: string): PendingRecord => ({
  audit: serverAuditContext('orders.place'),
  change: { entity: 'node', target, before: null, after: {} },
  at: new Date(0),
})

test('[NAUT-300] records whose append fails are stored later, in their order, and the fault is reported once', async () => {
  const stored: string[] = []
  const faults: string[] = []
  let isFull = true
  const append = async (records: readonly PendingRecord[]) => {
    if (isFull) throw new Error('database or disk is full')
    stored.push(...records.map(({ change }) => String(change.target)))
  }
  const audit = new CommandAudit({
    audit: { append },
    onFault: (fault) => faults.push(String(fault)),
    maxWaiting: 2,
  })
  await audit.add(record('O-1'))
  expect(audit.isFull).toBe(false)
  await audit.add(record('O-2'))
  expect(audit.isFull).toBe(true)
  await vi.advanceTimersByTimeAsync(5_000)
  expect([stored, faults]).toEqual([[], ['Error: database or disk is full']])
  isFull = false
  await vi.advanceTimersByTimeAsync(5_000)
  expect([stored, audit.isFull]).toEqual([['O-1', 'O-2'], false])
  await audit.add(record('O-3'))
  expect(stored).toEqual(['O-1', 'O-2', 'O-3'])
})

test('[NAUT-300] closing tries once more', async () => {
  const stored: string[] = []
  let fails = 1
  const append = async (records: readonly PendingRecord[]) => {
    if (fails-- > 0) throw new Error('database is locked')
    stored.push(...records.map(({ change }) => String(change.target)))
  }
  const audit = new CommandAudit({ audit: { append }, onFault: () => {} })
  await audit.add(record('O-1'))
  await audit.close()
  expect(stored).toEqual(['O-1'])
})
