import { readFile } from 'node:fs/promises'
import { type Monitoring, VERSION } from '@binnacle/contract'
import type { Exposition } from '#services/metrics/prometheus.ts'
import type { TarFile } from '#services/tar.ts'
import { maskSetting } from '#storage/admin/settings-store.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import { maskSecrets } from '#storage/audit/mask.ts'
import { MASKED } from '#storage/audit/mask-statement.ts'
import { logFiles } from './log-files.ts'

export interface BundleSources {
  store: Pick<AdminStore, 'settings' | 'jobs' | 'connections'>
  /** The variables of the configuration, without secrets. */
  configuration: Readonly<Record<string, string>>
  logFolder: string
  readMonitoring: () => Promise<Monitoring>
  readPrometheus: () => Promise<Exposition>
}

const MAX_JOBS = 200

/** The newest part of each log file that goes in. */
const MAX_LOG_CHARS = 5_000_000

/** What is never part of a bundle. */
const LEFT_OUT = [
  'secret.key, with which stored secrets are encrypted',
  'users and their passwords',
  'connection strings of databases',
  'headers and bodies of API routes',
  'orders, positions, journal and market data',
  'the source of custom strategies',
]

/** The files of a bundle. The last one lists what was removed from the others. */
export async function* bundleFiles(sources: BundleSources): AsyncGenerator<TarFile> {
  const removed: string[] = []
  yield json('about.json', {
    version: VERSION,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    configuration: withoutSet(sources.configuration, removed),
  })
  yield json('monitoring.json', await sources.readMonitoring())
  yield { name: 'metrics.txt', content: (await sources.readPrometheus()).text }
  yield json('settings.json', await settingsOf(sources, removed))
  yield json('connections.json', await connectionsOf(sources, removed))
  yield json('jobs.json', maskPart('jobs.json', await sources.store.jobs.list(MAX_JOBS), removed))
  for (const { name, path } of await logFiles(sources.logFolder)) {
    const text = await readFile(path, 'utf8').catch(() => '')
    yield { name: `logs/${name}`, content: maskLog(name, text.slice(-MAX_LOG_CHARS), removed) }
  }
  yield { name: 'removed.txt', content: removedText(removed) }
}

function json(name: string, value: unknown): TarFile {
  return { name, content: `${JSON.stringify(value, null, 2)}\n` }
}

function withoutSet(configuration: Readonly<Record<string, string>>, removed: string[]) {
  for (const [name, value] of Object.entries(configuration))
    if (value === '(set)') removed.push(`about.json: the value of ${name}`)
  return configuration
}

async function settingsOf({ store }: BundleSources, removed: string[]) {
  const settings = await store.settings.list()
  return settings.map((setting) => {
    const shown = maskSetting(setting)
    if (shown.value === MASKED) removed.push(`settings.json: the value of ${setting.key}`)
    // A setting without a secret name may still have an address with a password.
    return maskPart(`settings.json: ${setting.key}`, shown, removed)
  })
}

async function connectionsOf({ store }: BundleSources, removed: string[]) {
  const connections = await store.connections.list()
  return connections.map(({ sealed_string: _, ...connection }) => {
    removed.push(`connections.json: the connection string of ${connection.name}`)
    return connection
  })
}

function maskPart<Value>(where: string, value: Value, removed: string[]): unknown {
  const safe = maskSecrets(value)
  if (JSON.stringify(safe) !== JSON.stringify(value)) removed.push(`${where}: secret values`)
  return safe
}

/** Lines that are no JSON are cut off, so they are left out. */
function maskLog(name: string, text: string, removed: string[]): string {
  let count = 0
  const lines = text.split('\n').flatMap((line) => {
    try {
      const safe = JSON.stringify(maskSecrets(JSON.parse(line)))
      if (safe !== JSON.stringify(JSON.parse(line))) count += 1
      return [safe]
    } catch {
      return []
    }
  })
  if (count > 0) removed.push(`logs/${name}: secret values in ${count} ${count === 1 ? 'line' : 'lines'}`)
  return lines.map((line) => `${line}\n`).join('')
}

function removedText(removed: readonly string[]): string {
  const list = (items: readonly string[]) => items.map((item) => `- ${item}\n`).join('')
  return `Removed from the files of this bundle:\n${removed.length === 0 ? '- nothing\n' : list(removed)}\nNever part of a bundle:\n${list(LEFT_OUT)}`
}
