import { useEffect, useState } from 'react'

const SECOND_MS = 1000

/** The time, once per second while `isRunning`, for ages that count in place. */
export function useNow(isRunning = true): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isRunning) return
    setNow(Date.now())
    const timer = window.setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => window.clearInterval(timer)
  }, [isRunning])
  return now
}
