import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAllTests, temporaryFolder } from '@binnacle/stores/testkit'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { openAdminStore } from '#storage/admin-store.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { COMPILED } from '#testkit/compiled.ts'
import { runningServer, type TestServer, testEnvironment } from '#testkit/running-server.ts'
import { diagnose } from './doctor-command.ts'
import { describeFindings } from './finding.ts'
import { checkClock } from './folder-checks.ts'

const NO_DATABASE = 'This is not a database.'
const atEnd = afterAllTests()
let server: TestServer
let env: Record<string, string>

beforeAll(async () => {
  server = await runningServer({}, atEnd)
  env = {
    ...testEnvironment(atEnd),
    BINNACLE_DATA: server.dataFolder,
    BINNACLE_TRADING_PORT: String(server.ports.trading),
    BINNACLE_ADMIN_PORT: String(server.ports.admin),
    BINNACLE_DATABASE_PORT: String(server.ports.database),
  }
})

test('[OPS-1] a healthy server is checked while it runs: versions, folder, disk, clock, ports, stores, without a failure', async () => {
  const findings = await diagnose(env)
  expect(findings.filter(({ level }) => level === 'failure')).toEqual([])
  expect(findings.map(({ subject }) => subject)).toEqual([
    'Versions',
    'Site',
    'Data folder',
    'Permissions',
    'Disk',
    'Clock',
    `Port ${server.ports.trading}`,
    `Port ${server.ports.admin}`,
    `Port ${server.ports.database}`,
    'Store admin',
    'Store journal',
    'Store orders',
    'Store samples',
    'Audit log',
  ])
  const text = describeFindings(findings)
  expect(text).toContain(`${server.dataFolder}: a server uses it now`)
  expect(text).toContain('the trading API answers')
  expect(text).toMatch(/0 failures, \d+ warnings$/)
})

test('[OPS-2] each finding says what to do: port, missing and damaged stores, permissions, unreachable databases', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = Object(other.address())
  const data = aFolder({ 'admin.sqlite': NO_DATABASE, 'journal.sqlite': NO_DATABASE })
  chmodSync(data, 0o755)
  const findings = await diagnose({
    ...testEnvironment(),
    BINNACLE_DATA: data,
    BINNACLE_HOST: '127.0.0.1',
    BINNACLE_ADMIN_PORT: String(port),
    BINNACLE_SITE: temporaryFolder(),
    BINNACLE_POSTGRES_URL: 'postgresql://u:hidden-password@127.0.0.1:1/x',
  })
  const of = (subject: string) => findings.find((finding) => finding.subject === subject)
  expect(of(`Port ${port}`)).toMatchObject({
    level: 'failure',
    remedy: 'Stop the program that uses it, or set BINNACLE_ADMIN_PORT to another port.',
  })
  expect(of('Store admin')).toMatchObject({
    level: 'failure',
    remedy: "Stop the server and restore the store with 'npm run restore'.",
  })
  expect(of('Store orders')).toMatchObject({ level: 'ok' })
  expect(of('Site')).toMatchObject({ level: 'failure', remedy: expect.stringContaining('npm run build') })
  expect(of('Permissions')).toMatchObject({ level: 'warning', remedy: expect.stringContaining('chmod') })
  expect(of('PostgreSQL')).toMatchObject({
    level: 'warning',
    remedy: expect.stringContaining('BINNACLE_POSTGRES_URL'),
  })
  expect(describeFindings(findings)).not.toContain('hidden-password')

  rmSync(join(data, 'admin.sqlite'))
  expect(await diagnose({ ...testEnvironment(), BINNACLE_DATA: data })).toContainEqual({
    level: 'failure',
    subject: 'Data folder',
    text: `${join(data, 'admin.sqlite')} is missing, although earlier starts have used it`,
    remedy: "Put the file back, or restore it with 'npm run restore'.",
  })
})

