type TimeUnit = 'auto' | 's' | 'ms' | 'us' | 'ns' | 'iso'

const PER_MS = { s: 0.001, ms: 1, us: 1_000, ns: 1_000_000 } as const
/** The latest second, millisecond and microsecond that a number is taken as: all are after the year 5000. */
const MAX_SECONDS = 1e11
const MAX_MS = 1e14
const MAX_US = 1e17

/** Milliseconds since 1970 of a time in a file; null for any other text. A time without a zone is UTC. */
export function parseTime(text: string, unit: TimeUnit): number | null {
  const value = text.trim()
  if (unit !== 'iso' && /^\d+(\.\d+)?$/.test(value)) {
    const number = Number(value)
    return checkTime(Math.floor(number / PER_MS[unit === 'auto' ? unitOf(number) : unit]))
  }
  return unit === 'auto' || unit === 'iso' ? checkTime(Date.parse(inUtc(value))) : null
}

function unitOf(value: number): keyof typeof PER_MS {
  if (value < MAX_SECONDS) return 's'
  if (value < MAX_MS) return 'ms'
  return value < MAX_US ? 'us' : 'ns'
}

function inUtc(text: string): string {
  const match =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|[+-]\d\d(?::?\d\d)?)?)?$/i.exec(text)
  if (match === null) return ''
  const [, date, time = '00:00:00', zone = 'Z'] = match
  if (/^(Z|UTC)$/i.test(zone)) return `${date}T${time}Z`
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  return `${date}T${time}${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`
}

function checkTime(ms: number): number | null {
  return Number.isSafeInteger(ms) && ms >= 0 && ms < MAX_DATE_MS ? ms : null
}

const MAX_DATE_MS = Date.UTC(3000, 0)
