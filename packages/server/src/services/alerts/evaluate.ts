import type { AlertRuleInput, MuteWindow } from '@binnacle/contract'

/** The part of a rule that decides when it fires. */
export type FiringRule = Pick<AlertRuleInput, 'direction' | 'threshold' | 'clear' | 'cooldown_s' | 'mute'>

/** What is known of one rule and one subject. */
export interface RuleState {
  /** The figure passed the threshold and has not come back behind the clear value. */
  readonly isBeyond: boolean
  /** An alert was raised since it passed the threshold. */
  readonly isRaised: boolean
  /** The last alert, for the cool-down. */
  readonly raisedAtMs: number | null
}

export interface Observation {
  readonly atMs: number
  readonly value: number
  /** No alert is raised now, whatever the rule's own windows are. */
  readonly isMuted?: boolean
}

export interface Evaluation {
  readonly state: RuleState
  /** 'clear' only after 'raise'; between two of them there is at most one 'raise'. */
  readonly outcome: 'raise' | 'clear' | null
}

export const QUIET: RuleState = { isBeyond: false, isRaised: false, raisedAtMs: null }

/**
 * Decides by one observation (ALERT-2 to ALERT-6). A figure that passes the threshold while the rule is muted or cools
 * down is not lost: it is raised at the first observation after that, unless it has cleared.
 */
export function evaluate(rule: FiringRule, state: RuleState, observation: Observation): Evaluation {
  const { atMs, value } = observation
  const isBeyond = state.isBeyond ? !isCleared(rule, value) : isPast(rule, value)
  if (!isBeyond) {
    const quiet = { isBeyond, isRaised: false, raisedAtMs: state.raisedAtMs }
    return { state: quiet, outcome: state.isRaised ? 'clear' : null }
  }
  const isCooling = state.raisedAtMs !== null && atMs - state.raisedAtMs < rule.cooldown_s * 1000
  const isHeldBack = isCooling || observation.isMuted === true || isInWindow(rule.mute, atMs)
  if (state.isRaised || isHeldBack) return { state: { ...state, isBeyond }, outcome: null }
  return { state: { isBeyond, isRaised: true, raisedAtMs: atMs }, outcome: 'raise' }
}

function isPast({ direction, threshold }: FiringRule, value: number): boolean {
  return direction === 'above' ? value >= threshold : value <= threshold
}

function isCleared({ direction, clear }: FiringRule, value: number): boolean {
  return direction === 'above' ? value < clear : value > clear
}

const MINUTES_PER_DAY = 1440

/** Whether a time is in one of the windows, which are in UTC. */
export function isInWindow(windows: readonly MuteWindow[], atMs: number): boolean {
  const at = new Date(atMs)
  const day = at.getUTCDay()
  const minute = at.getUTCHours() * 60 + at.getUTCMinutes()
  return windows.some(({ days, from, to }) => {
    const start = minutesOf(from)
    const length = (minutesOf(to) - start + MINUTES_PER_DAY - 1) % MINUTES_PER_DAY
    const sinceToday = minute - start
    const sinceYesterday = sinceToday + MINUTES_PER_DAY
    return (
      (days.includes(day) && sinceToday >= 0 && sinceToday <= length) ||
      (days.includes((day + 6) % 7) && sinceYesterday <= length)
    )
  })
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}
