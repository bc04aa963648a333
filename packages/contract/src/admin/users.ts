import * as z from 'zod'
import { adminEndpoint, ROLES } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { ById, Flag, Id, listOf, orDone, StrictFlag } from '#shared.ts'
import { AT_LEAST_ONE_FIELD, lineUpTo, ONE_FIELD_SCHEMA, textUpTo } from '#text.ts'

/** The specification does not list the roles, so a reply may have any text. */
export const User = object(() => ({
  id: Id,
  username: z.string(),
  email: z.string().nullish(),
  role: z.string(),
  is_active: Flag,
})).meta({ id: 'User' })
export type User = z.output<typeof User>

const FIELDS = {
  username: lineUpTo(100),
  email: z.email().max(254),
  role: z.enum(ROLES),
  is_active: StrictFlag,
  password: textUpTo(256).min(12).describe('Stored as a hash and never returned'),
}

export const NewUser = strictObject(() => ({
  ...FIELDS,
  is_active: StrictFlag.default(1),
  password: FIELDS.password.optional(),
})).meta({ id: 'NewUser' })
export type NewUser = z.output<typeof NewUser>

export const UserChange = z
  .strictObject(FIELDS)
  .partial()
  .refine(...AT_LEAST_ONE_FIELD)
  .meta({ id: 'UserChange', ...ONE_FIELD_SCHEMA })
export type UserChange = z.output<typeof UserChange>

export const users = {
  list: adminEndpoint('GET /api/admin/users', {
    summary: 'Admin users',
    role: 'admin',
    reply: listOf('users', User),
  }),
  add: adminEndpoint('POST /api/admin/users', {
    summary: 'Add an admin user',
    role: 'admin',
    origin: 'documented',
    status: 201,
    body: NewUser,
    reply: orDone(User),
  }),
  update: adminEndpoint('PUT /api/admin/users/:id', {
    summary: 'Change an admin user; omitted fields stay unchanged',
    role: 'admin',
    origin: 'ours',
    params: ById,
    body: UserChange,
    reply: orDone(User),
  }),
  deactivate: adminEndpoint('POST /api/admin/users/:id/deactivate', {
    summary: 'Deactivate an admin user; the user stays listed because audit records refer to it',
    role: 'admin',
    origin: 'ours',
    params: ById,
    reply: orDone(User),
  }),
}
