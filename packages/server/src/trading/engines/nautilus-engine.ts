import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VERSION } from '@binnacle/contract'
import {
  type Command,
  type CommandSender,
  createInstruments,
  type Desk,
  type EngineView,
  type Instruments,
  type Outcome,
} from '@binnacle/engine'
import type { NautilusDesk, NodeClientOptions } from '@binnacle/nautilus'
import type { NautilusNode } from '#config/engines-file.ts'
import { StartRefusal } from '#config/start-refusal.ts'
import { CloseStack, closeInOrder } from '#services/close-stack.ts'
import { type PendingRecord, serverAuditContext } from '#storage/audit/audit-context.ts'
import type { AdapterVenues } from '#trading/adapters/adapter.wire.ts'
import type { BacktestEngine } from '#trading/backtests/backtest-engine.ts'
import { type MarketRecord, openMarketHistory } from '#trading/catalog/market-history.ts'
import { openHistoryReader } from '#trading/performance/performance-reader.ts'
import { CommandAudit } from './command-audit.ts'
import { createNodeBacktests } from './node-backtests.ts'
import type { TradingEngine, TradingEngineOptions } from './trading-engine.ts'

export interface NautilusEngineOptions extends TradingEngineOptions {
  traderId: string
  /** The interpreter; undefined uses the one that the setup installed in the data folder. */
  python: string | undefined
  /** Where the setup installs it; in the folder of this engine unless given. */
  setupFolder?: string
  /** Where programs are searched. */
  path: string
  /** A node that runs elsewhere, instead of one of the console's own. */
  elsewhere?: NautilusNode | undefined
  /** How long the start waits for the node. */
  startMs?: number
  /** Ends the wait. */
  signal?: AbortSignal
  /** The clock of the connection; that of the machine unless given. */
  timers?: NodeClientOptions['timers']
}

/** A cold Python on a busy machine needs several seconds. */
const START_MS = 120_000
/** A Unix socket's path is limited to 108 bytes. */
const MAX_SOCKET_PATH_BYTES = 100
/** As many as a node returns at a time. */
const PAST_MINUTES = 2_000

/** Opens the desk over a NautilusTrader node: one of the console's own, supervised, or one that runs elsewhere. */
export async function openNautilusEngine(options: NautilusEngineOptions): Promise<TradingEngine> {
  const { folder, store, logger, onFault, elsewhere } = options
  const { NautilusDesk, NodeClient, openCommandJournal, openHistoryStore } = await import(
    '@binnacle/nautilus'
  )
  // Each node has its own journal, history and bars.
  const names = ['nautilus', ...(elsewhere === undefined ? [] : [`node-${digestOf(elsewhere.address)}`])]
  const home = folder.at(...names)
  await mkdir(home, { recursive: true, mode: 0o700 })
  const warn = (event: string, message: string) => logger.warn({ event, message })
  const opened = new CloseStack()
  try {
    const started = elsewhere === undefined ? await startNode(options, home) : await joinNode(elsewhere)
    opened.add((graceMs) => started.close(graceMs))
    const past = await openHistoryStore(join(home, 'history.jsonl'), {
      onFault: (message) => warn('node.history', message),
    })
    opened.add(() => past.close())
    const journal = await openCommandJournal(join(home, 'commands.jsonl'))
    const { timers } = options
    const client = new NodeClient({
      ...started.connection,
      journal,
      onWarning: warn,
      onFault: (err) => logger.error({ event: 'desk.listener-failed', err }),
      ...(timers && { timers }),
    })
    opened.add(() => client.close())
    const node = new NautilusDesk(client, past)
    const isThere = () =>
      elsewhere === undefined ? node.views.engine().isRunning : node.views.haltReason === null
    if (!(await reachIn(node, isThere, options.startMs ?? START_MS, options.signal))) {
      const why = node.views.haltReason ?? `its state is ${node.views.engine().identity?.status}`
      throw new StartRefusal(started.describeFailure(why))
    }
    const audit = new CommandAudit({ audit: store.audit, onFault })
    const stopAudit = client.onChange((change) => {
      if (change.kind === 'settled') void audit.add(settledRecord(change.id, change.outcome))
    })
    const instruments = createInstruments(node.views.instruments())
    const history = await openMarketHistory({
      folder: { at: (...more) => folder.at(...names, ...more) },
      instruments,
      days: 0,
      logger,
    })
    opened.add(() => history.close())
    await fillGap(node, instruments, history.market).catch((fault) =>
      warn('node.bars', fault instanceof Error ? fault.message : String(fault)),
    )
    return {
      desk: auditedDesk(node, audit),
      instruments,
      history,
      trades: openHistoryReader(node),
      // The node has no figures of its connections; its own configuration decides about them.
      links: { list: async () => [], test: (venue) => node.testVenue(venue) },
      venues: {
        list: () => node.views.engine().venues.map(({ id }) => id),
        describe: (venue) => describeVenue(venue, node.views.engine().account),
      },
      secondsFolder: folder.at(...names, 'seconds'),
      backtests: await openBacktestsOf(node, instruments, options),
      waitForAudit: () => audit.settled(),
      start: () => history.start(),
      close: (graceMs) =>
        closeInOrder(graceMs, [(leftMs) => opened.close(leftMs), stopAudit, () => audit.close()]),
    }
  } catch (fault) {
    // The next attempt starts a node again, so this one must not stay.
    await opened.close(0).catch(onFault)
    throw fault
  }
}

