import assert from 'node:assert/strict'
import type { AuditContext } from '#storage/audit/audit-context.ts'
import type { AdminDb, ModuleVersionRow } from './admin-tables.ts'
import { type Audited, done } from './audited.ts'

export interface ModulesStore {
  /** The latest version of each module. */
  latest(): Promise<ModuleVersionRow[]>
  /** Newest first. */
  versionsOf(name: string): Promise<ModuleVersionRow[]>
  /** Adds the sources as one version after the other. */
  add(audit: AuditContext, name: string, sources: readonly string[]): Promise<void>
}

export function createModulesStore(db: AdminDb, audited: Audited, now: () => Date): ModulesStore {
  const versionsOf = (name: string) =>
    db.selectFrom('module_versions').selectAll().where('name', '=', name).orderBy('version', 'desc').execute()
  return {
    versionsOf,
    latest: () =>
      db
        .selectFrom('module_versions as newest')
        .selectAll()
        .where(({ eb, selectFrom }) =>
          eb(
            'version',
            '=',
            selectFrom('module_versions')
              .select(({ fn }) => fn.max('version').as('last'))
              .whereRef('module_versions.name', '=', 'newest.name'),
          ),
        )
        .execute(),
    async add(audit, name, sources) {
      const outcome = await audited(audit, async (tx) => {
        const { last } = await tx
          .selectFrom('module_versions')
          .select(({ fn }) => fn.max<number | null>('version').as('last'))
          .where('name', '=', name)
          .executeTakeFirstOrThrow()
        const before = last ?? 0
        for (const [nth, source] of sources.entries())
          await tx
            .insertInto('module_versions')
            .values({
              name,
              version: before + nth + 1,
              source,
              saved_at: now().toISOString(),
              saved_by: audit.actor,
            })
            .execute()
        const after = { version: before + sources.length }
        return done(undefined, {
          entity: 'strategy-module',
          target: name,
          before: { version: before },
          after,
        })
      })
      assert(outcome.ok)
    },
  }
}
