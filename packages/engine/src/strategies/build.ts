import type { Instruments } from '#market/instruments.ts'
import type { RawConfig } from '#model/input.ts'
import type { Interval } from '#model/interval.ts'
import type { MalformedInput } from '#model/reasons.ts'
import type { StrategyRecord } from '#state/strategy-register.ts'
import type { InstrumentId } from '#values/ids.ts'
import { ok, type Result, refuse } from '#values/result.ts'
import { readSettings } from './settings.ts'
import type { Strategy, StrategyKind } from './strategy.ts'

/** A runnable strategy and its settings as recorded. */
export interface BuiltStrategy {
  readonly strategy: Strategy
  readonly config: string
}

/** Creates a strategy from its settings, or returns what is wrong with them. */
export function buildStrategy(
  kinds: readonly StrategyKind[],
  type: string,
  given: RawConfig,
  instruments: Instruments,
): Result<BuiltStrategy, MalformedInput> {
  const kind = kinds.find((known) => known.type === type)
  if (kind === undefined) {
    const known = kinds.map((each) => each.type).join(', ')
    return refuse({ code: 'strategy.type-unknown', type, known })
  }
  const settings = readSettings(kind.parameters, given, instruments)
  if (!settings.ok) return settings
  const strategy = kind.create(settings.value, instruments)
  if (!('requirement' in strategy)) return ok({ strategy, config: JSON.stringify(settings.value.all) })
  const { parameter, requirement } = strategy
  return refuse({
    code: 'setting.invalid',
    parameter,
    label: kind.parameters.find(({ name }) => name === parameter)?.label ?? parameter,
    given: String(settings.value.all[parameter]),
    requirement,
  })
}

/** The bars that a strategy needs to warm up. */
export interface WarmUpRequirement {
  readonly instruments: readonly InstrumentId[]
  readonly interval: Interval
  readonly bars: number
}

/** Returns the bars that a strategy with these settings needs to warm up, or null. */
export function getWarmUpRequirement(
  kinds: readonly StrategyKind[],
  { type, config }: Pick<StrategyRecord, 'type' | 'config'>,
  instruments: Instruments,
): WarmUpRequirement | null {
  const built = buildStrategy(kinds, type, JSON.parse(config), instruments)
  if (!built.ok || built.value.strategy.interval === null) return null
  const { instruments: traded, interval, warmUpBars: bars } = built.value.strategy
  return { instruments: traded, interval, bars }
}
