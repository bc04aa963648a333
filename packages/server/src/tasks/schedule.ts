import { Cron } from 'croner'

/** What a schedule is refused for, by the field that is wrong. */
export interface ScheduleFault {
  field: 'schedule' | 'time_zone'
  message: string
}

export interface ScheduleText {
  schedule: string
  time_zone: string
}

/** The dates of a schedule; nothing runs by it. Throws for what checkSchedule refuses. */
export function readSchedule({ schedule, time_zone }: ScheduleText): Cron {
  return new Cron(schedule, { timezone: time_zone, mode: '5-part', paused: true })
}

export async function checkSchedule(text: ScheduleText, now: Date): Promise<ScheduleFault | undefined> {
  if (!(await isTimeZone(text.time_zone))) return NO_TIME_ZONE
  // The library also reads dates, which are no schedule, and throws what is not meant for people.
  const next = await Promise.resolve()
    .then(() => (FIVE_FIELDS.test(text.schedule) ? readSchedule(text).nextRun(now) : undefined))
    .then(undefined, () => undefined)
  if (next === undefined) return NO_SCHEDULE
  return next === null ? NEVER : undefined
}

const FIVE_FIELDS = /^\S+( +\S+){4}$/

const NO_TIME_ZONE: ScheduleFault = {
  field: 'time_zone',
  message: 'must be a time zone such as UTC, Europe/Stockholm or America/New_York',
}
const NO_SCHEDULE: ScheduleFault = {
  field: 'schedule',
  message:
    'must be a cron expression of five fields, minute hour day month weekday, such as 30 6 * * 1-5 for 06:30 from Monday to Friday',
}
const NEVER: ScheduleFault = { field: 'schedule', message: 'names a day that never comes' }

async function isTimeZone(timeZone: string): Promise<boolean> {
  if (!/^[a-z]/i.test(timeZone)) return false
  return Promise.resolve()
    .then(() => new Intl.DateTimeFormat('en', { timeZone }))
    .then(
      () => true,
      () => false,
    )
}
