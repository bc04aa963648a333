import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { JobFailure } from '@binnacle/stores'
import { describePostgres, describeRedis, temporaryFolder } from '@binnacle/stores/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openAdminStore } from '#storage/admin-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { newBackups } from '#testkit/backups/backup-context.ts'
import {
  type NumberStore,
  newParquet,
  newPostgres,
  newRedis,
  newSqlite,
} from '#testkit/backups/backup-stores.ts'
import { quietControl, subjectOf } from '#testkit/backups/backup-subjects.ts'

const ACT = serverAuditContext('test')

describe('SQLite', () => roundTrip(newSqlite, { t: 3 }))
describe('Parquet', () => roundTrip(newParquet, { 'a.parquet': 3 }))
describePostgres('PostgreSQL', () => roundTrip(newPostgres, { 'public.t': 3 }, 'and this role may not'))
describeRedis('Redis', () => roundTrip(newRedis, { db0: 1 }))

function roundTrip(
  create: () => Promise<NumberStore>,
  counts: Record<string, number>,
  noDrill?: string,
): void {
  test('[BACKUP-5] what was backed up comes back, what came later is gone and saved first', async () => {
    const store = await create()
    const { backups } = await newBackups(store.binFolder)
    const subject = subjectOf(store.source)
    const made = await backups.make(ACT, subject, quietControl())
    await store.change()
    const safety = await backups.restore(ACT, subject, made.id, quietControl())
    expect(await store.read()).toEqual([1, 2, 3])
    expect(safety?.backup_type).toBe('safety')
    await backups.restore(ACT, subject, safety?.id ?? 0, quietControl())
    expect(await store.read()).toEqual([1, 2, 3, 4])
    expect(await store.left()).toEqual([])
  })

  test('[BACKUP-8] a drill reports the rows and does not change the store', async () => {
    const store = await create()
    const { backups, folder } = await newBackups(store.binFolder)
    const subject = subjectOf(store.source)
    const made = await backups.make(ACT, subject, quietControl())
    await store.change()
    const drill = backups.drill(subject, quietControl())
    if (noDrill !== undefined) return expect(drill).rejects.toThrow(noDrill)
    expect(await drill).toMatchObject({ backup: { id: made.id }, counts, sha256: made.manifest_sha256 })
    expect(await store.read()).toEqual([1, 2, 3, 4])
    expect(readdirSync(folder).sort()).toEqual(['.swaps', made.name])
  })
}

test('[BACKUP-5] a SQLite file that is gone is restored without a safety backup', async () => {
  const store = await newSqlite()
  const { backups } = await newBackups()
  const subject = subjectOf(store.source)
  const { id } = await backups.make(ACT, subject, quietControl())
  if (store.source.type === 'sqlite') rmSync(store.source.file)
  expect(await backups.restore(ACT, subject, id, quietControl())).toBeUndefined()
  expect(await store.read()).toEqual([1, 2, 3])
})

test('[BACKUP-6] two connections to one file are restored one after the other', async () => {
  const store = await newSqlite()
  const steps: string[] = []
  const { backups } = await newBackups(undefined, { step: (name) => void steps.push(name) })
  const [first, second] = [subjectOf(store.source, '7'), subjectOf(store.source, '8')]
  const before = await backups.make(ACT, first, quietControl())
  await store.change()
  const after = await backups.make(ACT, second, quietControl())
  steps.length = 0
  await Promise.all([
    backups.restore(ACT, second, after.id, quietControl()),
    backups.restore(ACT, first, before.id, quietControl()),
  ])
  const half = steps.length / 2
  expect(steps.slice(half)).toEqual(steps.slice(0, half))
  expect(await store.read()).toEqual([1, 2, 3])
})

test('[BACKUP-1] what cannot be read back as it was written is not completed', async () => {
  const store = await newSqlite()
  const place = { folder: '' }
  const { backups, folder } = await newBackups(undefined, {
    step(name) {
      if (name !== 'verify') return
      const [fresh = ''] = readdirSync(place.folder).filter((one) => one.startsWith('.new-'))
      truncateSync(join(place.folder, fresh, 'contents', 'database.sqlite'), 4096)
    },
  })
  place.folder = folder
  await expect(backups.make(ACT, subjectOf(store.source), quietControl())).rejects.toThrow(
    'The backup is damaged: database.sqlite has 4096 bytes instead of 8192.',
  )
  expect(await backups.list('7')).toEqual([])
  expect(readdirSync(folder)).toEqual(['.swaps'])
})

