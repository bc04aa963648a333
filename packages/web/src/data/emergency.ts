import { type Emergency, emergency } from '@binnacle/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { capabilityQueries, offers } from './capabilities.ts'
import { call } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'
import { orderQueries } from './orders.ts'
import { positionQueries } from './positions.ts'
import { riskQueries } from './risk.ts'

const POLL_MS = 5000
const POLL_WHILE_ACTIVE_MS = 1000
export const emergencyQueries = { all: ['emergency'] as const }
const CHANGE = ['emergency', 'change']

const currentQuery = queryOptions({
  queryKey: emergencyQueries.all,
  queryFn: ({ signal }) => call(emergency.get, {}, { signal }),
  refetchInterval: ({ state }) => (state.data?.is_active ? POLL_WHILE_ACTIVE_MS : POLL_MS),
})

/** Undefined while unknown and where it is not offered. */
export function useEmergency(): Emergency | undefined {
  const { data: backend } = useQuery(capabilityQueries.backend())
  return useQuery({ ...currentQuery, enabled: offers(backend, 'emergency') }).data
}

export type EmergencyChange = 'start' | 'end'

export function useChangeEmergency(options: CommandOptions<EmergencyChange>): Command<EmergencyChange> {
  return useCommand(
    {
      key: CHANGE,
      subject: String,
      send: (change) => call(emergency[change], { body: {} }),
      reload: (client) =>
        Promise.all(
          [emergencyQueries.all, riskQueries.all, orderQueries.all, positionQueries.all].map((queryKey) =>
            client.invalidateQueries({ queryKey }),
          ),
        ),
      reloadsAfterFailure: true,
    },
    options,
  )
}
