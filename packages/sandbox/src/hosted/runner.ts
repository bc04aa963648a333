import { registerHooks } from 'node:module'
import process from 'node:process'
import { setInterval } from 'node:timers'
import type { HostedStart } from './protocol.ts'
import { readStart } from './read-start.ts'

/** The process of one backtest of a custom strategy. It reads the request and its bars, then runs all of it. */

// Nothing else would wait for a module whose load never ends; the parent does, for a while.
setInterval(() => {}, 60_000)
const { start, bars } = await readStart(process.stdin)
resolveEngine(start)
// Imported when the engine can be resolved.
const { runHosted } = await import('./run-hosted.ts')
await runHosted(start, bars)
process.exit()

/** The folders with packages cannot be read here, so the engine's name is resolved to the given entry. */
function resolveEngine({ engine }: HostedStart): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === '@binnacle/engine'
        ? { url: engine, format: 'module-typescript', shortCircuit: true }
        : next(specifier, context),
  })
}
