import type { Event, EventType, Instruments } from '@binnacle/engine'
import type { Deed } from './act.ts'

/** What a person did, as an event tells it. */
export interface Told extends Deed {
  /** The call that leads to such an event; an entry that knows its own says that one. */
  action: string
}

export type Tellings = { readonly [Type in EventType]: Telling<Type> }

export type EventOf<Type extends EventType> = Extract<Event, { type: Type }>

/** Tells an act by its event, given all that the act led to; undefined when the event only followed from an act. */
type Telling<Type extends EventType> = (
  event: EventOf<Type>,
  instruments: Instruments,
  all: readonly Event[],
) => Told | undefined

/** The telling of what nobody asks for. */
export function consequence(): undefined {
  return undefined
}

/** As an object, so that secrets in it are found by their names. Whoever asks through a call gives an object. */
export function parsed(config: string): unknown {
  return JSON.parse(config)
}
