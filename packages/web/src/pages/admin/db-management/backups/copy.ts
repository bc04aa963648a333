export const copy = {
  backups: 'Backups',
  create: 'Create Backup',
  loading: 'Loading backups...',
  empty: 'No backups yet',
  lost: 'The backups could not be read',
  failed: 'Failed to load backups',
  columns: {
    type: 'Type',
    size: 'Size',
    status: 'Status',
    created: 'Created',
    path: 'Path',
    actions: 'Actions',
  },
  unknownSize: '—',
  removed: {
    title: 'Backups of removed connections',
    hint: 'These connections were deleted and their backups were kept. The files are at the paths below, in the backups folder of the server.',
    connection: 'Connection',
    database: 'Database',
  },
  restore: 'Restore',
  restoreBlocked: {
    own: "Binnacle's own databases are restored while the server is stopped, with 'npm run restore'.",
    parquet: 'Parquet connections are read-only. To restore, copy the files out of the backup.',
    readOnly: 'This connection is read-only. Edit it and switch on Writable to restore a backup.',
  },
  confirmRestore: 'Are you sure you want to restore this backup? Current data will be overwritten.',
  elsewhere: {
    title: 'Restore over another database?',
    origin: (target: string | undefined, connection: string | undefined) =>
      `This backup was made of ${target ?? 'a database that it does not name'}${connection === undefined ? '' : ` (connection '${connection}')`}.`,
    consequence: (target: string) => `Restoring it here replaces all data of ${target}.`,
    label: 'Type the database to replace',
    cancel: 'Cancel',
  },
  unsuccessful: (title: string, state: string) => `${title}: ${state}`,
  creating: 'Creating backup...',
  created: (kilobytes: string) => `Backup created: ${kilobytes}`,
  createdUnsized: 'Backup created',
  createFailed: 'Failed to create backup',
  createUnknown:
    'No answer. The backup may have been created, or may still be running; check the list before starting another.',
  restored: 'Database restored successfully',
  restoreFailed: 'Failed to restore backup',
  restoreUnknown:
    'No answer. The backup may have been restored, or the restore may still be running; check the data before trying again.',
}
