import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { auditLogs, features, routes, settings, systemSettings, users } from '@binnacle/contract'
import { COMPILED } from './compiled.ts'

/** What was found after a server was killed again and again, each time right after it had said 'saved'. */
export interface KillReport {
  kills: number
  /** How many changes were acknowledged. */
  saved: number
  /** Lines in the audit log at the end. */
  lines: number
  /** What was lost, half done or differs from the log; empty if nothing. */
  wrong: string[]
}

export interface KillOptions {
  dataFolder: string
  kills: number
  /** Called with every process, so that a test can end it. */
  onStart?: (child: ChildProcess) => void
}

/** Runs a server on the folder and ends it with SIGKILL that many times, with further changes in flight. */
export async function killLoop({ dataFolder, kills, onStart }: KillOptions): Promise<KillReport> {
  const writers: Writer[] = [
    ...[1, 2, 3].map(settingWriter),
    userWriter(),
    switchWriter(),
    featureWriter(),
    systemWriter(),
  ]
  const report: KillReport = { kills, saved: 0, lines: 0, wrong: [] }
  for (let round = 0; round <= kills; round++) {
    const { child, url, exited } = await startServer(dataFolder, onStart)
    for (const writer of writers) report.wrong.push(...(await writer.check(url)))
    report.wrong.push(...(await checkChain(url, report)))
    if (round < kills) report.saved += await saveUntilKilled(child, url, writers, 1 + (round % 15))
    else child.kill('SIGKILL')
    await exited
  }
  return report
}

const MAIN = join(import.meta.dirname, '..', 'main.ts')

interface ServerProcess {
  child: ChildProcess
  url: string
  exited: Promise<unknown>
}

async function startServer(dataFolder: string, onStart?: KillOptions['onStart']): Promise<ServerProcess> {
  const env = {
    ...COMPILED,
    BINNACLE_DATA: dataFolder,
    BINNACLE_SITE: 'none',
    BINNACLE_TRADING_PORT: '0',
    BINNACLE_ADMIN_PORT: '0',
    BINNACLE_DATABASE_PORT: '0',
    BINNACLE_HISTORY_DAYS: '0',
  }
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onStart?.(child)
  const exited = once(child, 'exit')
  for await (const line of createInterface(child.stdout)) {
    const [, url] = /^Binnacle is at (http:\S+)$/.exec(line) ?? []
    if (url !== undefined) return { child, url, exited }
  }
  throw new Error('The server ended before it was up')
}

/** One line of changes, each sent when the one before it was answered. */
interface Writer {
  /** Sends the next change; resolves when it is saved. */
  save(url: string): Promise<void>
  /** What is not as it was saved. The one change in flight at a kill may have been made or not. */
  check(url: string): Promise<string[]>
}

/** All writers at once, until the given number of changes was saved; the kill follows the last in the same turn. */
async function saveUntilKilled(
  child: ChildProcess,
  url: string,
  writers: Writer[],
  enough: number,
): Promise<number> {
  let saved = 0
  await Promise.all(
    writers.map(async (writer) => {
      while (!child.killed) {
        const isSaved = await writer.save(url).then(
          () => true,
          () => false,
        )
        if (!isSaved) return
        saved += 1
        if (saved >= enough) child.kill('SIGKILL')
      }
    }),
  )
  return saved
}

function settingWriter(number: number): Writer {
  const key = `kill-${number}`
  let saved = -1
  let sent = -1
  return {
    async save(url) {
      sent = saved + 1
      if (sent === 0) await send(url, 'POST', '/settings', { key, value: '0', category: 'general' })
      else await send(url, 'PUT', `/settings/${key}?value=${sent}`)
      saved = sent
    },
    async check(url) {
      const list = settings.list.reply.parse(await get(url, '/settings')).settings
      const found = Number(list.find((setting) => setting.key === key)?.value ?? -1)
      const { logs } = auditLogs.list.reply.parse(await get(url, `/audit-logs?limit=1&target=${key}`))
      const logged = Number(Object(logs[0]?.after).value ?? -1)
      const wrong = [
        ...(found === saved || found === sent ? [] : [`${key} is ${found}, saved was ${saved}`]),
        ...(logged === found ? [] : [`${key} is ${found}, but the audit log ends with ${logged}`]),
      ]
      saved = found
      return wrong
    },
  }
}

