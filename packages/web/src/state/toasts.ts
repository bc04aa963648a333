import type { Done, ProblemCode, RowOutcomes } from '@binnacle/contract'
import { toast as show } from 'sonner'
import type { FailureContext } from '#data/command.ts'
import { ApiError, problemText } from '#data/failure.ts'

export type NotificationType = 'success' | 'error' | 'warning' | 'info'

/** TOAST-2: used by dashboards, maintenance, simulated pages and the admin database. */
const NOTIFICATION_MS = 5000

/** TOAST-5: the toaster's default. */
export const TOAST_MS = 4000

/** TOAST-3: with a duration of 0 it stays until it is closed. */
export function notify(type: NotificationType, message: string, durationMs = NOTIFICATION_MS): void {
  show[type](message, { duration: durationMs === 0 ? Number.POSITIVE_INFINITY : durationMs })
}

/** A toast with the default duration, as in API Configuration and Database Management. */
export function toast(type: NotificationType, message: string): void {
  show[type](message)
}

/** Of a load, which has no context, or of a command. */
type ToastPolicy = (
  error: unknown,
  request?: unknown,
  context?: Pick<FailureContext, 'outcome'>,
) => () => void

/**
 * Failure policy: a toast with the screen's text and, below it, the server's problem text if there is one. `unknown`
 * says what a command may have done when no answer came (CLIENT-17).
 */
export function toastFailure(message: string | ((error: unknown) => string), unknown?: string): ToastPolicy {
  return (error, _, context) =>
    showFailureToast(textFor(message, error), detailsOf(error, { context, unknown, durationMs: TOAST_MS }))
}

/** Failure policy: like toastFailure, with the duration of a notification. */
export function notifyFailure(message: string, unknown?: string): ToastPolicy {
  return (error, _, context) =>
    showFailureToast(message, detailsOf(error, { context, unknown, durationMs: NOTIFICATION_MS }))
}

/** Returns how the toast is removed, for the next try. */
function showFailureToast(message: string, details: ReturnType<typeof detailsOf>): () => void {
  const id = show.error(message, details)
  return () => show.dismiss(id)
}

interface FailureDetails {
  context: Pick<FailureContext, 'outcome'> | undefined
  unknown: string | undefined
  durationMs: number
}

/** An unknown outcome stays until it is closed. */
function detailsOf(error: unknown, { context, unknown, durationMs }: FailureDetails) {
  const problem = problemText(error)
  const isUnknown = unknown !== undefined && context?.outcome === 'unknown' && !isExplained(error)
  if (!isUnknown) return { description: problem, duration: durationMs }
  const description = problem === undefined ? unknown : `${unknown} (${problem})`
  return { description, duration: Number.POSITIVE_INFINITY }
}

/** Problems with a 5xx status that say what became of the command. */
const EXPLAINED: ReadonlySet<string> = new Set<ProblemCode>([
  'backup.failed',
  'restore.failed',
  'job.failed',
  'store.unreachable',
])

function isExplained(error: unknown): boolean {
  return error instanceof ApiError && EXPLAINED.has(error.problem?.code ?? '')
}

/** CALL-50: a request whose outcome is not known yet (202) is not reported as done. */
export function showUnconfirmed({ message, confirmed }: Done): void {
  if (confirmed === false && message !== undefined) notify('info', message)
}

/** ORD-59, POS-23: what a command for many rows left undone stays until it is closed. */
export function showOutcomes({ message, rows }: RowOutcomes): void {
  const left = rows.filter(({ outcome }) => outcome !== 'done')
  if (left.length === 0) notify('success', message)
  else {
    const description = left.map((row) => row.message).join(' ')
    show.warning(message, { description, duration: Number.POSITIVE_INFINITY })
  }
}

/** TOAST-9: long enough to read the sentence. */
export function showRefusal(sentence: string): string | number {
  return show.error(sentence, { duration: Math.max(TOAST_MS, READING_MS_PER_CHARACTER * sentence.length) })
}

const READING_MS_PER_CHARACTER = 80

function textFor(message: string | ((error: unknown) => string), error: unknown): string {
  return typeof message === 'string' ? message : message(error)
}
