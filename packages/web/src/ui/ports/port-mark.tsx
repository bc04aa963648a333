import { Badge } from '#ui/figure/badge.tsx'
import classes from './port-mark.module.css'

export interface PortMarkProps {
  kind: 'simulated' | 'live'
}

/** CAP-7: marks a simulated screen beside its title. */
export function PortMark({ kind }: PortMarkProps) {
  if (kind === 'live') return null
  return (
    <>
      <Badge tone="warn">Simulated</Badge>
      <span className={classes.remark}>Demo only: nothing on this page is real.</span>
    </>
  )
}
