import { toast as show } from 'sonner'
import { type FailurePolicy, logOnly, problemText } from '#data/failure.ts'

export type NotificationType = 'success' | 'error' | 'warning' | 'info'

/** TOAST: notifications of dashboards, maintenance, mock pages and the admin database stay this long. */
const NOTIFICATION_MS = 5000

/** TOAST: the toaster's own lifetime, which every other toast has. */
export const TOAST_MS = 4000

/** A notification; a duration of 0 stays until it is closed. */
export function notify(type: NotificationType, message: string, durationMs = NOTIFICATION_MS): void {
  show[type](message, { duration: durationMs === 0 ? Number.POSITIVE_INFINITY : durationMs })
}

/** A toast with the toaster's own lifetime, as API Configuration and Database Management use. */
export function toast(type: NotificationType, message: string): void {
  show[type](message)
}

/** Failure policy: the screen's own words in a toast, and below them what the server said, if it said something. */
export function toastFailure(message: string | ((error: unknown) => string)): FailurePolicy {
  return (error) => show.error(wordsFor(message, error), { description: problemText(error) })
}

/** Failure policy: the same as a notification. */
export function notifyFailure(message: string): FailurePolicy {
  return (error) => show.error(message, { description: problemText(error), duration: NOTIFICATION_MS })
}

/**
 * Failure policy of the trader pages: a bare failure is only logged (specification, section 8), but a problem
 * document was written for the person and is shown.
 */
export const showProblem: FailurePolicy = (error) => {
  logOnly(error)
  const text = problemText(error)
  if (text !== undefined) showRefusal(text)
}

/** TOAST-9: a sentence that says why something was not done stays until it can have been read. */
export function showRefusal(sentence: string): void {
  show.error(sentence, { duration: Math.max(TOAST_MS, READ_MS_A_CHARACTER * sentence.length) })
}

const READ_MS_A_CHARACTER = 80

function wordsFor(message: string | ((error: unknown) => string), error: unknown): string {
  return typeof message === 'string' ? message : message(error)
}
