import type { ReactNode } from 'react'

export interface ScrollBoxProps {
  className: string | undefined
  children: ReactNode
}

/** Scrolls sideways what is wider than its place. */
export function ScrollBox({ className, children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard
    <div className={className} tabIndex={0}>
      {children}
    </div>
  )
}
