import { randomUUID } from 'node:crypto'
import { components, engine, type HistoryProgress, instruments, nautilusComponents } from '@binnacle/contract'
import { COMPONENT_NAMES, type ComponentName, type Desk } from '@binnacle/engine'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { notFound, Refused } from '#http/problems.ts'
import type { TtlCache } from '#services/ttl-cache.ts'
import type { AuditContext } from '#storage/audit/audit-context.ts'
import { asOf } from './as-of.ts'
import { type ComponentDetailsOptions, countTrading, readComponentDetails } from './component-details.ts'
import { componentToWire, countsToWire, infoToWire, instrumentToWire } from './engine.wire.ts'
import { submitCommand } from './submit-command.ts'

export interface EngineRouteOptions {
  traderId: string
  historyProgress: (() => HistoryProgress | null) | undefined
  cache: TtlCache | undefined
}

export function addEngineRoutes(app: FastifyInstance, desk: Desk, options: EngineRouteOptions): void {
  const { traderId, historyProgress, cache } = options
  const started = { instance_id: randomUUID(), started_at: new Date().toISOString() }
  const info = () => ({
    ...infoToWire(desk, traderId),
    ...started,
    counts: countsToWire(desk),
    ...asOf(desk),
  })
  mount(app, engine.info, info)
  mount(app, engine.nautilusInfo, info)
  mount(app, engine.systemInfo, () => ({
    components: desk.views.engine().components.map(componentToWire),
    history: historyProgress?.() ?? undefined,
  }))

  mount(app, engine.initialize, async (_request, { audit }) => {
    const down = stoppedComponents(desk)
    for (const name of down) {
      const component = findComponent(name)
      if (component === undefined) continue
      const answer = await submitCommand(desk, { type: 'StartComponent', component }, audit)
      if (answer instanceof Refused) return answer
    }
    return { message: describeEngine(desk, down.length > 0) }
  })

  const listInstruments = () => desk.views.instruments().map(instrumentToWire)
  const list = async () => ({
    instruments: await (cache?.get(['instruments'], listInstruments) ?? listInstruments()),
  })
  mount(app, instruments.list, list)
  mount(app, instruments.nautilusList, list)
}

export function addComponentRoutes(
  app: FastifyInstance,
  desk: Desk,
  options: Omit<ComponentDetailsOptions, 'desk' | 'startedAt'> = {},
): void {
  const startedAt = new Date().toISOString()
  mount(app, components.details, async () => ({
    components: await readComponentDetails({ desk, startedAt, ...options }),
    affected: countTrading(desk),
  }))
  mount(app, components.start, ({ body }, { audit }) => change(desk, 'StartComponent', body.component, audit))
  mount(app, components.stop, ({ body }, { audit }) => change(desk, 'StopComponent', body.component, audit))
  mount(app, components.restart, ({ body }, { audit }) =>
    change(desk, 'RestartComponent', body.component, audit),
  )
  mount(app, components.configure, ({ body }, { audit }) =>
    configure(desk, body.component, body.config, audit),
  )
  mount(app, nautilusComponents.stop, ({ params }, { audit }) =>
    change(desk, 'StopComponent', params.component_id, audit),
  )
  mount(app, nautilusComponents.restart, ({ params }, { audit }) =>
    change(desk, 'RestartComponent', params.component_id, audit),
  )
  mount(app, nautilusComponents.configure, ({ params, body }, { audit }) =>
    configure(desk, params.component_id, body.config, audit),
  )
}

function stoppedComponents({ views }: Desk): string[] {
  return views
    .engine()
    .components.filter(({ status }) => status !== 'running')
    .map(({ name }) => name)
}

/** From the state after the commands: a halted engine takes none, and not every component can be started from here. */
function describeEngine(desk: Desk, wasDown: boolean): string {
  const { haltReason } = desk.views
  if (haltReason !== null) return `The engine is halted: ${haltReason}`
  const stopped = stoppedComponents(desk)
  if (stopped.length > 0) return `The engine is not fully running. Stopped: ${stopped.join(', ')}`
  return wasDown ? 'The engine is running' : 'The engine is already running'
}

const DONE = { StartComponent: 'started', StopComponent: 'stopped', RestartComponent: 'restarted' } as const

async function change(desk: Desk, type: keyof typeof DONE, name: string, audit: AuditContext) {
  const component = findComponent(name)
  if (component === undefined) return unknownComponent(desk, name)
  const answer = await submitCommand(desk, { type, component }, audit)
  return answer instanceof Refused ? answer : { message: `${component} ${DONE[type]}` }
}

async function configure(desk: Desk, name: string, config: Record<string, unknown>, audit: AuditContext) {
  const component = findComponent(name)
  if (component === undefined) return unknownComponent(desk, name)
  const command = { type: 'ConfigureComponent', component, config: JSON.stringify(config) } as const
  const answer = await submitCommand(desk, command, audit)
  if (!(answer instanceof Refused)) return { message: `${component} configured` }
  // The engine knows one refusal for a setting, whatever it is of.
  return answer.code === 'strategy.refused'
    ? new Refused('request.invalid', `${component}: ${answer.detail}`, answer.errors)
    : answer
}

/** A component of another engine is shown with its state only. */
function unknownComponent({ views }: Desk, name: string): Refused {
  const isShown = views.engine().components.some((component) => component.name === name)
  if (!isShown) return notFound('component', name, { list: COMPONENT_NAMES })
  return new Refused('engine.refused', `This engine does not offer changing ${name}.`)
}

function findComponent(name: string): ComponentName | undefined {
  return COMPONENT_NAMES.find((known) => known === name)
}
