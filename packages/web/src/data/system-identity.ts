import { type SystemIdentity, systemSettings } from '@binnacle/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { capabilityQueries, offers } from './capabilities.ts'
import { call } from './client.ts'
import { logOnly } from './failure.ts'

/** All queries of the settings, so that a saved name is in the header at once. */
export const SYSTEM_SETTINGS_KEY = ['system-settings'] as const

/** Somebody else may change the settings. */
const POLL_MS = 15_000

/** System name and environment of a backend with settings; undefined before they are loaded, and on any other. */
export function useSystemIdentity(): SystemIdentity | undefined {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const isOffered = offers(backend, 'settings')
  const { data } = useQuery({ ...identityQuery(), enabled: isOffered })
  return isOffered ? data : undefined
}

function identityQuery() {
  return queryOptions({
    queryKey: [...SYSTEM_SETTINGS_KEY, 'identity'],
    queryFn: ({ signal }) => call(systemSettings.identity, {}, { signal }),
    refetchInterval: POLL_MS,
    meta: { onFailure: logOnly, isPolled: true },
  })
}
