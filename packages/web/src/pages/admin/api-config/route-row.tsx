import type { Route } from '@binnacle/contract'
import { Button } from '#ui/control/button.tsx'
import { takeFocus } from '#ui/control/take-focus.ts'
import { Badge } from '#ui/figure/badge.tsx'
import type { Tone } from '#ui/look/tone.ts'
import { copy } from './copy.ts'
import { canChange, canTest, canToggle } from './route-restrictions.ts'
import classes from './route-row.module.css'

export interface RouteRowProps {
  route: Route
  isBusy: boolean
  /** After an edit the Edit button takes the focus back. */
  takesFocus: boolean
  /** Id of the text that explains disabled controls. */
  reasonId: string
  /** The server sends tests with parameters of the moment. */
  canTry: boolean
  onAct: (act: RouteAct, route: Route) => void
}

export type RouteAct = 'toggle' | 'test' | 'try' | 'edit' | 'delete'

const methodTones: Record<string, Tone> = {
  GET: 'info',
  POST: 'good',
  PUT: 'warn',
  PATCH: 'warn',
  DELETE: 'bad',
}

export function RouteRow({ route, isBusy, takesFocus, reasonId, canTry, onAct }: RouteRowProps) {
  const unless = (isOffered: boolean) => (isOffered ? {} : { disabled: true, 'aria-describedby': reasonId })
  const changing = unless(canChange(route))
  return (
    <div className={classes.row}>
      <span className={classes.method}>
        <Badge tone={methodTones[route.method] ?? 'calm'}>{route.method}</Badge>
      </span>
      <span className={classes.about}>
        <span className={classes.path}>{route.path}</span>
        {route.requires_auth === 1 && <Badge tone="info">{copy.auth}</Badge>}
        {route.is_active === 0 && <Badge tone="calm">{copy.disabled}</Badge>}
        {route.description && <span className={classes.description}>{route.description}</span>}
        {route.parameters !== '{}' && <span className={classes.parameters}>{route.parameters}</span>}
      </span>
      <span className={classes.actions}>
        <Button busy={isBusy} {...unless(canToggle(route))} onClick={() => onAct('toggle', route)}>
          {copy.toggle}
        </Button>
        <Button busy={isBusy} {...unless(canTest(route))} onClick={() => onAct('test', route)}>
          {copy.test}
        </Button>
        {canTry && (
          <Button
            aria-label={`${copy.tryIt.open} ${route.method} ${route.path}`}
            onClick={() => onAct('try', route)}
          >
            {copy.tryIt.open}
          </Button>
        )}
        <Button ref={takesFocus ? takeFocus : null} {...changing} onClick={() => onAct('edit', route)}>
          {copy.edit}
        </Button>
        <Button kind="danger" busy={isBusy} {...changing} onClick={() => onAct('delete', route)}>
          {copy.delete}
        </Button>
      </span>
    </div>
  )
}
