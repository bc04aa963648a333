import * as z from 'zod'
import { endpoint } from '#endpoint.ts'
import { outcomeOf, Succeeded } from '#outcome.ts'
import { Flag, Id, ifGiven, listOf, PathId } from '#shared.ts'

export const CONNECTION_TYPES = ['sqlite', 'postgresql', 'redis', 'parquet'] as const

export const ByConnection = z.strictObject({ conn: PathId })

/** The connection string is never in a reply: it may hold a password. */
export const Connection = z
  .object({
    id: Id,
    name: z.string(),
    type: z.string(),
    database_name: z.string().nullish(),
    is_active: Flag.default(1),
    writable: ifGiven(z.boolean()),
  })
  .meta({ id: 'Connection' })
export type Connection = z.output<typeof Connection>

export const NewConnection = z
  .strictObject({
    name: z.string().min(1),
    type: z.enum(CONNECTION_TYPES),
    database_name: z.string(),
    connection_string: z.string(),
    writable: z.boolean().optional().describe('Connections are read-only unless this is true'),
  })
  .meta({ id: 'NewConnection' })
export type NewConnection = z.output<typeof NewConnection>

export const connections = {
  list: endpoint('GET /api/db/connections', {
    summary: 'Database connections',
    role: 'admin',
    reply: listOf('connections', Connection),
  }),
  add: endpoint('POST /api/db/connections', {
    summary: 'Add a connection',
    role: 'admin',
    status: 201,
    body: NewConnection,
    reply: outcomeOf(Succeeded.extend({ id: ifGiven(Id) })),
  }),
}
