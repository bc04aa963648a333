import type { Adapter, AdapterResult, AdapterTest, NewAdapterConfig } from '@binnacle/contract'
import type { Desk, LinkSettings, VenueId } from '@binnacle/engine'
import { type JobControl, JobFailure } from '@binnacle/stores'
import { notFound, Refused } from '#http/problems.ts'
import type { StartedJob } from '#services/jobs/job.ts'
import type { Jobs } from '#services/jobs/job-runner.ts'
import type { AdaptersStore } from '#storage/admin/adapters-store.ts'
import type { AuditContext } from '#storage/audit/audit-context.ts'
import { refusalToWire } from '#trading/refusal.wire.ts'
import type { AdapterLinks } from '#trading/runtime/adapter-links.ts'
import { submitCommand } from '#trading/submit-command.ts'
import { awaitVenue } from '#trading/venue-answer.ts'
import {
  type AdapterVenues,
  adapterToWire,
  EMBEDDED_VENUES,
  findVenue as findEmbeddedVenue,
  linkSettingsOf,
  type StoredSettings,
  settingsOf,
} from './adapter.wire.ts'

/** The adapters of venues: state, switching, tests and configurations. */
export interface Adapters {
  list(): Promise<Adapter[]>
  /** Waits a moment for the venue, so that the reply shows its answer. */
  switch(audit: AuditContext, id: string, isWanted: boolean): Promise<Adapter | Refused>
  test(audit: AuditContext, id: string): Promise<StartedJob<AdapterTest> | Refused>
  configure(audit: AuditContext, id: string, config: NewAdapterConfig): Promise<Adapter | Refused>
  switchAll(audit: AuditContext, isWanted: boolean): Promise<StartedJob<AdapterReport>>
  testAll(audit: AuditContext): Promise<StartedJob<AdapterReport>>
}

export interface AdapterReport {
  results: AdapterResult[]
}

export interface AdaptersOptions {
  desk: Desk
  links: AdapterLinks
  /** Those of the embedded engine unless given. */
  venues?: AdapterVenues
  store: AdaptersStore
  jobs: Jobs
  now?: () => Date
}

/** The stored settings of connections, for the start of the engine. */
export async function readLinkSettings(store: AdaptersStore): Promise<ReadonlyMap<VenueId, LinkSettings>> {
  const settings = new Map<VenueId, LinkSettings>()
  for (const stored of await store.list()) {
    const venue = findEmbeddedVenue(stored.id)
    if (venue !== undefined) settings.set(venue, linkSettingsOf(settingsOf(stored)))
  }
  return settings
}

