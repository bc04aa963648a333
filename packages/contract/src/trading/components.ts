import * as z from 'zod'
import { tradingEndpoint } from '#endpoint.ts'
import { Config, Done, Id, ifGiven, PathId } from '#shared.ts'

/** Statuses are an open set: screens colour running, active, stopped, error and paused; others are grey. */
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

const ByName = z.strictObject({ component: z.string().min(1) })
const ByComponent = z.strictObject({ component_id: PathId })

export const components = {
  start: tradingEndpoint('POST /api/component/start', {
    summary: 'Start a component',
    role: 'admin',
    origin: { capability: 'components' },
    body: ByName,
    reply: Done,
  }),
  stop: tradingEndpoint('POST /api/component/stop', {
    summary: 'Stop a component',
    role: 'admin',
    body: ByName,
    reply: Done,
  }),
  restart: tradingEndpoint('POST /api/component/restart', {
    summary: 'Restart a component',
    role: 'admin',
    body: ByName,
    reply: Done,
  }),
  configure: tradingEndpoint('POST /api/component/configure', {
    summary: 'Change the configuration of a component',
    role: 'admin',
    body: ByName.extend({ config: Config }),
    reply: Done,
  }),
}

/** The same calls with the component in the path. */
export const nautilusComponents = {
  stop: tradingEndpoint('POST /api/nautilus/components/:component_id/stop', {
    summary: 'Stop a component',
    role: 'admin',
    origin: 'documented',
    params: ByComponent,
    reply: Done,
  }),
  restart: tradingEndpoint('POST /api/nautilus/components/:component_id/restart', {
    summary: 'Restart a component',
    role: 'admin',
    origin: 'documented',
    params: ByComponent,
    reply: Done,
  }),
  configure: tradingEndpoint('POST /api/nautilus/components/:component_id/configure', {
    summary: 'Change the configuration of a component',
    role: 'admin',
    origin: 'documented',
    params: ByComponent,
    body: z.strictObject({ config: Config }),
    reply: Done,
  }),
}
