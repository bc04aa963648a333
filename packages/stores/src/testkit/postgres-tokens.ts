import { loadModule, scanSync } from 'libpg-query'

/** The tokens by PostgreSQL's own lexer, keywords in lower case. */
export async function postgresTokens(sql: string): Promise<string[]> {
  await loadModule()
  return scanSync(sql).tokens.map(({ text, keywordName }) =>
    keywordName === 'NO_KEYWORD' ? text : text.toLowerCase(),
  )
}
