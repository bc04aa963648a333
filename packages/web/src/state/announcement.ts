import type { FailurePolicy } from '#data/failure.ts'
import { notify, notifyFailure } from './toasts.ts'

export interface Announcement {
  onStart: () => void
  onDone: () => void
  onFailure: FailurePolicy
}

/** Tells of an act that takes a while: a word at once, one at its end. */
export function announce(words: { starting: string; done: string; failed: string }): Announcement {
  return {
    onStart: () => notify('info', words.starting),
    onDone: () => notify('success', words.done),
    onFailure: notifyFailure(words.failed),
  }
}