/** Runs are done on this machine, also for a node that runs elsewhere; without an installation they are not offered. */
async function openBacktestsOf(
  node: NautilusDesk,
  instruments: Instruments,
  { folder, path, logger, ...options }: NautilusEngineOptions,
): Promise<BacktestEngine | undefined> {
  const { backtestProgram, findPython, readVersion, startBacktest } = await import('@binnacle/nautilus')
  const python = options.python ?? findPython(options.setupFolder ?? folder.at('nautilus'))
  const version = python === null ? null : await readVersion(python)
  if (python === null || version === null) return undefined
  return createNodeBacktests({
    program: backtestProgram(python, path),
    start: startBacktest,
    // Our strategies and statistics run in it.
    version: `${VERSION}+nautilus_trader.${version}`,
    instruments,
    kinds: () => node.kinds,
    onLine: (line) => logger.info({ event: 'backtest.output', message: line }),
  })
}

function describeVenue(venue: string, account: EngineView['account']): ReturnType<AdapterVenues['describe']> {
  const isPaper = account === 'paper'
  return {
    id: venue.toLowerCase(),
    name: venue,
    type: isPaper ? 'Paper venue' : 'Venue',
    keeps_orders: true,
    mode: isPaper ? 'simulated' : 'live',
  }
}

/** A node as the console reaches it. */
interface StartedNode {
  connection: Pick<NodeClientOptions, 'address' | 'token'>
  describeFailure(why: string): string
  close(graceMs: number): Promise<void>
}

async function startNode(options: NautilusEngineOptions, home: string): Promise<StartedNode> {
  const { BRIDGE_FOLDER, findPython, NodeSupervisor } = await import('@binnacle/nautilus')
  const { folder, logger } = options
  const { setupFolder = home } = options
  const python = options.python ?? findPython(setupFolder)
  if (python === null) {
    throw new StartRefusal(
      `NautilusTrader is not installed in ${setupFolder}. Run 'npm run nautilus -- setup', or set BINNACLE_NAUTILUS_PYTHON to an interpreter that has it.`,
    )
  }
  const place = await socketIn(home)
  const socket = place.path
  const supervisor = new NodeSupervisor({
    program: python,
    args: [
      // -P: no module is taken from the working folder of the server.
      ...['-P', '-m', 'nautilus_bridge.launcher', '--data', join(home, 'node'), '--socket', socket],
      ...['--trader-id', options.traderId, '--exit-with-stdin'],
    ],
    env: { PATH: options.path, PYTHONPATH: BRIDGE_FOLDER, PYTHONUNBUFFERED: '1', TZ: 'UTC', LANG: 'C.UTF-8' },
    onLine: (line) => logger.info({ event: 'node.output', message: line }),
    onWarning: (event, message) => logger.warn({ event, message }),
  })
  return {
    connection: { address: { kind: 'socket', path: socket } },
    describeFailure: (why) =>
      `The NautilusTrader node did not start: ${why}. Its output is in ${folder.at('logs', 'server.log')}.`,
    async close(graceMs) {
      await supervisor.close(graceMs)
      await place.remove()
    },
  }
}

async function joinNode({ address, at, tokenFile, caFile }: NautilusNode): Promise<StartedNode> {
  const token = tokenFile === undefined ? undefined : (await readSetting('token', tokenFile)).trim()
  const ca = caFile === undefined ? undefined : await readSetting('CA', caFile)
  return {
    connection: {
      address: at.kind === 'tls' && ca !== undefined ? { ...at, ca } : at,
      ...(token !== undefined && { token }),
    },
    describeFailure: (why) =>
      `The NautilusTrader node at ${address} cannot be reached: ${why}. Start it, or correct its address in BINNACLE_NAUTILUS_ADDRESS or BINNACLE_ENGINES.`,
    close: async () => {},
  }
}