test('[BACKUP-3] a backup of what is no database leaves nothing behind', async () => {
  const file = join(
    temporaryFolder({ 'notes.txt': 'no database at all, but long enough to be looked at' }),
    'notes.txt',
  )
  const { backups, folder } = await newBackups()
  const made = backups.make(ACT, subjectOf({ type: 'sqlite', file }), quietControl())
  await expect(made).rejects.toThrow('file is not a database')
  expect(readdirSync(folder)).toEqual(['.swaps'])
  expect(await backups.list('7')).toEqual([])
})

test('[BACKUP-302] backups, drills and restores are not begun on a disk that is nearly full', async () => {
  const store = await newSqlite()
  let free = 1e12
  const { backups, folder } = await newBackups(undefined, { freeSpace: async () => free })
  const subject = subjectOf(store.source)
  const { id, name } = await backups.make(ACT, subject, quietControl())
  free = 63_000_000
  const full = 'The disk is nearly full, so this was stopped before trading had to stop.'
  await expect(backups.make(ACT, subject, quietControl())).rejects.toThrow(full)
  await expect(backups.drill(subject, quietControl())).rejects.toThrow(full)
  await expect(backups.restore(ACT, subject, id, quietControl())).rejects.toThrow(full)
  expect(readdirSync(folder).sort()).toEqual(['.swaps', name])
})

test('[BACKUP-3] a full disk is named, and leaves nothing behind', async () => {
  const store = await newSqlite()
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  const step = (name: string) => (name === 'checksum' ? Promise.reject(full) : undefined)
  const { backups, folder } = await newBackups(undefined, { step })
  await expect(backups.make(ACT, subjectOf(store.source), quietControl())).rejects.toThrow(
    'The disk is full. No backup was made. Free some space and try again.',
  )
  expect(readdirSync(folder)).toEqual(['.swaps'])
})

test('[BACKUP-3] a backup that is cancelled leaves nothing behind', async () => {
  const store = await newSqlite()
  const stopping = new AbortController()
  const step = (name: string) => name === 'verify' && stopping.abort()
  const { backups, folder } = await newBackups(undefined, { step: (name) => void step(name) })
  await expect(backups.make(ACT, subjectOf(store.source), quietControl(stopping.signal))).rejects.toThrow()
  expect(readdirSync(folder)).toEqual(['.swaps'])
})

test('[BACKUP-6] a failing move of a restored folder puts the old one back', async () => {
  const store = await newParquet()
  const { backups } = await newBackups(undefined, {
    step: (name) => {
      if (name === 'move the new in') throw new JobFailure('The disk failed.')
    },
  })
  const subject = subjectOf(store.source)
  const { id } = await backups.make(ACT, subject, quietControl())
  await store.change()
  await expect(backups.restore(ACT, subject, id, quietControl())).rejects.toThrow(
    'The disk failed. Nothing was changed.',
  )
  expect(await store.read()).toEqual([1, 2, 3, 4])
  expect(await store.left()).toEqual([])
})

test('one Parquet file is backed up and restored, also when it is gone', async () => {
  const store = await newParquet()
  const { backups } = await newBackups()
  const file = store.source.type === 'parquet' ? join(store.source.folder, 'a.parquet') : ''
  const subject = subjectOf({ type: 'parquet', folder: file })
  const { id } = await backups.make(ACT, subject, quietControl())
  const before = readFileSync(file)
  await store.change()
  await backups.restore(ACT, subject, id, quietControl())
  expect(readFileSync(file)).toEqual(before)
  rmSync(file)
  await backups.restore(ACT, subject, id, quietControl())
  expect(readFileSync(file)).toEqual(before)
})

test('[BACKUP-27] a Parquet file that cannot be read is copied with a warning, and restored as it was', async () => {
  const store = await newParquet()
  const { backups } = await newBackups()
  const folder = store.source.type === 'parquet' ? store.source.folder : ''
  writeFileSync(join(folder, 'bad.parquet'), 'not Parquet')
  const subject = subjectOf(store.source)
  const { id, warnings } = await backups.make(ACT, subject, quietControl())
  expect(warnings).toEqual([
    'bad.parquet is not a readable Parquet file. It was copied without a check of its contents.',
  ])
  rmSync(join(folder, 'bad.parquet'))
  await backups.restore(ACT, subject, id, quietControl())
  expect(readFileSync(join(folder, 'bad.parquet'), 'utf8')).toBe('not Parquet')
  rmSync(join(folder, 'a.parquet'))
  await expect(backups.make(ACT, subject, quietControl())).rejects.toThrow(
    'bad.parquet is not a readable Parquet file.',
  )
})

