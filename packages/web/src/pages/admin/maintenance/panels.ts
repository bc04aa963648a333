import type { MaintenanceTask, Store, Upkeep } from '#data/maintenance.ts'

/** What is only a message in the baseline may be a figure where the backend has it. */
export type PanelAction = { label: string } & (
  | { task: MaintenanceTask }
  | { message: string; figures?: 'redis' }
)

export interface Panel {
  title: string
  text: string
  actions: readonly PanelAction[]
}

/** MAINT-1: every button of the screen, with the call it makes or the message it only shows. */
export const panels: readonly Panel[] = [
  {
    title: 'PostgreSQL',
    text: 'The databases of a PostgreSQL server.',
    actions: [
      work('Backup Database', 'backup', 'postgresql'),
      work('Optimize Tables', 'optimize', 'postgresql'),
    ],
  },
  {
    title: 'Parquet',
    text: 'The catalog of market data, in files.',
    actions: [work('Export Catalog', 'backup', 'parquet'), work('Clean Old Files', 'clean', 'parquet')],
  },
  {
    title: 'Redis',
    text: 'What a Redis server keeps in memory.',
    actions: [
      work('Flush Cache', 'clean', 'redis'),
      { label: 'View Stats', message: 'Redis statistics are not offered here yet', figures: 'redis' },
    ],
  },
  {
    title: 'Maintenance',
    text: 'Work on every store at once.',
    actions: [
      work('Full Backup', 'backup', 'all'),
      work('Optimize All', 'optimize', 'all'),
      { label: 'Export Data', message: 'Data export is not offered here yet' },
      { label: 'View Logs', message: 'Maintenance logs are not offered here yet' },
    ],
  },
]

function work(label: string, upkeep: Upkeep, store: Store): PanelAction {
  return { label, task: { upkeep, store } }
}
