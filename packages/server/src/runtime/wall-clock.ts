import { type Clock, instant } from '@binnacle/engine'

export const wallClock: Clock = { now: () => instant(Date.now()) }
