import * as z from 'zod'
import { endpoint } from '#endpoint.ts'
import { Failed, outcomeOf, Succeeded, verdictOf } from '#outcome.ts'
import { Done, Flag, Id, ifGiven, listOf, PathId } from '#shared.ts'
import { lineUpTo, SOMETHING, textUpTo } from '#text.ts'

export const CONNECTION_TYPES = ['sqlite', 'postgresql', 'redis', 'parquet'] as const

/** How long a statement may run unless its connection says otherwise. */
export const DEFAULT_TIME_LIMIT_S = 30

export const ByConnection = z.strictObject({ conn: PathId })

/** What a connection can do, so that a screen offers nothing that would be refused. */
export const ConnectionAbilities = z
  .object({
    language: z.enum(['sql', 'commands']),
    write: z.boolean(),
    explain: z.boolean(),
    sort: z.boolean(),
    filter: z.boolean(),
    backup: z.boolean(),
    restore: z.boolean(),
  })
  .meta({ id: 'ConnectionAbilities' })
export type ConnectionAbilities = z.output<typeof ConnectionAbilities>

/** The connection string is never in a reply: it may hold a password. */
export const Connection = z
  .object({
    id: Id,
    name: z.string(),
    type: z.string(),
    database_name: z.string().nullish(),
    is_active: Flag.default(1),
    writable: ifGiven(z.boolean()),
    is_builtin: ifGiven(Flag).describe('1 for a store of our own, which can only be read'),
    time_limit: ifGiven(z.number()).describe('How long a statement may run, in seconds'),
    can: ifGiven(ConnectionAbilities),
  })
  .meta({ id: 'Connection' })
export type Connection = z.output<typeof Connection>

const TimeLimit = z.int().min(1).max(3600).describe('How long a statement may run, in seconds')

export const NewConnection = z
  .strictObject({
    name: lineUpTo(100),
    type: z.enum(CONNECTION_TYPES),
    database_name: textUpTo(500),
    connection_string: textUpTo(4000),
    writable: z.boolean().optional().describe('Connections are read-only unless this is true'),
    time_limit: TimeLimit.optional(),
  })
  .meta({ id: 'NewConnection' })
export type NewConnection = z.output<typeof NewConnection>

/** What is left out stays; the connection string too, which nobody is shown. */
export const ConnectionEdit = NewConnection.omit({ type: true })
  .extend({ is_active: z.literal([0, 1]) })
  .partial()
  .refine(...SOMETHING)
  .meta({ id: 'ConnectionEdit' })
export type ConnectionEdit = z.output<typeof ConnectionEdit>

/** What came of reaching a store. That it cannot be reached is an answer too. */
export const ConnectionTest = verdictOf(
  Succeeded.extend({
    version: ifGiven(z.string()).describe('What answered, such as PostgreSQL 18.1'),
    warnings: ifGiven(z.array(z.string())),
    response_time: ifGiven(z.number()).describe('In milliseconds'),
  }),
  Failed,
).meta({ id: 'ConnectionTest' })
export type ConnectionTest = z.output<typeof ConnectionTest>

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
  tryOut: endpoint('POST /api/db/connections/test', {
    summary: 'Reach a store before it is added; nothing is kept',
    role: 'admin',
    origin: 'ours',
    body: NewConnection,
    reply: ConnectionTest,
  }),
  update: endpoint('PUT /api/db/connections/:conn', {
    summary: 'Change a connection',
    role: 'admin',
    origin: 'ours',
    params: ByConnection,
    body: ConnectionEdit,
    reply: Connection,
  }),
  remove: endpoint('DELETE /api/db/connections/:conn', {
    summary: 'Forget a connection; its store is left as it is',
    role: 'admin',
    origin: 'ours',
    params: ByConnection,
    reply: Done,
  }),
  test: endpoint('POST /api/db/connections/:conn/test', {
    summary: 'Reach the store of a connection',
    role: 'admin',
    origin: 'ours',
    params: ByConnection,
    reply: ConnectionTest,
  }),
}
