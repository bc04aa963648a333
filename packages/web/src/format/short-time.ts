import { formatDateTime } from '#format/time.ts'

/** The time of day for today, in UTC; date and time before. */
export function shortTime(iso: string, now = new Date()): string {
  const text = formatDateTime(iso)
  return text.slice(0, 10) === now.toISOString().slice(0, 10) ? text.slice(11) : text.slice(5, 16)
}
