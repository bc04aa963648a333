import { notify, notifyFailure } from './toasts.ts'

export interface Announcement {
  onStart: () => void
  onDone: () => void
  onFailure: ReturnType<typeof notifyFailure>
}

/** Notifications at the start and at the end of a command to a port. */
export function announce(words: {
  starting: string
  done: string
  failed: string
  unknown?: string | undefined
}): Announcement {
  return {
    onStart: () => notify('info', words.starting),
    onDone: () => notify('success', words.done),
    onFailure: notifyFailure(words.failed, words.unknown),
  }
}
