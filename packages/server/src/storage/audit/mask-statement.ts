export const MASKED = '[masked]'

/** Words of statements that may contain a password or a key. */
const SECRET_WORD = /passw|passphrase|pwd|secret|credential|identified\s+by|api_?key|access_?key/i

/** Redis commands with a password among their arguments. */
const REDIS_SECRET =
  /^\s*(auth|hello\b.*\bauth|config\s+set\s+(?:requirepass|masterauth|masteruser)|acl\s+setuser|migrate\b.*\bauth2?)\b.*$/is

/** Comments and quoted names, which stay, then literals: E'…', '…' and $tag$…$tag$. An open one reaches to the end. */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:""|[^"])*(?:"|$)|\be'(?:''|\\[\s\S]|[^'\\])*(?:'|$)|'(?:''|[^'])*(?:'|$)|\$(\w*)\$[\s\S]*?(?:\$\1\$|$)/gi

/** PASSWORD in a statement about roles, where the literal may be mistyped without quotes or in double ones. */
const ROLE_PASSWORD = /(\bpassword\s+)(?!null\b|'|e'|\$)(?:"[^"]*"?|[^\s;]+)/gi
const ROLE_STATEMENT = /^\s*(?:create|alter)\s+(?:role|user|group)\b/i

/** Masks all literals of a statement that mentions a password, for the history and the audit log. */
export function maskStatement(statement: string): string {
  const redis = REDIS_SECRET.exec(statement)
  if (redis !== null) return `${(redis[1] ?? '').trim()} ${MASKED}`
  if (!SECRET_WORD.test(statement)) return statement
  const masked = statement.replace(TOKEN, (token) => (/^(--|\/\*|")/.test(token) ? token : `'${MASKED}'`))
  return ROLE_STATEMENT.test(masked) ? masked.replace(ROLE_PASSWORD, `$1'${MASKED}'`) : masked
}

/** The message of a failed statement; the store may quote a part of it. */
export function maskMessage(message: string, statement: string): string {
  return maskStatement(statement) === statement ? message : message.replace(/"[^"]*"|'[^']*'/g, MASKED)
}
