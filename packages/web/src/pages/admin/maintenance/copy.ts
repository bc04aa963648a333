import type { MaintenanceAction, MaintenanceTask, RedisFigures, Store } from '#data/maintenance.ts'

const names: Record<Store, string> = {
  postgresql: 'PostgreSQL',
  parquet: 'Parquet',
  redis: 'Redis',
  all: 'all databases',
}

const finished: Record<MaintenanceAction, string> = {
  backup: 'Backup of',
  optimize: 'Optimization of',
  clean: 'Cleaning of',
}

const nouns: Record<MaintenanceAction, string> = {
  backup: 'backup',
  optimize: 'optimization',
  clean: 'cleaning',
}

export const copy = {
  target: 'Target',
  size: 'Size',
  lastBackup: 'Last backup',
  lastOptimized: 'Last optimized',
  never: 'Never',
  unknownSize: '—',
  notConfigured: {
    postgresql:
      'None is set up. Set BINNACLE_POSTGRES_URL, or add an active PostgreSQL connection under Database Management.',
    parquet: 'The market data catalog is missing from the data folder.',
    redis:
      'None is set up. Set BINNACLE_REDIS_URL, or add an active Redis connection under Database Management.',
    all: '',
  } satisfies Record<Store, string>,
  backups: 'Backups',
  restore: 'Restore',
  restoreNamed: (id: string) => `Restore backup ${id}`,
  confirmRestore: 'Are you sure you want to restore this backup? Current data will be overwritten.',
  restoreDetail: (target: string, at: string) => `Replaces all data of ${target} with the backup of ${at}.`,
  restored: 'Database restored successfully',
  restoreFailed: 'Failed to restore backup',
  restoreUnknown: 'No answer. The backup may have been restored; check the data before trying again.',
  ownStores: 'Own stores',
  intact: 'intact',
  damaged: 'check failed',
  neverChecked: 'Not checked yet',
  nextCheck: 'Next check',
  notScheduled: 'Not scheduled',
  title: 'Database',
  back: 'Back',
  confirmClean: 'Clean now?',
  clean: 'Clean',
  confirmOptimize: ({ store }: MaintenanceTask) => `Optimize ${names[store]}?`,
  optimizeDetail:
    'Tables are rebuilt and analysed, which takes time and slows other work on them. Data is not changed. The message at the end names each database.',
  optimize: 'Optimize',
  noPreview: 'The server did not report what would be deleted.',
  figures: ({ version, keys, memory, clients }: RedisFigures) =>
    `Redis ${version}: ${keys} keys, ${memory} in memory, ${clients} clients`,
  figuresFailed: 'Failed to load Redis statistics',
  failed: ({ action, store }: MaintenanceTask) => `Failed to ${action} ${names[store]}`,
  unknown: ({ action, store }: MaintenanceTask) =>
    `No answer. The ${nouns[action]} of ${names[store]} may be running or finished; check before starting it again.`,
  /** Of the preview and the statistics. */
  readUnknown: 'No answer. Nothing was changed.',
  /** Fallback for a reply without a message. */
  done: ({ action, store }: MaintenanceTask) => `${finished[action]} ${names[store]} finished`,
  exports: {
    title: 'Export Data',
    text: 'Writes the rows of the chosen stores as one .tar.gz file with a file per table. Columns with secrets are left out.',
    stores: 'Stores',
    loading: 'Loading stores...',
    format: 'Format',
    formats: [
      { value: 'csv', label: 'CSV' },
      { value: 'jsonl', label: 'JSON lines' },
      { value: 'parquet', label: 'Parquet' },
    ] as const,
    start: 'Export',
    done: 'Data exported',
    failed: 'Failed to export data',
    unknown: 'No answer. The export may be running or finished; check the list before starting it again.',
    files: 'Files since the server started',
    none: 'No exports yet',
    download: 'Download',
    downloadNamed: (name: string) => `Download ${name}`,
    downloadFailed: 'Failed to download the export',
    readUnknown: 'No answer. Nothing was changed.',
  },
  logs: {
    title: 'Maintenance Logs',
    none: 'No maintenance yet',
    loading: 'Loading log...',
    noLines: 'No log lines.',
  },
}
