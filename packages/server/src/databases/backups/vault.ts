import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { renameDurably } from '@binnacle/stores'

/** The folder of all backups. Only complete backups have their final name. */
export interface Vault {
  /** The folder of swap notes. */
  readonly swaps: string
  at(name: string): string
  newName(connection: string, now: Date): string
  /** Creates the temporary folder of a new backup. */
  begin(name: string): Promise<string>
  /** Gives the backup its final name. */
  finish(name: string): Promise<void>
  remove(name: string): Promise<void>
  drop(folder: string): Promise<void>
  /** Creates an empty scratch folder. */
  scratch(): Promise<string>
  names(): Promise<string[]>
  /** Removes what a killed server left. */
  sweep(): Promise<void>
}

const FRESH = '.new-'
const GONE = '.gone-'
const SCRATCH = '.drill-'
const SWAPS = '.swaps'

/** The folder of swap notes inside a backup folder. */
export function swapsIn(root: string): string {
  return join(root, SWAPS)
}

export async function openVault(root: string): Promise<Vault> {
  await mkdir(swapsIn(root), { recursive: true, mode: 0o700 })
  const at = (name: string) => join(root, name)
  // A child of a killed server may still write for a moment.
  const drop = (folder: string) =>
    rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  return {
    at,
    drop,
    swaps: swapsIn(root),
    newName(connection, now) {
      const stamp = now.toISOString().replaceAll(/[-:]|\.\d+/g, '')
      return `${connection}-${stamp}-${randomBytes(3).toString('hex')}`
    },
    async begin(name) {
      await mkdir(at(FRESH + name), { mode: 0o700 })
      return at(FRESH + name)
    },
    finish: (name) => renameDurably(at(FRESH + name), at(name)),
    async remove(name) {
      await renameDurably(at(name), at(GONE + name))
      await drop(at(GONE + name))
    },
    scratch: () => mkdtemp(at(SCRATCH)),
    names: async () => (await readdir(root)).filter((name) => !name.startsWith('.')),
    async sweep() {
      const left = (await readdir(root)).filter((name) =>
        [FRESH, GONE, SCRATCH].some((prefix) => name.startsWith(prefix)),
      )
      for (const name of left) await drop(at(name))
    },
  }
}
