import { Cron } from 'croner'

/** An error in a schedule, with its field. */
export interface ScheduleFault {
  field: 'schedule' | 'time_zone'
  message: string
}

export interface ScheduleText {
  schedule: string
  time_zone: string
}

/** Parses a schedule to compute its dates; no timer starts. Throws for what checkSchedule refuses. */
export function readSchedule({ schedule, time_zone }: ScheduleText): Cron {
  return new Cron(schedule, { timezone: time_zone, mode: '5-part', paused: true })
}

export function checkSchedule(text: ScheduleText, now: Date): ScheduleFault | undefined {
  if (!isTimeZone(text.time_zone)) return INVALID_TIME_ZONE
  // croner also accepts single dates.
  if (!FIVE_FIELDS.test(text.schedule)) return INVALID_SCHEDULE
  try {
    return readSchedule(text).nextRun(now) === null ? NEVER_DUE : undefined
  } catch {
    return INVALID_SCHEDULE
  }
}

const FIVE_FIELDS = /^\S+( +\S+){4}$/

const INVALID_TIME_ZONE: ScheduleFault = {
  field: 'time_zone',
  message: 'must be a time zone such as UTC, Europe/Stockholm or America/New_York',
}
const INVALID_SCHEDULE: ScheduleFault = {
  field: 'schedule',
  message:
    'must be a cron expression of five fields, minute hour day month weekday, such as 30 6 * * 1-5 for 06:30 from Monday to Friday',
}
const NEVER_DUE: ScheduleFault = { field: 'schedule', message: 'is never due' }

function isTimeZone(timeZone: string): boolean {
  if (!/^[a-z]/i.test(timeZone)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}
