import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { afterAllTests, temporaryFolder, until } from '@binnacle/stores/testkit'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { parseConfig } from '#config/config.ts'
import { startServer } from '#server.ts'
import { COMPILED } from '#testkit/compiled.ts'
import { killedBefore } from '#testkit/program.ts'
import { runningServer, type TestServer, testEnvironment } from '#testkit/running-server.ts'
import { keyId, openWorkKey, readPublicKey } from '#trading/backtests/remote/work-key.ts'
import { backupCommand } from './backup-command.ts'
import { saveBackup } from './save-backup.ts'

const PASSPHRASE = 'seven brass sextants'
/** Low, because many files are opened here. */
const COST = 1024
const SETTING = '/api/admin/settings/system_name?value=Moved%20desk'
const ORDER = { instrument: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: 0.01 }
/** A data folder written by version 1.0.0, with each file compressed. */
const OLD_FOLDER = join(import.meta.dirname, '..', '..', 'testkit', 'data-1.0.0')
const COMMAND = join(import.meta.dirname, 'backup-command.ts')
const MAIN = join(import.meta.dirname, '..', '..', 'main.ts')

const canLimitFiles = spawnSync('prlimit', ['--version']).status === 0

const atEnd = afterAllTests()
let server: TestServer
let folder: string
let saved: string
/** What the server showed when it was saved. */
let desk: Awaited<ReturnType<typeof readDesk>>

beforeAll(async () => {
  folder = temporaryFolder({}, atEnd)
  server = await runningServer({}, atEnd)
  const files = { 'databases/prices.csv': 'day,price\n1,2\n', 'nautilus/notes.json': '{}' }
  const installed = { 'nautilus/env-1/pyvenv.cfg': '', 'nautilus/env-1/lib/module.py': '' }
  for (const [path, text] of Object.entries({ ...files, ...installed })) {
    mkdirSync(join(server.dataFolder, dirname(path)), { recursive: true })
    writeFileSync(join(server.dataFolder, path), text)
  }
  // More than fits into one chunk of a backup, and into one piece of a file.
  writeFileSync(join(server.dataFolder, 'databases', 'noise.bin'), randomBytes(300 * 1024))
  const call = callsTo(server.ports.trading)
  await call('PUT', SETTING)
  await call('POST', '/api/admin/users', { username: 'ada', email: 'a@b.example', role: 'trader' })
  await call('POST', '/api/db/connections', CONNECTION)
  await call('POST', '/api/strategies', STRATEGY)
  // A market order is denied before the first quotes.
  await until(async () => expect(Object(await call('GET', '/api/market/quotes')).quotes).not.toEqual([]))
  await call('POST', '/api/orders', ORDER)
  await call('POST', '/api/orders', { ...ORDER, type: 'LIMIT', price: 1000 })
  await until(async () => {
    const { positions } = Object(await call('GET', '/api/positions'))
    expect(positions).toHaveLength(1)
    // The venue has accepted the order that rests.
    const { orders } = Object(await call('GET', '/api/orders'))
    for (const { created_at, updated_at } of orders) expect(updated_at > created_at).toBe(true)
  })
  desk = await readDesk(call)
  // A ring of 1-second bars is as long as the day is old, up to 2.6 MiB. The ring of one instrument is enough.
  for (const ring of globSync(join(server.dataFolder, 'seconds', '*', '*.ring'))) {
    if (basename(ring) !== 'BTCUSDT.ring') rmSync(ring)
  }
  saved = join(folder, 'desk.backup')
  expect(await run(['save', saved], PASSPHRASE)).toContain(`was saved to ${saved}`)
})

