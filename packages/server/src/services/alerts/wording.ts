import type { AlertRuleInput, AlertWatch } from '@binnacle/contract'
import type { AlertFigure } from './figures.ts'

type Worded = Pick<AlertRuleInput, 'name' | 'watch' | 'direction' | 'threshold' | 'window_s' | 'subject'>

/** The sentence of an alert: what was seen, against which bound. */
export function alertText(rule: Worded, figure: AlertFigure): string {
  const { subject, value, detail, engine } = figure
  const seen = rule.watch === 'price' ? priceText(rule, figure) : SENTENCES[rule.watch](rule, value, subject)
  const sentence = detail === undefined ? seen : `${seen} ${detail}`
  return engine === undefined ? sentence : `${engine.name}: ${sentence}`
}

/** The title: the rule's name, and what it is about when the rule watches several. */
export function alertTitle({ name, subject: wanted }: Worded, { subject, engine }: AlertFigure): string {
  const title = subject === '' || wanted !== null ? name : `${name}: ${subject}`
  return engine === undefined ? title : `${title} (${engine.name})`
}

const bound = ({ direction, threshold }: Worded, unit: (value: number) => string) =>
  `${direction === 'above' ? 'at or above' : 'at or below'} ${unit(threshold)}`

const percent = (value: number) => `${round(value)}%`
const money = (value: number) => `${value < 0 ? '−' : ''}$${grouped(Math.abs(value), 2)}`
const seconds = (value: number) => `${Math.round(value)} s`
const gigabytes = (value: number) => `${round(value)} GB`

/** MKT-76: prices with the decimals of the instrument's tick; a mid price lies between two. */
function priceText(rule: Worded, { subject, value, tick }: AlertFigure): string {
  const decimals = tick === undefined ? 0 : (tick.toFixed(12).replace(/0+$/, '').split('.')[1]?.length ?? 0)
  const shown = grouped(value, tick === undefined ? 8 : decimals, decimals)
  return `${subject} is at ${shown}, ${bound(rule, (price) => grouped(price, 8, decimals))}.`
}

const SENTENCES: Readonly<
  Record<Exclude<AlertWatch, 'price'>, (rule: Worded, value: number, subject: string) => string>
> = {
  pnl: (rule, value, subject) =>
    `${subject === '' ? 'P&L today' : `P&L of ${subject}`} is ${money(value)}, ${bound(rule, money)}.`,
  drawdown: (rule, value) => `Max drawdown is ${percent(value)}, ${bound(rule, percent)}.`,
  margin: (rule, value) => `Margin usage is ${percent(value)}, ${bound(rule, percent)}.`,
  exposure: (rule, value) => `Total exposure is ${percent(value)} of its maximum, ${bound(rule, percent)}.`,
  refusals: (rule, value) => `${counted(value, 'order')} refused within ${seconds(rule.window_s)}.`,
  staleness: (_, value, subject) => `${subject}: no quote for ${seconds(value)}.`,
  component: (_, __, subject) => `${subject} is not running.`,
  adapter: (_, __, subject) => `${subject} is not connected.`,
  job: (rule, value) => `${counted(value, 'job')} failed within ${seconds(rule.window_s)}.`,
  task: (rule, value) => `${counted(value, 'task')} failed within ${seconds(rule.window_s)}.`,
  disk: (rule, value) => `${gigabytes(value)} of disk space are free, ${bound(rule, gigabytes)}.`,
  engine: (_, value) => `No sign of life from the engine for ${seconds(value)}.`,
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function round(value: number): string {
  return grouped(value, 2)
}

function grouped(value: number, decimals: number, least = 0): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: least, maximumFractionDigits: decimals })
}
