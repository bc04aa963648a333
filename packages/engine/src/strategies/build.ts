import type { GivenConfig } from '#input.ts'
import type { Instruments } from '#market/instruments.ts'
import type { Interval } from '#market/interval.ts'
import type { Malformed } from '#orders/reasons.ts'
import type { InstrumentId } from '#values/ids.ts'
import { accept, type Result, refuse } from '#values/result.ts'
import { readSettings } from './settings.ts'
import type { Strategy, StrategyKind } from './strategy.ts'
import type { StrategyRecord } from './strategy-register.ts'

/** A strategy that can be run, and its settings as they are recorded. */
export interface Built {
  readonly strategy: Strategy
  readonly config: string
}

/** Makes a strategy of what was given, or says what is wrong with it. */
export function buildStrategy(
  kinds: readonly StrategyKind[],
  type: string,
  given: GivenConfig,
  instruments: Instruments,
): Result<Built, Malformed> {
  const kind = kinds.find((known) => known.type === type)
  if (kind === undefined) {
    const known = kinds.map((each) => each.type).join(', ')
    return refuse({ code: 'strategy.type-unknown', type, known })
  }
  const settings = readSettings(kind.parameters, given, instruments)
  if (!settings.ok) return settings
  const strategy = kind.create(settings.value, instruments)
  if (!('must' in strategy)) return accept({ strategy, config: JSON.stringify(settings.value.all) })
  const { parameter, must } = strategy
  return refuse({ code: 'setting.invalid', parameter, given: String(settings.value.all[parameter]), must })
}

/** The past that a strategy would learn from. */
export interface PastWanted {
  readonly instruments: readonly InstrumentId[]
  readonly interval: Interval
  readonly bars: number
}

/** Returns which bars a strategy of these settings is to be warmed up with; null when it needs none. */
export function pastWantedBy(
  kinds: readonly StrategyKind[],
  { type, config }: Pick<StrategyRecord, 'type' | 'config'>,
  instruments: Instruments,
): PastWanted | null {
  const built = buildStrategy(kinds, type, JSON.parse(config), instruments)
  if (!built.ok || built.value.strategy.interval === null) return null
  const { instruments: traded, interval, warmUpBars: bars } = built.value.strategy
  return { instruments: traded, interval, bars }
}
