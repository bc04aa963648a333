import type { Instruments } from '#market/instruments.ts'
import type { Feed, MarketTick } from '#model/tick.ts'
import { instantFromMs } from '#values/instant.ts'
import { aQuote, START } from './builders.ts'

/** A feed of given ticks, played one by one. */
export interface ScriptedFeed extends Feed {
  /** Plays the next tick; false at the end of the script or without a subscriber. */
  playNext(): boolean
}

/** Makes a feed of the given ticks. */
export function createScriptedFeed(ticks: readonly MarketTick[]): ScriptedFeed {
  let position = 0
  let listener: ((tick: MarketTick) => void) | null = null
  return {
    start(onTick) {
      listener = onTick
      return () => {
        listener = null
      }
    },
    playNext() {
      const tick = ticks[position]
      if (tick === undefined || listener === null) return false
      position += 1
      listener(tick)
      return true
    },
  }
}

/** Returns quotes of one instrument along a path of bids, one second apart. */
export function quotesAlong(
  instruments: Instruments,
  bids: readonly number[],
  instrument = 'BTCUSDT',
): MarketTick[] {
  return bids.map((bid, second) =>
    aQuote(instruments, { instrument, bid, at: instantFromMs(START + second * 1000) }),
  )
}
