const MASKED = '[masked]'

/** Names of secrets in settings and headers. */
const SECRET_NAME =
  /passw|passphrase|pwd|secret|token|credential|authorization|cookie|(api|access|private|signing|encryption)[-_ .]?key/i

/** The password of an address such as `postgres://desk:hunter2@db/desk`. */
const PASSWORD_IN_URL = /(\/\/[^/\s:@]*:)[^/\s]*@/g

/** Returns a copy without secrets: more people read the log than may know them. */
export function maskSecrets(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(PASSWORD_IN_URL, `$1${MASKED}@`)
  if (Array.isArray(value)) return value.map(maskSecrets)
  if (typeof value !== 'object' || value === null) return value
  const isSecretSetting = 'key' in value && isSecretName(String(value.key))
  const entries = Object.entries(value).map(([name, item]) => {
    const isSecret = isSecretName(name) || (isSecretSetting && name === 'value')
    return [name, isSecret ? masked(item) : maskSecrets(item)]
  })
  return Object.fromEntries(entries)
}

function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name)
}

/** An empty value stays visible. */
function masked(value: unknown): unknown {
  return value === null || value === undefined || value === '' ? value : MASKED
}
