import * as z from 'zod'

interface ValueRule {
  schema: z.ZodType
  words: string
}

/** Rules for the values of known settings; other settings accept any text (SET-8). */
const VALUE_RULES = new Map<string, ValueRule>([
  ['environment', choice('Production', 'Staging', 'Development')],
  ['email_notifications', choice('true', 'false')],
  ['slack_notifications', choice('true', 'false')],
  ['sms_notifications', choice('true', 'false')],
  ['session_timeout', whole(1, 1440, 'minutes')],
  ['two_factor_auth', choice('true', 'false')],
  ['max_concurrent_requests', whole(1, 100_000, 'requests')],
  ['cache_ttl', whole(0, 604_800, 'seconds')],
])

/** Returns what is wrong with a setting's value; undefined if it is valid. */
export function checkSetting(key: string, value: string): string | undefined {
  const rule = VALUE_RULES.get(key)
  if (rule === undefined || rule.schema.safeParse(value).success) return undefined
  return `must be ${rule.words}`
}

function choice(...values: string[]): ValueRule {
  return { schema: z.literal(values), words: `one of ${values.join(', ')}` }
}

function whole(min: number, max: number, unit: string): ValueRule {
  const schema = z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max))
  return { schema, words: `a whole number of ${unit} from ${min} to ${max}` }
}
