import type { Source } from '@binnacle/stores'
import type { BackupRow } from '#storage/admin/admin-tables.ts'
import type { Subject } from './backup-context.ts'

/**
 * The address and database of a store, or its path: without user and password, so it can be shown. A backup carries it,
 * because a connection can be edited to lead elsewhere.
 */
export function targetOf(source: Source): string {
  switch (source.type) {
    case 'sqlite':
      return source.file
    case 'parquet':
      return source.folder
    case 'postgresql':
      return addressOf(source.url, 5432)
    case 'redis':
      return addressOf(source.url, 6379)
    default:
      return source satisfies never
  }
}

function addressOf(text: string, defaultPort: number): string {
  const url = new URL(text)
  const host = url.searchParams.get('host') ?? url.hostname
  const database = decodeURIComponent(url.pathname.slice(1)) || '0'
  return `${host.toLowerCase()}:${url.port || defaultPort}/${database}`
}

/** Whether the backup was made of this connection, which still leads to the same data. */
export function isSameTarget(
  { identity, target }: Pick<BackupRow, 'identity' | 'target'>,
  subject: Subject,
): boolean {
  return identity === subject.identity && target === targetOf(subject.source)
}
