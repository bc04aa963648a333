import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { type DataFolder, ENGINE_STORES, openDataFolder } from './data-folder.ts'
import type { EngineConfig } from './engines-file.ts'
import { parseJson } from './parse-json.ts'
import { replaceFile } from './replace-file.ts'

/** Where an engine has its data. */
export interface EngineFolder {
  /** Of its journal, catalog or node. */
  data: DataFolder
  samples: Pick<DataFolder, 'at'>
  /** Whether its rows in the admin store carry its name. */
  isNamed: boolean
  /** Releases the lock of a folder of its own. */
  release(): void
}

/** The engines that use the data folder itself, where a console with one engine has its data. */
const Owners = z.object({ embedded: z.string().optional(), nautilus: z.string().optional() })
type Owners = z.output<typeof Owners>

const OWNERS_FILE = 'engines.json'

/**
 * The first embedded engine, and the first NautilusTrader node, keep the place of a console with one engine; the others
 * have a folder of their name in `engines`. The choice is stored, so that another order of the list mixes up nothing.
 */
export async function openEngineFolders(
  root: DataFolder,
  engines: readonly EngineConfig[],
  hasEnginesFile: boolean,
): Promise<(engine: EngineConfig) => Promise<EngineFolder>> {
  const owners = hasEnginesFile
    ? await assignOwners(root, engines)
    : { [engines[0]?.kind ?? '']: engines[0]?.name }
  const primary = owners.embedded ?? owners.nautilus
  return async ({ name, kind, node }) => {
    if (name === primary) return { data: root, samples: root, isNamed: false, release: () => {} }
    const own = await openDataFolder(root.at('engines', name), undefined, ENGINE_STORES)
    own.checkStores()
    // A node elsewhere has a folder by its address already.
    const isAtRoot = owners[kind] === name || node !== undefined
    return { data: isAtRoot ? root : own, samples: own, isNamed: true, release: () => own.release() }
  }
}

async function assignOwners(root: DataFolder, engines: readonly EngineConfig[]): Promise<Owners> {
  const file = root.at(OWNERS_FILE)
  const stored = Owners.safeParse(parseJson(await readFile(file, 'utf8').catch(() => ''))).data ?? {}
  const ownerOf = (kind: EngineConfig['kind']) => {
    const ofKind = engines.filter((engine) => engine.kind === kind)
    const hasNoFolder = ({ name }: EngineConfig) => !existsSync(root.at('engines', name))
    const owner =
      ofKind.find(({ name }) => name === stored[kind]) ??
      ofKind.find((engine) => engine.node === undefined && hasNoFolder(engine)) ??
      ofKind.find(hasNoFolder)
    return owner?.name
  }
  const owners = { embedded: ownerOf('embedded'), nautilus: ownerOf('nautilus') }
  if (JSON.stringify(owners) !== JSON.stringify(stored)) replaceFile(file, JSON.stringify(owners))
  return owners
}
