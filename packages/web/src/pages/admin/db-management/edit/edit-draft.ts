import type { Connection, ConnectionEdit } from '@binnacle/contract'

export interface EditDraft {
  name: string
  databaseName: string
  /** Never shown, so empty means that the stored one stays. */
  connectionString: string
  timeLimit: string
  isWritable: boolean
  isActive: boolean
}

export function draftOf(connection: Connection): EditDraft {
  return {
    name: connection.name,
    databaseName: connection.database_name ?? '',
    connectionString: '',
    timeLimit: String(connection.time_limit ?? ''),
    isWritable: connection.writable ?? false,
    isActive: connection.is_active === 1,
  }
}

export function editOf(draft: EditDraft): ConnectionEdit {
  return {
    name: draft.name,
    database_name: draft.databaseName,
    writable: draft.isWritable,
    is_active: draft.isActive ? 1 : 0,
    ...(draft.connectionString !== '' && { connection_string: draft.connectionString }),
    ...(draft.timeLimit !== '' && { time_limit: Number(draft.timeLimit) }),
  }
}
