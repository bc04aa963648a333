import { BAR_INTERVALS, type NewBacktest } from '@binnacle/contract'
import {
  buildStrategy,
  describeReason,
  type Instruments,
  type MalformedInput,
  type Parameter,
  type StrategyKind,
} from '@binnacle/engine'
import { Refused } from '#http/problems.ts'
import type { BacktestPlan } from './plan.ts'

/** Turns a request into what can be run, or says what is wrong with it. What data there is, is not looked at yet. */
export function checkRequest(
  request: NewBacktest,
  instruments: Instruments,
  kinds: readonly StrategyKind[],
): BacktestPlan | Refused {
  const from = Date.parse(request.from)
  const to = Date.parse(request.to)
  if (from < 0)
    return wrong('from', `From (UTC) is ${request.from}; the earliest is ${new Date(0).toISOString()}.`)
  if (to <= from) return wrong('to', `To (UTC), ${request.to}, must be after From (UTC), ${request.from}.`)
  const { type } = request.strategy
  const kind = kinds.find((known) => known.type === type)
  if (kind === undefined)
    return wrong('strategy.type', `A strategy of type ${type} cannot be backtested by this version.`)
  const config = configOf(request, kind.parameters)
  if (config instanceof Refused) return config
  const built = buildStrategy(kinds, type, config, instruments)
  if (!built.ok) return wrongSetting(built.reason, request)
  const { strategy } = built.value
  const interval = intervalOf(request, config, kind.parameters)
  if (interval instanceof Refused) return interval
  const whole = { ...request, interval, strategy: { type, config: JSON.parse(built.value.config) } }
  return {
    request: { ...whole, limits: request.limits ?? limitsOf(request.initial_cash) },
    instruments: [...strategy.instruments],
    interval,
    from,
    to,
  }
}

export function wrong(field: string, sentence: string): Refused {
  return new Refused('request.invalid', sentence, [{ field: `body.${field}`, message: sentence }])
}

type BarInterval = (typeof BAR_INTERVALS)[number]
const SHORTEST: BarInterval = '1m'

type GivenConfig = Readonly<Record<string, unknown>>

/** The request says what is traded in which bars; the strategy's own parameters of these names must not say otherwise. */
function configOf(request: NewBacktest, parameters: readonly Parameter[]): GivenConfig | Refused {
  const named = namesOf(request)
  const single = parameters.find(({ kind }) => kind === 'instrument')
  if (single !== undefined && named !== undefined && named.length > 1) {
    return wrong('instruments', `A strategy of this type trades one instrument, not ${named.length}.`)
  }
  const own = request.strategy.config
  const given: [name: string, value: unknown][] = parameters.flatMap(({ name, kind }) => {
    const value = requestValue(
      kind,
      request.interval ?? (own[name] === undefined ? SHORTEST : undefined),
      named,
    )
    return value === undefined ? [] : [[name, value]]
  })
  const contradicted = given.find(([name, value]) => own[name] !== undefined && !isSame(own[name], value))
  if (contradicted === undefined) return { ...own, ...Object.fromEntries(given) }
  const [name, value] = contradicted
  const sentence = `${labelOf(parameters, name)} of the strategy is ${JSON.stringify(own[name])}, that of the run ${JSON.stringify(value)}.`
  return wrong(`strategy.config.${name}`, `${sentence} Leave one of them out.`)
}

/** The request's bars, else those that the strategy's own settings name: seconds are known to it, and not recorded. */
function intervalOf(
  { interval }: NewBacktest,
  config: GivenConfig,
  parameters: readonly Parameter[],
): BarInterval | Refused {
  const name = parameters.find(({ kind }) => kind === 'interval')?.name
  if (interval !== undefined || name === undefined) return interval ?? SHORTEST
  const own = BAR_INTERVALS.find((known) => known === config[name])
  const sentence = `Backtests run over bars of ${BAR_INTERVALS.join(', ')}; ${labelOf(parameters, name)} of the strategy is ${config[name]}. Choose one of these.`
  return own ?? wrong(`strategy.config.${name}`, sentence)
}

/** As the screen shows it. */
export function labelOf(parameters: readonly Parameter[], name: string): string {
  return parameters.find((one) => one.name === name)?.label ?? name
}

function requestValue(
  kind: Parameter['kind'],
  interval: string | undefined,
  named: string[] | undefined,
): unknown {
  if (kind === 'interval') return interval
  if (kind === 'instrument') return named?.[0]
  return kind === 'instruments' ? named : undefined
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function namesOf({ instrument, instruments }: NewBacktest): string[] | undefined {
  if (instruments !== undefined) return instruments
  return instrument === undefined ? undefined : [instrument]
}

function wrongSetting(reason: MalformedInput, { strategy }: NewBacktest): Refused {
  const name = 'parameter' in reason ? reason.parameter : undefined
  if (name === undefined) return wrong('strategy', describeReason(reason))
  const field = strategy.config[name] === undefined ? FIELDS[name] : undefined
  return wrong(field ?? `strategy.config.${name}`, describeReason(reason))
}

/** These parameters are the request's own fields, where the strategy's settings do not name them. */
const FIELDS: Readonly<Record<string, string>> = {
  instrument: 'instrument',
  instruments: 'instruments',
  interval: 'interval',
}

/** Nobody is there to raise a limit or to resume after a day's loss, so that without limits the capital is the limit. */
function limitsOf(capital: number) {
  return { max_order_size: capital, max_position_size: capital, max_daily_loss: capital, max_positions: 10 }
}
