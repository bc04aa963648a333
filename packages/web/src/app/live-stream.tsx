import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { capabilityQueries, offers } from '#data/capabilities.ts'
import { logOnly } from '#data/failure.ts'

/** STREAM-13: follows the stream of a backend that has one. Its code is loaded only then. */
export function LiveStream() {
  const client = useQueryClient()
  const { data: backend } = useQuery(capabilityQueries.backend())
  const isOffered = offers(backend, 'stream')
  useEffect(() => {
    if (!isOffered) return
    const stopping = new AbortController()
    import('#data/stream/stream.ts')
      .then(({ followStream }) => followStream(client, stopping.signal))
      .catch(logOnly)
    return () => stopping.abort()
  }, [client, isOffered])
  return null
}
