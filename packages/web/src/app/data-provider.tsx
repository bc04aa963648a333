import { QueryClientContext, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useContext, useState } from 'react'
import { createQueryClient } from '#data/query-client.ts'

/** Gives its children the query cache: that of a test if there is one around it, else one of its own. */
export function DataProvider({ children }: { children: ReactNode }) {
  const outer = useContext(QueryClientContext)
  const [client] = useState(() => outer ?? createQueryClient())
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
