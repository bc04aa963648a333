import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ModuleName, type ModuleSummary, type StrategyModule } from '@binnacle/contract'
import { checkSource, type SourceError, STARTER_TEMPLATE, STARTER_TYPES } from '@binnacle/sandbox'
import { notFound, Refused } from '#http/problems.ts'
import type { ModulesStore } from '#storage/admin/modules-store.ts'
import type { AuditContext } from '#storage/audit/audit-context.ts'
import { replaceFile } from '#storage/durable-files.ts'

/** Sources of custom strategies: the files that run, and their saved versions. */
export interface StrategyModules {
  readonly template: string
  readonly types: string
  list(): Promise<ModuleSummary[]>
  find(name: string): Promise<StrategyModule | Refused>
  version(name: string, version: number): Promise<string | Refused>
  save(audit: AuditContext, name: string, change: ModuleChange): Promise<StrategyModule | Refused>
  check(name: string, source: string, signal: AbortSignal): Promise<SourceError | null>
}

export interface ModuleChange {
  source: string
  /** The hash of the source that was changed; null for a new module. */
  base: string | null
}

export function createStrategyModules(folder: string, store: ModulesStore): StrategyModules {
  /** Saves of one process follow one another: each compares with the file. */
  let saving: Promise<unknown> = Promise.resolve()

  async function find(name: string): Promise<StrategyModule | Refused> {
    const file = readModule(folder, name)
    if (file === undefined) return unknownModule(name)
    const rows = await store.versionsOf(name)
    const [latest] = rows
    return {
      name,
      source: file.source,
      hash: hashOf(file.source),
      updated_at: file.updatedAt,
      version: latest?.source === file.source ? latest.version : null,
      versions: rows.map(({ version, saved_at, saved_by, source }) => ({
        version,
        saved_at,
        saved_by,
        chars: source.length,
      })),
    }
  }

  /** EDIT-2: what is in the file and in no version becomes one first. */
  async function save(audit: AuditContext, name: string, { source, base }: ModuleChange) {
    const file = readModule(folder, name)
    if (base !== (file === undefined ? null : hashOf(file.source)))
      return moduleChanged(name, file !== undefined)
    const [latest] = await store.versionsOf(name)
    const isOutside = file !== undefined && file.source !== '' && latest?.source !== file.source
    await store.add(audit, name, isOutside ? [file.source, source] : [source])
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    replaceFile(join(folder, name), source)
    return find(name)
  }

  return {
    template: STARTER_TEMPLATE,
    types: STARTER_TYPES,
    find,
    async list() {
      const latest = new Map((await store.latest()).map((row) => [row.name, row]))
      return namesIn(folder).flatMap((name) => {
        const file = readModule(folder, name)
        if (file === undefined) return []
        const saved = latest.get(name)
        const version = saved?.source === file.source ? saved.version : null
        return [{ name, version, updated_at: file.updatedAt }]
      })
    },
    async version(name, version) {
      const row = (await store.versionsOf(name)).find((one) => one.version === version)
      return row?.source ?? notFound('version', `${version} of ${name}`)
    },
    save(audit, name, change) {
      const saved = saving.then(() => save(audit, name, change))
      saving = saved.catch(() => {})
      return saved
    },
    check: (name, source, signal) => checkSource({ folder, name, source, signal }),
  }
}

function namesIn(folder: string): string[] {
  const kind = lstatSync(folder, { throwIfNoEntry: false })
  if (!kind?.isDirectory()) return []
  return readdirSync(folder)
    .filter((name) => ModuleName.safeParse(name).success)
    .sort()
}

/** Links are not followed. */
function readModule(folder: string, name: string): { source: string; updatedAt: string } | undefined {
  const file = join(folder, name)
  const kind = lstatSync(file, { throwIfNoEntry: false })
  if (!kind?.isFile()) return undefined
  return { source: readFileSync(file, 'utf8'), updatedAt: kind.mtime.toISOString() }
}

function hashOf(source: string): string {
  return createHash('sha256').update(source).digest('hex')
}

function unknownModule(name: string): Refused {
  return notFound('module', name, { list: 'GET /api/strategy-modules' })
}

function moduleChanged(name: string, isThere: boolean): Refused {
  return new Refused(
    'version.changed',
    isThere
      ? `${name} was changed in the meantime. Open it again; your text is not saved.`
      : `${name} was deleted in the meantime. Save your text under a new name.`,
  )
}
