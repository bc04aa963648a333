import type { AlertRuleInput, AlertWatch } from '@binnacle/contract'
import type { AlertFigure } from './figures.ts'

type RuleText = Pick<AlertRuleInput, 'name' | 'watch' | 'direction' | 'threshold' | 'window_s' | 'subject'>

/** The sentence of an alert: what was seen, against which bound. */
export function alertText(rule: RuleText, figure: AlertFigure): string {
  const { subject, value, detail, engine } = figure
  const seen = rule.watch === 'price' ? priceText(rule, figure) : SENTENCES[rule.watch](rule, value, subject)
  const sentence = detail === undefined ? seen : `${seen} ${detail}`
  return engine === undefined ? sentence : `${engine.name}: ${sentence}`
}

/** The title: the rule's name, and what it is about when the rule watches several. */
export function alertTitle({ name, subject: wanted }: RuleText, { subject, engine }: AlertFigure): string {
  const title = subject === '' || wanted !== null ? name : `${name}: ${subject}`
  return engine === undefined ? title : `${title} (${engine.name})`
}

const bound = ({ direction, threshold }: RuleText, unit: (value: number) => string) =>
  `${direction === 'above' ? 'at or above' : 'at or below'} ${unit(threshold)}`

const percent = (value: number) => `${formatNumber(value)}%`
const money = (value: number) => `${value < 0 ? '−' : ''}$${groupDigits(Math.abs(value), 2)}`
const seconds = (value: number) => `${Math.round(value)} s`
const gigabytes = (value: number) => `${formatNumber(value)} GB`

/** MKT-76: prices with the decimals of the instrument's tick; a mid price lies between two. */
function priceText(rule: RuleText, { subject, value, tick }: AlertFigure): string {
  const decimals = tick === undefined ? 0 : (tick.toFixed(12).replace(/0+$/, '').split('.')[1]?.length ?? 0)
  const shown = groupDigits(value, tick === undefined ? 8 : decimals, decimals)
  return `${subject} is at ${shown}, ${bound(rule, (price) => groupDigits(price, 8, decimals))}.`
}

const SENTENCES: Readonly<
  Record<Exclude<AlertWatch, 'price'>, (rule: RuleText, value: number, subject: string) => string>
> = {
  pnl: (rule, value, subject) =>
    `${subject === '' ? 'P&L today' : `P&L of ${subject}`} is ${money(value)}, ${bound(rule, money)}.`,
  drawdown: (rule, value) => `Max drawdown is ${percent(value)}, ${bound(rule, percent)}.`,
  margin: (rule, value) => `Margin usage is ${percent(value)}, ${bound(rule, percent)}.`,
  exposure: (rule, value) => `Total exposure is ${percent(value)} of its maximum, ${bound(rule, percent)}.`,
  refusals: (rule, value) => `${formatCount(value, 'order')} refused within ${seconds(rule.window_s)}.`,
  staleness: (_, value, subject) => `${subject}: no quote for ${seconds(value)}.`,
  component: (_, __, subject) => `${subject} is not running.`,
  adapter: (_, __, subject) => `${subject} is not connected.`,
  job: (rule, value) => `${formatCount(value, 'job')} failed within ${seconds(rule.window_s)}.`,
  task: (rule, value) => `${formatCount(value, 'task')} failed within ${seconds(rule.window_s)}.`,
  disk: (rule, value) => `${gigabytes(value)} of disk space are free, ${bound(rule, gigabytes)}.`,
  engine: (_, value) => `No sign of life from the engine for ${seconds(value)}.`,
}

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function formatNumber(value: number): string {
  return groupDigits(value, 2)
}

function groupDigits(value: number, decimals: number, least = 0): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: least, maximumFractionDigits: decimals })
}
