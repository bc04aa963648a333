import { cloneElement, type ReactElement, useEffect, useId, useRef, useState } from 'react'
import classes from './tooltip.module.css'

/** SHELL-13: a tooltip waits this long before it shows. */
const OPEN_DELAY_MS = 700

export interface TooltipProps {
  label: string
  /** The control that is explained; it is described by the label while that shows. */
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
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches; the control inside is what acts
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
