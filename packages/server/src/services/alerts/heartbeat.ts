import type { Outbound } from '#services/outbound/outbound.ts'
import { isOk } from '#services/outbound/service-probes.ts'
import type { AlertsStore } from '#storage/admin/alerts-store.ts'

interface HeartbeatOptions {
  store: Pick<AlertsStore, 'control' | 'heartbeatUrl' | 'noteHeartbeat'>
  outbound: Outbound
  /** False while the engine is silent: then the outside watcher must notice. */
  isAlive: () => boolean
  now: () => number
}

/** Calls the outside watcher when it is due (ALERT-14). Returns whether it was called. */
export async function callWatcher({ store, outbound, isAlive, now }: HeartbeatOptions): Promise<boolean> {
  const { heartbeat_enabled, heartbeat_every_s, heartbeat_at } = await store.control()
  const isDue = heartbeat_at === null || now() - Date.parse(heartbeat_at) >= heartbeat_every_s * 1000
  if (heartbeat_enabled === 0 || !isDue || !isAlive()) return false
  const url = await store.heartbeatUrl()
  if (url === undefined) return false
  const outcome = await outbound.send({ method: 'GET', url, maxBodyBytes: 0 })
  const status = outcome.ok ? outcome.status : undefined
  const error = outcome.ok ? (isOk(outcome.status) ? null : `HTTP ${status}`) : outcome.sentence
  await store.noteHeartbeat(new Date(now()).toISOString(), error)
  return true
}
