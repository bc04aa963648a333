import type { Adapter, AdapterConfig, AdapterTest, NewAdapterConfig } from '@binnacle/contract'
import {
  DEFAULT_LINK,
  type Desk,
  type InstrumentId,
  type LinkSettings,
  type LinkStatus,
  type QuoteView,
  VENUE_IDS,
  type VenueId,
} from '@binnacle/engine'
import type { StoredAdapter } from '#storage/admin/adapters-store.ts'

/** ADAPT-1: the names and types of the specification. */
const VENUES: Record<VenueId, { id: string; name: string; type: string }> = {
  BINANCE: { id: 'binance', name: 'Binance', type: 'Exchange' },
  BYBIT: { id: 'bybit', name: 'Bybit', type: 'Exchange' },
  OKX: { id: 'okx', name: 'OKX', type: 'Exchange' },
  COINBASE: { id: 'coinbase', name: 'Coinbase', type: 'Exchange' },
  INTERACTIVE_BROKERS: { id: 'interactive-brokers', name: 'Interactive Brokers', type: 'Broker' },
}

/** The venues of an engine, as the Adapters screen names them. */
export interface AdapterVenues {
  list(): readonly VenueId[]
  describe(venue: VenueId): Pick<Adapter, 'id' | 'name' | 'type' | 'mode' | 'keeps_orders'>
}

/** Those of the embedded engine. */
export const EMBEDDED_VENUES: AdapterVenues = {
  list: () => VENUE_IDS,
  describe: (venue) => ({ ...VENUES[venue], mode: 'simulated' }),
}

/** The recorded course of its round trips. */
export function latencySeries(venue: VenueId): string {
  return `adapter.${VENUES[venue].id}.latency`
}

export function findVenue(id: string): VenueId | undefined {
  return VENUE_IDS.find((venue) => VENUES[venue].id === id)
}

/** The stored part of a configuration, besides credentials. */
export type StoredSettings = Pick<NewAdapterConfig, 'reconnect_after_s' | 'reconnect_max_s' | 'faults'>

const DELIVERED: StoredSettings = {
  reconnect_after_s: DEFAULT_LINK.reconnectAfterMs / 1_000,
  reconnect_max_s: DEFAULT_LINK.reconnectMaxMs / 1_000,
  faults: { latency_ms: 0, clock_skew_ms: 0, wrong_key: false, missing_symbols: [], dropped: false },
}

export function settingsOf(stored: StoredAdapter | undefined): StoredSettings {
  return stored === undefined ? DELIVERED : JSON.parse(stored.settings)
}

export function linkSettingsOf({ reconnect_after_s, reconnect_max_s, faults }: StoredSettings): LinkSettings {
  return {
    reconnectAfterMs: reconnect_after_s * 1_000,
    reconnectMaxMs: reconnect_max_s * 1_000,
    faults: {
      latencyMs: faults.latency_ms,
      clockSkewMs: faults.clock_skew_ms,
      isKeyRefused: faults.wrong_key,
      // Compared with the ids of instruments only; an unknown one has no effect.
      missing: faults.missing_symbols as InstrumentId[],
      isDropped: faults.dropped,
    },
  }
}

export interface AdapterState {
  desk: Desk
  venue: VenueId
  description: ReturnType<AdapterVenues['describe']>
  /** False for an adapter whose configuration is not the console's. */
  isConfigured: boolean
  link: LinkStatus | undefined
  stored: StoredAdapter | undefined
  lastTest: AdapterTest | undefined
}

export function adapterToWire(state: AdapterState): Adapter {
  const { desk, venue, link, stored, lastTest } = state
  const { views } = desk
  const instruments = views.instruments().flatMap(({ id, venue: at }) => (at === venue ? [id] : []))
  const isThere = ({ instrument }: { instrument: InstrumentId }) => instruments.includes(instrument)
  const isConnected = views.engine().venues.some(({ id, isConnected: is }) => id === venue && is)
  return {
    ...state.description,
    status: isConnected ? 'connected' : 'disconnected',
    ...(link === undefined ? lastQuoteToWire(views.quotes().filter(isThere)) : linkToWire(link)),
    instruments,
    working_orders: views
      .orders()
      .filter((order) => order.status === 'PENDING' && isThere(order))
      .map(({ id, instrument, side, quantity, filled }) => ({
        id,
        instrument,
        side,
        quantity: Number((quantity - filled).toFixed(8)),
      })),
    positions: views
      .positions()
      .filter(isThere)
      .map(({ id, instrument, side, quantity }) => ({ id, instrument, side, quantity })),
    log: (link?.log ?? []).map(({ at, text }) => ({ at: isoTime(at), text })),
    config: state.isConfigured ? configToWire(stored) : undefined,
    last_test: lastTest,
  }
}

/** Without figures of a connection its last quote shows that it is alive. */
function lastQuoteToWire(quotes: readonly QuoteView[]): Partial<Adapter> {
  return quotes.length === 0 ? {} : { last_message_at: isoTime(Math.max(...quotes.map(({ at }) => at))) }
}

function linkToWire(link: LinkStatus): Partial<Adapter> {
  return {
    mode: link.mode,
    state: link.state,
    tries: link.tries,
    reconnects: link.reconnects,
    messages_per_second: link.messagesPerSecond,
    ...(link.nextTryAt !== null && { next_try_at: isoTime(link.nextTryAt) }),
    ...(link.lastMessageAt !== null && { last_message_at: isoTime(link.lastMessageAt) }),
    ...(link.skewMs !== null && { clock_skew_ms: link.skewMs }),
    latency: {
      ...link.latency,
      series: latencySeries(link.venue),
      minutes: [...link.latency.minutes],
      histogram: [...link.latency.histogram],
    },
  }
}

function configToWire(stored: StoredAdapter | undefined): AdapterConfig {
  return {
    version: stored?.version ?? 0,
    has_api_key: stored?.hasApiKey ?? false,
    has_secret: stored?.hasSecret ?? false,
    ...settingsOf(stored),
    changed_at: stored?.changedAt,
    changed_by: stored?.changedBy,
  }
}

function isoTime(at: number): string {
  return new Date(at).toISOString()
}
