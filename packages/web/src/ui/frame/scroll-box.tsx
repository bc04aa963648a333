import type { ReactNode } from 'react'

export interface ScrollBoxProps {
  className: string | undefined
  /** Runs to the edges of the panel it is in. */
  isTable?: boolean
  children: ReactNode
}

/** Scrolls sideways what is wider than its place. */
export function ScrollBox({ className, isTable, children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard
    <div className={className} data-table={isTable} tabIndex={0}>
      {children}
    </div>
  )
}
