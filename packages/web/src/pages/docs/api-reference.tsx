import { APPS, type App, type Call, callsOf, type Origin } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { addressQueries } from '#data/addresses.ts'
import { Badge } from '#ui/figure/badge.tsx'
import { Cell, Table } from '#ui/list/table.tsx'
import classes from './api-reference.module.css'
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
      {APPS.map((app) => (
        <section key={app}>
          <h2>{titleOf(app)}</h2>
          <Table label={copy.apps[app]} columns={columns}>
            {callsOf(app).map((call) => (
              <CallRow key={call.id} call={call} />
            ))}
          </Table>
        </section>
      ))}
    </div>
  )
}

function CallRow({ call: { endpoint } }: { call: Call }) {
  return (
    <tr>
      <Cell mono>{`${endpoint.method} ${endpoint.path.replace(/:(\w+)/g, '{$1}')}`}</Cell>
      <Cell>{endpoint.summary}</Cell>
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
