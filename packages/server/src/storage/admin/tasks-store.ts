import type { Act, Deed } from '#audit/act.ts'
import type { AdminDb, TaskRow } from './admin-tables.ts'
import { type Audited, done, type Outcome, refused } from './audited.ts'
import { type Change, merge } from './merge.ts'

export interface TasksStore {
  list(): Promise<TaskRow[]>
  find(id: number): Promise<TaskRow | undefined>
  add(act: Act, task: Omit<TaskRow, 'id'>): Promise<Outcome<TaskRow, 'name-taken'>>
  update(act: Act, id: number, change: StoredChange): Promise<Outcome<TaskRow, 'unknown' | 'name-taken'>>
  /** Takes the task's history with it. */
  remove(act: Act, id: number): Promise<Outcome<TaskRow, 'unknown'>>
}

type StoredChange = Change<Omit<TaskRow, 'id'>>

export function createTasksStore(db: AdminDb, audited: Audited): TasksStore {
  return {
    list: () => db.selectFrom('tasks').selectAll().orderBy('id').execute(),
    find: (id) => findTask(db, id),
    add: (act, task) =>
      audited(act, async (tx) => {
        if (await isNameTaken(tx, task.name)) return refused('name-taken')
        const added = await tx.insertInto('tasks').values(task).returningAll().executeTakeFirstOrThrow()
        return done(added, deed(added.id, null, added))
      }),
    update: (act, id, change) =>
      audited(act, async (tx) => {
        const before = await findTask(tx, id)
        if (before === undefined) return refused('unknown')
        const after = { ...merge(before, change), id }
        if (await isNameTaken(tx, after.name, id)) return refused('name-taken')
        await tx.updateTable('tasks').set(after).where('id', '=', id).execute()
        return done(after, deed(id, before, after))
      }),
    remove: (act, id) =>
      audited(act, async (tx) => {
        const before = await findTask(tx, id)
        if (before === undefined) return refused('unknown')
        await tx.deleteFrom('tasks').where('id', '=', id).execute()
        return done(before, deed(id, before, null))
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

function deed(id: number, before: TaskRow | null, after: TaskRow | null): Deed {
  return {
    entity: 'task',
    target: String(id),
    before: before && describe(before),
    after: after && describe(after),
  }
}

/** How far the schedule was looked at is no change that anybody makes. */
function describe({ handled_until: _, ...task }: TaskRow) {
  return task
}
