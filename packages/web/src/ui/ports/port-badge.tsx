import { Badge } from '#ui/figure/badge.tsx'
import classes from './port-badge.module.css'

export interface PortBadgeProps {
  kind: 'simulated' | 'live' | 'not-offered'
}

/** CAP-7 and CAP-8: marks a screen that is simulated or not offered beside its title. */
export function PortBadge({ kind }: PortBadgeProps) {
  if (kind === 'live') return null
  if (kind === 'not-offered') return <Badge tone="calm">Not offered by this engine</Badge>
  return (
    <>
      <Badge tone="warn">Simulated</Badge>
      <span className={classes.remark}>Demo only: nothing on this page is real.</span>
    </>
  )
}
