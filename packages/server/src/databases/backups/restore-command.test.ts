import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { backups, Order, orders, Strategy, settings, strategies, User } from '@binnacle/contract'
import { type AtEnd, afterAllTests, temporaryFolder } from '@binnacle/stores/testkit'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { parseConfig } from '#config/config.ts'
import { diagnose } from '#doctor/doctor-command.ts'
import { startServer } from '#server.ts'
import { testEnvironment } from '#testkit/running-server.ts'
import { restoreCommand } from './restore-command.ts'

/** At this path each test gets fresh files of one server: backups name the files they are of. */
const atEnd = afterAllTests()
const root = temporaryFolder({ 'data/catalog/notes.txt': 'before' }, atEnd)
const data = join(root, 'data')
const backedUp = join(root, 'backed-up')
/** Made before the backups and after them. */
let made: { order: string | number; laterUser: number }

beforeAll(async () => {
  const first = await open(data, atEnd)
  await first.call('PUT', '/api/admin/settings/system_name?value=Before')
  const order = await first.placeOrder()
  expect(await first.addStrategy('Before')).toBe('S-1')
  for (const store of ['binnacle-admin', 'binnacle-journal', 'binnacle-catalog']) {
    expect(await first.call('POST', `/api/db/${store}/backup`)).toMatchObject({ success: true })
  }
  await first.call('PUT', '/api/admin/settings/system_name?value=After')
  made = { order, laterUser: await first.addUser('grace') }
  await first.placeOrder()
  expect(await first.addStrategy('Lost')).toBe('S-2')
  await expect(restoreCommand(data, 'binnacle-admin')).rejects.toThrow(
    'Another Binnacle server is already using',
  )
  await first.close()
  cpSync(data, backedUp, { recursive: true })
})

beforeEach(() => {
  rmSync(data, { recursive: true, force: true })
  cpSync(backedUp, data, { recursive: true })
})

/** The name of the backup of a store. */
function backupOf(store: string): string {
  return readdirSync(join(data, 'backups')).find((name) => name.startsWith(`${store}-`)) ?? ''
}

test('[ADM-142] [BACKUP-11] [BACKUP-14] [BACKUP-15] [BACKUP-18] the admin store and the journal are put back, and the server starts on them', async () => {
  const list = await restoreCommand(data, undefined)
  const names = list.split('\n').flatMap((line) => /^ {2}(\S+) {2}Binnacle/.exec(line)?.[1] ?? [])
  expect(names.map((name) => name.replace(/-\d.*/, '')).sort()).toEqual([
    'binnacle-admin',
    'binnacle-catalog',
    'binnacle-journal',
  ])
  for (const name of [backupOf('binnacle-admin'), backupOf('binnacle-journal')]) {
    expect(await restoreCommand(data, name)).toMatch(
      /^Binnacle \w+ was restored from the backup of .+Z\. The previous files are in /,
    )
  }
  expect(readdirSync(join(data, 'before-restore'))).toHaveLength(2)

  const second = await open(data)
  const restored = settings.list.reply.parse(await second.call('GET', '/api/admin/settings')).settings
  expect(restored.find(({ key }) => key === 'system_name')?.value).toBe('Before')
  const listed = orders.list.reply.parse(await second.call('GET', '/api/orders')).orders
  expect(listed.map(({ id }) => id)).toEqual([made.order])
  expect(await second.call('GET', '/api/admin/audit-logs/verify')).toMatchObject({ intact: true })
  expect(await second.addUser('ada')).toBeGreaterThan(made.laterUser)
  const found = backups.list.reply.parse(await second.call('GET', '/api/db/binnacle-journal/backups'))
  expect(found.backups).toHaveLength(1)
  await second.close()
})

test('[ADM-140] an older copy that was put back by hand is a fault at every start, also for the doctor', async () => {
  const contents = join(data, 'backups', backupOf('binnacle-admin'), 'contents')
  cpSync(join(contents, readdirSync(contents)[0] ?? ''), join(data, 'admin.sqlite'))
  for (const part of ['-wal', '-shm']) rmSync(join(data, `admin.sqlite${part}`), { force: true })
  for (const _ of ['first', 'second']) {
    const server = await open(data)
    expect(await server.call('GET', '/api/admin/audit-logs/verify')).toMatchObject({
      intact: false,
      fault: { kind: 'removed', detail: expect.stringContaining('The audit log has lost records') },
    })
    await server.close()
  }
  const log = readFileSync(join(data, 'logs', 'server.log'), 'utf8')
  expect(log.match(/"event":"audit.lost"/g)).toHaveLength(2)
  const findings = await diagnose({ ...testEnvironment(), BINNACLE_DATA: data })
  expect(findings.find(({ subject }) => subject === 'Audit log')).toMatchObject({
    level: 'failure',
    remedy: expect.stringContaining('npm run acknowledge-loss'),
  })
})

test('[STORE-66] after a restore of an older journal no strategy gets the id of another', async () => {
  await restoreCommand(data, backupOf('binnacle-journal'))

  const second = await open(data)
  const listed = strategies.list.reply.parse(await second.call('GET', '/api/strategies')).strategies
  expect(listed.map(({ id }) => id)).toEqual(['S-1'])
  expect(await second.addStrategy('After')).toBe('S-3')
  expect(await second.addStrategy('Next')).toBe('S-4')
  await second.close()

  const third = await open(data)
  expect(await third.addStrategy('Last')).toBe('S-5')
})

