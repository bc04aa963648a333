import * as z from 'zod'
import { endpoint, ROLES } from '#endpoint.ts'
import { Flag, Id, listOf, orDone, StrictFlag } from '#shared.ts'

/** The specification does not show the values of role: in replies it is any text. */
export const User = z
  .object({
    id: Id,
    username: z.string(),
    email: z.string().nullish(),
    role: z.string(),
    is_active: Flag,
  })
  .meta({ id: 'User' })
export type User = z.output<typeof User>

export const NewUser = z
  .strictObject({
    username: z.string().min(1),
    email: z.email(),
    role: z.enum(ROLES),
    is_active: StrictFlag.default(1),
  })
  .meta({ id: 'NewUser' })
export type NewUser = z.output<typeof NewUser>

export const users = {
  list: endpoint('GET /api/admin/users', {
    summary: 'Admin users',
    role: 'admin',
    reply: listOf('users', User),
  }),
  add: endpoint('POST /api/admin/users', {
    summary: 'Add an admin user',
    role: 'admin',
    origin: 'documented',
    status: 201,
    body: NewUser,
    reply: orDone(User),
  }),
}
