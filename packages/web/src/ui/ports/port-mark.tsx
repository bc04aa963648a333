import { Badge } from '#ui/figure/badge.tsx'
import classes from './port-mark.module.css'

export interface PortMarkProps {
  kind: 'simulated' | 'live'
}

/** CAP-7: says beside a title that nothing below it is real; a live screen needs no mark. */
export function PortMark({ kind }: PortMarkProps) {
  if (kind === 'live') return null
  return (
    <>
      <Badge tone="warn">Simulated</Badge>
      <span className={classes.remark}>nothing here reaches the engine</span>
    </>
  )
}
