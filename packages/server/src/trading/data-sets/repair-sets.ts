import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type InstrumentId, idFrom } from '@binnacle/engine'
import { replaceFile } from '#storage/durable-files.ts'
import type { DataSetFiles } from './data-set-files.ts'
import { MANIFEST, type Manifest, namesIn, readManifest } from './manifest.ts'

/** In the folder of a data set while bars are added to those of an instrument. */
const ADDING = 'adding'
const FRESH_MANIFEST = `${MANIFEST}.new`
const BARS = 'bars'

/** Notes that the bars of the data set may differ from its manifest until the note is removed. */
export function noteAdding(home: string): void {
  if (existsSync(join(home, MANIFEST))) writeFileSync(join(home, ADDING), '', { flush: true })
}

export function removeNote(home: string): void {
  rmSync(join(home, ADDING), { force: true })
}

/**
 * Removes bars that a killed server stored before the manifest listed them, which a later import of that name would join.
 * Where bars were being added, the manifest gets the figures of the bars that are there.
 */
export async function repairSets(
  folder: string,
  files: DataSetFiles,
  warn: (event: string, message: string) => void,
): Promise<void> {
  for (const name of namesIn(folder)) {
    const home = join(folder, name)
    rmSync(join(home, FRESH_MANIFEST), { force: true })
    if (!existsSync(join(home, MANIFEST))) {
      // A folder with anything else was not made by an import.
      if (readdirSync(home).every((entry) => entry === BARS)) rmSync(home, { recursive: true, force: true })
      continue
    }
    const manifest = readManifest(home)
    if (manifest === undefined) {
      warn('data-set.damaged', damagedSentence(name))
      continue
    }
    for (const instrument of readdirSync(join(home, BARS))) {
      const isListed = manifest.instruments[instrument] !== undefined
      if (!isListed) rmSync(join(home, BARS, instrument), { recursive: true, force: true })
    }
    if (!existsSync(join(home, ADDING))) continue
    await summarise(name, home, manifest, files)
    removeNote(home)
  }
}

export function damagedSentence(name: string): string {
  return `The data set '${name}' is damaged: its file ${MANIFEST} cannot be read. Delete the data set and import its file again.`
}

async function summarise(name: string, home: string, manifest: Manifest, files: DataSetFiles): Promise<void> {
  const instruments = { ...manifest.instruments }
  for (const id of Object.keys(instruments)) {
    const found = await files.summary(name, idFrom<InstrumentId>(id), manifest.interval)
    if (found !== null) instruments[id] = found
  }
  replaceFile(join(home, MANIFEST), JSON.stringify({ ...manifest, instruments }))
}
