import type { PortKind } from './controls.ts'

/** The messages of an action: at its start, at its end and after a failure. */
export interface ActionMessages {
  starting: string
  done: string
  failed: string
  /** Only for a live action: what may have happened when no answer came. */
  unknown?: string
}

const WORDS = {
  start: ['Starting', 'started'],
  stop: ['Stopping', 'stopped'],
  restart: ['Restarting', 'restarted'],
  configure: ['Configuring', 'configured'],
  enable: ['Enabling', 'enabled'],
  disable: ['Disabling', 'disabled'],
  connect: ['Connecting', 'connected'],
  disconnect: ['Disconnecting', 'disconnected'],
  test: ['Testing', 'tested'],
  save: ['Saving', 'saved'],
  reset: ['Resetting', 'reset'],
  export: ['Exporting', 'exported'],
  import: ['Importing', 'imported'],
} as const

export type NamedAction = keyof typeof WORDS

/** A simulated action says what would be done, a live one what is done. */
export function actionMessages(kind: PortKind, action: NamedAction, thing: string): ActionMessages {
  const [doing, done] = WORDS[action]
  const failed = `Failed to ${action} ${thing}`
  if (kind === 'live')
    return {
      starting: `${doing} ${thing}...`,
      done: `${capitalise(thing)} ${done}`,
      failed,
      unknown: `No answer. ${capitalise(thing)} may have been ${done}; check the status shown here.`,
    }
  return {
    starting: `Simulating: ${action} ${thing}...`,
    done: `Simulated: ${thing} would be ${done}`,
    failed,
  }
}

function capitalise(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
