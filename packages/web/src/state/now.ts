import { useEffect, useState } from 'react'

const SECOND_MS = 1000

/** The time, once per second, for ages that count in place. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => window.clearInterval(timer)
  }, [])
  return now
}
