import { MANUAL } from '#values/ids.ts'
import type { ExitKind } from './position.ts'
import type { AmountName, CancelCause, Denial, Refusal, VenueRejection } from './reasons.ts'

export type Reason = Refusal | VenueRejection | CancelCause

/** Describes a reason in one sentence with its numbers. */
export function describeReason(reason: Reason): string {
  // The table's entry for a code takes exactly that code's reason.
  return (SENTENCES[reason.code] as (reason: Reason) => string)(reason)
}

/** Names what denies an order in a few words, such as 'Max Position Size'. */
export function nameDenial(reason: Denial): string {
  // The table's entry for a code takes exactly that code's reason.
  return (DENIAL_NAMES[reason.code] as (reason: Denial) => string)(reason)
}

type DenialNames = { readonly [Code in Denial['code']]: (reason: Extract<Denial, { code: Code }>) => string }

const DENIAL_NAMES: DenialNames = {
  'trading.halted': () => 'trading halted',
  'trading.reducing': () => 'reduce-only',
  'component.down': ({ component, status }) => `${component} ${status}`,
  'feature.live-trading-off': () => 'Live Trading off',
  'feature.multi-exchange-off': () => 'Multi-Exchange off',
  'service.order-execution-stopped': () => 'Order Execution Service stopped',
  'venue.disconnected': ({ venue }) => `${venue} disconnected`,
  'market.none': () => 'no quote',
  'market.stale': () => 'old quote',
  'stop.past-market': () => 'stop past the market',
  'price.collar': () => 'price too far from the market',
  'reduce-only.adds': () => 'nothing to reduce',
  'spot.short': () => 'spot cannot be sold short',
  'limit.order-size': () => 'Max Order Size',
  'limit.position-size': () => 'Max Position Size',
  'limit.daily-loss': () => 'Max Daily Loss',
  'limit.strategy-loss': () => 'its loss limit',
  'limit.positions': () => 'Max Positions',
  'margin.insufficient': () => 'insufficient margin',
  'engine.denied': ({ message }) => message,
}

type Sentences = { readonly [Code in Reason['code']]: (reason: Extract<Reason, { code: Code }>) => string }

const MALFORMED: Pick<Sentences, Extract<Reason['code'], `${'price' | 'quantity'}.${string}`>> = {
  'price.not-a-number': ({ given }) => `The price '${given}' is not a number.`,
  'price.infinite': ({ given }) => `The price ${given} is not finite.`,
  'price.zero': () => 'Enter a price above 0.',
  'price.negative': () => 'Enter a price above 0.',
  'price.too-large': ({ given, max }) => `The price ${given} is above the maximum, ${max}.`,
  'price.collar': ({ side, price, mark, bound }) =>
    side === 'BUY'
      ? `The buy limit ${exactPrice(price)} is too far above the market (${exactPrice(mark)}); at most ${exactPrice(bound)} is accepted.`
      : `The sell limit ${exactPrice(price)} is too far below the market (${exactPrice(mark)}); at least ${exactPrice(bound)} is accepted.`,
  'price.off-tick': ({ given, step, below, above }) =>
    `The price ${given} is not a multiple of the tick ${step}; ${nearest(below, above)}.`,
  'price.missing': ({ type }) => `A ${type} order needs a price.`,
  'quantity.not-a-number': ({ given }) => `The quantity '${given}' is not a number.`,
  'quantity.infinite': ({ given }) => `The quantity ${given} is not finite.`,
  'quantity.zero': () => 'Enter a quantity above 0.',
  'quantity.negative': () => 'Enter a quantity above 0.',
  'quantity.too-large': ({ given, max }) => `The quantity ${given} is above the maximum, ${max}.`,
  'quantity.off-lot': ({ given, step, below, above }) =>
    `The quantity ${given} is not a multiple of the lot ${step}; the nearest are ${below} and ${above}.`,
  'quantity.below-minimum': ({ given, min, step }) =>
    `The quantity ${given} is too small. Min ${min}, step ${step}.`,
  'quantity.above-position': ({ given, held }) => `The quantity ${given} is more than the position, ${held}.`,
  'quantity.below-filled': ({ given, filled }) =>
    `The quantity ${given} is not above what is already filled, ${filled}.`,
}

