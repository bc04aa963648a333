import type { NewConnection } from '@binnacle/contract'

export interface ConnectionDraft {
  name: string
  type: NewConnection['type']
  databaseName: string
  connectionString: string
  isWritable: boolean
}

export const EMPTY_DRAFT: ConnectionDraft = {
  name: '',
  type: 'sqlite',
  databaseName: '',
  connectionString: '',
  isWritable: false,
}

/** DB-5: a backend of the specification knows four fields, so the fifth goes only when it was chosen and can be. */
export function newConnectionOf(draft: ConnectionDraft): NewConnection {
  return {
    name: draft.name,
    type: draft.type,
    database_name: draft.databaseName,
    connection_string: draft.connectionString,
    ...(draft.isWritable && draft.type !== 'parquet' && { writable: true }),
  }
}
