/** The version label of the console (HOME-3) and of the API. */
export const VERSION = 'v1.0.0'

/** The port on which each API listens unless configured otherwise (CALL-1). */
export const PORTS = { trading: 8000, admin: 8001, database: 8002 } as const

/** Rows per page of table data (DB-8). */
export const DATA_PAGE_SIZE = 50
