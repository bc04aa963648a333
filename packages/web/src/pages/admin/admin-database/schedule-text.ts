const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** A cron expression in words, where it has a common form; otherwise itself. */
export function scheduleText(schedule: string, timeZone: string): string {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = schedule.trim().split(/\s+/)
  const words = month === '*' ? wordsOf(minute, hour, day, weekday) : undefined
  return `${words ?? schedule} (${timeZone})`
}

function wordsOf(minute: string, hour: string, day: string, weekday: string): string | undefined {
  const every = /^\*\/(\d+)$/.exec(minute)?.[1]
  const isAnyDay = day === '*' && weekday === '*'
  if (isAnyDay && hour === '*' && minute === '*') return 'every minute'
  if (isAnyDay && hour === '*' && every !== undefined) return `every ${every} minutes`
  if (!/^\d+$/.test(minute)) return undefined
  if (isAnyDay && hour === '*') return `every hour at minute ${Number(minute)}`
  if (!/^\d+$/.test(hour)) return undefined
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  if (isAnyDay) return `every day at ${time}`
  if (day === '*' && weekday === '1-5') return `Monday to Friday at ${time}`
  const name = /^[0-6]$/.test(weekday) ? DAYS[Number(weekday)] : undefined
  if (day === '*' && name !== undefined) return `every ${name} at ${time}`
  return weekday === '*' && /^\d+$/.test(day) ? `on day ${day} of every month at ${time}` : undefined
}
