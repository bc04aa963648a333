import type { FastifyInstance } from 'fastify'
import { type Config, type ListenerName, PORT_VARIABLES } from '#config/config.ts'
import { StartRefusal } from '#config/start-refusal.ts'
import type { ChooseApp } from './engine-dispatch.ts'
import { type Listener, openListener } from './listener.ts'
import { createRequestGuard } from './request-guard.ts'

export interface Listeners {
  ports: Record<ListenerName, number>
  close(graceMs: number): Promise<void>
}

/**
 * Opens all three listeners behind one request guard, or none. The trading listener serves all three APIs, so the apps of
 * the others are created only when they are called: their routes would prolong every start.
 */
export async function openListeners(
  apps: Record<ListenerName, FastifyInstance>,
  config: Config,
  chooseApp?: ChooseApp,
): Promise<Listeners> {
  const guard = createRequestGuard(config)
  const open = (name: ListenerName) =>
    openListener({
      app: name === 'trading' ? apps.trading : () => apps[name],
      chooseApp: name === 'trading' ? chooseApp : undefined,
      guard,
      addresses: config.addresses,
      port: config.ports[name],
      onFault: (err) => apps.trading.log.error({ event: 'fault', err }),
    }).catch((fault) => refusePort(name, config.ports[name], fault))
  const opening = [open('trading'), open('admin'), open('database')] as const
  const settled = await Promise.allSettled(opening)
  const failed = settled.find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined) {
    await closeAll(
      settled.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : [])),
      0,
    )
    throw failed.reason
  }
  const [trading, admin, database] = await Promise.all(opening)
  return {
    ports: { trading: trading.port, admin: admin.port, database: database.port },
    close: (graceMs) => closeAll([trading, admin, database], graceMs),
  }
}

async function closeAll(listeners: Listener[], graceMs: number): Promise<void> {
  await Promise.all(listeners.map((listener) => listener.close(graceMs)))
}

function refusePort(name: ListenerName, port: number, fault: NodeJS.ErrnoException): never {
  const why = PORT_ERRORS[fault.code ?? '']
  if (why === undefined) throw fault
  throw new StartRefusal(
    `Port ${port} for the ${name} API ${why}. Choose another with ${PORT_VARIABLES[name]}, or free this one.`,
  )
}

const PORT_ERRORS: Record<string, string> = {
  EADDRINUSE: 'is already in use by another program',
  EACCES: 'cannot be opened by this user',
  EADDRNOTAVAIL: 'is on an address that this machine does not have',
}
