import type { LogLine } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { problemText } from '#data/failure.ts'
import { monitoringQueries } from '#data/monitoring.ts'
import { formatInstant } from '#format/time.ts'
import { PageDrawer } from '#ui/frame/drawer.tsx'
import { Loaded } from '#ui/state/loaded.tsx'
import { copy } from './copy.ts'
import classes from './request-drawer.module.css'

export interface RequestDrawerProps {
  id: string
  lines: readonly LogLine[]
  onClose: () => void
}

/** MON-14: what one request logged and what it changed. */
export function RequestDrawer({ id, lines, onClose }: RequestDrawerProps) {
  const { request: words } = copy
  const audit = useQuery(monitoringQueries.auditOf(id))
  return (
    <PageDrawer title={words.title(id)} onClose={onClose}>
      <p className={classes.id}>{id}</p>
      <h3 className={classes.part}>{words.lines}</h3>
      <ul className={classes.list}>
        {lines
          .filter(({ request_id }) => request_id === id)
          .map((line) => (
            <li key={line.id}>{`${line.at.slice(11, 23)} ${line.level.toUpperCase()} ${line.text}`}</li>
          ))}
      </ul>
      <h3 className={classes.part}>{words.audit}</h3>
      <Loaded load={audit} loading={words.loading} failed={words.failed} reason={problemText(audit.error)}>
        {(records) =>
          records.length === 0 ? (
            <p>{words.noAudit}</p>
          ) : (
            <ul className={classes.list}>
              {records.map((record) => (
                <li key={record.id}>
                  {`#${record.id} ${formatInstant(record.at)} ${record.actor} ${record.action} ${record.target ?? ''}`}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </PageDrawer>
  )
}
