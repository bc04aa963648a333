import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { settings } from '@binnacle/contract'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, test } from 'vitest'
import { createHttpApp } from './app.ts'
import { openLog } from './log.ts'
import { mount } from './mount.ts'

test('a request is one line with the names of its query parameters, never their values', async () => {
  const { file, log } = await newLog()
  const app = createHttpApp({ logger: log.logger })
  mount(app, settings.update, () => ({}))
  await app.inject({ method: 'PUT', url: '/api/admin/settings/smtp_password?value=hunter2' })
  await log.close()
  expect(linesOf(file)).toEqual([
    {
      level: 30,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      request_id: expect.any(String),
      event: 'request',
      method: 'PUT',
      path: '/api/admin/settings/smtp_password',
      query: ['value'],
      status: 200,
      ms: expect.any(Number),
    },
  ])
})

test.each([
  ['/api/admin/settings/x', []],
  ['/api/admin/settings/a%22b%0Ac?value=1&%22quoted%22=2', ['value', '"quoted"']],
  ['/api/admin/settings/\u00e9\\?value=1', ['value']],
])('the line of a request is what the logger writes of its fields: PUT %s', async (url, query) => {
  const { file, log } = await newLog()
  const app = createHttpApp({ logger: log.logger })
  mount(app, settings.update, () => ({}))
  await app.inject({ method: 'PUT', url })
  await log.close()
  const line = readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? ''
  expect(JSON.parse(line)).toMatchObject({ event: 'request', query })
  expect(line).toBe(JSON.stringify(JSON.parse(line)))
})

test('the line of a request is left out above the level info', async () => {
  const { file, log } = await newLog('warn')
  const app = createHttpApp({ logger: log.logger })
  mount(app, settings.update, () => ({}))
  await app.inject({ method: 'PUT', url: '/api/admin/settings/x?value=1' })
  await log.close()
  expect(readFileSync(file, 'utf8')).toBe('')
})

test.each([
  ['/api/nothing?value=hunter2'],
  ['/api/admin/settings/%zz?value=hunter2'],
  ['/api/admin/settings/x?value=hunter2&value=hunter2'],
  ['/api/admin/settings/x?value=hunter2&other=hunter2'],
  ['/api/admin/settings/fault?value=hunter2'],
  [`/api/admin/settings/${'x'.repeat(5000)}?value=hunter2`],
])('a value stays out of the log when the request fails: PUT %s', async (url) => {
  const { file, log } = await newLog()
  const app = createHttpApp({ logger: log.logger })
  mount(app, settings.update, () => Promise.reject(new Error('the store is gone')))
  const reply = await app.inject({ method: 'PUT', url })
  await log.close()
  expect(reply.statusCode).toBeGreaterThanOrEqual(400)
  expect(linesOf(file).length).toBeGreaterThan(0)
  expect(readFileSync(file, 'utf8')).not.toContain('hunter2')
})

test('a refusal is logged as information, a fault as an error with its stack and the same request id', async () => {
  const { file, log } = await newLog()
  const app = createHttpApp({ logger: log.logger })
  mount(app, settings.list, () => Promise.reject(new Error('the store is gone')))
  await app.inject('/api/nothing')
  const reply = await app.inject('/api/admin/settings')
  await log.close()
  const lines = linesOf(file)
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 30, event: 'problem', code: 'route.unknown' }),
  )
  const fault = lines.find(({ event }) => event === 'fault')
  expect(fault).toMatchObject({ level: 50, request_id: reply.json().request_id })
  expect(fault?.err).toMatchObject({
    message: 'the store is gone',
    stack: expect.stringContaining('log.test'),
  })
})

test('only warnings and errors reach the terminal', async () => {
  const { file, log, terminal } = await newLog()
  log.logger.debug({ event: 'detail' })
  log.logger.info({ event: 'request' })
  log.logger.warn({ event: 'slow disk' })
  log.logger.error({ event: 'fault' })
  await log.close()
  expect(linesOf(file).map(({ event }) => event)).toEqual(['request', 'slow disk', 'fault'])
  expect(terminal.map((line) => JSON.parse(line).event)).toEqual(['slow disk', 'fault'])
})

test('the level of the file is configured', async () => {
  const { file, log } = await newLog('debug')
  log.logger.debug({ event: 'detail' })
  await log.close()
  expect(linesOf(file).map(({ event }) => event)).toEqual(['detail'])
})

test('a log that cannot be written prevents the start', async () => {
  const folder = temporaryFolder({ logs: 'a file where the folder should be' })
  await expect(openLog(join(folder, 'logs', 'server.log'), 'info')).rejects.toThrow(
    /^The log .*server\.log cannot be written \((EEXIST|ENOTDIR)\)\. Correct its permissions, or set BINNACLE_DATA to another folder\.$/,
  )
})

test.skipIf(!existsSync('/dev/full'))('a full disk loses log lines and does not end the server', async () => {
  const log = await openLog('/dev/full', 'info', { write: () => {} })
  for (let line = 0; line < 3; line++) {
    log.logger.info({ event: 'request' })
    await new Promise((resolve) => setImmediate(resolve))
  }
  await log.close()
})

async function newLog(level = 'info') {
  const file = join(temporaryFolder(), 'logs', 'server.log')
  const terminal: string[] = []
  const log = await openLog(file, level, { write: (line) => void terminal.push(line) })
  return { file, log, terminal }
}

function linesOf(file: string): Record<string, unknown>[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}

test.each([
  ['a thrown error', 'setImmediate(() => { throw new Error("it broke") })', 'uncaughtException'],
  ['a rejection', 'Promise.reject(new Error("it broke"))', 'unhandledRejection'],
])('[OPS-300] %s that ends the process is in the log file', (_, fails, origin) => {
  const file = join(temporaryFolder(), 'server.log')
  const script = `
    const { openLog, logUncaught } = await import(${JSON.stringify(new URL('./log.ts', import.meta.url).href)})
    logUncaught((await openLog(${JSON.stringify(file)}, 'info')).logger)
    ${fails}`
  const { status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script])
  expect(status).toBe(1)
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 60, event: 'process.uncaught', origin, err: { message: 'it broke' } },
  ])
})
