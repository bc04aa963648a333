import { type QueryClient, QueryClientContext, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useContext, useEffect, useState } from 'react'
import { endFirstRendering } from '#data/first-loads.ts'
import { createQueryClient } from '#data/query-client.ts'

export interface DataProviderProps {
  /** The cache, if what is shown first was loaded into one. */
  loaded?: QueryClient | undefined
  children: ReactNode
}

/** Gives its children the query cache: that of a test if there is one around it, else one of its own. */
export function DataProvider({ loaded, children }: DataProviderProps) {
  const outer = useContext(QueryClientContext)
  const [client] = useState(() => outer ?? loaded ?? createQueryClient())
  // Runs after the effects of the children, which load on mount.
  useEffect(() => endFirstRendering(client), [client])
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
