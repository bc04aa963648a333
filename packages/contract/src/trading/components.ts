import * as z from 'zod'
import { endpoint } from '#endpoint.ts'
import { Config, Done, Id, ifGiven, PathId } from '#shared.ts'

/** Statuses are an open set: screens colour running, active, stopped, error and paused, any other is grey. */
export const Component = z
  .object({
    id: Id,
    name: z.string(),
    type: z.string(),
    status: z.string(),
    config: ifGiven(Config),
  })
  .meta({ id: 'Component' })
export type Component = z.output<typeof Component>

const Named = z.strictObject({ component: z.string().min(1) })
const ByComponent = z.strictObject({ component_id: PathId })

export const components = {
  start: endpoint('POST /api/component/start', {
    summary: 'Start a component',
    role: 'admin',
    origin: { capability: 'components' },
    body: Named,
    reply: Done,
  }),
  stop: endpoint('POST /api/component/stop', {
    summary: 'Stop a component',
    role: 'admin',
    body: Named,
    reply: Done,
  }),
  restart: endpoint('POST /api/component/restart', {
    summary: 'Restart a component',
    role: 'admin',
    body: Named,
    reply: Done,
  }),
  configure: endpoint('POST /api/component/configure', {
    summary: 'Change the configuration of a component',
    role: 'admin',
    body: Named.extend({ config: Config }),
    reply: Done,
  }),
}

/** The same acts with the component named in the path. */
export const nautilusComponents = {
  stop: endpoint('POST /api/nautilus/components/:component_id/stop', {
    summary: 'Stop a component',
    role: 'admin',
    origin: 'documented',
    params: ByComponent,
    reply: Done,
  }),
  restart: endpoint('POST /api/nautilus/components/:component_id/restart', {
    summary: 'Restart a component',
    role: 'admin',
    origin: 'documented',
    params: ByComponent,
    reply: Done,
  }),
  configure: endpoint('POST /api/nautilus/components/:component_id/configure', {
    summary: 'Change the configuration of a component',
    role: 'admin',
    origin: 'documented',
    params: ByComponent,
    body: z.strictObject({ config: Config }),
    reply: Done,
  }),
}
