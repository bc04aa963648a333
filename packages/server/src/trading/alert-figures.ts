import type { AlertWatch } from '@binnacle/contract'
import type { Desk } from '@binnacle/engine'
import {
  type AlertFigure,
  FailureLog,
  type FigureEngine,
  type FigureSource,
  type WatchedRule,
} from '#services/alerts/figures.ts'

const WATCHES: readonly AlertWatch[] = [
  'price',
  'pnl',
  'drawdown',
  'margin',
  'exposure',
  'refusals',
  'staleness',
  'component',
  'adapter',
  'engine',
]

/** A halted engine counts as silent for ever, whatever its clock says. */
const HALTED_S = 1_000_000

/** The figures of the desk, and its signs of life. */
export function createDeskFigures(desk: Desk, now = Date.now, engine?: FigureEngine): FigureSource {
  const refusals = new FailureLog()
  const refused = new Set<string>()
  let aliveAtMs = now()

  desk.onChange((change) => {
    if (change.kind !== 'reset') aliveAtMs = now()
    if (change.kind !== 'views' || !change.hasRefusals) return
    for (const { id, status, instrument, reason } of change.orders) {
      if (status !== 'REJECTED' || refused.has(id)) continue
      refused.add(id)
      if (refused.size > MAX_REMEMBERED) refused.clear()
      refusals.add(now(), `${instrument}: ${reason?.sentence ?? 'refused.'}`)
    }
  })

  const read: Readonly<Partial<Record<AlertWatch, (rule: WatchedRule, nowMs: number) => AlertFigure[]>>> = {
    price: ({ subject }) =>
      desk.views
        .quotes()
        .filter(({ instrument }) => instrument === subject)
        .map(({ instrument, bid, ask }) => ({
          subject: instrument,
          value: (bid + ask) / 2,
          ...tickOf(desk, instrument),
        })),
    pnl: ({ subject }) =>
      subject === null
        ? ofAccount(desk, ({ dayResult }) => dayResult)
        : desk.views
            .strategies()
            .filter(({ id }) => id === subject)
            .map(({ id, pnl }) => ({ subject: id, value: pnl })),
    drawdown: () => ofAccount(desk, (risk) => risk.drawdown),
    margin: () =>
      ofAccount(desk, ({ marginUsed: used, marginAvailable }) => shareOf(used, used + marginAvailable)),
    exposure: () =>
      ofAccount(desk, ({ totalExposure, limits }) => shareOf(totalExposure, limits.maxPositionSize)),
    refusals: ({ window_s }, nowMs) => [refusals.figure(window_s, nowMs)],
    staleness: (_, nowMs) => stalenessOf(desk, nowMs),
    component: () =>
      desk.views.engine().components.map(({ name, status, reason }) => ({
        subject: name,
        value: status === 'running' ? 0 : 1,
        detail: `Its status is ${status}${reason === null ? '' : `: ${reason}`}.`,
      })),
    adapter: () =>
      desk.views.engine().venues.map(({ id, isWanted, isConnected }) => ({
        subject: id,
        value: isWanted && !isConnected ? 1 : 0,
      })),
    engine: (_, nowMs) => {
      const { haltReason } = desk.views
      if (haltReason === null) return [{ subject: '', value: Math.max(0, nowMs - aliveAtMs) / 1000 }]
      return [{ subject: '', value: HALTED_S, detail: `It stopped: ${haltReason}.` }]
    },
  }

  return {
    engine,
    watches: WATCHES,
    read: (rule, nowMs) => read[rule.watch]?.(rule, nowMs) ?? [],
    subjects(watch) {
      if (watch === 'price') return desk.views.instruments().map(({ id }) => id)
      if (watch === 'pnl') return desk.views.strategies().map(({ id }) => id)
      if (watch === 'component') return desk.views.engine().components.map(({ name }) => name)
      if (watch === 'adapter' || watch === 'staleness') return desk.views.engine().venues.map(({ id }) => id)
      return undefined
    },
    follow: (listener) =>
      desk.onChange((change) => {
        if (change.kind === 'marks') listener(['price'])
        else if (change.kind === 'reset') listener(['engine'])
        else if (change.views.has('engine')) listener(['component', 'adapter'])
      }),
  }
}

function tickOf({ views }: Desk, id: string): Pick<AlertFigure, 'tick'> {
  const instrument = views.instruments().find((each) => each.id === id)
  return instrument === undefined ? {} : { tick: Number(instrument.tick.units) / 1e8 }
}

const MAX_REMEMBERED = 10_000

/** None while the figures are frozen: they are not those of now. */
function ofAccount(
  { views }: Desk,
  figure: (risk: ReturnType<Desk['views']['risk']>) => number | null,
): AlertFigure[] {
  const risk = views.risk()
  const value = risk.isStale || views.haltReason !== null ? null : figure(risk)
  return value === null ? [] : [{ subject: '', value }]
}

function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : (part / whole) * 100
}

/** The oldest quote of each venue that should send; the others are quiet by intention. */
function stalenessOf({ views }: Desk, nowMs: number): AlertFigure[] {
  const venueOf = new Map(views.instruments().map(({ id, venue }) => [id, venue]))
  const quotes = views.quotes()
  return views.engine().venues.flatMap(({ id, isWanted }) => {
    const ages = quotes
      .filter(({ instrument }) => venueOf.get(instrument) === id)
      .map(({ instrument, at }) => ({ instrument, ageS: Math.max(0, nowMs - at) / 1000 }))
      .toSorted((one, other) => other.ageS - one.ageS)
    const [oldest] = ages
    if (oldest === undefined) return []
    const detail = `The oldest is of ${oldest.instrument}.`
    return { subject: id, value: isWanted ? oldest.ageS : 0, detail }
  })
}
