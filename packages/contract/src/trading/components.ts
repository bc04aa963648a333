import * as z from 'zod'
import { tradingEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { Config, Done, Id, ifGiven, PathId } from '#shared.ts'

/** Statuses are an open set: screens colour running, active, stopped, error and paused; others are grey. */
export const Component = object(() => ({
  id: Id,
  name: z.string(),
  type: z.string(),
  status: z.string(),
  config: ifGiven(Config),
})).meta({ id: 'Component' })
export type Component = z.output<typeof Component>

/** What a component did: measured figures, and its history from the audit log. */
export const ComponentDetail = object(() => ({
  id: z.string(),
  throughput: z
    .object({ value: z.number(), unit: z.string(), series: z.string(), about: z.string() })
    .nullable()
    .describe('In the last second; its course is in the samples of that series'),
  throughput_note: ifGiven(z.string()).describe('Why it is not known'),
  queue: z.object({ length: z.number(), about: z.string() }).nullable(),
  queue_note: ifGiven(z.string()).describe('Why it is not known'),
  running_since: ifGiven(z.string()).describe('The later of the start of the server and of the component'),
  last_error: z.object({ at: ifGiven(z.string()), text: z.string() }).nullable(),
  history: z
    .array(z.object({ at: z.string(), status: z.string(), by: z.string() }))
    .describe('Changes of the status, newest first'),
  versions: z
    .array(
      z.object({ version: z.number(), at: ifGiven(z.string()), by: ifGiven(z.string()), config: Config }),
    )
    .describe('Configurations, newest first; version 0 is as delivered'),
})).meta({ id: 'ComponentDetail' })
export type ComponentDetail = z.output<typeof ComponentDetail>

/** What of trading there is now, so that a stop can name what it affects. */
export const TradingCounts = object(() => ({
  running_strategies: z.number(),
  working_orders: z.number(),
  adding_orders: z.number().describe('Of the working orders, those that add exposure when they fill'),
  open_positions: z.number(),
})).meta({ id: 'TradingCounts' })
export type TradingCounts = z.output<typeof TradingCounts>

const ByName = strictObject(() => ({ component: z.string().min(1) }))
const ByComponent = strictObject(() => ({ component_id: PathId }))

export const components = {
  details: tradingEndpoint('GET /api/components', {
    summary:
      'Uptime, throughput, queue, last error, state history and configuration versions of each component',
    role: 'viewer',
    origin: { capability: 'components' },
    reply: object(() => ({ components: z.array(ComponentDetail), affected: ifGiven(TradingCounts) })),
  }),
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
    body: strictObject(() => ({ ...ByName.shape, config: Config })),
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
    body: strictObject(() => ({ config: Config })),
    reply: Done,
  }),
}
