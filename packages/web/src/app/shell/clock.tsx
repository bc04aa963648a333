import { useEffect, useState } from 'react'
import { formatTimeUtc } from '#format/time.ts'
import classes from './header.module.css'

const SECOND_MS = 1000

/** The time of journals and venues. */
export function Clock() {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = window.setInterval(() => setNow(new Date()), SECOND_MS)
    return () => window.clearInterval(timer)
  }, [])
  return (
    <time className={classes.clock} dateTime={now.toISOString()}>
      {formatTimeUtc(now)}
    </time>
  )
}
