import * as z from 'zod'

interface Allowed {
  schema: z.ZodType
  words: string
}

/** What the settings we know may hold, each with the words for what it must be; others hold any text (SET-8). */
const KNOWN = new Map<string, Allowed>([
  ['environment', choice('Production', 'Staging', 'Development')],
  ['email_notifications', choice('true', 'false')],
  ['slack_notifications', choice('true', 'false')],
  ['sms_notifications', choice('true', 'false')],
  ['session_timeout', whole(1, 1440, 'minutes')],
  ['two_factor_auth', choice('true', 'false')],
  ['max_concurrent_requests', whole(1, 100_000, 'requests')],
  ['cache_ttl', whole(0, 604_800, 'seconds')],
])

/** Says what a setting must be, if this value is not it. */
export function faultOfSetting(key: string, value: string): string | undefined {
  const known = KNOWN.get(key)
  if (known === undefined || known.schema.safeParse(value).success) return undefined
  return `must be ${known.words}`
}

function choice(...values: string[]): Allowed {
  return { schema: z.literal(values), words: `one of ${values.join(', ')}` }
}

function whole(least: number, most: number, unit: string): Allowed {
  const schema = z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.int().min(least).max(most))
  return { schema, words: `a whole number of ${unit} from ${least} to ${most}` }
}