test('links that lead out of a Parquet folder are not followed', async () => {
  const store = await newParquet()
  const outside = temporaryFolder({ 'secret.txt': 'not ours' })
  const folder = store.source.type === 'parquet' ? store.source.folder : ''
  symlinkSync(outside, join(folder, 'away'))
  symlinkSync(join(outside, 'secret.txt'), join(folder, 'link.txt'))
  const { backups, folder: vault } = await newBackups()
  const { name } = await backups.make(ACT, subjectOf(store.source), quietControl())
  expect(readdirSync(join(vault, name, 'contents')).sort()).toEqual(['a.parquet', 'readme.txt'])
})

test('[BACKUP-9] backups beyond both numbers go, and the newest whole one stays', async () => {
  const store = await newSqlite()
  let day = 1
  const now = () => new Date(Date.UTC(2026, 0, day))
  const { backups, folder } = await newBackups(undefined, { now })
  const subject = subjectOf(store.source)
  await backups.setRetention(ACT, '7', { keepNewest: 2, keepDays: 5 })
  expect(await backups.retentionOf('7')).toEqual({ keepNewest: 2, keepDays: 5 })
  for (day = 1; day <= 4; day++) await backups.make(ACT, subject, quietControl())
  expect(await backups.list('7')).toHaveLength(4)
  day = 8
  await backups.make(ACT, subject, quietControl())
  const days = (await backups.list('7')).map(({ created_at }) => created_at.slice(8, 10))
  expect(days).toEqual(['08', '04', '03'])
  expect(readdirSync(folder)).toHaveLength(4)
})

test('[BACKUP-2] folders that are not backups are left alone and reported', async () => {
  const notes: string[] = []
  const folder = temporaryFolder({ 'strange/readme.txt': 'x' })
  mkdirSync(join(folder, '.new-7-2026'))
  writeFileSync(join(folder, '.new-7-2026', 'half'), 'x')
  await newBackups(undefined, { folder, note: (event, message) => notes.push(`${event} ${message}`) })
  expect(readdirSync(folder).sort()).toEqual(['.swaps', 'strange'])
  expect(notes).toEqual(['backup.strange strange: The manifest of the backup is missing.'])
})

test('[BACKUP-16] a backup of version 1.0.0 is adopted only by the connection with its number, name and type', async () => {
  const source = (await newSqlite()).source
  const { backups, folder } = await newBackups()
  const { name } = await backups.make(ACT, subjectOf(source, '1'), quietControl())
  const manifest = join(folder, name, 'manifest.json')
  const { id: _, identity: __, target: ___, ...old } = JSON.parse(readFileSync(manifest, 'utf8'))
  writeFileSync(manifest, JSON.stringify(old))
  for (const [connectionName, owned] of [
    ['Ledger', 1],
    ['Other', 0],
  ] as const) {
    const store = await openAdminStore(':memory:')
    onTestFinished(() => store.close())
    await store.connections.add(ACT, { ...CONNECTION, name: connectionName })
    await newBackups(undefined, { folder, store })
    expect(await store.backups.list(CONNECTION.identity)).toHaveLength(owned)
    expect(await store.backups.listRemoved()).toHaveLength(1 - owned)
  }
})

const CONNECTION = {
  identity: 'a-random-identity',
  type: 'sqlite',
  database_name: '',
  sealed_string: '',
  is_active: 1,
  writable: 1,
  time_limit_s: 30,
  accept_privileged_role: 0,
} as const

test('pg_dump that is not there is refused with the package to install', async () => {
  const { backups } = await newBackups(temporaryFolder())
  const source = { type: 'postgresql', url: 'postgresql://ada@127.0.0.1:1/desk' } as const
  await expect(backups.make(ACT, subjectOf(source), quietControl())).rejects.toThrow(
    /^pg_dump was not found in .+\. Install the package postgresql-client .+ BINNACLE_POSTGRES_BIN/,
  )
})
