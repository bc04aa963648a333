import type { Order, Strategy, StrategyType } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { capabilityQueries, offers } from '#data/capabilities.ts'
import { logOnly } from '#data/failure.ts'
import { orderHistoryQueries } from '#data/order-history.ts'
import { useStrategyHistory } from '#data/strategies.ts'
import { useLimitLoss, useRenameStrategy } from '#data/strategy-types.ts'
import { formatQuantity } from '#format/money.ts'
import { formatInstant } from '#format/time.ts'
import { paths } from '#paths.ts'
import { formFailure, toastFailureAfterUnmount } from '#state/command-failures.ts'
import { SparkLine } from '#ui/chart/spark-line.tsx'
import { Button } from '#ui/control/button.tsx'
import { TextField } from '#ui/control/field.tsx'
import { TextLink } from '#ui/control/text-link.tsx'
import { Gain } from '#ui/figure/gain.tsx'
import { PageDrawer } from '#ui/frame/drawer.tsx'
import { copy } from './copy.ts'
import classes from './strategy-drawer.module.css'
import { StrategyLog } from './strategy-log.tsx'

export interface StrategyDrawerProps {
  strategy: Strategy
  /** Its kind, with the labels of its parameters. */
  type: StrategyType | undefined
  onClose: () => void
}

const { drawer: words } = copy

/** STRAT-53: P&L and its history, parameters, latest orders and log of a strategy. */
export function StrategyDrawer({ strategy, type, onClose }: StrategyDrawerProps) {
  const { performance, reason, note } = strategy
  return (
    <PageDrawer title={strategy.name} onClose={onClose}>
      <div className={classes.detail}>
        <p>{strategy.description || copy.noDescription}</p>
        {reason && <p>{reason}</p>}
        {note && <p>{note}</p>}
        <PnlHistory id={String(strategy.id)} pnl={performance.total_pnl} />
        <Rename strategy={strategy} />
        <LossLimit strategy={strategy} />
        <section>
          <h3>{words.parameters}</h3>
          <Parameters strategy={strategy} type={type} />
        </section>
        <section>
          <h3>{words.orders}</h3>
          <LatestOrders id={String(strategy.id)} />
        </section>
        <StrategyLog strategy={strategy} labelOf={(name) => labelOf(type, name)} />
      </div>
    </PageDrawer>
  )
}

function PnlHistory({ id, pnl }: { id: string; pnl: number | undefined }) {
  const values = useStrategyHistory(id)
  return (
    <section>
      <dl className={classes.rows}>
        <div>
          <dt>{words.net}</dt>
          <dd>{pnl === undefined ? copy.noFigure : <Gain amount={pnl} />}</dd>
        </div>
        {values !== undefined && (
          <div>
            <dt>{words.history}</dt>
            <dd>
              {values.length < 2 ? (
                words.noHistory
              ) : (
                <SparkLine
                  values={values}
                  size="row"
                  tone={(values.at(-1) ?? 0) < (values[0] ?? 0) ? 'down' : 'up'}
                />
              )}
            </dd>
          </div>
        )}
      </dl>
    </section>
  )
}

/** STRAT-54 */
function Rename({ strategy }: { strategy: Strategy }) {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const [draft, setDraft] = useState<string>()
  const rename = useRenameStrategy({
    onFailure: toastFailureAfterUnmount(words.renameUnknown),
    onDone: () => setDraft(undefined),
  })
  if (!offers(backend, 'strategy-types')) return null
  const failure =
    rename.failure && formFailure(rename.failure, { unknown: words.renameUnknown, fields: ['name'] })
  const name = draft ?? strategy.name
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    rename.run({ id: strategy.id, name })
  }
  return (
    <form noValidate onSubmit={submit} className={classes.limit}>
      <TextField
        label={words.name}
        error={failure?.fields.name ?? failure?.text}
        value={name}
        onChange={setDraft}
      />
      <Button type="submit" busy={rename.isPending} disabled={name === strategy.name}>
        {words.rename}
      </Button>
    </form>
  )
}

/** RISK-68 */
function LossLimit({ strategy }: { strategy: Strategy }) {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const stored = typeof strategy.loss_limit === 'number' ? String(strategy.loss_limit) : ''
  const [draft, setDraft] = useState<string>()
  const save = useLimitLoss({
    onFailure: toastFailureAfterUnmount(words.limitUnknown),
    onDone: () => setDraft(undefined),
  })
  if (!offers(backend, 'strategy-loss-limit')) return null
  const failure =
    save.failure && formFailure(save.failure, { unknown: words.limitUnknown, fields: ['limit'] })
  const text = draft ?? stored
  const isUnreadable = text !== '' && Number.isNaN(Number.parseFloat(text))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isUnreadable) save.run({ id: strategy.id, limit: text === '' ? null : Number.parseFloat(text) })
  }
  return (
    <form noValidate onSubmit={submit} className={classes.limit}>
      <TextField
        label={words.lossLimit}
        hint={words.lossLimitHint}
        error={isUnreadable ? words.lossLimitUnreadable : (failure?.fields.limit ?? failure?.text)}
        type="number"
        step="any"
        value={text}
        onChange={setDraft}
      />
      <Button type="submit" busy={save.isPending} disabled={text === stored}>
        {words.saveLimit}
      </Button>
    </form>
  )
}

function Parameters({ strategy, type }: Pick<StrategyDrawerProps, 'strategy' | 'type'>) {
  const settings = Object.entries(strategy.config ?? {})
  if (settings.length === 0) return <p>{words.noParameters}</p>
  return (
    <dl className={classes.rows}>
      {settings.map(([name, value]) => (
        <div key={name}>
          <dt>{labelOf(type, name)}</dt>
          <dd>{typeof value === 'object' ? JSON.stringify(value) : String(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function labelOf(type: StrategyType | undefined, name: string): string {
  return type?.parameters.find((parameter) => parameter.name === name)?.label ?? name
}

const SHOWN_ORDERS = 10

function LatestOrders({ id }: { id: string }) {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const isOffered = offers(backend, 'order-history')
  const query = { strategy: id, limit: SHOWN_ORDERS }
  const { data } = useQuery(orderHistoryQueries.list({ onFailure: logOnly, query, isOffered }))
  if (!isOffered) return <p>{words.ordersMissing}</p>
  if (data?.orders.length === 0) return <p>{words.noOrders}</p>
  return (
    <>
      <ul className={classes.orders}>
        {data?.orders.map((order) => (
          <li key={order.id}>
            <OrderLine order={order} />
          </li>
        ))}
      </ul>
      <TextLink to={`${paths.orders}?strategy=${id}`}>{words.allOrders}</TextLink>
    </>
  )
}

function OrderLine({ order }: { order: Order }) {
  const { id, side, quantity, instrument, status, created_at: at, reason } = order
  return (
    <>
      <TextLink to={`${paths.orders}?order=${id}`}>{String(id)}</TextLink> {side} {formatQuantity(quantity)}{' '}
      {instrument} <strong>{status}</strong>
      <span className={classes.time}>{at && formatInstant(at)}</span>
      {status === 'REJECTED' && reason && <span className={classes.time}>{reason.sentence}</span>}
    </>
  )
}
