import type { MaintenanceAction, MaintenanceTask, Store } from '#data/maintenance.ts'

/** Calls the API, or only shows a message; a backend with `maintenance` has more. */
export type PanelAction = { label: string } & (
  | { task: MaintenanceTask }
  /** With `maintenance` it opens something instead of the message. */
  | { message: string; live?: 'redis' | 'logs' | 'export' }
)

export interface Panel {
  title: string
  /** The kind of store that the card is about. */
  store?: Store
  text: string
  actions: readonly PanelAction[]
}

/** MAINT-1: every button of the screen with its call or its message. */
export const panels: readonly Panel[] = [
  {
    title: 'PostgreSQL',
    store: 'postgresql',
    text: 'Databases on a PostgreSQL server.',
    actions: [
      work('Backup Database', 'backup', 'postgresql'),
      work('Optimize Tables', 'optimize', 'postgresql'),
    ],
  },
  {
    title: 'Parquet',
    store: 'parquet',
    text: 'Market data catalog in Parquet files.',
    actions: [work('Export Catalog', 'backup', 'parquet'), work('Clean Old Files', 'clean', 'parquet')],
  },
  {
    title: 'Redis',
    store: 'redis',
    text: 'In-memory data of a Redis server.',
    actions: [
      work('Flush Cache', 'clean', 'redis'),
      { label: 'View Stats', message: 'Redis statistics are not available yet', live: 'redis' },
    ],
  },
  {
    title: 'Maintenance',
    text: 'Applies to all databases at once.',
    actions: [
      work('Full Backup', 'backup', 'all'),
      work('Optimize All', 'optimize', 'all'),
      { label: 'Export Data', message: 'Data export is not available yet', live: 'export' },
      { label: 'View Logs', message: 'Maintenance logs are not available yet', live: 'logs' },
    ],
  },
]

function work(label: string, action: MaintenanceAction, store: Store): PanelAction {
  return { label, task: { action, store } }
}
