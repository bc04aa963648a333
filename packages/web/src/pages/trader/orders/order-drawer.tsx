import type { OrderDetail } from '@binnacle/contract'
import { ApiError, problemText } from '#data/failure.ts'
import { useOrderDetail } from '#data/orders.ts'
import { formatFee, formatMoney, formatPriceAtTick, formatQuantity, formatSignal } from '#format/money.ts'
import { Badge } from '#ui/figure/badge.tsx'
import { ToneText } from '#ui/figure/tone-text.tsx'
import { PageDrawer } from '#ui/frame/drawer.tsx'
import { describeOrder } from '#ui/order/order-rules.ts'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import classes from './order-drawer.module.css'
import { type CheckResult, checkResults, rejectionReason, toneOfStatus } from './order-status.ts'

export interface OrderDrawerProps {
  id: string
  /** Tick sizes by instrument. */
  ticks: ReadonlyMap<string, number>
  onClose: () => void
}

const { detail: words } = copy

/** ORD-68 */
export function OrderDrawer({ id, ticks, onClose }: OrderDrawerProps) {
  const { data, isPending, error } = useOrderDetail(id)
  return (
    <PageDrawer title={words.title(id)} onClose={onClose}>
      {isPending && <Loading text={words.loading} lines={6} />}
      {!data && error && <Notice tone="bad" title={failureText(error, id)} />}
      {data && <Detail detail={data} ticks={ticks} />}
    </PageDrawer>
  )
}

/** ORD-77: the server's own text names the call that lists orders. */
function failureText(error: Error, id: string): string {
  if (error instanceof ApiError && error.status === 404) return words.unknown(id)
  return problemText(error) ?? words.failed
}

function Detail({ detail, ticks }: { detail: OrderDetail; ticks: OrderDrawerProps['ticks'] }) {
  const { order, basis, steps } = detail
  const tick = ticks.get(order.instrument)
  const formatPrice = (value: number) => formatPriceAtTick(value, tick)
  const reason = rejectionReason(order)
  // Steps are only appended, and two fills of one entry may be equal in everything.
  const numbered = steps.map((step, number) => ({ step, number }))
  return (
    <div className={classes.detail}>
      <p>
        <Badge tone={toneOfStatus(order.status)}>{order.status}</Badge> {describeOrder(order)}
      </p>
      {reason !== undefined && <Notice tone="bad" title={reason} />}
      <section>
        <h3>{words.why}</h3>
        {basis === null ? (
          <p>{words.notRecorded}</p>
        ) : (
          <Basis detail={detail} basis={basis} formatPrice={formatPrice} />
        )}
      </section>
      <section>
        <h3>{words.steps}</h3>
        <ol className={classes.steps}>
          {numbered.map(({ step, number }) => (
            <li key={number}>
              <Step step={step} formatPrice={formatPrice} />
            </li>
          ))}
        </ol>
        {!detail.is_complete && <p>{words.incomplete}</p>}
      </section>
    </div>
  )
}

type PriceFormatter = (value: number) => string
type RecordedBasis = NonNullable<OrderDetail['basis']>

function Basis({
  detail,
  basis,
  formatPrice,
}: {
  detail: OrderDetail
  basis: RecordedBasis
  formatPrice: PriceFormatter
}) {
  const { intent, quote, checks, effect } = basis
  const sender = detail.steps[0]?.by
  const isOfStrategy = intent !== undefined && intent.type !== 'exit'
  return (
    <>
      <dl className={classes.rows}>
        <div>
          <dt>{isOfStrategy ? words.signal : words.placed}</dt>
          <dd>
            {isOfStrategy ? (
              <Signal signal={basis.signal} />
            ) : intent ? (
              words.byEngine
            ) : (
              words.manual(sender ?? 'server')
            )}
          </dd>
        </div>
        {intent && (
          <div>
            <dt>{words.intent}</dt>
            <dd>{intentText(intent, formatPrice)}</dd>
          </div>
        )}
        {quote && (
          <div>
            <dt>{words.quote}</dt>
            <dd>{words.quoteText(formatPrice(quote.bid), formatPrice(quote.ask), `${quote.age_ms} ms`)}</dd>
          </div>
        )}
      </dl>
      <h4>{words.checks}</h4>
      {checks.length === 0 ? (
        <p>{words.unchecked[effect]}</p>
      ) : (
        <Checks checks={checks} results={checkResults(detail, checks)} />
      )}
    </>
  )
}

function Signal({ signal = {} }: { signal: RecordedBasis['signal'] }) {
  const figures = Object.entries(signal)
  if (figures.length === 0) return words.noSignal
  return figures.map(([name, value]) => (
    <span key={name} className={classes.figure}>
      {formatSignal(name, value)}
    </span>
  ))
}

function intentText(intent: NonNullable<RecordedBasis['intent']>, formatPrice: PriceFormatter): string {
  if (intent.type === 'exit') return words.exit[intent.exit](formatPrice(intent.price))
  if (intent.type === 'target') return words.target(formatQuantity(intent.position))
  const at = intent.price === null ? words.atMarket : formatPrice(intent.price)
  return words.place(intent.side, formatQuantity(intent.quantity), at)
}

interface ChecksProps {
  checks: RecordedBasis['checks']
  results: readonly (CheckResult | undefined)[]
}

function Checks({ checks, results }: ChecksProps) {
  return (
    <table className={classes.checks}>
      <thead>
        <tr>
          {words.checkColumns.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {checks.map(({ check, value, limit }, index) => {
          const format = PLAIN_NUMBER_CHECKS.has(check) ? formatQuantity : formatMoney
          const result = results[index]
          return (
            <tr key={check}>
              <th scope="row">{words.checkNames[check] ?? check}</th>
              <td>
                {result === undefined ? (
                  format(value)
                ) : (
                  <ToneText tone={result === 'passed' ? 'good' : 'bad'}>
                    {result === 'passed' ? '✓' : '✗'} {format(value)}
                  </ToneText>
                )}
              </td>
              <td>{format(limit)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const PLAIN_NUMBER_CHECKS = new Set(['quote_age_ms', 'max_positions'])

function Step({ step, formatPrice }: { step: OrderDetail['steps'][number]; formatPrice: PriceFormatter }) {
  const { at, event, quantity, price: stepPrice, fee, liquidity, by, sentence } = step
  const figures = [
    quantity !== undefined && formatQuantity(quantity),
    typeof stepPrice === 'number' && `at ${formatPrice(stepPrice)}`,
    fee !== undefined && words.fee(formatFee(fee)),
    liquidity?.toLowerCase(),
    by !== null && words.by(by),
  ].filter(Boolean)
  return (
    <>
      <time dateTime={at}>{at.slice(11, 23)}</time> <strong>{event}</strong> {figures.join(' · ')}
      {sentence !== undefined && <span className={classes.sentence}>{sentence}</span>}
    </>
  )
}
