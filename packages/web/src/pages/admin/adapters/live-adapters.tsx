import type { Adapter, AdapterResult } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  adapterQueries,
  type BulkAction,
  useAllAdapters,
  useSwitchAdapter,
  useTestAdapter,
} from '#data/adapters.ts'
import { problemText } from '#data/failure.ts'
import { HISTORY_RANGES, type HistoryRange } from '#data/monitoring.ts'
import { paths } from '#paths.ts'
import { actionMessages } from '#ports/action-messages.ts'
import { useNow } from '#state/now.ts'
import { notify, notifyFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { FreshnessBadge } from '#ui/state/freshness-badge.tsx'
import { Loaded } from '#ui/state/loaded.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { AdapterConfigForm, type AdapterConfigFormProps, type AdapterDraft } from './adapter-config-form.tsx'
import { AdapterHistograms, AdapterHistory, AdapterLog, AdapterTestReport } from './adapter-panels.tsx'
import { AdapterTable } from './adapter-table.tsx'
import { copy } from './copy.ts'
import classes from './live-adapters.module.css'
import { live } from './live-copy.ts'

const back = { to: paths.admin, label: copy.back }
const BULK = { connect: copy.connectAll, disconnect: copy.disconnectAll, test: copy.testAll } as const
const BULK_ACTIONS = ['connect', 'disconnect', 'test'] as const
const MAX_NAMED = 5
/** Two polls. */
const MAX_LOAD_AGE_MS = 4_000

export function LiveAdapters() {
  const adapters = useQuery(adapterQueries.list())
  const [selectedId, setSelectedId] = useState('binance')
  const [configFocus, setConfigFocus] = useState(0)
  // ADAPT-28: what was typed stays while another adapter is chosen.
  const [drafts, setDrafts] = useState<Readonly<Record<string, AdapterDraft | undefined>>>({})
  const confirm = useConfirm()
  const bulk = useBulkActions()
  const { toggle, test, pending } = useAdapterActions(confirm.ask)
  const list = adapters.data ?? []
  const at = useTimeOfFigures(adapters.dataUpdatedAt)
  const connected = list.filter(({ status }) => status === 'connected').length
  const askAll = (action: BulkAction) => {
    if (action !== 'disconnect') bulk.run(action)
    else
      confirm.ask({
        question: live.confirmDisconnect(copy.all),
        detail: <Consequence adapters={list} />,
        action: live.disconnect,
        onConfirm: () => bulk.run(action),
      })
  }
  const select = (id: string) => {
    setSelectedId(id)
    setConfigFocus(0)
  }
  const act = (action: 'toggle' | 'test' | 'config', adapter: Adapter) => {
    select(adapter.id)
    if (action === 'toggle') toggle(adapter)
    else if (action === 'test') test(adapter)
    else setConfigFocus(configFocus + 1)
  }
  return (
    <Screen
      title={copy.title}
      aside={
        list.length > 0 && (
          <>
            <FreshnessBadge
              freshness={adapters.isError ? 'stale' : 'live'}
              asOf={adapters.isError ? adapters.dataUpdatedAt : undefined}
            />
            <Badge tone="good" dot>
              {live.connected(connected)}
            </Badge>
            {connected < list.length && (
              <Badge tone="bad" dot>
                {live.disconnected(list.length - connected)}
              </Badge>
            )}
          </>
        )
      }
      back={back}
      actions={BULK_ACTIONS.map((action) => (
        <Button key={action} busy={bulk.pendingSubjects.has(action)} onClick={() => askAll(action)}>
          {BULK[action]}
        </Button>
      ))}
    >
      {bulk.report && <BulkReport results={bulk.report} />}
      <Loaded
        load={adapters}
        loading={copy.loading}
        failed={copy.failed}
        reason={problemText(adapters.error)}
      >
        {(entries) => {
          const selected = entries.find(({ id }) => id === selectedId) ?? entries[0]
          return (
            <>
              <AdapterTable
                adapters={entries}
                at={at}
                selectedId={selected?.id}
                pending={pending}
                onSelect={select}
                onAct={act}
              />
              {selected && (
                <div className={classes.panels}>
                  <div className={classes.column}>
                    <AdapterTestReport adapter={selected} />
                    <LatencyHistory adapter={selected} />
                    <AdapterHistograms adapters={entries} />
                    <AdapterLog adapter={selected} />
                  </div>
                  <div className={classes.column}>
                    <Configuration
                      key={selected.id}
                      adapter={selected}
                      edited={drafts[selected.id]}
                      onEdit={(draft) => setDrafts((all) => ({ ...all, [selected.id]: draft }))}
                      focusCount={configFocus}
                    />
                  </div>
                </div>
              )}
            </>
          )
        }}
      </Loaded>
      {confirm.dialog}
    </Screen>
  )
}

/** Of their load while polls succeed, so that no age moves between two polls; now when they are late, so that ages grow. */
function useTimeOfFigures(loadedAt: number): number {
  const now = useNow()
  return now - loadedAt > MAX_LOAD_AGE_MS ? now : loadedAt
}

function Configuration(props: Omit<AdapterConfigFormProps, 'config'>) {
  const { name, config } = props.adapter
  return config === undefined ? (
    <Card title={live.configOf(name)}>
      <p className={classes.note}>{live.configuredByNode}</p>
    </Card>
  ) : (
    <AdapterConfigForm {...props} config={config} />
  )
}

// The keys of the table are its ranges.
const RANGES = Object.keys(HISTORY_RANGES) as HistoryRange[]

function LatencyHistory({ adapter }: { adapter: Adapter }) {
  const [range, setRange] = useState<HistoryRange>('1h')
  const { data } = useQuery(adapterQueries.history(range, adapter.latency?.series))
  return <AdapterHistory adapter={adapter} range={range} ranges={RANGES} history={data} onRange={setRange} />
}

function useBulkActions() {
  const [report, setReport] = useState<readonly AdapterResult[]>()
  const messages = (action: BulkAction) => actionMessages('live', action, copy.all)
  const command = useAllAdapters({
    onStart: (action) => {
      setReport(undefined)
      notify('info', messages(action).starting)
    },
    onDone: (results, action) => {
      setReport(results)
      const troubled = results.filter(({ ok }) => !ok).length
      if (troubled > 0) notify('warning', live.problems(troubled, results.length))
      else
        notify('success', action === 'test' ? copy.testPassed('live', 'All adapters') : messages(action).done)
    },
    onFailure: (error, action, context) =>
      notifyFailure(messages(action).failed, messages(action).unknown)(error, action, context),
  })
  return { report, run: command.run, pendingSubjects: command.pendingSubjects }
}

type Ask = ReturnType<typeof useConfirm>['ask']

function useAdapterActions(ask: Ask) {
  const switching = useSwitchAdapter({
    onStart: (request) => notify('info', messagesOf(request).starting),
    onDone: ({ status }, request) => {
      const { name } = request.adapter
      if ((status === 'connected') === request.isConnecting) notify('success', messagesOf(request).done)
      else notify('warning', request.isConnecting ? live.notYet(name) : live.unconfirmed(name))
    },
    onFailure: (error, request, context) => {
      const { failed, unknown } = messagesOf(request)
      return notifyFailure(failed, unknown)(error, request, context)
    },
  })
  const testing = useTestAdapter({
    onStart: ({ name }) => notify('info', actionMessages('live', 'test', name).starting),
    onDone: ({ passed, steps }, { name }) => {
      const failed = steps.filter(({ result }) => result === 'failed').map((step) => step.name)
      if (passed) notify('success', copy.testPassed('live', name))
      else notify('warning', live.testFailed(name, failed.join(', ')))
    },
    onFailure: (error, adapter, context) => {
      const { failed, unknown } = actionMessages('live', 'test', adapter.name)
      return notifyFailure(failed, unknown)(error, adapter, context)
    },
  })
  const toggle = (adapter: Adapter) => {
    const isWanted =
      adapter.status === 'connected' || adapter.state === 'waiting' || adapter.state === 'connecting'
    if (!isWanted) switching.run({ adapter, isConnecting: true })
    else
      ask({
        question: live.confirmDisconnect(adapter.name),
        detail: <Consequence adapters={[adapter]} />,
        action: live.disconnect,
        onConfirm: () => switching.run({ adapter, isConnecting: false }),
      })
  }
  return {
    toggle,
    test: (adapter: Adapter) => testing.run(adapter),
    pending: { toggle: switching.pendingSubjects, test: testing.pendingSubjects },
  }
}

function messagesOf({ adapter, isConnecting }: { adapter: Adapter; isConnecting: boolean }) {
  return actionMessages('live', isConnecting ? 'connect' : 'disconnect', adapter.name)
}

interface ConsequenceProps {
  adapters: readonly Adapter[]
}

/** ADAPT-22: what a disconnect means for the orders and positions there. */
function Consequence({ adapters }: ConsequenceProps) {
  const orders = adapters.flatMap(({ working_orders }) => working_orders)
  const positions = adapters.flatMap((adapter) => adapter.positions)
  const keepsOrders = adapters.some(({ keeps_orders }) => keeps_orders)
  return (
    <>
      <p>{keepsOrders ? live.remainingOrders(orders.length) : live.workingOrders(orders.length)}</p>
      <Named things={orders} />
      <p>{live.positions(positions.length)}</p>
      <Named things={positions} />
      <p>{live.stale}</p>
    </>
  )
}

interface NamedProps {
  things: Adapter['working_orders']
}

function Named({ things }: NamedProps): ReactNode {
  if (things.length === 0) return null
  return (
    <ul className={classes.named}>
      {things.slice(0, MAX_NAMED).map(({ id, side, quantity, instrument }) => (
        <li key={id}>{`${id}: ${side} ${quantity} ${instrument}`}</li>
      ))}
      {things.length > MAX_NAMED && <li>{live.more(things.length - MAX_NAMED)}</li>}
    </ul>
  )
}

interface BulkReportProps {
  results: readonly AdapterResult[]
}

function BulkReport({ results }: BulkReportProps) {
  return (
    <Notice tone={results.every(({ ok }) => ok) ? 'good' : 'warn'} title={live.report} isAlert>
      <ul className={classes.named}>
        {results.map(({ id, name, message }) => (
          <li key={id}>{`${name}: ${message}`}</li>
        ))}
      </ul>
    </Notice>
  )
}
