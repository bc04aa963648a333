import { useCallback, useState } from 'react'

/** One entry per connection and browser tab: a reload restores it, and it is gone when the tab is closed. */
const STORAGE_PREFIX = 'binnacle.sql-draft.'

/** DB-28: the SQL typed for a connection. The setter is stable between renders. */
export function useSqlDraft(connectionId: string): [draft: string, setDraft: (draft: string) => void] {
  const [draft, setDraft] = useState(() => readStored(connectionId))
  const store = useCallback(
    (next: string) => {
      setDraft(next)
      writeStored(connectionId, next)
    },
    [connectionId],
  )
  return [draft, store]
}

function readStored(connectionId: string): string {
  try {
    return sessionStorage.getItem(STORAGE_PREFIX + connectionId) ?? ''
  } catch {
    return ''
  }
}

function writeStored(connectionId: string, draft: string): void {
  try {
    if (draft === '') sessionStorage.removeItem(STORAGE_PREFIX + connectionId)
    else sessionStorage.setItem(STORAGE_PREFIX + connectionId, draft)
  } catch {
    // Storage may be forbidden or full; the draft then lasts until the connection is switched.
  }
}