export function openAdapters(options: AdaptersOptions): Adapters {
  const { desk, links, store, jobs, venues = EMBEDDED_VENUES, now = () => new Date() } = options
  const tests = new Map<VenueId, AdapterTest>()
  const findVenue = (id: string) => venues.list().find((venue) => venues.describe(venue).id === id)
  const unknownAdapter = (id: string) =>
    notFound('adapter', id, {
      field: 'path.adapter_id',
      list: venues.list().map((venue) => venues.describe(venue).id),
    })

  async function list(): Promise<Adapter[]> {
    const [stored, status] = await Promise.all([store.list(), links.list()])
    return venues.list().map((venue) => {
      const description = venues.describe(venue)
      return adapterToWire({
        desk,
        venue,
        description,
        isConfigured: links.configure !== undefined,
        link: status.find((link) => link.venue === venue),
        stored: stored.find(({ id }) => id === description.id),
        lastTest: tests.get(venue),
      })
    })
  }

  async function find(venue: VenueId): Promise<Adapter | Refused> {
    const { id } = venues.describe(venue)
    return (await list()).find((adapter) => adapter.id === id) ?? unknownAdapter(id)
  }

  async function switchOne(audit: AuditContext, venue: VenueId, isWanted: boolean): Promise<Refused | null> {
    const type = isWanted ? 'ConnectVenue' : 'DisconnectVenue'
    const answer = await submitCommand(desk, { type, venue }, audit)
    if (answer instanceof Refused) return answer
    await awaitVenue(desk, () => isConnected(desk, venue) === isWanted)
    return null
  }

  async function testOne(audit: AuditContext, venue: VenueId, control: JobControl): Promise<AdapterTest> {
    const steps = await links.test(venue)
    if (steps === null) throw new JobFailure('The engine restarted during the test. Test again.')
    const { name } = venues.describe(venue)
    for (const step of steps) control.log(`${name}: ${step.name}: ${step.result}. ${step.detail}`)
    const passed = steps.every(({ result }) => result !== 'failed')
    const test = { at: now().toISOString(), by: audit.actor, passed, steps: [...steps] }
    tests.set(venue, test)
    return test
  }

  /** Runs the work for each adapter and reports each; one that fails does not stop the others. */
  function startAll(
    audit: AuditContext,
    { kind, title }: { kind: string; title: string },
    work: (venue: VenueId, control: JobControl) => Promise<Pick<AdapterResult, 'ok' | 'message'>>,
  ): Promise<StartedJob<AdapterReport>> {
    return jobs.start(audit, {
      kind,
      title,
      async run(control) {
        const results: AdapterResult[] = []
        const all = venues.list()
        for (const [index, venue] of all.entries()) {
          control.signal.throwIfAborted()
          const { id, name } = venues.describe(venue)
          control.progress(index / all.length, name)
          const { ok, message } = await work(venue, control)
          control.log(`${name}: ${message}`)
          results.push({ id, name, ok, message })
        }
        return { results }
      },
    })
  }

  return {
    list,
    async switch(audit, id, isWanted) {
      const venue = findVenue(id)
      if (venue === undefined) return unknownAdapter(id)
      return (await switchOne(audit, venue, isWanted)) ?? find(venue)
    },
    async test(audit, id) {
      const venue = findVenue(id)
      if (venue === undefined) return unknownAdapter(id)
      return jobs.start(audit, {
        kind: `adapter.test.${id}`,
        title: `Test ${venues.describe(venue).name}`,
        run: (control) => testOne(audit, venue, control),
      })
    },
    async configure(audit, id, config) {
      const venue = findVenue(id)
      if (venue === undefined) return unknownAdapter(id)
      if (links.configure === undefined) {
        return refusalToWire({ code: 'engine.not-offered', what: NOT_CONFIGURED })
      }
      const fault = findFault(desk, venue, config, venues.describe(venue).name)
      if (fault !== null) return fault
      const { version, api_key: apiKey, secret, ...rest } = config
      const settings: StoredSettings = rest
      const change = { version, apiKey, secret, settings: JSON.stringify(settings) }
      const saved = await store.save(audit, id, change)
      if (!saved.ok) return new Refused('version.changed', CHANGED_MEANWHILE)
      links.configure(venue, linkSettingsOf(settings))
      return find(venue)
    },
    switchAll(audit, isWanted) {
      const [kind, title] = isWanted
        ? ['adapter.connect.all', 'Connect all adapters']
        : ['adapter.disconnect.all', 'Disconnect all adapters']
      return startAll(audit, { kind, title }, async (venue) => {
        const refused = await switchOne(audit, venue, isWanted)
        return refused === null
          ? describeSwitch(isConnected(desk, venue), isWanted)
          : { ok: false, message: refused.detail }
      })
    },
    testAll(audit) {
      const kind = { kind: 'adapter.test.all', title: 'Test all adapters' }
      return startAll(audit, kind, async (venue, control) => {
        const { passed, steps } = await testOne(audit, venue, control)
        const failed = steps.filter(({ result }) => result === 'failed').map(({ name }) => name)
        return { ok: passed, message: passed ? 'passed' : `failed: ${failed.join(', ')}` }
      })
    },
  }
}

const NOT_CONFIGURED = 'configuring an adapter of a node; change the configuration of the node and restart it'
const CHANGED_MEANWHILE =
  'The configuration of this adapter was changed in the meantime. Open it again and repeat your change.'

function isConnected({ views }: Desk, venue: VenueId): boolean {
  return views.engine().venues.some(({ id, isConnected: is }) => id === venue && is)
}

function describeSwitch(isUp: boolean, isWanted: boolean): Pick<AdapterResult, 'ok' | 'message'> {
  if (isUp === isWanted) return { ok: true, message: isUp ? 'connected' : 'disconnected' }
  return isWanted
    ? { ok: false, message: 'not connected yet; it tries again by itself' }
    : { ok: false, message: 'the venue has not confirmed yet' }
}

/** What the schema cannot check: the order of the two waits, and that each missing symbol is one of the venue's. */
function findFault({ views }: Desk, venue: VenueId, config: NewAdapterConfig, name: string): Refused | null {
  const { reconnect_after_s: after, reconnect_max_s: most, faults } = config
  if (most < after) {
    const message = `must be at least reconnect_after_s, ${after}`
    return new Refused('request.invalid', `reconnect_max_s ${message}.`, [
      { field: 'body.reconnect_max_s', message },
    ])
  }
  const listed = views.instruments().flatMap(({ id, venue: at }) => (at === venue ? [String(id)] : []))
  const unknown = faults.missing_symbols.find((id) => !listed.includes(id))
  if (unknown === undefined) return null
  const message = `'${unknown}' is not an instrument of ${name}; choose from ${listed.join(', ')}`
  return new Refused('request.invalid', `missing_symbols: ${message}.`, [
    { field: 'body.faults.missing_symbols', message },
  ])
}
