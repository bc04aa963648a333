import { type TradingState, tradingState } from '@binnacle/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { capabilityQueries, offers } from './capabilities.ts'
import { call } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'
import { emergencyQueries } from './emergency.ts'
import { logOnly } from './failure.ts'
import { riskQueries } from './risk.ts'

const POLL_MS = 5000
// RISK-28: under the risk key, so that saving limits reloads it: a saved limit can trip at once.
const ALL = [...riskQueries.all, 'trading-state']
const CHANGE = ['trading-state', 'change']

export const tradingStateQueries = {
  current: () =>
    queryOptions({
      queryKey: ALL,
      queryFn: ({ signal }) => call(tradingState.get, {}, { signal }),
      refetchInterval: POLL_MS,
      meta: { onFailure: logOnly },
    }),
}

/** Undefined while unknown, and always in the baseline. */
export function useTradingState(): TradingState | undefined {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const isOffered = offers(backend, 'trading-state')
  return useQuery({ ...tradingStateQueries.current(), enabled: isOffered }).data
}

type State = TradingState['state']

export function useChangeTradingState(options: CommandOptions<State>): Command<State> {
  return useCommand(
    {
      key: CHANGE,
      subject: String,
      send: (state) => call(tradingState.change, { body: { state } }),
      // SHELL-105: resuming makes the report of the emergency control past.
      reload: (client) =>
        Promise.all([ALL, emergencyQueries.all].map((queryKey) => client.invalidateQueries({ queryKey }))),
      reloadsAfterFailure: true,
    },
    options,
  )
}
