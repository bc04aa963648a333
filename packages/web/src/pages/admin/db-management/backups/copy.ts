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
  restore: 'Restore',
  restoreBlocked: {
    own: "Binnacle's own databases are restored while the server is stopped, with 'npm run restore'.",
    parquet: 'Parquet connections are read-only. To restore, copy the files out of the backup.',
    readOnly: 'This connection is read-only. Edit it and switch on Writable to restore a backup.',
  },
  confirmRestore: 'Are you sure you want to restore this backup? Current data will be overwritten.',
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