const SENTENCES: Sentences = {
  ...MALFORMED,
  'instrument.unknown': ({ instrument }) => `There is no instrument '${instrument}'.`,
  'time-in-force.unsupported': ({ type, timeInForce }) => `A ${type} order cannot be ${timeInForce}.`,
  'key.too-long': ({ length, max }) =>
    `The idempotency key has ${length} characters; at most ${max} are allowed.`,
  'key.too-old': ({ hours, maxHours }) =>
    `The idempotency key was created ${hours} hours ago; at most ${maxHours} are accepted, and nothing was done. Check the list and this machine's clock, then send the command with a new key.`,
  'key.unverified': ({ why }) =>
    `Nothing was done: whether the idempotency key was used before cannot be checked (${why}). Send the command again with the same key.`,
  'key.used': ({ by }) =>
    `The idempotency key was already used for another command (${by}). Send a new key with every new command.`,
  'limit.invalid': ({ limit, given, requirement }) =>
    `${AMOUNTS[limit]} cannot be '${given}'; it must be ${requirement}.`,
  'order.unknown': ({ order }) => `There is no order '${order}'.`,
  'order.finished': ({ order, state }) => `Order ${order} is already ${words(state)}.`,
  'order.unchanged': ({ order }) => `Order ${order} already has these terms.`,
  'order.changing': ({ order }) =>
    `The last change of order ${order} is not confirmed yet. Try again in a moment.`,
  'position.unknown': ({ position }) => `There is no open position '${position}'.`,
  'exit.malformed': ({ exit, problem }) => `${EXITS[exit]}: ${describeReason(problem)}`,
  'exit.past-market': ({ exit, isLong, price, market }) => {
    const side = (exit === 'stop-loss') === isLong ? 'below' : 'above'
    return `${EXITS[exit]}: the price of a ${isLong ? 'long' : 'short'} position must be ${side} the market; ${exactPrice(price)} was given, the ${isLong ? 'bid' : 'ask'} is ${exactPrice(market)}.`
  },
  'strategy.name-taken': ({ name, by }) =>
    by === MANUAL
      ? `The name "${name}" is reserved for manual orders. Choose another name.`
      : `The name "${name}" is already used by strategy ${by}. Choose another name.`,
  'strategy.type-unknown': ({ type, known }) => `Unknown strategy type '${type}'. Available: ${known}.`,
  'setting.unknown': ({ parameter, known }) => `Unknown setting '${parameter}'. Available: ${known}.`,
  // A requirement that starts with a capital is a sentence of its own.
  'setting.invalid': ({ label, given, requirement }) =>
    /^[A-Z]/.test(requirement) ? requirement : `${label} ${requirement}; '${given}' was given.`,
  'setting.instrument-unknown': ({ instrument, suggestion }) =>
    `Unknown instrument '${instrument}'.${suggestion === null ? '' : ` Did you mean ${suggestion}?`}`,
  'strategy.unknown': ({ strategy }) => `There is no strategy '${strategy}'.`,
  'strategy.not-running': ({ strategy }) => `Strategy ${strategy} is not running.`,
  'strategy.holds': ({ strategy, name, held, isRunning }) =>
    `Strategy "${name}" (${strategy}) holds ${held}. ${isRunning ? 'Stop it, then close' : 'Close'} what it holds on the Positions screen, and try again.`,
  'strategy.orders-working': ({ strategy, name, orders }) =>
    `Strategy "${name}" (${strategy}) has ${orders} working orders. Stop it, and try again when they are cancelled.`,
  'emergency.active': () =>
    'The emergency control is closing all positions. Wait until they are closed, or end it, and try again.',
  'desk.already-open': () => 'The desk is already open.',
  'desk.not-open': () => 'The desk is not open yet.',
  'desk.halted': ({ haltReason }) => `The desk has halted and does not accept commands: ${haltReason}.`,
  'trading.halted': () =>
    'Trading is halted. To accept orders again, use Resume Trading or Reduce Only on the Risk Management screen.',
  'trading.reducing': () =>
    'Reduce-only: orders that open or add are blocked. To accept them again, use Resume Trading on the Risk Management screen.',
  'trading.loss-reached': ({ loss, limit }) =>
    `Today's loss, ${amount(loss)}, has reached Max Daily Loss, ${amount(limit)}. Raise that limit on the Risk Management screen first, or resume after 00:00 UTC.`,
  'component.down': ({ component, status }) =>
    `${component} is ${status}, and this order needs it. Restart it on the Components screen.`,
  'feature.live-trading-off': () =>
    'Live Trading is off: only orders that reduce a position are accepted. Enable it on the Features screen.',
  'feature.multi-exchange-off': ({ venue, primary }) =>
    `Multi-Exchange is off: orders that add exposure are accepted only at ${primary}, not at ${venue}. Enable it on the Features screen.`,
  'service.order-execution-stopped': () =>
    'Order Execution Service is stopped: new manual orders are refused. Cancels and Close work. Start it on the Features screen.',
  'feature.risk-off': () =>
    'Live Trading cannot be on while Risk Management is off. Enable Risk Management first.',
  'feature.live-on': () =>
    'Risk Management cannot be off while Live Trading is on. Disable Live Trading first.',
  'feature.account-in-use': ({ orders, positions }) => {
    const working = orders > 0 && `${counted(orders, 'order is', 'orders are')} working`
    const open = positions > 0 && `${counted(positions, 'position is', 'positions are')} open`
    const obstacles = [working, open].filter(Boolean).join(' and ')
    const steps = working && open ? 'Cancel and close' : working ? 'Cancel' : 'Close'
    const them = orders + positions === 1 ? 'it' : 'them'
    return `The account cannot be changed while ${obstacles}. ${steps} ${them} first.`
  },
  'venue.disconnected': ({ venue }) => `${venue} is disconnected.`,
  'venue.refused': ({ message }) => `The venue refused: ${message}.`,
  'market.none': ({ instrument }) => `There is no quote for ${instrument} yet.`,
  'market.stale': ({ instrument, ageMs, maxAgeMs }) =>
    `The last quote of ${instrument} is ${seconds(ageMs)} s old; at most ${seconds(maxAgeMs)} s are allowed.`,
  'stop.past-market': ({ side, price, market }) =>
    side === 'SELL'
      ? `A sell stop must be below the market: ${exactPrice(price)} given, the bid is ${exactPrice(market)}.`
      : `A buy stop must be above the market: ${exactPrice(price)} given, the ask is ${exactPrice(market)}.`,
  'reduce-only.adds': ({ quantity, position, working }) =>
    `Reduce-only order for ${quantity} exceeds the ${leftOf(position, working)} left to reduce${working > 0 ? `; working orders already reduce ${working}` : ''}.`,
  'spot.short': describeSpotShort,
  'limit.order-size': ({ value, limit }) =>
    `The order is worth ${amount(value)}; Max Order Size is ${amount(limit)}.`,
  'limit.position-size': ({ exposure, wouldBe, limit }) =>
    `Exposure would be ${amount(wouldBe)}, working orders included (now ${amount(exposure)}); Max Position Size is ${amount(limit)}.`,
  'limit.strategy-loss': ({ strategy, loss, limit }) =>
    `Strategy ${strategy} has lost ${amount(loss)}; its loss limit is ${amount(limit)}, so it may only reduce.`,
  'limit.daily-loss': ({ loss, limit }) =>
    `Today's loss is ${amount(loss)}; Max Daily Loss is ${amount(limit)}.`,
  'limit.positions': ({ wouldBe, limit }) =>
    `There would be ${wouldBe} positions; Max Positions is ${limit}.`,
  'margin.insufficient': ({ required, equity }) =>
    `Margin of ${amount(required)} would be needed; equity is ${amount(equity)}.`,
  'engine.denied': ({ message }) => asSentence(message),
  'engine.refused': ({ message }) => asSentence(message),
  'engine.not-offered': ({ what }) => `This engine does not offer ${what}.`,
  'cancel.asked': () => 'Cancelled on request.',
  'cancel.remainder': ({ timeInForce }) =>
    timeInForce === 'FOK' ? 'FOK: not filled in full, cancelled.' : 'IOC: unfilled part cancelled.',
  'cancel.component-stopped': ({ component }) => `Cancelled because ${component} was stopped.`,
  'cancel.trading-state': ({ state }) =>
    state === 'HALTED' ? 'Cancelled by trading halt.' : 'Cancelled by reduce-only mode.',
  'cancel.nothing-to-reduce': () => 'Cancelled because there was nothing left to reduce.',
  'cancel.nothing-to-sell': () => 'Cancelled because nothing was left to sell; spot cannot be sold short.',
  'cancel.emergency': () => 'Cancelled by the emergency control.',
  'cancel.position-closed': () => 'Cancelled because the position was closed.',
  'cancel.venue-disconnected': ({ venue }) => `Cancelled because ${venue} was disconnected.`,
  'cancel.reconciled': ({ venue }) => `Cancelled because it was no longer open at ${venue}.`,
  'cancel.strategy': ({ strategy }) => `Cancelled by its strategy, ${strategy}.`,
  'cancel.strategy-stopped': ({ strategy }) => `Cancelled because strategy ${strategy} was stopped.`,
  'cancel.strategy-reconfigured': ({ strategy }) =>
    `Cancelled because the settings of strategy ${strategy} were changed.`,
  'cancel.venue': ({ message }) => `Cancelled by the venue: ${message}.`,
}

