import { type Done, type EngineEntry, type Id, orders, positions, risk } from '@binnacle/contract'
import { useQueries } from '@tanstack/react-query'
import { call } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'
import { logOnly } from './failure.ts'

const POLL_MS = 3000
const ORDERS = ['all-engines', 'orders']
const POSITIONS = ['all-engines', 'positions']
const RISK = ['all-engines', 'risk']
const CANCEL = ['all-engines', 'cancel']
const CLOSE = ['all-engines', 'close']

/** A row, and the engine that it is of: ids repeat from engine to engine. */
export type OfEngine<Row> = Row & { engine: string }

export interface RowsOfAll<Row> {
  rows: readonly OfEngine<Row>[]
  /** The engines whose last answer is missing; rows of an earlier answer stay. */
  missing: readonly string[]
  isPending: boolean
}

interface RowsQuery<Row> {
  engines: readonly EngineEntry[]
  key: readonly string[]
  load: (engine: string, signal: AbortSignal) => Promise<readonly Row[]>
}

/** ENGS-17: the working orders of every engine. */
export function useOrdersOfAll(engines: readonly EngineEntry[]) {
  return useRowsOfAll({
    engines,
    key: ORDERS,
    load: async (engine, signal) => {
      const { orders: rows } = await call(orders.list, {}, { signal, engine })
      return rows.filter(({ status }) => status === 'PENDING')
    },
  })
}

/** ENGS-17: the open positions of every engine. */
export function usePositionsOfAll(engines: readonly EngineEntry[]) {
  return useRowsOfAll({
    engines,
    key: POSITIONS,
    load: async (engine, signal) => (await call(positions.list, {}, { signal, engine })).positions,
  })
}

/** ENGS-20: exposure, account and positions of every engine. */
export function useRiskOfAll(engines: readonly EngineEntry[]) {
  return useRowsOfAll({
    engines,
    key: RISK,
    load: async (engine, signal) => [await call(risk.metrics, {}, { signal, engine })],
  })
}

function useRowsOfAll<Row>({ engines, key, load }: RowsQuery<Row>): RowsOfAll<Row> {
  return useQueries({
    queries: engines.map(({ name }) => ({
      queryKey: [...key, name],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await load(name, signal)).map((row) => ({ ...row, engine: name })),
      refetchInterval: POLL_MS,
      meta: { onFailure: logOnly, isPolled: true },
    })),
    combine: (results) => ({
      rows: results.flatMap(({ data }) => data ?? []),
      missing: engines.filter((_, index) => results[index]?.isError).map(({ name }) => name),
      isPending: results.some(({ isPending }) => isPending),
    }),
  })
}

/** One row of one engine. */
export interface EngineRow {
  engine: string
  id: Id
}

export function useCancelOnEngine(options: CommandOptions<EngineRow, Done>): Command<EngineRow> {
  return useCommand(
    {
      key: CANCEL,
      subject: subjectOf,
      send: ({ engine, id }) => call(orders.cancel, { params: { id } }, { engine }),
      reload: (client) => client.invalidateQueries({ queryKey: ORDERS }),
      reloadsAfterFailure: true,
    },
    options,
  )
}

export function useCloseOnEngine(options: CommandOptions<EngineRow, Done>): Command<EngineRow> {
  return useCommand(
    {
      key: CLOSE,
      subject: subjectOf,
      send: ({ engine, id }) => call(positions.close, { params: { id } }, { engine }),
      reload: (client) => client.invalidateQueries({ queryKey: POSITIONS }),
      reloadsAfterFailure: true,
    },
    options,
  )
}

export function subjectOf({ engine, id }: EngineRow): string {
  return `${engine}/${id}`
}
