import { APPS, type App, bracedPath, type Call, callsOf, type Origin } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { addressQueries } from '#data/addresses.ts'
import { Badge } from '#ui/figure/badge.tsx'
import { Cell, Table } from '#ui/list/table.tsx'
import classes from './api-reference.module.css'
import { CallExample } from './call-example.tsx'
import { copy } from './copy.ts'

const { call, summary, role, kind } = copy.columns
const columns = [call, summary, role, kind].map((title) => ({ title }))

/** Generated from the contract, so it always matches the server. */
export function ApiReference() {
  const { data: addresses } = useQuery(addressQueries.all())
  const titleOf = (app: App) => {
    const address = addresses?.[app]
    return address ? copy.titleWithAddress(copy.apps[app], address) : copy.apps[app]
  }
  return (
    <div className={classes.reference}>
      <Contents />
      {APPS.map((app) => (
        <section key={app}>
          <h2 id={app}>{titleOf(app)}</h2>
          <Table label={copy.apps[app]} columns={columns}>
            {callsOf(app).map((listed) => (
              <CallRow key={listed.id} call={listed} />
            ))}
          </Table>
        </section>
      ))}
    </div>
  )
}

/** DOCS-14: the APIs and their groups of calls. */
function Contents() {
  return (
    <nav aria-label={copy.contentsOf(copy.apiReference)} className={classes.contents}>
      {APPS.map((app) => (
        <p key={app}>
          <a href={`#${app}`}>{copy.apps[app]}</a>:{' '}
          {groupsOf(app).map((group) => (
            <a key={group} href={`#${idOf(app, group)}`}>
              {group}
            </a>
          ))}
        </p>
      ))}
    </nav>
  )
}

function groupsOf(app: App): readonly string[] {
  return [...new Set(callsOf(app).map(groupOf))]
}

function groupOf({ id }: Call): string {
  return id.split('.')[0] ?? id
}

function idOf(app: App, group: string): string {
  return `${app}-${group}`
}

function CallRow({ call: listed }: { call: Call }) {
  const { app, endpoint } = listed
  const isFirst = callsOf(app).find((known) => groupOf(known) === groupOf(listed))?.id === listed.id
  return (
    <tr id={isFirst ? idOf(app, groupOf(listed)) : undefined}>
      <Cell mono>{`${endpoint.method} ${bracedPath(endpoint.path)}`}</Cell>
      <Cell>
        {endpoint.summary}
        <CallExample endpoint={endpoint} />
      </Cell>
      <Cell>{endpoint.role}</Cell>
      <Cell>
        <Badge tone={endpoint.origin === 'specified' ? 'info' : 'calm'}>{kindOf(endpoint.origin)}</Badge>
      </Cell>
    </tr>
  )
}

function kindOf(origin: Origin): string {
  return typeof origin === 'string' ? copy.origins[origin] : copy.withCapability(origin.capability)
}