/** Both are multiples of the lot, of at most eight decimals. */
function leftOf(position: number, working: number): number {
  return Number(Math.max(0, position - working).toFixed(8))
}

const EXITS: Readonly<Record<ExitKind, string>> = { 'stop-loss': 'Stop-loss', 'take-profit': 'Take-profit' }

function describeSpotShort({
  strategy,
  base,
  held,
  working,
}: Extract<Reason, { code: 'spot.short' }>): string {
  const isManual = strategy === MANUAL
  if (held < 0) {
    const short = `${isManual ? 'You are' : `Strategy ${strategy} is`} short ${-held} ${base}`
    return `${short}, which can only be bought back; spot cannot be sold short.`
  }
  const holding = `${isManual ? 'You hold' : `Strategy ${strategy} holds`} ${held} ${base}`
  const sold = working > 0 ? `, and working orders already sell ${working} of it` : ''
  return `${holding}${sold}; spot cannot be sold short.`
}

/** The amounts as the screens call them. */
const AMOUNTS: Readonly<Record<AmountName, string>> = {
  maxOrderSize: 'Max Order Size',
  maxPositionSize: 'Max Position Size',
  maxDailyLoss: 'Max Daily Loss',
  maxPositions: 'Max Positions',
  lossLimit: 'The loss limit',
  cash: 'Cash',
}

/** The words of another engine, with a capital and a full stop. */
function asSentence(message: string): string {
  const text = `${message.charAt(0).toUpperCase()}${message.slice(1)}`
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** Two decimals with thousands separators, as FMT-1 shows money. */
function amount(value: number): string {
  return grouped(value.toFixed(2))
}

/** As money, with as many more decimals as the tick has. */
function exactPrice(value: number): string {
  return grouped(value.toFixed(8).replace(/0{1,6}$/, ''))
}

function grouped(text: string): string {
  const [whole = '', decimals = ''] = text.split('.')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${decimals}`
}

/** A price is never 0, so below the first tick there is only one neighbour. */
function nearest(below: string, above: string): string {
  return below === '0' ? `the smallest is ${above}` : `the nearest are ${below} and ${above}`
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1)
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

function words(state: string): string {
  return state.toLowerCase().replaceAll('_', ' ')
}