test('[BACKUP-11] a store that can no longer be read is put back too', async () => {
  writeFileSync(join(data, 'admin.sqlite'), 'This was a database once, and is not one any more.')
  await expect(open(data)).rejects.toThrow('restore it from a backup')
  await restoreCommand(data, backupOf('binnacle-admin'))
  const second = await open(data)
  expect(settings.list.reply.parse(await second.call('GET', '/api/admin/settings')).settings).not.toEqual([])
  await second.close()
})

test('[START-140] an emptied admin store is put back, and a restore of another store does not fill it', async () => {
  const file = join(data, 'admin.sqlite')
  writeFileSync(file, '')
  expect(await restoreCommand(data, backupOf('binnacle-journal'))).toContain(
    `The restore is not in the audit log: ${file} is missing or empty.`,
  )
  expect(readFileSync(file)).toHaveLength(0)
  await restoreCommand(data, backupOf('binnacle-admin'))
  const second = await open(data)
  expect(settings.list.reply.parse(await second.call('GET', '/api/admin/settings')).settings).not.toEqual([])
  await second.close()
})

test('[START-142] a restore without the key is not recorded and makes no key', async () => {
  const database = new DatabaseSync(join(data, 'admin.sqlite'))
  const sealed = `v2:${Buffer.alloc(40).toString('base64')}`
  database.prepare("UPDATE settings SET value = ? WHERE key = 'environment'").run(sealed)
  database.close()
  rmSync(join(data, 'secret.key'))
  expect(await restoreCommand(data, backupOf('binnacle-journal'))).toMatch(
    /The restore is not in the audit log: .*secret\.key is missing/,
  )
  expect(existsSync(join(data, 'secret.key'))).toBe(false)
})

test('[MAINT-44] a backup whose contents and manifest were both changed is refused, and nothing is changed', async () => {
  const name = backupOf('binnacle-admin')
  const untouched = readFileSync(join(data, 'admin.sqlite'))
  const promote = 'CREATE TRIGGER promote AFTER INSERT ON jobs BEGIN DELETE FROM users; END'
  for (const [change, undo, words] of [
    [promote, 'DROP TRIGGER promote', "has the trigger 'promote', which Binnacle does not create."],
    ["UPDATE settings SET value = 'Theirs' WHERE key = 'system_name'", '', 'system_name'],
  ] as const) {
    forge(join(data, 'backups', name), change)
    await expect(restoreCommand(data, name)).rejects.toThrow(
      new RegExp(`^The backup does not verify: .*${words}.* Nothing was changed\\.$`),
    )
    forge(join(data, 'backups', name), undo)
  }
  expect(readFileSync(join(data, 'admin.sqlite')).equals(untouched)).toBe(true)
  expect(readdirSync(data).filter((file) => file.includes('restoring'))).toEqual([])
})

/** Changes the database of a backup and makes its manifest match. */
function forge(backup: string, statement: string): void {
  const manifestFile = join(backup, 'manifest.json')
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))
  const [file] = manifest.files
  const path = join(backup, 'contents', file.path)
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA journal_mode = DELETE; ${statement}`)
  database.close()
  const bytes = readFileSync(path)
  Object.assign(file, { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') })
  writeFileSync(manifestFile, JSON.stringify(manifest))
}

test('[BACKUP-11] a folder of files is put back as it was', async () => {
  const catalog = join(data, 'catalog', 'notes.txt')
  writeFileSync(catalog, 'after')
  writeFileSync(join(data, 'catalog', 'later.txt'), 'later')
  await restoreCommand(data, backupOf('binnacle-catalog'))
  expect(readFileSync(catalog, 'utf8')).toBe('before')
  expect(readdirSync(join(data, 'catalog'))).not.toContain('later.txt')
})

test('[START-8] a folder without backups is named, and nothing is created', async () => {
  const empty = join(temporaryFolder(), 'data')
  for (const name of [undefined, 'binnacle-admin-1']) {
    await expect(restoreCommand(empty, name)).rejects.toThrow(
      `There are no backups in the data folder ${empty}. Set BINNACLE_DATA to the data folder of the server.`,
    )
  }
  expect(existsSync(empty)).toBe(false)
})

test('[BACKUP-11] an unknown name is answered with the names there are', async () => {
  const other = temporaryFolder({ 'backups/readme.txt': '' })
  await expect(restoreCommand(other, '../admin.sqlite')).rejects.toThrow(
    "There is no backup '../admin.sqlite' of Binnacle's own stores. There are no backups of Binnacle's own stores in",
  )
})

async function open(folder: string, atEnd: AtEnd = onTestFinished) {
  const server = await startServer(parseConfig({ ...testEnvironment(atEnd), BINNACLE_DATA: folder }))
  let closing: Promise<void> | undefined
  const close = () => (closing ??= server.close(5000))
  atEnd(close)
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const reply = await fetch(`http://127.0.0.1:${server.ports.trading}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    if (!reply.ok) throw new Error(`${method} ${path}: ${await reply.text()}`)
    return reply.json()
  }
  const placeOrder = async () => Order.parse(await call('POST', '/api/orders', ORDER)).id
  const addUser = async (username: string) =>
    Number(
      User.parse(await call('POST', '/api/admin/users', { username, email: 'a@b.example', role: 'viewer' }))
        .id,
    )
  const addStrategy = async (name: string) =>
    Strategy.parse(await call('POST', '/api/strategies', { ...STRATEGY, name })).id
  return { call, placeOrder, addUser, addStrategy, close }
}

const STRATEGY = { type: 'mean_reversion', description: '', config: {} }
const ORDER = { instrument: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: 0.001, price: 1000 }