test('[OPS-8] a missing key of sealed values is a failure, with what they are and what to do', async () => {
  const data = temporaryFolder()
  const store = await openAdminStore(join(data, 'admin.sqlite'))
  await store.settings.add(serverAuditContext('a test'), {
    key: 'mail_password',
    value: 'hunter2',
    description: '',
    category: 'x',
  })
  await store.close()
  const keyOf = async () => {
    const findings = await diagnose({ ...testEnvironment(), BINNACLE_DATA: data })
    return findings.filter(({ subject }) => subject === 'Secret key')
  }
  expect(await keyOf()).toEqual([])
  rmSync(join(data, 'secret.key'))
  expect(await keyOf()).toEqual([
    {
      level: 'failure',
      subject: 'Secret key',
      text: expect.stringContaining('values that only this key opens: secret settings (1)'),
      remedy: expect.stringContaining("'npm run new-key'"),
    },
  ])
})

test('[ENGS-24] the folders of further engines are checked by the doctor', async () => {
  const data = temporaryFolder({ 'format.json': '{"format":1}', 'admin.sqlite': '' })
  mkdirSync(join(data, 'engines', 'second'), { recursive: true })
  writeFileSync(join(data, 'engines', 'second', 'journal.sqlite'), 'This is not a database.')
  const findings = await diagnose({ ...testEnvironment(), BINNACLE_DATA: data })
  const of = (subject: string) => findings.find((finding) => finding.subject === subject)
  expect(of('Store journal of second')).toMatchObject({
    level: 'failure',
    remedy: expect.stringContaining('backup of everything'),
  })
  expect(of('Store orders of second')).toMatchObject({ level: 'ok' })
})

test('[OPS-2] a data folder of a newer version and a clock behind the newest record are failures', async () => {
  const newer = temporaryFolder({ 'format.json': '{"format":99}' })
  expect(await diagnose({ ...testEnvironment(), BINNACLE_DATA: newer })).toContainEqual(
    expect.objectContaining({
      level: 'failure',
      text: expect.stringContaining('was written by a newer version of Binnacle (format 99'),
      remedy: 'Start the version that wrote it, or restore a backup.',
    }),
  )
  const data = aFolder({ 'journal.sqlite': '' })
  utimesSync(join(data, 'journal.sqlite'), 2_000_000_000, 2_000_000_000)
  expect(await checkClock(data, 1_900_000_000_000)).toMatchObject({
    level: 'failure',
    text: '2030-03-17T17:46:40.000Z is behind the newest record of 2033-05-18T03:33:20.000Z',
  })
  expect(await checkClock(data, 2_000_000_000_000)).toMatchObject({ level: 'ok' })
})

test('[OPS-3] the check creates nothing, and its exit code says whether something failed', async () => {
  const data = join(temporaryFolder(), 'data')
  const run = (more: Record<string, string>) =>
    spawnSync(process.execPath, [join(import.meta.dirname, 'doctor-command.ts')], {
      env: { ...COMPILED, ...testEnvironment(), BINNACLE_DATA: data, ...more },
      encoding: 'utf8',
    })
  const healthy = run({})
  expect(healthy.stdout).toContain(`${data} does not exist yet; the first start creates it`)
  expect(healthy.status).toBe(0)
  expect(existsSync(data)).toBe(false)
  const wrong = run({ BINNACLE_LOG_LEVEL: 'loud' })
  expect(wrong.stdout).toContain("BINNACLE_LOG_LEVEL is 'loud', but it must be one of")
  expect(wrong.status).toBe(1)
  expect(readdirSync(server.dataFolder).filter((name) => name.startsWith('.'))).toEqual([])
})

function aFolder(files: Record<string, string>): string {
  const folder = temporaryFolder()
  const stores = ['admin.sqlite', 'journal.sqlite']
  writeFileSync(join(folder, 'format.json'), JSON.stringify({ format: 1, stores }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}