test('[BACKUP-30] [BACKUP-31] a desk moved by one file to another path and user has the same orders, positions, settings, users and history', async () => {
  const user = otherUser()
  const home = temporaryFolder()
  const carried = join(home, 'desk.backup')
  copyFileSync(saved, carried)
  if (user !== undefined) for (const path of [home, carried]) chownSync(path, user.uid, user.gid)
  const target = join(home, 'elsewhere', 'data')
  const restored = spawn(process.execPath, [COMMAND, 'restore', carried, '--to', target], {
    ...user,
    env: { ...COMPILED, BINNACLE_BACKUP_PASSPHRASE: PASSPHRASE },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  restored.stdout.on('data', (chunk) => (printed += chunk))
  expect(await once(restored, 'close')).toEqual([0, null])
  expect(printed).toMatch(
    /was restored to .+ and verified: \d+ files, .+, every journal entry, \d+ audit records/,
  )
  expect(statSync(target).mode & 0o777).toBe(0o700)
  expect(readFileSync(join(target, 'databases', 'prices.csv'), 'utf8')).toBe('day,price\n1,2\n')
  expect(readdirSync(join(target, 'nautilus'))).toEqual(['notes.json'])

  const port = await startAs(user, target)
  expect(await readDesk(callsTo(port))).toEqual(desk)
  expect(desk.auditLog.length).toBeGreaterThan(4)
  expect(await callsTo(port)('GET', '/api/admin/audit-logs/verify')).toMatchObject({ intact: true })
})

test('[BACKUP-30] a file saved while orders arrive is of one moment: the journal verifies, and neither the audit log nor the order history is ahead of it', async () => {
  const call = callsTo(server.ports.trading)
  const file = join(folder, 'busy.backup')
  const placing = (async () => {
    for (let index = 0; index < 40; index++) {
      await call('POST', '/api/orders', { ...ORDER, type: 'LIMIT', price: 1000 + index })
    }
  })()
  await saveBackup({ dataFolder: server.dataFolder, file, passphrase: PASSPHRASE, cost: COST })
  await placing
  const target = join(temporaryFolder(), 'data')
  await run(['restore', file, '--to', target], PASSPHRASE)
  const seqIn = (name: string, table: string) => {
    const database = new DatabaseSync(join(target, name), { readOnly: true })
    onTestFinished(() => database.close())
    return Number(database.prepare(`SELECT seq FROM ${table}`).get()?.seq)
  }
  const head = seqIn('journal.sqlite', 'head')
  expect(seqIn('admin.sqlite', 'audit_journal_mark')).toBeLessThanOrEqual(head)
  expect(seqIn('orders.sqlite', 'mark')).toBeLessThanOrEqual(head)
})

test('[BACKUP-31] a data folder of an earlier version is saved and restored before its first start', async () => {
  const old = temporaryFolder()
  for (const file of globSync(`${OLD_FOLDER}/*.gz`)) {
    writeFileSync(join(old, basename(file, '.gz')), gunzipSync(readFileSync(file)))
  }
  const file = join(folder, 'old.backup')
  await saveBackup({ dataFolder: old, file, passphrase: PASSPHRASE, cost: COST })
  const target = join(temporaryFolder(), 'data')
  expect(await run(['restore', file, '--to', target], PASSPHRASE)).toContain('11 audit records')
  expect(readdirSync(target).sort()).toEqual([
    'admin.sqlite',
    'format.json',
    'journal-archive',
    'journal.sqlite',
    'market.json',
    'orders.sqlite',
    'recent-bars.json',
    'secret.key',
  ])
})

test('[BACKUP-32] [BACKUP-38] [MAINT-41] without a passphrase the private keys are left out, and the command says so', async () => {
  const workKey = () =>
    openWorkKey(join(server.dataFolder, 'work-key.pem'), join(server.dataFolder, 'work-key.pub'))
  expect(workKey().id).toBe(workKey().id)
  const file = join(folder, 'plain.backup')
  expect(await run(['save', file])).toContain(
    'the key of stored secrets (secret.key) and those of the work queue (work-key.pem, work-key.pub) were left out',
  )
  expect(readdirSync(server.dataFolder)).toContain('secret.key')
  const target = join(temporaryFolder(), 'data')
  expect(await run(['restore', file, '--to', target])).toContain(
    'The private keys secret.key and work-key.pem are not in this backup',
  )
  expect(readdirSync(target).filter((name) => /\.key$|\.pem$|\.pub$/.test(name))).toEqual([])
  const restored = openWorkKey(join(target, 'work-key.pem'), join(target, 'work-key.pub'))
  expect(restored.id).not.toBe(workKey().id)
  expect(keyId(readPublicKey(join(target, 'work-key.pub')))).toBe(restored.id)
  expect(await run(['verify', saved], PASSPHRASE)).toContain('is complete and unchanged')
})

test('[BACKUP-33] a wrong, missing or short passphrase is refused, and nothing is written', async () => {
  const target = join(temporaryFolder(), 'data')
  await expect(run(['restore', saved, '--to', target], 'eight brass sextants')).rejects.toThrow(
    `The passphrase does not open ${saved}.`,
  )
  await expect(run(['restore', saved, '--to', target])).rejects.toThrow(
    `${saved} is encrypted. Give its passphrase`,
  )
  await expect(run(['save', join(folder, 'short.backup')], 'short')).rejects.toThrow(
    'A passphrase has at least 8 characters; this one has 5.',
  )
  await expect(run(['verify', join(folder, 'absent')])).rejects.toThrow('absent cannot be read (ENOENT).')
  expect(existsSync(target)).toBe(false)
  expect(existsSync(join(folder, 'short.backup'))).toBe(false)
})

test('[BACKUP-34] a changed byte anywhere and a missing end are noticed, and nothing is restored', async () => {
  const whole = readFileSync(saved)
  const target = join(temporaryFolder(), 'data')
  const restoreOf = (name: string, bytes: Buffer) => {
    const file = join(folder, name)
    writeFileSync(file, bytes)
    return expect(run(['restore', file, '--to', target], PASSPHRASE)).rejects
  }
  const headEnd = whole.indexOf('\n')
  for (const at of [headEnd + 5, headEnd + 60, Math.floor(whole.length / 2), whole.length - 1]) {
    const changed = Buffer.from(whole)
    changed[at] = (changed[at] ?? 0) ^ 1
    await restoreOf('changed.backup', changed).toThrow('is damaged: bytes were changed after it was saved')
  }
  for (const length of [whole.length - 1, Math.floor(whole.length / 2), headEnd + 33]) {
    await restoreOf('cut.backup', whole.subarray(0, length)).toThrow('is incomplete: its end is missing')
  }
  // A whole number of chunks, without the last.
  const first = whole.readUInt32BE(headEnd + 33) + 20
  await restoreOf('cut.backup', whole.subarray(0, headEnd + 33 + first)).toThrow('is incomplete')
  await restoreOf('other.backup', Buffer.from('A text.\n')).toThrow('is not a backup of Binnacle')
  expect(existsSync(target)).toBe(false)
})

test('[MAINT-55] [MAINT-56] a restore that is killed leaves nothing that a server starts on, and is done again', async () => {
  const target = join(temporaryFolder(), 'data')
  const start = () => startServer(parseConfig({ ...testEnvironment(), BINNACLE_DATA: target }))
  expect(await killedRestore(target, 'rename \\.restoring/format\\.json')).toBe('SIGKILL')
  await expect(start()).rejects.toThrow(`A restore to ${target} has not ended, or was interrupted.`)
  // Nothing had its name yet, so it begins again by itself.
  expect(await killedRestore(target, 'rename \\.restoring/journal\\.sqlite')).toBe('SIGKILL')
  await expect(start()).rejects.toThrow(`A restore to ${target} has not ended, or was interrupted.`)
  await expect(run(['restore', saved, '--to', target], PASSPHRASE)).rejects.toThrow(
    'so the folder is incomplete. Delete the folder and restore again',
  )
  rmSync(target, { recursive: true })
  expect(await run(['restore', saved, '--to', target], PASSPHRASE)).toContain('was restored to')
})

test('[BACKUP-35] a folder that is not empty, a file that exists and a file inside the data folder are refused', async () => {
  const target = temporaryFolder({ 'notes.txt': 'mine' })
  await expect(run(['restore', saved, '--to', target], PASSPHRASE)).rejects.toThrow(
    `The folder ${target} is not empty, so nothing was restored.`,
  )
  expect(readdirSync(target)).toEqual(['notes.txt'])
  const before = readFileSync(saved)
  await expect(run(['save', saved], PASSPHRASE)).rejects.toThrow(`${saved} exists already.`)
  expect(readFileSync(saved).equals(before)).toBe(true)
  await expect(run(['save', join(server.dataFolder, 'x.backup')])).rejects.toThrow(
    'is inside the data folder',
  )
  await expect(run(['restore', saved])).rejects.toThrow('npm run backup -- restore FILE --to FOLDER')
})

test('[BACKUP-50] [BACKUP-51] names that a node gives its files and folders on another disk come back; its logs do not', async () => {
  const disk = temporaryFolder({ 'second/journal.txt': 'linked' })
  const from = temporaryFolder({
    'format.json': readFileSync(join(server.dataFolder, 'format.json'), 'utf8'),
    'nautilus/node/state.json': '{}',
    'nautilus/node/2026-11-16_232727:548.json': 'a colon',
    'nautilus/node/logs/node_2026-11-16.json': 'a log',
  })
  symlinkSync(join(disk, 'second'), join(from, 'engines'))
  const file = join(temporaryFolder(), 'linked.backup')
  const { parts } = await saveBackup({ dataFolder: from, file, passphrase: undefined })
  expect(parts.map(({ path }) => path)).toEqual([
    'engines/journal.txt',
    'format.json',
    'nautilus/node/2026-11-16_232727:548.json',
    'nautilus/node/state.json',
  ])
  // The only file that is saved and read at the standard cost.
  expect(readFileSync(file, 'latin1')).toContain('"cost":131072,')
})

test.each([
  ['loop', '.', 'is a link to a folder that it is in. Nothing was saved. Remove the link.'],
  ['gone', 'nowhere', 'is a link that leads nowhere (ENOENT). Nothing was saved. Remove the link.'],
])('[BACKUP-51] a link named %s to %s is refused by its name', async (name, target, words) => {
  const from = temporaryFolder({ 'format.json': '{}' })
  symlinkSync(target, join(from, name))
  const file = join(temporaryFolder(), 'x.backup')
  await expect(saveBackup({ dataFolder: from, file, passphrase: undefined, cost: COST })).rejects.toThrow(
    `${join(from, name)} ${words}`,
  )
  expect(existsSync(file)).toBe(false)
})

test('[BACKUP-50] a name that could not be restored is refused when it is saved', async () => {
  const from = temporaryFolder({ 'format.json': '{}', 'strategies/a\\b.ts': '' })
  const file = join(temporaryFolder(), 'x.backup')
  await expect(saveBackup({ dataFolder: from, file, passphrase: undefined, cost: COST })).rejects.toThrow(
    'cannot be saved under its name. Nothing was saved.',
  )
})

test.skipIf(!canLimitFiles)(
  '[BACKUP-36] a full disk ends the save and the restore with words and leaves no file',
  async () => {
    const limited = (args: string[]) =>
      spawnSync('prlimit', ['--fsize=20000', process.execPath, COMMAND, ...args], {
        env: {
          ...COMPILED,
          ...testEnvironment(),
          BINNACLE_DATA: server.dataFolder,
          BINNACLE_BACKUP_PASSPHRASE: PASSPHRASE,
        },
        encoding: 'utf8',
      })
    const file = join(folder, 'large.backup')
    const target = join(temporaryFolder(), 'data')
    for (const [args, words] of [
      [['save', file], 'The disk is full, so nothing was saved.'],
      [['restore', saved, '--to', target], 'The disk is full, so nothing was restored.'],
    ] as const) {
      const { status, stderr } = limited([...args])
      expect(stderr).toContain(words)
      expect(status).toBe(1)
    }
    expect(readdirSync(folder).filter((name) => name.startsWith('large'))).toEqual([])
    expect(existsSync(target)).toBe(false)
    expect(readdirSync(server.dataFolder).filter((name) => name.startsWith('.saving'))).toEqual([])
    const noSpace = { dataFolder: server.dataFolder, file, passphrase: undefined, freeSpace: async () => 1e6 }
    await expect(saveBackup(noSpace)).rejects.toThrow('is full: 1 MB are free')
  },
)

test('[BACKUP-37] a store whose contents do not verify is refused at the restore', async () => {
  const data = await restoredFolder()
  const admin = new DatabaseSync(join(data, 'admin.sqlite'))
  for (const { name } of admin.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all()) {
    admin.exec(`DROP TRIGGER "${name}"`)
  }
  admin.exec("UPDATE audit_log SET actor = 'mallory' WHERE seq = 3")
  admin.close()
  const file = join(folder, 'forged.backup')
  await saveBackup({ dataFolder: data, file, passphrase: PASSPHRASE, cost: COST })
  const target = join(temporaryFolder(), 'data')
  await expect(run(['restore', file, '--to', target], PASSPHRASE)).rejects.toThrow(
    'does not verify: Record 3 was altered. Nothing was restored.',
  )
  expect(existsSync(target)).toBe(false)
})

test('[BACKUP-39] a store with a trigger or a view that Binnacle does not create is refused at the restore by name', async () => {
  const data = await restoredFolder()
  const target = join(temporaryFolder(), 'data')
  const restoreWith = async (store: string, statement: string, undo: string) => {
    const database = new DatabaseSync(join(data, `${store}.sqlite`))
    database.exec(statement)
    const file = join(folder, `${store}-${undo.length}.backup`)
    await saveBackup({ dataFolder: data, file, passphrase: PASSPHRASE, cost: COST })
    database.exec(undo)
    database.close()
    return expect(run(['restore', file, '--to', target], PASSPHRASE)).rejects
  }
  const promote = "BEGIN UPDATE users SET role = 'admin' WHERE username = 'ada'; END"
  await (
    await restoreWith(
      'admin',
      `CREATE TRIGGER promote AFTER INSERT ON jobs ${promote}`,
      'DROP TRIGGER promote',
    )
  ).toThrow("has the trigger 'promote', which Binnacle does not create.")
  await (await restoreWith('orders', 'CREATE VIEW all_of_it AS SELECT 1', 'DROP VIEW all_of_it')).toThrow(
    /^The orders store in .+ does not verify: .+ has the view 'all_of_it', .+ Nothing was restored\.$/,
  )
  expect(existsSync(target)).toBe(false)
})

/** The restore command as a process that is killed right before the call. */
async function killedRestore(target: string, killBefore: string): Promise<unknown> {
  const restore = [COMMAND, 'restore', saved, '--to', target]
  const child = spawn(process.execPath, [...killedBefore(killBefore), ...restore], {
    env: { ...COMPILED, BINNACLE_BACKUP_PASSPHRASE: PASSPHRASE },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code, signal] = await once(child, 'close')
  return code ?? signal
}

/** A copy of what the saved file restores; restoring it waits for the disk at each file. */
async function restoredFolder(): Promise<string> {
  const data = join(temporaryFolder(), 'data')
  restored ??= run(['restore', saved, '--to', join(folder, 'restored')], PASSPHRASE)
  await restored
  cpSync(join(folder, 'restored'), data, { recursive: true })
  return data
}
let restored: Promise<string> | undefined

function run(args: string[], passphrase?: string): Promise<string> {
  const env = { BINNACLE_DATA: server.dataFolder, BINNACLE_BACKUP_PASSPHRASE: passphrase }
  return backupCommand(args, { env, workingFolder: folder, cost: COST })
}

interface User {
  uid: number
  gid: number
}

/** Another user than ours, where the system lets us start programs as one. */
function otherUser(): User | undefined {
  const user = { uid: 65_534, gid: 65_534 }
  return spawnSync(process.execPath, ['-e', ''], { ...user, cwd: '/' }).status === 0 ? user : undefined
}

async function startAs(user: User | undefined, dataFolder: string): Promise<number> {
  const child = spawn(process.execPath, [MAIN], {
    ...user,
    cwd: '/',
    env: { ...COMPILED, ...testEnvironment(), BINNACLE_SITE: 'none', BINNACLE_DATA: dataFolder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let printed = ''
  child.stdout.on('data', (chunk) => (printed += chunk))
  return until(() => {
    const [, port] = /^Binnacle is at http:\/\/localhost:(\d+)$/m.exec(printed) ?? []
    if (port === undefined) throw new Error(`It is not up: ${printed}`)
    return Number(port)
  })
}

type Call = (method: string, path: string, body?: object) => Promise<unknown>

function callsTo(port: number): Call {
  return async (method, path, body) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    if (!reply.ok) throw new Error(`${method} ${path}: ${await reply.text()}`)
    return reply.json()
  }
}

async function readDesk(call: Call) {
  const get = async (path: string) => Object(await call('GET', path))
  return {
    orders: (await get('/api/orders')).orders,
    positions: (await get('/api/positions')).positions.map(hardPart),
    strategies: (await get('/api/strategies')).strategies,
    limits: await get('/api/risk/limits'),
    state: (await get('/api/trading-state')).state,
    settings: (await get('/api/admin/settings')).settings,
    users: (await get('/api/admin/users')).users,
    connections: (await get('/api/db/connections')).connections,
    auditLog: (await get('/api/admin/audit-logs?limit=100')).logs,
  }
}

/** What the journal determines; the rest follows the market. */
function hardPart({
  id,
  instrument,
  side,
  quantity,
  entry_price,
  realized_pnl,
  strategy,
}: Record<string, unknown>) {
  return { id, instrument, side, quantity, entry_price, realized_pnl, strategy }
}

const CONNECTION = {
  name: 'Elsewhere',
  type: 'postgresql',
  connection_string: 'postgresql://u:p@127.0.0.1:1/x',
  database_name: 'x',
}
const STRATEGY = { name: 'Momentum', type: 'momentum', description: '', config: {} }
