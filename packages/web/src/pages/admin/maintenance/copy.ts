import type { MaintenanceTask, RedisFigures, Store, Upkeep } from '#data/maintenance.ts'

const names: Record<Store, string> = {
  postgresql: 'PostgreSQL',
  parquet: 'Parquet',
  redis: 'Redis',
  all: 'all databases',
}

const finished: Record<Upkeep, string> = {
  backup: 'Backup of',
  optimize: 'Optimization of',
  clean: 'Cleaning of',
}

export const copy = {
  title: 'Database',
  back: 'Back',
  goOn: 'Clean now?',
  nothing: 'The server does not say what would go.',
  figures: ({ version, keys, memory, clients }: RedisFigures) =>
    `Redis ${version}: ${keys} keys, ${memory} in memory, ${clients} clients`,
  figuresFailed: 'Failed to read the figures of Redis',
  failed: ({ upkeep, store }: MaintenanceTask) => `Failed to ${upkeep} ${names[store]}`,
  /** For a server that finished the work and sent no message. */
  done: ({ upkeep, store }: MaintenanceTask) => `${finished[upkeep]} ${names[store]} finished`,
}
