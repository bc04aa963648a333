import * as z from 'zod'
import { endpoint, ROLES } from '#endpoint.ts'
import { ById, Flag, Id, listOf, orDone, StrictFlag } from '#shared.ts'
import { lineUpTo, SOMETHING, textUpTo } from '#text.ts'

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

const FIELDS = {
  username: lineUpTo(100),
  email: z.email().max(254),
  role: z.enum(ROLES),
  is_active: StrictFlag,
  password: textUpTo(256).min(12).describe('Kept as a hash and never told again'),
}

export const NewUser = z
  .strictObject({ ...FIELDS, is_active: StrictFlag.default(1), password: FIELDS.password.optional() })
  .meta({ id: 'NewUser' })
export type NewUser = z.output<typeof NewUser>

export const UserChange = z
  .strictObject(FIELDS)
  .partial()
  .refine(...SOMETHING)
  .meta({ id: 'UserChange' })
export type UserChange = z.output<typeof UserChange>

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
  update: endpoint('PUT /api/admin/users/:id', {
    summary: 'Change an admin user; fields that are left out stay',
    role: 'admin',
    origin: 'ours',
    params: ById,
    body: UserChange,
    reply: orDone(User),
  }),
  deactivate: endpoint('POST /api/admin/users/:id/deactivate', {
    summary: 'Deactivate an admin user, who stays listed because the audit log names users',
    role: 'admin',
    origin: 'ours',
    params: ById,
    reply: orDone(User),
  }),
}
