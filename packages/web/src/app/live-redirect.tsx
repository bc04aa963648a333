import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation } from 'react-router'
import { capabilityQueries } from '#data/capabilities.ts'
import { NotFoundPage } from '#pages/not-found/not-found-page.tsx'
import { redirects } from '#paths.ts'

/** ROUTE-7: in the baseline and while the backend is unknown the link is not found, as specified. */
export function LiveRedirect() {
  const { pathname } = useLocation()
  const { data: backend } = useQuery(capabilityQueries.backend())
  const to = Object.entries(redirects).find(([from]) => from === pathname)?.[1]
  return backend?.kind === 'live' && to !== undefined ? <Navigate to={to} replace /> : <NotFoundPage />
}
