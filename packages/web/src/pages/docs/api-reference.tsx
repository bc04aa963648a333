import { APPS, type Call, callsOf, type Origin } from '@binnacle/contract'
import { Badge } from '#ui/figure/badge.tsx'
import { Cell, Table } from '#ui/list/table.tsx'
import classes from './api-reference.module.css'
import { copy } from './copy.ts'

const columns = [{ title: 'Call' }, { title: 'What it does' }, { title: 'Role' }, { title: 'Use' }]

/** DOCS: printed from the contract, so it cannot differ from what is served. */
export function ApiReference() {
  return (
    <div className={classes.reference}>
      {APPS.map((app) => (
        <section key={app}>
          <h2>{copy.apps[app]}</h2>
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
        <Badge tone={endpoint.origin === 'specified' ? 'info' : 'calm'}>{useOf(endpoint.origin)}</Badge>
      </Cell>
    </tr>
  )
}

function useOf(origin: Origin): string {
  return typeof origin === 'string' ? copy.origins[origin] : copy.withCapability(origin.capability)
}
