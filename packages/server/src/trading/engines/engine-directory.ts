import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { EngineConfig } from '#config/engines-file.ts'
import type { EngineApp, NamedEngine } from '#http/engine-dispatch.ts'
import { Refused } from '#http/problems.ts'
import type { ListedEngine } from '#trading/engines.routes.ts'
import type { EngineUnit } from './engine-unit.ts'

interface Entry {
  readonly config: EngineConfig
  unit?: EngineUnit
  /** Undefined for the default engine: the listener's own app serves it. */
  app?: FastifyInstance | undefined
  failure?: string
}

const RETRY_MS = 5_000
const MAX_SHOWN = 80

/** The engines of the console by name, those included that are not reached yet. */
export class EngineDirectory {
  readonly #entries: ReadonlyMap<string, Entry>

  readonly #warn: (event: string, message: string) => void

  constructor(engines: readonly EngineConfig[], warn: (event: string, message: string) => void) {
    this.#warn = warn
    this.#entries = new Map(engines.map((config) => [config.name, { config }]))
  }

  add(unit: EngineUnit, app?: FastifyInstance): void {
    const entry = this.#entries.get(unit.config.name)
    if (entry !== undefined) Object.assign(entry, { unit, app })
  }

  /** The app that serves an engine, or why none does. */
  appOf({ name, field }: NamedEngine): EngineApp {
    const entry = this.#entries.get(name)
    if (entry === undefined) {
      const names = [...this.#entries.keys()].join(', ')
      const message = `'${shorten(name)}' is not an engine of this server; choose from ${names}`
      return new Refused('engine.not-configured', `${message}.`, [{ field, message }])
    }
    if (entry.unit !== undefined) return entry.app ?? 'listener'
    const why = entry.failure ?? 'It is starting.'
    return new Refused(
      'engine.unreachable',
      `The engine '${name}' cannot be reached, so nothing was done. ${why}`,
    )
  }

  list(): ListedEngine[] {
    return [...this.#entries.values()].map(({ config: { name, kind }, unit, failure }) => ({
      name,
      kind,
      desk: unit?.engine.desk,
      reportedAtMs: unit?.reportedAtMs(),
      failure,
    }))
  }

  units(): EngineUnit[] {
    return [...this.#entries.values()].flatMap(({ unit }) => unit ?? [])
  }

  /** Begins what may wait until the server listens. */
  start(): void {
    for (const { engine } of this.units()) engine.start()
  }

  async waitForAudit(): Promise<void> {
    await Promise.all(this.units().map(({ engine }) => engine.waitForAudit()))
  }

  /** Opens an engine, and tries again until it succeeds or the signal aborts. Each new reason of a failure is logged. */
  async reach(
    name: string,
    signal: AbortSignal,
    open: () => Promise<void>,
    retryMs = RETRY_MS,
  ): Promise<void> {
    while (!signal.aborted) {
      try {
        await open()
        return
      } catch (fault) {
        const failure = fault instanceof Error ? fault.message : String(fault)
        const entry = this.#entries.get(name)
        if (entry !== undefined) {
          if (entry.failure !== failure) this.#warn('engine.unreachable', `${name}: ${failure}`)
          entry.failure = failure
        }
        await setTimeout(retryMs, undefined, { signal }).catch(() => {})
      }
    }
  }

  async closeApps(): Promise<void> {
    await Promise.all([...this.#entries.values()].map(({ app }) => app?.close()))
  }
}

function shorten(name: string): string {
  return name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name
}
