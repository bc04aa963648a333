import { type TradingState, tradingState } from '@binnacle/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { capabilityQueries, offers } from './capabilities.ts'
import { type ActOptions, useAct } from './changes/act.ts'
import { call } from './client.ts'
import { logOnly } from './failure.ts'
import { riskQueries } from './risk.ts'

const POLL_MS = 5000
// RISK-28: a part of the risk, so that whatever touches the limits has it loaded again: a limit can trip at once.
const ALL = [...riskQueries.all, 'trading-state']
const CHANGE = ['trading-state', 'change']

const currentQuery = queryOptions({
  queryKey: ALL,
  queryFn: ({ signal }) => call(tradingState.get, {}, { signal }),
  refetchInterval: POLL_MS,
  meta: { onFailure: logOnly },
})

/** Whether orders are let through; undefined while that is unknown, and always in the baseline. */
export function useTradingState(): TradingState | undefined {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const isOffered = offers(backend, 'trading-state')
  return useQuery({ ...currentQuery, enabled: isOffered }).data
}

export function useChangeTradingState(options: ActOptions) {
  const send = (state: TradingState['state']) => call(tradingState.change, { body: { state } })
  return useAct({ key: CHANGE, send, touches: ALL }, options)
}
