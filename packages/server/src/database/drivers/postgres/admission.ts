import type { Target } from '../driver.ts'
import { readOnlyConnection } from '../store-refusal.ts'
import { findVolatile } from './guard/function-lookup.ts'
import { type JudgedStatement, judgeStatement } from './guard/statement-guard.ts'
import { type Session, transact, type Work } from './session.ts'

interface Gate {
  target: Target
  session: Session
  work: Work
}

/** A statement that may be run on this connection, by its grammar and by what the server knows of its functions. */
export async function admitStatement(
  text: string,
  { target, session, work }: Gate,
  signal: AbortSignal,
): Promise<JudgedStatement> {
  const judged = await judgeStatement(text)
  if (judged.kind === 'write' && !target.writable) throw readOnlyConnection()
  if (judged.kind === 'write' || judged.functions.length === 0) return judged
  const volatile = await transact(session, work, signal, (client) => findVolatile(client, judged.functions))
  if (volatile === undefined) return judged
  if (!target.writable) throw readOnlyConnection(`The function ${volatile.name} may change something`)
  return { ...judged, kind: 'write' }
}
