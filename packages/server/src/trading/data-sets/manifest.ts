import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DATA_SET_INTERVALS, type DataSet } from '@binnacle/contract'
import * as z from 'zod'

const Summary = z.object({ bars: z.number(), from: z.number(), to: z.number(), gaps: z.number() })
/** What is stored about a data set, beside its bars. */
export const Manifest = z.object({
  version: z.literal(1),
  interval: z.enum(DATA_SET_INTERVALS),
  created_at: z.string(),
  updated_at: z.string(),
  instruments: z.record(z.string(), Summary),
})
export type Manifest = z.output<typeof Manifest>

export const MANIFEST = 'data-set.json'

/** Undefined without a manifest, and for one that is damaged. */
export function readManifest(home: string): Manifest | undefined {
  const file = join(home, MANIFEST)
  if (!existsSync(file)) return undefined
  try {
    return Manifest.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data
  } catch {
    return undefined
  }
}

/** Whether there is a manifest that cannot be read. */
export function isDamagedSet(home: string): boolean {
  return existsSync(join(home, MANIFEST)) && readManifest(home) === undefined
}

/** The data sets in a folder. */
export function namesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.') && statSync(join(folder, name)).isDirectory())
    .toSorted()
}

export function toWire(name: string, { instruments, version: _, ...manifest }: Manifest): DataSet {
  const rows = Object.entries(instruments).map(([instrument, { bars, from, to, gaps }]) => ({
    instrument,
    bars,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    gaps,
  }))
  return { name, ...manifest, instruments: rows }
}
