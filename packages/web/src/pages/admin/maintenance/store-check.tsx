import type { StoreCheck as Check } from '#data/store-check.ts'
import { formatInstant } from '#format/time.ts'
import { Badge } from '#ui/figure/badge.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import classes from './maintenance-page.module.css'

export interface StoreCheckProps {
  check: Check
}

/** ADM-19: whether the server's own stores were intact when they were last read in full. */
export function StoreCheck({ check: { last, nextRunAt } }: StoreCheckProps) {
  const isDamaged = last?.state === 'failed'
  return (
    <>
      <dl className={classes.status}>
        <div>
          <dt>{copy.ownStores}</dt>
          <dd>
            {last && (
              <>
                <Badge tone={isDamaged ? 'bad' : 'good'}>{isDamaged ? copy.damaged : copy.intact}</Badge>{' '}
                {last.ended_at && formatInstant(last.ended_at)}
              </>
            )}
            {!last && copy.neverChecked}
          </dd>
        </div>
        <div>
          <dt>{copy.nextCheck}</dt>
          <dd>{nextRunAt === null ? copy.notScheduled : formatInstant(nextRunAt)}</dd>
        </div>
      </dl>
      {isDamaged && <Notice tone="bad" title={last.message ?? copy.damaged} />}
    </>
  )
}
