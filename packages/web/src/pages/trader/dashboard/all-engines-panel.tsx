import type { EngineEntry, RiskMetrics } from '@binnacle/contract'
import { useCallback, useMemo } from 'react'
import { type OfEngine, useRiskOfAll } from '#data/all-engines.ts'
import { formatGain, formatMoney, roundToZero } from '#format/money.ts'
import { paths } from '#paths.ts'
import { Figure } from '#ui/figure/figures.tsx'
import { ToneText } from '#ui/figure/tone-text.tsx'
import { AllEnginesScreen, describeMissing } from '#ui/list/all-engines-screen.tsx'
import { gainColumn, numberColumn, textColumn } from '#ui/list/columns.tsx'
import type { DataColumn } from '#ui/list/data-table.tsx'
import { type Tone, toneOfGain } from '#ui/look/tone.ts'
import { copy } from './copy.ts'

interface Row extends EngineEntry {
  /** Of the last answer. */
  figures: OfEngine<RiskMetrics> | undefined
  /** Whether the figures are of now, so that the sums have them. */
  isCurrent: boolean
}

/** In these states the figures are missing, or of an earlier time. */
const NOT_CURRENT = new Set(['disconnected', 'unreachable', 'starting'])

/** ENGS-20: what every engine does now, with sums per currency. */
export function AllEnginesPanel({ engines }: { engines: readonly EngineEntry[] }) {
  const { rows: figures, missing, isPending } = useRiskOfAll(engines)
  const rows = engines.map((entry): Row => {
    const isCurrent = !NOT_CURRENT.has(entry.state) && !missing.includes(entry.name)
    return { ...entry, figures: figures.find(({ engine }) => engine === entry.name), isCurrent }
  })
  const columns = useMemo(() => columnsOf(), [])
  const phoneRow = useCallback((row: Row) => phoneRowOf(row, columns), [columns])
  const notices = rows.flatMap((row) => {
    if (row.isCurrent) return []
    return NOT_CURRENT.has(row.state) ? copy.allEngines.notCurrent(row) : describeMissing(row.name)
  })
  return (
    <AllEnginesScreen
      title={copy.allEngines.title}
      back={{ to: paths.home, label: copy.back }}
      one={paths.trader}
      notices={notices}
      loading={isPending ? copy.risk.loading : undefined}
      figures={<Sums rows={rows} />}
      table={{ columns, rows, rowKey: nameOf, phoneRow }}
    />
  )
}

function nameOf({ name }: Row): string {
  return name
}

/** Amounts of one currency are added; nothing is converted. */
function Sums({ rows }: { rows: readonly Row[] }) {
  const counted = rows.flatMap(({ isCurrent, figures }) => (isCurrent && figures ? figures : []))
  const currencies = [...new Set(counted.flatMap(({ account }) => account?.currency ?? []))]
  const others = rows.filter(({ isCurrent }) => !isCurrent).map(nameOf)
  const note = others.length === 0 ? undefined : copy.allEngines.without(others.join(', '))
  const positions = sumOf(counted.map(({ position_count: count }) => count))
  return (
    <>
      <Figure label={copy.allEngines.columns.positions} value={positions} note={note} />
      {currencies.map((currency) => (
        <SumsOf
          key={currency}
          currency={currency}
          figures={counted.filter(({ account }) => account?.currency === currency)}
        />
      ))}
    </>
  )
}

function SumsOf({ currency, figures }: { currency: string; figures: readonly RiskMetrics[] }) {
  const { equity, today, exposure } = copy.allEngines.columns
  const result = roundToZero(sumOf(figures.map(({ account }) => account?.day_pnl ?? 0)))
  const total = sumOf(figures.map(({ account }) => account?.equity ?? 0))
  const exposed = sumOf(figures.map(({ total_exposure: amount }) => amount))
  return (
    <>
      <Figure label={equity} value={formatMoney(total)} note={currency} />
      <Figure label={today} value={formatGain(result)} tone={toneOfGain(result, true)} note={currency} />
      <Figure label={exposure} value={formatMoney(exposed)} note={currency} />
    </>
  )
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function columnsOf(): readonly DataColumn<Row>[] {
  const { columns } = copy.allEngines
  return [
    textColumn(columns.engine, nameOf),
    {
      ...textColumn(columns.state, ({ state }) => state),
      cell: ({ state, isCurrent }) => <ToneText tone={toneOf(state, isCurrent)}>{state}</ToneText>,
    },
    textColumn(columns.mode, ({ mode }) => mode ?? copy.unknown),
    textColumn(columns.trading, ({ trading_state: trading }) => trading ?? copy.unknown),
    textColumn(columns.currency, ({ figures }) => figures?.account?.currency ?? copy.unknown),
    numberColumn(columns.equity, ({ figures }) => figures?.account?.equity, formatMoney),
    gainColumn(columns.today, ({ figures }) => figures?.account?.day_pnl),
    numberColumn(columns.exposure, ({ figures }) => figures?.total_exposure, formatMoney),
    numberColumn(columns.positions, ({ figures }) => figures?.position_count, String),
    numberColumn(columns.age, ({ age_s: age }) => age ?? undefined, copy.allEngines.age),
  ]
}

/** ENGS-52: a read-only engine has current figures and takes no commands. */
function toneOf(state: string, isCurrent: boolean): Tone {
  if (!isCurrent) return 'bad'
  return state === 'read-only' ? 'warn' : 'good'
}

function phoneRowOf(row: Row, columns: readonly DataColumn<Row>[]) {
  const cellOf = (title: string) => columns.find((column) => column.title === title)?.cell(row)
  const { columns: titles } = copy.allEngines
  return {
    title: row.name,
    id: row.mode ?? copy.unknown,
    figure: cellOf(titles.equity),
    detail: (
      <>
        {titles.today} {cellOf(titles.today)} · {titles.positions} {cellOf(titles.positions)}
      </>
    ),
    status: (
      <>
        {cellOf(titles.state)} · {cellOf(titles.trading)}
      </>
    ),
  }
}
