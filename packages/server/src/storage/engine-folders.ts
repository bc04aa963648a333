import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import type { EngineConfig } from '#config/engines-file.ts'
import { StartRefusal } from '#config/start-refusal.ts'
import { type DataFolder, ENGINE_STORES, openDataFolder } from './data-folder.ts'
import { replaceFile } from './durable-files.ts'
import { parseJson } from './parse-json.ts'

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
const Owners = z.strictObject({ embedded: z.string().optional(), nautilus: z.string().optional() })
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
    checkOrRelease(own)
    // A node elsewhere has a folder by its address already.
    const isAtRoot = owners[kind] === name || node !== undefined
    return { data: isAtRoot ? root : own, samples: own, isNamed: true, release: () => own.release() }
  }
}

function checkOrRelease(folder: DataFolder): void {
  try {
    folder.checkStores()
  } catch (fault) {
    // The next attempt opens the folder again.
    folder.release()
    throw fault
  }
}

async function assignOwners(root: DataFolder, engines: readonly EngineConfig[]): Promise<Owners> {
  const file = root.at(OWNERS_FILE)
  const stored = await readOwners(file)
  // Of a console that began with nodes alone, the data folder stays that of its first node.
  const isOfNode = stored.embedded === undefined && stored.nautilus !== undefined
  const embedded = isOfNode ? undefined : ownerOf('embedded', true)
  if (embedded === undefined && existsSync(root.at('journal.sqlite'))) throw refuseOtherKind(root, engines)
  const owners = { embedded, nautilus: ownerOf('nautilus', embedded === undefined) }
  if (JSON.stringify(owners) !== JSON.stringify(stored)) replaceFile(file, JSON.stringify(owners))
  return owners

  function ownerOf(kind: EngineConfig['kind'], isPrimary: boolean): string | undefined {
    const ofKind = engines.filter((engine) => engine.kind === kind)
    const hasNoFolder = ({ name }: EngineConfig) => !existsSync(root.at('engines', name))
    const isLocal = ({ node }: EngineConfig) => node === undefined
    const former = stored[kind]
    if (former !== undefined) {
      const owner =
        ofKind.find(({ name }) => name === former) ??
        ofKind.find((engine) => engine.takesOver === former && hasNoFolder(engine))
      if (owner !== undefined) return owner.name
      const hasNodeData = existsSync(root.at('nautilus', 'commands.jsonl'))
      if (isPrimary || (hasNodeData && ofKind.some(isLocal)))
        throw refuseOtherName(root, engines, kind, former)
      if (hasNodeData) return former
    }
    return (ofKind.find((engine) => isLocal(engine) && hasNoFolder(engine)) ?? ofKind.find(hasNoFolder))?.name
  }
}

/** ENGS-55: without a file nobody owns the data folder yet. One that cannot be read may name an owner, so nothing is assigned. */
async function readOwners(file: string): Promise<Owners> {
  if (!existsSync(file)) return {}
  const read = await readFile(file, 'utf8').catch((fault: NodeJS.ErrnoException) => fault)
  const why = read instanceof Error ? `cannot be read (${read.code})` : 'is damaged'
  const owners = read instanceof Error ? undefined : Owners.safeParse(parseJson(read)).data
  if (owners !== undefined) return owners
  throw new StartRefusal(
    `${file} ${why}. It says which engines have their data in the data folder itself, so without it an engine could get the data of another one; nothing was changed. Restore it from a backup, or write it again with the names of those engines, such as {"embedded":"desk"} or {"embedded":"desk","nautilus":"paper"}; the other engines have folders in ${join(dirname(file), 'engines')}.`,
  )
}

function refuseOtherName(
  root: DataFolder,
  engines: readonly EngineConfig[],
  kind: EngineConfig['kind'],
  former: string,
): StartRefusal {
  return new StartRefusal(
    `BINNACLE_ENGINES: the data folder ${root.at()} has the data of the ${kind} engine '${former}', but the file lists ${namesOf(engines)}. Put '${former}' back, or write "takes_over": "${former}" in the entry of a new ${kind} engine that is to have its data.`,
  )
}

function refuseOtherKind(root: DataFolder, engines: readonly EngineConfig[]): StartRefusal {
  return new StartRefusal(
    `BINNACLE_ENGINES: the data folder ${root.at()} has the data of an embedded engine, but the file lists ${namesOf(engines)}. List an embedded engine, or set BINNACLE_DATA to another folder.`,
  )
}

function namesOf(engines: readonly EngineConfig[]): string {
  return engines.map(({ name, kind }) => `'${name}' (${kind})`).join(', ')
}
