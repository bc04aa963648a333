import type { EngineInfo } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { alertQueries } from '#data/alerts.ts'
import { useServiceHealth } from '#data/api-services/probes.ts'
import { apiServiceQueries } from '#data/api-services/services.ts'
import { dashboardQueries } from '#data/dashboard.ts'
import { engineQueries } from '#data/engine.ts'
import { logOnly } from '#data/failure.ts'
import { isActive, useJobHistory } from '#data/jobs.ts'
import { useStoreStatus } from '#data/maintenance.ts'
import { taskQueries } from '#data/tasks.ts'
import { formatBytes } from '#format/bytes.ts'
import { formatInstant } from '#format/time.ts'
import { paths } from '#paths.ts'
import { TextLink } from '#ui/control/text-link.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Card } from '#ui/frame/card.tsx'
import { copy } from './copy.ts'
import classes from './facts-panel.module.css'

const { facts: words } = copy

export interface FactsPanelProps {
  /** Undefined until loaded. */
  engine: EngineInfo | undefined
  hasAlerts: boolean
}

/** ADM-20: what is true of this server now, beside the specified cards. */
export function FactsPanel({ engine, hasAlerts }: FactsPanelProps) {
  return (
    <div className={classes.facts}>
      <EngineFacts info={engine} />
      <ListenerFacts />
      <StoreFacts hasAlerts={hasAlerts} />
      <JobFacts />
      <AuditFacts />
    </div>
  )
}

function EngineFacts({ info }: { info: EngineInfo | undefined }) {
  const { data: components } = useQuery(engineQueries.components({ onFailure: logOnly }))
  const running = components?.filter(({ status }) => status === 'running' || status === 'active').length
  return (
    <Facts title={words.engine} to={paths.adminComponents}>
      <Fact label={words.state}>
        {info && (
          <Badge tone={info.is_running ? 'good' : 'bad'} dot>
            {info.is_running ? copy.live : copy.stopped}
          </Badge>
        )}
      </Fact>
      <Fact label={words.trader}>{info?.trader_id}</Fact>
      <Fact label={words.components}>
        {components && running !== undefined && words.ofAll(running, components.length)}
      </Fact>
      <Fact label={words.strategies}>{info?.strategies_count}</Fact>
    </Facts>
  )
}

function ListenerFacts() {
  const { data: services = [] } = useQuery(apiServiceQueries.list({ onFailure: logOnly }))
  const own = services.filter(({ is_builtin }) => is_builtin === 1)
  const healthOf = useServiceHealth(own)
  return (
    <Facts title={words.listeners} to={paths.adminApiConfig}>
      {own.map((service) => {
        const { status } = healthOf(service)
        return (
          <Fact key={service.id} label={service.name}>
            <Badge tone={status === 'healthy' ? 'good' : status === 'unhealthy' ? 'bad' : 'calm'} dot>
              {status}
            </Badge>{' '}
            {URL.parse(service.url)?.host}
          </Fact>
        )
      })}
    </Facts>
  )
}

function StoreFacts({ hasAlerts }: { hasAlerts: boolean }) {
  const stores = useStoreStatus()
  const { data: tasks = [] } = useQuery(taskQueries.list())
  const { data: alerts } = useQuery({ ...alertQueries.rules(), enabled: hasAlerts })
  const freeGb = alerts?.rules.find(({ watch }) => watch === 'disk')?.value
  const drills = tasks.flatMap(({ kind, last_run_at }) =>
    kind === 'backup.drill' ? (last_run_at ?? []) : [],
  )
  const backups = stores.flatMap(({ last_backup }) => last_backup ?? []).toSorted()
  return (
    <Facts title={words.stores} to={paths.adminDatabase}>
      {stores.map(({ kind, name, size, error }) => (
        <Fact key={kind} label={name}>
          {size == null ? (error ? words.unreached : copy.unknown) : formatBytes(size)}
        </Fact>
      ))}
      <Fact label={words.lastBackup}>{timeText(backups.at(-1))}</Fact>
      <Fact label={words.lastDrill}>{timeText(drills.toSorted().at(-1))}</Fact>
      {freeGb != null && <Fact label={words.disk}>{words.free(freeGb.toFixed(1))}</Fact>}
    </Facts>
  )
}

function JobFacts() {
  const history = useJobHistory()
  const running = history?.jobs?.filter(isActive) ?? []
  return (
    <Facts title={words.jobs}>
      {running.length === 0 && <Fact label={words.running}>{words.none}</Fact>}
      {running.map(({ id, title, progress }) => (
        <Fact key={id} label={title}>{`${Math.floor(progress * 100)}%`}</Fact>
      ))}
    </Facts>
  )
}

/** ADM-21 */
function AuditFacts() {
  const { data: records = [] } = useQuery(dashboardQueries.lastRecords())
  return (
    <Facts title={words.audit} to={`${paths.adminDatabasePage}?tab=audit`}>
      {records.length === 0 && <Fact label={words.changes}>{words.none}</Fact>}
      {records.map(({ id, at, actor, action, entity, target }) => (
        <Fact
          key={id}
          label={[action, entity && target && `${entity} ${target}`, words.by(actor)]
            .filter(Boolean)
            .join(' · ')}
        >
          {formatInstant(at)}
        </Fact>
      ))}
    </Facts>
  )
}

function Facts({ title, to, children }: { title: string; to?: string; children: ReactNode }) {
  return (
    <Card title={title} actions={to && <TextLink to={to}>{words.open}</TextLink>}>
      <dl className={classes.list}>{children}</dl>
    </Card>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children ?? copy.unknown}</dd>
    </div>
  )
}

function timeText(at: string | undefined): string {
  return at === undefined ? words.never : formatInstant(at)
}
