import type { PortKind } from './controls.ts'

/** What a person is told of an act: at once, at its end, or when it failed. */
export interface ActionWords {
  starting: string
  done: string
  failed: string
}

const verbs = {
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

export type Verb = keyof typeof verbs

/** A simulated act says what would be done, since nothing is; a live one says what is. */
export function actionWords(kind: PortKind, verb: Verb, thing: string): ActionWords {
  const [doing, done] = verbs[verb]
  const failed = `Failed to ${verb} ${thing}`
  if (kind === 'live')
    return { starting: `${doing} ${thing}...`, done: `${capitalise(thing)} ${done}`, failed }
  return {
    starting: `Simulating: ${verb} ${thing}...`,
    done: `Simulated: ${thing} would be ${done}`,
    failed,
  }
}

function capitalise(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
