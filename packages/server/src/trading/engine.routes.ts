import { components, engine, type HistoryProgress, instruments, nautilusComponents } from '@binnacle/contract'
import { COMPONENT_NAMES, type ComponentName, standardInstruments } from '@binnacle/engine'
import type { FastifyInstance } from 'fastify'
import type { Act } from '#audit/act.ts'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import type { DeskHost } from '#runtime/desk-host.ts'
import { askDesk } from './ask-desk.ts'
import { componentToWire, infoToWire, instrumentToWire } from './engine.wire.ts'

export interface EngineRouteNeeds {
  traderId: string
  historyProgress: (() => HistoryProgress | null) | undefined
}

export function addEngineRoutes(app: FastifyInstance, desk: DeskHost, needs: EngineRouteNeeds): void {
  const { traderId, historyProgress } = needs
  const info = () => infoToWire(desk, traderId)
  mount(app, engine.info, info)
  mount(app, engine.nautilusInfo, info)
  mount(app, engine.systemInfo, () => ({
    components: desk.views.engine().components.map(componentToWire),
    history: historyProgress?.() ?? undefined,
  }))

  mount(app, engine.initialize, async (_request, act) => {
    const down = desk.views.engine().components.filter(({ status }) => status !== 'running')
    for (const { name } of down) await askDesk(desk, { type: 'StartComponent', component: name }, act)
    return { message: down.length === 0 ? 'The engine is already running' : 'The engine is running' }
  })

  const listed = standardInstruments().all.map(instrumentToWire)
  mount(app, instruments.list, () => ({ instruments: listed }))
  mount(app, instruments.nautilusList, () => ({ instruments: listed }))
}

export function addComponentRoutes(app: FastifyInstance, desk: DeskHost): void {
  mount(app, components.start, ({ body }, act) => change(desk, 'StartComponent', body.component, act))
  mount(app, components.stop, ({ body }, act) => change(desk, 'StopComponent', body.component, act))
  mount(app, components.restart, ({ body }, act) => change(desk, 'RestartComponent', body.component, act))
  mount(app, components.configure, ({ body }, act) => configure(desk, body.component, body.config, act))
  mount(app, nautilusComponents.stop, ({ params }, act) =>
    change(desk, 'StopComponent', params.component_id, act),
  )
  mount(app, nautilusComponents.restart, ({ params }, act) =>
    change(desk, 'RestartComponent', params.component_id, act),
  )
  mount(app, nautilusComponents.configure, ({ params, body }, act) =>
    configure(desk, params.component_id, body.config, act),
  )
}

const DONE = { StartComponent: 'started', StopComponent: 'stopped', RestartComponent: 'restarted' } as const

async function change(desk: DeskHost, type: keyof typeof DONE, name: string, act: Act) {
  const component = findComponent(name)
  if (component === undefined) return unknownComponent(name)
  const answer = await askDesk(desk, { type, component }, act)
  return answer instanceof Refused ? answer : { message: `${component} ${DONE[type]}` }
}

async function configure(desk: DeskHost, name: string, config: Record<string, unknown>, act: Act) {
  const component = findComponent(name)
  if (component === undefined) return unknownComponent(name)
  const command = { type: 'ConfigureComponent', component, config: JSON.stringify(config) } as const
  const answer = await askDesk(desk, command, act)
  if (!(answer instanceof Refused)) return { message: `${component} configured` }
  // The engine knows one refusal for a setting, whatever it is of.
  return answer.code === 'strategy.refused'
    ? new Refused('request.invalid', `${component}: ${answer.detail}`, answer.errors)
    : answer
}

function findComponent(name: string): ComponentName | undefined {
  return COMPONENT_NAMES.find((known) => known === name)
}

function unknownComponent(name: string): Refused {
  return new Refused(
    'thing.unknown',
    `There is no component '${name}'. There are ${COMPONENT_NAMES.join(', ')}.`,
  )
}
