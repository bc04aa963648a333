import {
  type Emergency,
  type EngineEntry,
  emergency,
  type TradingState,
  tradingState,
} from '@binnacle/contract'
import { useQueries } from '@tanstack/react-query'
import { call } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'
import { logOnly } from './failure.ts'

const POLL_MS = 5000
const POLL_WHILE_ACTIVE_MS = 1000
const ALL = ['engine-emergency']
const CHANGE = ['engine-emergency', 'change']

/** What the emergency control does on one engine of several. */
export interface EngineAct {
  engine: string
  act: 'REDUCING' | 'HALTED' | 'start' | 'end'
}

/** What closing everything would do, does or did on each engine that answers. */
export function useEmergencies(
  engines: readonly EngineEntry[],
  isEnabled: boolean,
): ReadonlyMap<string, Emergency> {
  return useQueries({
    queries: engines.map(({ name }) => ({
      queryKey: [...ALL, name],
      queryFn: ({ signal }: { signal: AbortSignal }) => call(emergency.get, {}, { signal, engine: name }),
      refetchInterval: ({ state }: { state: { data: Emergency | undefined } }) =>
        state.data?.is_active ? POLL_WHILE_ACTIVE_MS : POLL_MS,
      enabled: isEnabled,
      meta: { onFailure: logOnly },
    })),
    combine: (results) =>
      new Map(results.flatMap(({ data }, index) => (data ? [[engines[index]?.name ?? '', data]] : []))),
  })
}

/** One command per engine: an engine that does not answer delays no other one. */
export function useActOnEngine(
  options: CommandOptions<EngineAct, Emergency | TradingState>,
): Command<EngineAct> {
  return useCommand(
    {
      key: CHANGE,
      subject: ({ engine }) => engine,
      send: ({ engine, act }): Promise<Emergency | TradingState> =>
        act === 'start' || act === 'end'
          ? call(emergency[act], { body: {} }, { engine })
          : call(tradingState.change, { body: { state: act } }, { engine }),
      // The shown engine is one of them.
      reload: (client) => client.invalidateQueries(),
      reloadsAfterFailure: true,
    },
    options,
  )
}
