import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const STARTER = fileURLToPath(new URL('./starter/', import.meta.url))
/** The types of the module API; brought up to date at every start, so they always match the server. */
const API = 'binnacle.ts'

/** Where a new module begins. */
export const STARTER_TEMPLATE = readFileSync(join(STARTER, 'example.ts'), 'utf8')
/** What a module can use. */
export const STARTER_TYPES = readFileSync(join(STARTER, API), 'utf8')

/**
 * Creates the folder of custom strategies with a template and an example. Files of the user are not changed; an empty
 * one is what a power failure left.
 */
export function writeStarterFiles(folder: string): void {
  try {
    const isNew = !existsSync(folder)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(STARTER)) {
      const file = join(folder, name)
      if (isNew || isEmpty(file) || (name === API && !isCurrent(file))) copyDurably(name, folder)
    }
  } catch {
    // Without the folder only custom strategies are unavailable; the journal reports a full disk.
  }
}

function isEmpty(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.size === 0
}

/** A write waits for the disk, which a start should not. */
function isCurrent(api: string): boolean {
  return existsSync(api) && readFileSync(api, 'utf8') === STARTER_TYPES
}

/** After a power failure the file has its old or its new contents. */
function copyDurably(name: string, folder: string): void {
  const temporary = join(folder, `${name}.new`)
  writeFileSync(temporary, readFileSync(join(STARTER, name)), { flush: true })
  renameSync(temporary, join(folder, name))
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
