import { MASKED, maskStatement } from './mask-statement.ts'

/** Names of secrets in settings and headers. */
const SECRET_NAME =
  /passw|passphrase|pwd|secret|token|credential|authorization|cookie|(api|access|private|signing|encryption)[-_ .]?key/i

/** The password of an address such as `postgres://desk:hunter2@db/desk`. */
const PASSWORD_IN_URL = /(\/\/[^/\s:@]*:)[^/\s]*@/g

/** Group 1 is the start with the name in group 2. */
const QUERY_PARAMETER = /([?&]([^=&#\s]+)=)[^&#\s]+/g
/** Parameters that are keys only in an address. */
const SECRET_PARAMETER = /^(key|sig|signature|auth|pass)$/i

/** Fields with SQL or commands. */
const STATEMENTS: ReadonlySet<string> = new Set(['statement', 'query'])

/** Returns a copy without secrets: more people read the log than may know them. */
export function maskSecrets(value: unknown): unknown {
  if (typeof value === 'string') return maskAddress(value)
  if (Array.isArray(value)) return value.map(maskSecrets)
  if (typeof value !== 'object' || value === null) return value
  const isSecretSetting = 'key' in value && isSecretName(String(value.key))
  const entries = Object.entries(value).map(([name, item]) => {
    const isSecret = isSecretName(name) || (isSecretSetting && name === 'value')
    if (isSecret) return [name, maskValue(item)]
    return [name, STATEMENTS.has(name) && typeof item === 'string' ? maskStatement(item) : maskSecrets(item)]
  })
  return Object.fromEntries(entries)
}

/** Masks passwords and keys in an address; other text stays as it is. */
export function maskAddress(text: string): string {
  return text
    .replace(PASSWORD_IN_URL, `$1${MASKED}@`)
    .replace(QUERY_PARAMETER, (whole, start: string, name: string) =>
      isSecretName(name) || SECRET_PARAMETER.test(name) ? `${start}${MASKED}` : whole,
    )
}

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name)
}

/** An empty value stays visible. */
function maskValue(value: unknown): unknown {
  return value === null || value === undefined || value === '' ? value : MASKED
}
