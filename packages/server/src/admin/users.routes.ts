import { users } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { type Handler, mount } from '#http/mount.ts'
import { onceByKey } from '#http/once-by-key.ts'
import { notFound, Refused } from '#http/problems.ts'
import { parseRowId } from '#http/row-id.ts'
import type { UserRefusal, UsersStore } from '#storage/admin/users-store.ts'
import { nameTaken, replyWith } from './replies.ts'

export function addUsersRoutes(app: FastifyInstance, store: UsersStore): void {
  mount(app, users.list, async () => ({ users: await store.list() }))

  const add: Handler<typeof users.add> = async ({ body: { password, ...user } }, { audit }) => {
    const password_hash = (await hashOf(password)) ?? null
    const refusals = { 'name-taken': nameTaken('user', user.username, 'username') }
    return replyWith(await store.add(audit, { ...user, password_hash }), (added) => added, refusals)
  }
  mount(app, users.add, onceByKey(store, users.add, add))

  mount(app, users.update, async ({ params, body: { password, ...change } }, { audit }) => {
    const password_hash = await hashOf(password)
    const outcome = await store.update(audit, parseRowId(params.id), { ...change, password_hash })
    return replyWith(outcome, (user) => user, refusalsFor(params.id, change.username))
  })

  mount(app, users.deactivate, async ({ params }, { audit }) => {
    const outcome = await store.update(audit, parseRowId(params.id), { is_active: 0 })
    return replyWith(outcome, (user) => user, refusalsFor(params.id))
  })
}

/** Argon2id with the library's defaults (19 MiB, 2 passes), on a thread of its pool. */
async function hashOf(password: string | undefined): Promise<string | undefined> {
  if (password === undefined) return undefined
  const { hash } = await import('@node-rs/argon2')
  return hash(password)
}

function refusalsFor(id: string, username?: string): Record<UserRefusal, Refused> {
  return {
    unknown: notFound('user', id, { list: 'GET /api/admin/users' }),
    'name-taken': nameTaken('user', username, 'username'),
    'last-admin': new Refused(
      'user.last-admin',
      'This is the last active admin. Make another user an active admin first.',
    ),
  }
}
