import { ApiError } from '#data/failure.ts'

export type ConnectionField = 'name' | 'database_name' | 'connection_string' | 'time_limit'
export type FieldErrors = Partial<Record<ConnectionField, string>>

const FIELDS: readonly ConnectionField[] = ['name', 'database_name', 'connection_string', 'time_limit']

/** DB-32: the server's reason for each refused field of a connection. */
export function fieldErrors(error: unknown): FieldErrors {
  const faults = (error instanceof ApiError && error.problem?.errors) || []
  const entries = FIELDS.flatMap((field) => {
    const fault = faults.find((candidate) => candidate.field.split('.').at(-1) === field)
    return fault ? [[field, fault.message] as const] : []
  })
  return Object.fromEntries(entries)
}
