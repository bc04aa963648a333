import type { Result } from '@binnacle/engine'
import type { AuditChange, AuditContext } from '#storage/audit/audit-context.ts'
import type { AdminDb, TaskRow } from './admin-tables.ts'
import { type Audited, done, refused } from './audited.ts'
import { type Change, merge } from './merge.ts'

export interface TasksStore {
  list(): Promise<TaskRow[]>
  find(id: number): Promise<TaskRow | undefined>
  add(audit: AuditContext, task: Omit<TaskRow, 'id'>): Promise<Result<TaskRow, 'name-taken'>>
  update(
    audit: AuditContext,
    id: number,
    change: StoredChange,
  ): Promise<Result<TaskRow, 'unknown' | 'name-taken'>>
  /** Also deletes the task's history. */
  remove(audit: AuditContext, id: number): Promise<Result<TaskRow, 'unknown'>>
}

type StoredChange = Change<Omit<TaskRow, 'id'>>

export function createTasksStore(db: AdminDb, audited: Audited): TasksStore {
  return {
    list: () => db.selectFrom('tasks').selectAll().orderBy('id').execute(),
    find: (id) => findTask(db, id),
    add: (audit, task) =>
      audited(audit, async (tx) => {
        if (await isNameTaken(tx, task.name)) return refused('name-taken')
        const added = await tx.insertInto('tasks').values(task).returningAll().executeTakeFirstOrThrow()
        return done(added, auditChange(added.id, null, added))
      }),
    update: (audit, id, change) =>
      audited(audit, async (tx) => {
        const before = await findTask(tx, id)
        if (before === undefined) return refused('unknown')
        const after = { ...merge(before, change), id }
        if (await isNameTaken(tx, after.name, id)) return refused('name-taken')
        await tx.updateTable('tasks').set(after).where('id', '=', id).execute()
        return done(after, auditChange(id, before, after))
      }),
    remove: (audit, id) =>
      audited(audit, async (tx) => {
        const before = await findTask(tx, id)
        if (before === undefined) return refused('unknown')
        await tx.deleteFrom('tasks').where('id', '=', id).execute()
        return done(before, auditChange(id, before, null))
      }),
  }
}

function findTask(db: AdminDb, id: number): Promise<TaskRow | undefined> {
  return db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst()
}

async function isNameTaken(db: AdminDb, name: string, exceptId = 0): Promise<boolean> {
  const named = db.selectFrom('tasks').select('id').where('name', '=', name)
  return (await named.where('id', '<>', exceptId).executeTakeFirst()) !== undefined
}

function auditChange(id: number, before: TaskRow | null, after: TaskRow | null): AuditChange {
  return {
    entity: 'task',
    target: String(id),
    before: before && describe(before),
    after: after && describe(after),
  }
}

/** Without handled_until, which the scheduler moves. */
function describe({ handled_until: _, ...task }: TaskRow) {
  return task
}