async function readSetting(name: 'token' | 'CA', file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (fault) {
    const reason = fault instanceof Error ? fault.message : String(fault)
    throw new StartRefusal(`The ${name} file of the NautilusTrader node cannot be read: ${reason}.`)
  }
}

/** Records the node's past minutes after the last recorded one, so that charts have what passed without the console. */
async function fillGap(node: NautilusDesk, instruments: Instruments, record: MarketRecord): Promise<void> {
  const minute = Math.floor(Date.now() / 60_000) * 60_000
  await Promise.all(
    instruments.all.map(async ({ id }) => {
      const last = record.lastMinuteOf(id) ?? -1
      const past = await node.pastMinutes(id, PAST_MINUTES)
      // The minute under way is the running market's.
      const missing = past.filter(({ start }) => start > last && start < minute)
      if (missing.length > 0) record.record(missing)
    }),
  )
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** NAUT-150: in the data folder, else in a new folder for this user alone: a known name could be taken by another one. */
export async function socketIn(folder: string): Promise<{ path: string; remove(): Promise<void> }> {
  const path = join(folder, 'node.sock')
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES) return { path, remove: async () => {} }
  const own = await mkdtemp(join(tmpdir(), 'binnacle-node-'))
  return { path: join(own, 'node.sock'), remove: () => rm(own, { recursive: true, force: true }) }
}

/** Resolves with whether the claim holds within the time. */
async function reachIn(desk: Desk, claim: () => boolean, ms: number, signal?: AbortSignal): Promise<boolean> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, ms)
  if (signal?.aborted) late.resolve()
  else signal?.addEventListener('abort', () => late.resolve(), { once: true })
  let isLate = false
  void late.promise.then(() => {
    isLate = true
  })
  while (!isLate && !claim()) await Promise.race([desk.changed(), late.promise])
  clearTimeout(timer)
  return claim()
}

/** Records every command of a person with what came of it. */
function auditedDesk(node: Desk, audit: CommandAudit): Desk {
  return {
    get views() {
      return node.views
    },
    get orderHistory() {
      return node.orderHistory
    },
    get kinds() {
      return node.kinds
    },
    preview: (order) => node.preview(order),
    orderTimeline: (order) => node.orderTimeline(order),
    onChange: (listener) => node.onChange(listener),
    changed: () => node.changed(),
    onTrades: (listener) => node.onTrades(listener),
    async submit(command, sender) {
      // What cancels, closes or stops must work in any case.
      if (audit.isFull && command.type === 'PlaceOrder') return AUDIT_FULL
      try {
        const outcome = await node.submit(command, sender)
        // A refusal changed nothing, and the embedded engine records none.
        if (outcome.ok) await audit.add(recordOf(command, sender, resultOf(outcome)))
        return outcome
      } catch (fault) {
        await audit.add(recordOf(command, sender, { result: 'unknown' }))
        throw fault
      }
    },
  }
}

const AUDIT_FULL = {
  ok: false,
  reason: {
    code: 'desk.halted',
    haltReason: 'the audit log cannot be written, and too many records wait for it',
  },
} as const

function resultOf({ orderId, strategy }: Extract<Outcome, { ok: true }>): Record<string, unknown> {
  return { result: 'done', ...(orderId !== null && { order: orderId }), ...(strategy && { strategy }) }
}

function recordOf(
  { type, ...terms }: Command,
  sender: CommandSender | undefined,
  result: Record<string, unknown>,
): PendingRecord {
  const { action = type, role = 'server', address = null } = sender?.origin ?? {}
  const subject: Readonly<Record<string, unknown>> = { ...terms, ...result }
  const target = SUBJECTS.map((name) => subject[name]).find((id) => typeof id === 'string')
  return {
    audit: { actor: sender?.by ?? 'server', role, address, action, requestId: sender?.requestId ?? null },
    change: {
      entity: 'node',
      target: String(target ?? 'node'),
      before: null,
      after: { ...terms, ...result },
    },
    at: new Date(),
  }
}

/** What a command is about, by the first of these that it or its result names; else the node as a whole. */
const SUBJECTS = ['order', 'orderId', 'positionId', 'strategy', 'component', 'venue', 'instrument', 'name']

function settledRecord(id: string, outcome: unknown): PendingRecord {
  return {
    audit: serverAuditContext('node.reconcile'),
    change: { entity: 'node', target: id, before: { result: 'unknown' }, after: outcome },
    at: new Date(),
  }
}
