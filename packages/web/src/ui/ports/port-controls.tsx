import type { ReactNode } from 'react'
import classes from './port-controls.module.css'
import type { PortMarkProps } from './port-mark.tsx'

export interface PortControlsProps extends PortMarkProps {
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
