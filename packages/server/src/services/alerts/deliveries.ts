import type { AlertChannel, AlertSeverity } from '@binnacle/contract'
import type { AlertDeliveryRow } from '#storage/admin/admin-tables.ts'
import type { AlertsStore } from '#storage/admin/alerts-store.ts'

export interface AlertMessage {
  /** The same for every try of one delivery, so that a receiver recognises a repeat. */
  key: string
  title: string
  text: string
  severity: AlertSeverity
  raisedAt: string
}

/** Sends by the channels of the settings. */
export interface AlertSender {
  /** Why a channel cannot send now; undefined if it can. */
  whyNotReady(channel: OutsideChannel): string | undefined
  /** Resolves with the reason of a failure, or undefined once the receiver has acknowledged. */
  send(channel: OutsideChannel, message: AlertMessage): Promise<string | undefined>
}

export type OutsideChannel = Exclude<AlertChannel, 'in-app' | 'browser'>

const RETRY_DELAYS_S = [30, 120, 600, 1800]
/** More wait for the next second. */
const MAX_BATCH = 100
const NAMES: Readonly<Record<OutsideChannel, string>> = { email: 'Email', slack: 'Slack', sms: 'SMS' }

const OUTSIDE_CHANNELS: readonly OutsideChannel[] = ['email', 'slack', 'sms']

export function isOutside(channel: string): channel is OutsideChannel {
  return channel in NAMES
}

/** Used until channels are set up. */
export const NO_SENDER: AlertSender = {
  whyNotReady: (channel) => `${NAMES[channel]} is not set up on this server.`,
  send: async (channel) => `${NAMES[channel]} is not set up on this server.`,
}

interface DeliveryOptions {
  store: Pick<AlertsStore, 'dueDeliveries' | 'updateDelivery' | 'find'>
  sender: AlertSender
  now: () => number
}

/** Tries what is due, each channel apart: a slow receiver delays its own channel only. */
export class Deliveries {
  readonly #options: DeliveryOptions
  /** The channels that are sending. */
  readonly #sending = new Map<OutsideChannel, Promise<boolean>>()

  constructor(options: DeliveryOptions) {
    this.#options = options
  }

  /** Starts the channels that are not sending, and waits for these. Returns whether any state changed. */
  async sendDue(): Promise<boolean> {
    const free = OUTSIDE_CHANNELS.filter((channel) => !this.#sending.has(channel))
    const changes = await Promise.all(free.map((channel) => this.#start(channel)))
    return changes.includes(true)
  }

  /** Resolves when nothing is being sent. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#sending.values())
  }

  #start(channel: OutsideChannel): Promise<boolean> {
    const sent = this.#sendChannel(channel).finally(() => this.#sending.delete(channel))
    this.#sending.set(channel, sent)
    return sent
  }

  async #sendChannel(channel: OutsideChannel): Promise<boolean> {
    const { store, now } = this.#options
    const due = await store.dueDeliveries(channel, new Date(now()).toISOString(), MAX_BATCH)
    for (const delivery of due) await sendOne(delivery, this.#options)
    return due.length > 0
  }
}

async function sendOne(delivery: AlertDeliveryRow, { store, sender, now }: DeliveryOptions): Promise<void> {
  const { id, alert_id, channel } = delivery
  const alert = await store.find(alert_id)
  if (alert === undefined || !isOutside(channel)) return
  const missing = sender.whyNotReady(channel)
  const key = `binnacle-alert-${alert_id}-${id}`
  const { title, text, severity, raised_at: raisedAt } = alert
  const error =
    missing ?? (await sender.send(channel, { key, title, text, severity, raisedAt }).catch(String))
  const tries = delivery.tries + 1
  const at = new Date(now()).toISOString()
  if (error === undefined) {
    await store.updateDelivery(id, { state: 'delivered', tries, at, next_try_at: null, error: null })
    return
  }
  const delayS = missing === undefined ? RETRY_DELAYS_S[tries - 1] : undefined
  const next = delayS === undefined ? null : new Date(now() + delayS * 1000).toISOString()
  await store.updateDelivery(id, {
    state: next === null ? 'failed' : 'pending',
    tries,
    at,
    next_try_at: next,
    error,
  })
}
