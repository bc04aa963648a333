import { notify, notifyFailure } from './toasts.ts'

export interface ActionToasts {
  onStart: () => void
  onDone: () => void
  onFailure: ReturnType<typeof notifyFailure>
}

/** Notifications at the start and at the end of a command to a port. */
export function createActionToasts(words: {
  starting: string
  done: string
  failed: string
  unknown?: string | undefined
}): ActionToasts {
  return {
    onStart: () => notify('info', words.starting),
    onDone: () => notify('success', words.done),
    onFailure: notifyFailure(words.failed, words.unknown),
  }
}
