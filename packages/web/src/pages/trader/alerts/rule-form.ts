import {
  type AlertChannel,
  type AlertRule,
  type AlertRuleInput,
  type AlertSeverity,
  type AlertWatch,
  COUNTED_WATCHES,
  type MuteWindow,
  STATE_WATCHES,
} from '@binnacle/contract'
import { formatDuration } from '#format/duration.ts'
import { formatNumber } from '#format/number.ts'
import { copy } from './copy.ts'

/** The form of a rule, as typed. */
export interface RuleTexts {
  name: string
  isEnabled: boolean
  watch: AlertWatch
  /** Empty: the whole account, or each. */
  subject: string
  direction: 'above' | 'below'
  threshold: string
  clear: string
  windowMin: string
  cooldownMin: string
  severity: AlertSeverity
  escalateMin: string
  channels: readonly AlertChannel[]
  mute: readonly MuteWindow[]
}

export type RuleErrors = Readonly<Record<string, string>>

const NIGHTS: MuteWindow = { days: [0, 1, 2, 3, 4, 5, 6], from: '22:00', to: '06:00' }
const WEEKENDS: MuteWindow = { days: [0, 6], from: '00:00', to: '00:00' }

/** The windows that the form offers by name. */
export const MUTES = { never: [], nights: [NIGHTS], weekends: [WEEKENDS] } as const
export type MuteName = keyof typeof MUTES | 'own'

export function muteName(mute: readonly MuteWindow[]): MuteName {
  const text = JSON.stringify(mute)
  if (text === JSON.stringify(MUTES.never)) return 'never'
  if (text === JSON.stringify(MUTES.nights)) return 'nights'
  return text === JSON.stringify(MUTES.weekends) ? 'weekends' : 'own'
}

export const BLANK: RuleTexts = {
  name: '',
  isEnabled: true,
  watch: 'price',
  subject: 'BTCUSDT',
  direction: 'above',
  threshold: '',
  clear: '',
  windowMin: '5',
  cooldownMin: '15',
  severity: 'warning',
  escalateMin: '',
  channels: ['in-app'],
  mute: [],
}

export function textsOf(rule: AlertRule): RuleTexts {
  return {
    name: rule.name,
    isEnabled: rule.is_enabled,
    watch: rule.watch,
    subject: rule.subject ?? '',
    direction: rule.direction,
    threshold: String(rule.threshold),
    clear: String(rule.clear),
    windowMin: String(rule.window_s / 60),
    cooldownMin: String(rule.cooldown_s / 60),
    severity: rule.severity,
    escalateMin: rule.escalate_after_s === null ? '' : String(rule.escalate_after_s / 60),
    channels: rule.channels,
    mute: rule.mute,
  }
}

/** The rule as it is sent, or what is missing at which field. The server checks the rest. */
export function ruleOf(texts: RuleTexts): { rule: AlertRuleInput } | { errors: RuleErrors } {
  const errors: Record<string, string> = {}
  const isState = STATE_WATCHES.includes(texts.watch)
  const number = (field: string, text: string, factor = 1): number => {
    const value = Number(text)
    if (text.trim() === '' || !Number.isFinite(value)) errors[field] = copy.editor.number
    return factor === 1 ? value : Math.round(value * factor)
  }
  if (texts.name.trim() === '') errors.name = copy.editor.nameMissing
  if (texts.watch === 'price' && texts.subject === '') errors.subject = copy.editor.subjectMissing
  const rule: AlertRuleInput = {
    name: texts.name.trim(),
    is_enabled: texts.isEnabled,
    watch: texts.watch,
    subject: texts.subject === '' ? null : texts.subject,
    direction: texts.direction,
    threshold: isState ? 1 : number('threshold', texts.threshold),
    clear: isState ? 1 : number('clear', texts.clear === '' ? texts.threshold : texts.clear),
    window_s: COUNTED_WATCHES.includes(texts.watch) ? number('window_s', texts.windowMin, 60) : 300,
    cooldown_s: number('cooldown_s', texts.cooldownMin, 60),
    severity: texts.severity,
    escalate_after_s: texts.escalateMin === '' ? null : number('escalate_after_s', texts.escalateMin, 60),
    channels: [...texts.channels],
    mute: [...texts.mute],
  }
  return Object.keys(errors).length === 0 ? { rule } : { errors }
}

type Condition = Pick<AlertRule, 'watch' | 'subject' | 'direction' | 'threshold' | 'clear' | 'window_s'>

/** The condition in short, as the list shows it. */
export function conditionText(rule: Condition): string {
  const { watch, subject } = rule
  if (STATE_WATCHES.includes(watch)) return subject ?? copy.editor.each
  if (COUNTED_WATCHES.includes(watch)) return `${rule.threshold} in ${formatDuration(rule.window_s * 1000)}`
  const sign = rule.direction === 'above' ? '≥' : '≤'
  const of = subject === null ? '' : `${subject} `
  const clears = rule.clear === rule.threshold ? '' : `, clears at ${withUnit(watch, rule.clear)}`
  return `${of}${sign} ${withUnit(watch, rule.threshold)}${clears}`
}

export function withUnit(watch: AlertWatch, value: number): string {
  const { unit } = copy.watches[watch]
  const text = formatNumber(Math.abs(value), 0, 8)
  const sign = value < 0 ? '-' : ''
  if (unit === '$') return `${sign}$${text}`
  if (unit === '%') return `${sign}${text}%`
  return unit === 'price' ? `${sign}${text}` : `${sign}${text} ${unit}`
}
