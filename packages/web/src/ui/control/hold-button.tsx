import { IconHandStop } from '@tabler/icons-react'
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import classes from './hold-button.module.css'

/** How long a dangerous button is held before it acts. */
export const HOLD_MS = 1500
const STEP_MS = 50

export interface HoldButtonProps {
  /** Such as 'halt', for 'Hold 1.5 s to halt'. */
  verb: string
  busy?: boolean
  onHeld: () => void
}

/** Acts after it was held with the pointer, Enter or the space bar. Letting go early does nothing. */
export function HoldButton({ verb, busy = false, onHeld }: HoldButtonProps) {
  const [heldMs, setHeldMs] = useState<number>()
  const timer = useRef<number>(undefined)
  const release = () => {
    window.clearInterval(timer.current)
    setHeldMs(undefined)
  }
  const hold = () => {
    if (busy) return
    release()
    const from = performance.now()
    setHeldMs(0)
    timer.current = window.setInterval(() => {
      const held = performance.now() - from
      if (held < HOLD_MS) return setHeldMs(held)
      release()
      onHeld()
    }, STEP_MS)
  }
  useEffect(() => () => window.clearInterval(timer.current), [])
  const onPointerDown = ({ button }: PointerEvent) => button === 0 && hold()
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    if (!event.repeat) hold()
  }
  const share = heldMs === undefined ? 0 : Math.min(1, heldMs / HOLD_MS)
  return (
    <button
      type="button"
      className={classes.hold}
      disabled={busy}
      aria-busy={busy || undefined}
      onPointerDown={onPointerDown}
      onPointerUp={release}
      onPointerLeave={release}
      onPointerCancel={release}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={onKeyDown}
      onKeyUp={release}
      onBlur={release}
    >
      <i className={classes.fill} style={{ inlineSize: `${share * 100}%` }} aria-hidden />
      <span className={classes.words} data-held={heldMs !== undefined || undefined}>
        <IconHandStop size={16} stroke={1.5} aria-hidden />
        {heldMs === undefined
          ? `Hold ${HOLD_MS / 1000} s to ${verb}`
          : `Keep holding, ${((HOLD_MS - heldMs) / 1000).toFixed(1)} s left`}
      </span>
    </button>
  )
}
