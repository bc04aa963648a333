import { copyFileSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCustomChild } from './custom-child.ts'
import { ModuleFailure } from './sealed-process.ts'

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

/** Loads the module in a sealed process of its own and creates its strategy; null if that works. */
export async function checkSource({ folder, name, source }: CheckedSource): Promise<SourceError | null> {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'binnacle-check-')))
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isFile() && IMPORTABLE.test(entry.name))
        copyFileSync(join(folder, entry.name), join(copy, entry.name))
    writeFileSync(join(copy, name), source)
    const child = await startCustomChild({ folder: copy, module: name, terms: TERMS })
    child.end()
    return null
  } catch (failure) {
    if (failure instanceof ModuleFailure) return errorIn(failure.message, name)
    throw failure
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

const IMPORTABLE = /\.(ts|mts|js|mjs|json)$/

/** The sentence of a failure ends with the place: 'mine.ts failed: TypeError: … (mine.ts:3)'. */
function errorIn(sentence: string, name: string): SourceError {
  const [, message = sentence, file, line] = /^(.*) \(([^():]+):(\d+)\)$/s.exec(sentence) ?? []
  return file === name ? { message, line: Number(line) } : { message: sentence, line: null }
}
