import { cloneElement, type ReactElement, useEffect, useId, useRef, useState } from 'react'
import classes from './tooltip.module.css'

/** SHELL-13 */
const OPEN_DELAY_MS = 700

export interface TooltipProps {
  label: string
  /** Gets aria-describedby while the tooltip is visible. */
  children: ReactElement<{ 'aria-describedby'?: string | undefined }>
}

export function Tooltip({ label, children }: TooltipProps) {
  const id = useId()
  const [isShown, setIsShown] = useState(false)
  const timer = useRef<number>(undefined)
  const hide = () => {
    window.clearTimeout(timer.current)
    setIsShown(false)
  }
  const showSoon = () => {
    hide()
    timer.current = window.setTimeout(() => setIsShown(true), OPEN_DELAY_MS)
  }
  useEffect(() => () => window.clearTimeout(timer.current), [])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only listens; the control inside is interactive
    <span
      className={classes.holder}
      onMouseEnter={showSoon}
      onMouseLeave={hide}
      onFocus={showSoon}
      onBlur={hide}
      onKeyDown={({ key }) => key === 'Escape' && hide()}
    >
      {cloneElement(children, { 'aria-describedby': isShown ? id : undefined })}
      {isShown && (
        <span id={id} role="tooltip" className={classes.tip}>
          {label}
        </span>
      )}
    </span>
  )
}
