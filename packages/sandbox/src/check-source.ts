import { copyFileSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCustomChild } from './custom-child.ts'
import { ModuleFailure } from './sealed-process.ts'
import { Slots } from './slots.ts'

/** Why a module cannot be used, with its line where that is known. */
export interface SourceError {
  readonly message: string
  readonly line: number | null
}

export interface CheckedSource {
  /** The modules that it may import. */
  folder: string
  name: string
  source: string
  /** Ends the check. */
  signal?: AbortSignal | undefined
}

/** What a module is created with to see whether it can be. */
const TERMS = {
  strategy: 'S-0',
  instruments: [
    {
      id: 'BTCUSDT-PERP',
      venue: 'BINANCE',
      base: 'BTC',
      quote: 'USDT',
      tickUnits: 10_000_000,
      lotUnits: 100_000,
      minLots: 1,
    },
  ],
  intervalMs: 60_000,
  parameters: {},
  seed: 1,
} as const

/** Checks that run at a time; others wait. Each may take a processor and the memory of a strategy. */
const MAX_CHECKS = 2
const checks = new Slots(MAX_CHECKS)

/** Loads the module in a sealed process of its own and creates its strategy; null if that works. */
export function checkSource(checked: CheckedSource): Promise<SourceError | null> {
  return checks.run(() => loadSource(checked))
}

async function loadSource({ folder, name, source, signal }: CheckedSource): Promise<SourceError | null> {
  if (signal?.aborted) return ENDED
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'binnacle-check-')))
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isFile() && IMPORTABLE.test(entry.name))
        copyFileSync(join(folder, entry.name), join(copy, entry.name))
    writeFileSync(join(copy, name), source)
    const child = await startCustomChild({ folder: copy, module: name, terms: TERMS, signal })
    child.end()
    return null
  } catch (failure) {
    if (failure instanceof ModuleFailure) return errorIn(failure.message, name)
    throw failure
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

const ENDED: SourceError = { message: 'The check was ended.', line: null }
const IMPORTABLE = /\.(ts|mts|js|mjs|json)$/

/** The sentence of a failure ends with the place: 'mine.ts failed: TypeError: … (mine.ts:3)'. */
function errorIn(sentence: string, name: string): SourceError {
  const [, message = sentence, file, line] = /^(.*) \(([^():]+):(\d+)\)$/s.exec(sentence) ?? []
  return file === name ? { message, line: Number(line) } : { message: sentence, line: null }
}
