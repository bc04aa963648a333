import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Command,
  type CommandSender,
  createInstruments,
  type Desk,
  type Outcome,
} from '@binnacle/engine'
import type { AuditStore } from '#storage/admin/audit-store.ts'
import { type PendingRecord, serverAuditContext } from '#storage/audit/audit-context.ts'
import { StartRefusal } from '#storage/start-refusal.ts'
import { openMarketHistory } from '#trading/catalog/market-history.ts'
import { openPastOrdersReader } from '#trading/performance/performance-reader.ts'
import type { TradingEngine, TradingEngineNeeds } from './embedded-engine.ts'

export interface NautilusEngineNeeds extends TradingEngineNeeds {
  traderId: string
  /** The interpreter; undefined uses the one that the setup installed in the data folder. */
  python: string | undefined
  /** Where programs are searched. */
  path: string
}

/** A cold Python on a busy machine needs several seconds. */
const START_MS = 120_000
/** A Unix socket's path is limited to 108 bytes. */
const MAX_SOCKET_PATH_BYTES = 100

/** Opens a local NautilusTrader node, supervised as a child process, and the desk over it. */
export async function openNautilusEngine(needs: NautilusEngineNeeds): Promise<TradingEngine> {
  const { folder, store, logger, onFault } = needs
  const {
    BRIDGE_FOLDER,
    findPython,
    NautilusDesk,
    NodeClient,
    NodeSupervisor,
    openCommandJournal,
    openHistoryStore,
  } = await import('@binnacle/nautilus')
  const home = folder.at('nautilus')
  await mkdir(home, { recursive: true, mode: 0o700 })
  const python = needs.python ?? findPython(home)
  if (python === null) {
    throw new StartRefusal(
      `NautilusTrader is not installed in ${home}. Run 'npm run nautilus -- setup', or set BINNACLE_NAUTILUS_PYTHON to an interpreter that has it.`,
    )
  }
  const note = (event: string, message: string) => logger.warn({ event, message })
  const socket = socketIn(home)
  const supervisor = new NodeSupervisor({
    program: python,
    args: [
      ...['-m', 'nautilus_bridge.launcher', '--data', join(home, 'node'), '--socket', socket],
      ...['--trader-id', needs.traderId, '--exit-with-stdin'],
    ],
    env: { PATH: needs.path, PYTHONPATH: BRIDGE_FOLDER, PYTHONUNBUFFERED: '1', TZ: 'UTC', LANG: 'C.UTF-8' },
    onLine: (line) => logger.info({ event: 'node.output', message: line }),
    onNote: note,
  })
  const journal = await openCommandJournal(join(home, 'commands.jsonl'))
  const client = new NodeClient({ address: { kind: 'socket', path: socket }, journal, onNote: note })
  const past = await openHistoryStore(join(home, 'history.jsonl'), {
    onFault: (message) => note('node.history', message),
  })
  const node = new NautilusDesk(client, past)
  const close = async (graceMs: number) => {
    await client.close()
    await past.close()
    await supervisor.close(graceMs)
  }
  if (!(await isRunningIn(node, START_MS))) {
    const why = node.rows.haltedBecause ?? `its state is ${node.rows.engine().identity?.status}`
    await close(0)
    throw new StartRefusal(
      `The NautilusTrader node did not start in ${START_MS / 1_000} s: ${why}. Its output is in ${folder.at('logs', 'server.log')}.`,
    )
  }
  const audit = new CommandAudit(store.audit, onFault)
  const stopAudit = client.onChange((change) => {
    if (change.kind === 'settled') audit.add(settledRecord(change.id, change.outcome))
  })
  const instruments = createInstruments(node.rows.instruments())
  const history = await openMarketHistory({
    folder: { at: (...names) => folder.at('nautilus', ...names) },
    instruments,
    days: 0,
    logger,
  })
  return {
    desk: auditedDesk(node, audit),
    instruments,
    history,
    trades: openPastOrdersReader(node),
    secondsFolder: folder.at('nautilus', 'seconds'),
    settleAudit: () => audit.settled(),
    start: () => {},
    async close(graceMs) {
      await history.close()
      await close(graceMs)
      stopAudit()
      await audit.settled()
    },
  }
}

function socketIn(folder: string): string {
  const path = join(folder, 'node.sock')
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES) return path
  return join(tmpdir(), `binnacle-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}.sock`)
}

/** Resolves with whether the node trades within the time. */
async function isRunningIn(desk: Desk, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, ms)
  let isLate = false
  void late.promise.then(() => {
    isLate = true
  })
  while (!isLate && !desk.rows.engine().isRunning) await Promise.race([desk.changed(), late.promise])
  clearTimeout(timer)
  return desk.rows.engine().isRunning
}

/** Appends records in their order; a failed one is reported and the next is tried. */
class CommandAudit {
  readonly #audit: Pick<AuditStore, 'appendFromJournal' | 'journalMark'>
  readonly #onFault: (fault: unknown) => void
  #last: Promise<void> = Promise.resolve()

  constructor(
    audit: Pick<AuditStore, 'appendFromJournal' | 'journalMark'>,
    onFault: (fault: unknown) => void,
  ) {
    this.#audit = audit
    this.#onFault = onFault
  }

  add(record: PendingRecord): void {
    this.#last = this.#last
      // The journal of the embedded engine stays where it is.
      .then(async () => this.#audit.appendFromJournal([record], await this.#audit.journalMark()))
      .catch(this.#onFault)
  }

  settled(): Promise<void> {
    return this.#last
  }
}

/** Records every command of a person with what came of it. */
function auditedDesk(node: Desk, audit: CommandAudit): Desk {
  return {
    get rows() {
      return node.rows
    },
    get pastOrders() {
      return node.pastOrders
    },
    get kinds() {
      return node.kinds
    },
    preview: (order) => node.preview(order),
    trail: (order) => node.trail(order),
    onChange: (listener) => node.onChange(listener),
    changed: () => node.changed(),
    onTrades: (listener) => node.onTrades(listener),
    async submit(command, sender) {
      try {
        const outcome = await node.submit(command, sender)
        // A refusal changed nothing, and the embedded engine records none.
        if (outcome.ok) audit.add(recordOf(command, sender, resultOf(outcome)))
        return outcome
      } catch (fault) {
        audit.add(recordOf(command, sender, { result: 'unknown' }))
        throw fault
      }
    },
  }
}

function resultOf({ orderId, strategy }: Extract<Outcome, { ok: true }>): Record<string, unknown> {
  return { result: 'done', ...(orderId !== null && { order: orderId }), ...(strategy && { strategy }) }
}

function recordOf(
  { type, ...terms }: Command,
  sender: CommandSender | undefined,
  result: Record<string, unknown>,
): PendingRecord {
  const { action = type, role = 'server', address = null } = sender?.origin ?? {}
  const target = [result.order, result.strategy, ...Object.values(terms)].find((id) => typeof id === 'string')
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

function settledRecord(id: string, outcome: unknown): PendingRecord {
  return {
    audit: serverAuditContext('node.reconcile'),
    change: { entity: 'node', target: id, before: { result: 'unknown' }, after: outcome },
    at: new Date(),
  }
}
