import type { ReactNode } from 'react'
import type { PortBadgeProps } from './port-badge.tsx'
import classes from './port-controls.module.css'

export interface PortControlsProps extends PortBadgeProps {
  children: ReactNode
}

/** CAP-8: disables every control inside where the engine does not offer them. */
export function PortControls({ kind, children }: PortControlsProps) {
  if (kind !== 'not-offered') return children
  return (
    <fieldset disabled className={classes.disabled}>
      {children}
    </fieldset>
  )
}
