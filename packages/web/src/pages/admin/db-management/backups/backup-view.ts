import type { Backup, Connection } from '@binnacle/contract'
import { formatBytes, formatKilobytes } from '#format/bytes.ts'
import { formatInstant } from '#format/time.ts'
import type { Tone } from '#ui/look/tone.ts'
import { copy } from './copy.ts'

/** DB-22 */
export function canRestore({ status }: Backup): boolean {
  return status === 'completed'
}

/** DB-26: why restores of this connection are refused. Undefined if they are allowed, or if the backend sends no abilities. */
export function restoreBlockedReason({ can, is_builtin, type }: Connection): string | undefined {
  if (can === undefined || can.restore) return undefined
  if (is_builtin === 1) return copy.restoreBlocked.own
  return type === 'parquet' ? copy.restoreBlocked.parquet : copy.restoreBlocked.readOnly
}

const tones = new Map<string, Tone>([
  ['completed', 'good'],
  ['running', 'info'],
  ['failed', 'bad'],
])

export function toneOfBackup({ status }: Backup): Tone {
  return tones.get(status) ?? 'calm'
}

export function sizeText({ backup_size: bytes }: Backup): string {
  return typeof bytes === 'number' ? formatBytes(bytes) : copy.unknownSize
}

export function describeBackup(backup: Backup): string {
  return [backup.backup_type, sizeText(backup), formatInstant(backup.created_at)].join(' · ')
}

/** DB-21: always in KB, and no number if the backend sends no size. */
export function createdText(bytes: number | undefined): string {
  return bytes === undefined ? copy.createdUnsized : copy.created(formatKilobytes(bytes))
}