function userWriter(): Writer {
  const saved: string[] = []
  let sent = 0
  return {
    async save(url) {
      sent += 1
      const username = `kill-${sent}`
      await send(url, 'POST', '/users', { username, email: 'kill@desk.example', role: 'viewer' })
      saved.push(username)
    },
    async check(url) {
      const list = users.list.reply.parse(await get(url, '/users')).users
      const names = new Set(list.map(({ username }) => username))
      return saved.filter((name) => !names.has(name)).map((name) => `user ${name} is gone`)
    },
  }
}

function switchWriter(): Writer {
  const id = 'trading.instruments.list'
  let saved: 0 | 1 = 1
  let sent: 0 | 1 = 1
  return {
    async save(url) {
      sent = saved === 1 ? 0 : 1
      await send(url, 'PUT', `/routes/${id}`, { is_active: sent })
      saved = sent
    },
    async check(url) {
      const list = routes.list.reply.parse(await get(url, '/routes/by-endpoint/1')).routes
      const found = list.find((route) => route.id === id)?.is_active
      const isOff = (await fetch(`${url}/api/instruments`)).status === 503
      const wrong = [
        ...(found === saved || found === sent ? [] : [`${id} is ${found}, saved was ${saved}`]),
        ...(isOff === (found === 0) ? [] : [`${id} is ${found}, but the call does not act so`]),
      ]
      saved = found === 0 ? 0 : 1
      return wrong
    },
  }
}

/** A flag is in the journal, and its audit record is derived from it. */
function featureWriter(): Writer {
  const id = 'advanced-analytics'
  let saved = false
  let sent = false
  return {
    async save(url) {
      sent = !saved
      const reply = await fetch(`${url}/api/features/${id}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ enabled: sent }),
      })
      if (!reply.ok) throw new Error(`The flag was answered ${reply.status}`)
      saved = sent
    },
    async check(url) {
      const list = features.list.reply.parse(await (await fetch(`${url}/api/features`)).json()).features
      const found = list.find((feature) => feature.id === id)?.enabled
      const { logs } = auditLogs.list.reply.parse(await get(url, `/audit-logs?limit=1&target=${id}`))
      const logged = Object(logs[0]?.after).enabled ?? false
      const wrong = [
        ...(found === saved || found === sent ? [] : [`${id} is ${found}, saved was ${saved}`]),
        ...(logged === found ? [] : [`${id} is ${found}, but the audit log ends with ${logged}`]),
      ]
      saved = found === true
      return wrong
    },
  }
}

/** Two system settings and their version change together. */
function systemWriter(): Writer {
  let saved = 1
  let sent = 1
  return {
    async save(url) {
      sent = saved + 1
      const values = { system_name: `Desk ${sent}`, cache_ttl: String(sent) }
      await send(url, 'PUT', '/system-settings', { values })
      saved = sent
    },
    async check(url) {
      const { version, values } = systemSettings.read.reply.parse(await get(url, '/system-settings'))
      const wrong = [
        ...(version === saved || version === sent ? [] : [`version ${version}, saved was ${saved}`]),
        ...(version === 1 || values.system_name === `Desk ${version}`
          ? []
          : [`the name of ${version} is lost`]),
        ...(version === 1 || values.cache_ttl === String(version) ? [] : [`half of ${version} is lost`]),
      ]
      saved = version
      return wrong
    },
  }
}

async function checkChain(url: string, report: KillReport): Promise<string[]> {
  const verdict = auditLogs.verify.reply.parse(await get(url, '/audit-logs/verify'))
  report.lines = verdict.lines
  return [
    ...(verdict.intact ? [] : [`the chain is broken: ${verdict.fault?.detail}`]),
    ...(verdict.lines >= report.saved ? [] : [`${report.saved} were saved, ${verdict.lines} are in the log`]),
  ]
}

async function get(url: string, path: string): Promise<unknown> {
  const reply = await fetch(`${url}/api/admin${path}`)
  if (!reply.ok) throw new Error(`GET ${path} was answered ${reply.status}`)
  return reply.json()
}

async function send(url: string, method: string, path: string, body?: object): Promise<void> {
  const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const reply = await fetch(`${url}/api/admin${path}`, { method, ...(body && json) })
  if (!reply.ok) throw new Error(`${method} ${path} was answered ${reply.status}`)
}
