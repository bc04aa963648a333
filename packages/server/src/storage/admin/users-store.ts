import type { Result } from '@binnacle/engine'
import type { AuditChange, AuditContext } from '#storage/audit/audit-context.ts'
import type { AdminDb, UserRow } from './admin-tables.ts'
import { type Audited, done, refused } from './audited.ts'
import { type Change, merge } from './merge.ts'

export interface UsersStore {
  list(): Promise<UserRow[]>
  add(audit: AuditContext, user: Omit<UserRow, 'id'>): Promise<Result<UserRow, 'name-taken'>>
  /** Refuses to demote or deactivate the last active admin. */
  update(audit: AuditContext, id: number, change: UserChange): Promise<Result<UserRow, UserRefusal>>
}

export type UserChange = Change<Omit<UserRow, 'id'>>
export type UserRefusal = 'unknown' | 'name-taken' | 'last-admin'

export function createUsersStore(db: AdminDb, audited: Audited): UsersStore {
  return {
    list: () => db.selectFrom('users').selectAll().orderBy('id').execute(),
    add: (audit, user) =>
      audited(audit, async (tx) => {
        if (await isNameTaken(tx, user.username)) return refused('name-taken')
        const added = await tx.insertInto('users').values(user).returningAll().executeTakeFirstOrThrow()
        return done(added, auditChange(added.id, null, describe(added)))
      }),
    update: (audit, id, change) =>
      audited(audit, async (tx) => {
        const before = await tx.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
        if (before === undefined) return refused('unknown')
        const after = { ...merge(before, change), id }
        if (await isNameTaken(tx, after.username, id)) return refused('name-taken')
        if (isActiveAdmin(before) && !isActiveAdmin(after) && !(await hasOtherAdmin(tx, id))) {
          return refused('last-admin')
        }
        await tx.updateTable('users').set(after).where('id', '=', id).execute()
        return done(after, auditChange(id, describe(before), describe(after, before)))
      }),
  }
}

async function isNameTaken(db: AdminDb, username: string, exceptId = 0): Promise<boolean> {
  const named = db.selectFrom('users').select('id').where('username', '=', username)
  return (await named.where('id', '<>', exceptId).executeTakeFirst()) !== undefined
}

function isActiveAdmin({ role, is_active }: UserRow): boolean {
  return role === 'admin' && is_active === 1
}

async function hasOtherAdmin(db: AdminDb, id: number): Promise<boolean> {
  const admins = db.selectFrom('users').select('id').where('role', '=', 'admin').where('is_active', '=', 1)
  return (await admins.where('id', '<>', id).executeTakeFirst()) !== undefined
}

/** A user for the audit log: whether there is a password and whether it is new, without the hash. */
function describe({ password_hash, ...user }: UserRow, before?: UserRow) {
  const isNew = before !== undefined && before.password_hash !== password_hash
  const signIn = isNew ? 'by a new password' : 'by password'
  return { ...user, sign_in: password_hash === null ? 'none' : signIn }
}

function auditChange(id: number, before: unknown, after: unknown): AuditChange {
  return { entity: 'user', target: String(id), before, after }
}
