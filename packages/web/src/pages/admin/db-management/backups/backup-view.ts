import type { Backup, Connection } from '@binnacle/contract'
import { formatBytes, formatKilobytes } from '#format/bytes.ts'
import { formatInstant } from '#format/time.ts'
import type { Tone } from '#ui/look/tone.ts'
import { copy } from './copy.ts'

/** DB-22 */
export function canRestore({ status }: Backup): boolean {
  return status === 'completed'
}

/** DB-26: why the backend would refuse every restore of a connection; undefined where it would not, or does not tell. */
export function whyNotRestored({ can, is_builtin, type }: Connection): string | undefined {
  if (can === undefined || can.restore) return undefined
  if (is_builtin === 1) return copy.notRestored.own
  return type === 'parquet' ? copy.notRestored.parquet : copy.notRestored.readOnly
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

/** Which of several it is. */
export function describeBackup(backup: Backup): string {
  return [backup.backup_type, sizeText(backup), formatInstant(backup.created_at)].join(' · ')
}

/** DB-21: always in KB. A backend that tells no size gets no number invented for it. */
export function createdText(bytes: number | undefined): string {
  return bytes === undefined ? copy.createdUnsized : copy.created(formatKilobytes(bytes))
}
