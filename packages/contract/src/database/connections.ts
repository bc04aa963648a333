import * as z from 'zod'
import { databaseEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { Failed, failureUnlessTrue, Succeeded, successUnlessFalse } from '#outcome.ts'
import { Done, Flag, Id, ifGiven, listOf, PathId } from '#shared.ts'
import { AT_LEAST_ONE_FIELD, lineUpTo, ONE_FIELD_SCHEMA, textUpTo } from '#text.ts'
import { FILTER_OPERATORS } from './rows.ts'

export const CONNECTION_TYPES = ['sqlite', 'postgresql', 'redis', 'parquet'] as const

/** Default time limit of a statement. */
export const DEFAULT_TIME_LIMIT_S = 30

export const ByConnection = strictObject(() => ({ conn: PathId }))

/** What a connection supports, so that screens offer nothing else. */
export const ConnectionAbilities = object(() => ({
  language: z.enum(['sql', 'commands']),
  write: z.boolean(),
  explain: z.boolean(),
  sort: z.boolean(),
  filter: z.boolean(),
  filters: ifGiven(
    z.array(z.object({ column: z.string(), operators: z.array(z.enum(FILTER_OPERATORS)) })),
  ).describe('The only filters that work; absent where every column takes every operator'),
  backup: z.boolean(),
  restore: z.boolean(),
})).meta({ id: 'ConnectionAbilities' })
export type ConnectionAbilities = z.output<typeof ConnectionAbilities>

/** The connection string is never in a reply, since it may contain a password. */
export const Connection = object(() => ({
  id: Id,
  name: z.string(),
  type: z.string(),
  database_name: z.string().nullish(),
  is_active: Flag.default(1),
  writable: ifGiven(z.boolean()),
  accept_privileged_role: ifGiven(z.boolean()).describe(
    'Whether reading with a superuser or an equal role was accepted',
  ),
  is_builtin: ifGiven(Flag).describe('1 for a built-in store, which is read-only'),
  time_limit: ifGiven(z.number()).describe('Time limit of a statement, in seconds'),
  can: ifGiven(ConnectionAbilities),
})).meta({ id: 'Connection' })
export type Connection = z.output<typeof Connection>

const TimeLimit = z.int().min(1).max(3600).describe('Time limit of a statement, in seconds')

export const NewConnection = strictObject(() => ({
  name: lineUpTo(100),
  type: z.enum(CONNECTION_TYPES),
  database_name: textUpTo(500),
  connection_string: textUpTo(4000),
  writable: z.boolean().optional().describe('Connections are read-only unless this is true'),
  accept_privileged_role: z
    .boolean()
    .optional()
    .describe('PostgreSQL: accept the risk of reading with a superuser or an equal role'),
  time_limit: TimeLimit.optional(),
})).meta({ id: 'NewConnection' })
export type NewConnection = z.output<typeof NewConnection>

/** Omitted fields stay unchanged, the connection string too. */
export const ConnectionEdit = NewConnection.omit({ type: true })
  .extend({ is_active: z.literal([0, 1]) })
  .partial()
  .refine(...AT_LEAST_ONE_FIELD)
  .meta({ id: 'ConnectionEdit', ...ONE_FIELD_SCHEMA })
export type ConnectionEdit = z.output<typeof ConnectionEdit>

/** The steps of connecting to a server, in their order. */
export const CONNECTION_STEPS = ['DNS', 'TCP', 'TLS', 'authentication', 'database'] as const
export type ConnectionStep = (typeof CONNECTION_STEPS)[number]

/** The result of a connection test. An unreachable store is a result, not an error. */
export const ConnectionTest = failureUnlessTrue(
  object(() => ({
    ...Succeeded.shape,
    version: ifGiven(z.string()).describe('Product and version, such as PostgreSQL 18.1'),
    warnings: ifGiven(z.array(z.string())),
    response_time: ifGiven(z.number()).describe('In milliseconds'),
  })),
  object(() => ({
    ...Failed.shape,
    step: ifGiven(z.enum(CONNECTION_STEPS)).describe('The step of connecting that failed'),
  })),
).meta({ id: 'ConnectionTest' })
export type ConnectionTest = z.output<typeof ConnectionTest>

export const connections = {
  list: databaseEndpoint('GET /api/db/connections', {
    summary: 'Database connections',
    role: 'admin',
    reply: listOf('connections', Connection),
  }),
  add: databaseEndpoint('POST /api/db/connections', {
    summary: 'Add a connection',
    role: 'admin',
    status: 201,
    body: NewConnection,
    reply: successUnlessFalse(object(() => ({ ...Succeeded.shape, id: ifGiven(Id) }))),
  }),
  tryOut: databaseEndpoint('POST /api/db/connections/test', {
    summary: 'Test a connection before it is added; nothing is stored',
    role: 'admin',
    origin: 'ours',
    body: NewConnection,
    reply: ConnectionTest,
  }),
  update: databaseEndpoint('PUT /api/db/connections/:conn', {
    summary: 'Change a connection',
    role: 'admin',
    origin: 'ours',
    params: ByConnection,
    body: ConnectionEdit,
    reply: Connection,
  }),
  remove: databaseEndpoint('DELETE /api/db/connections/:conn', {
    summary: 'Delete a connection; its database stays unchanged',
    role: 'admin',
    origin: 'ours',
    params: ByConnection,
    reply: Done,
  }),
  test: databaseEndpoint('POST /api/db/connections/:conn/test', {
    summary: 'Test a connection',
    role: 'admin',
    origin: 'ours',
    params: ByConnection,
    reply: ConnectionTest,
  }),
}
