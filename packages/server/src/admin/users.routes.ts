import { users } from '@binnacle/contract'
import { hash } from '@node-rs/argon2'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import type { UserRefusal, UsersStore } from '#storage/admin/users-store.ts'
import { answer, takenName, unknownThing } from './refusals.ts'
import { rowIdOf } from './row-id.ts'

export function addUsersRoutes(app: FastifyInstance, store: UsersStore): void {
  mount(app, users.list, async () => ({ users: await store.list() }))

  mount(app, users.add, async ({ body: { password, ...user } }, act) => {
    const password_hash = (await hashOf(password)) ?? null
    const refusals = { 'name-taken': takenName('user', user.username, 'username') }
    return answer(await store.add(act, { ...user, password_hash }), (added) => added, refusals)
  })

  mount(app, users.update, async ({ params, body: { password, ...change } }, act) => {
    const password_hash = await hashOf(password)
    const outcome = await store.update(act, rowIdOf(params.id), { ...change, password_hash })
    return answer(outcome, (user) => user, refusalsFor(params.id, change.username))
  })

  mount(app, users.deactivate, async ({ params }, act) => {
    const outcome = await store.update(act, rowIdOf(params.id), { is_active: 0 })
    return answer(outcome, (user) => user, refusalsFor(params.id))
  })
}

/** Argon2id as the library sets it (19 MiB, 2 passes), on a thread of its own. */
async function hashOf(password: string | undefined): Promise<string | undefined> {
  return password === undefined ? undefined : hash(password)
}

function refusalsFor(id: string, username?: string): Record<UserRefusal, Refused> {
  return {
    unknown: unknownThing('user', id, 'GET /api/admin/users'),
    'name-taken': takenName('user', username, 'username'),
    'last-admin': new Refused(
      'user.last-admin',
      'This is the last active admin. Make another user an active admin first.',
    ),
  }
}
