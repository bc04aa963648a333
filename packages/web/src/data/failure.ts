import { IDEMPOTENCY_HEADER, PROBLEM_CONTENT_TYPE, Problem, type ProblemCode } from '@binnacle/contract'

/** What a screen does when a call fails. The screen chooses it, since the specification has several. */
export type FailurePolicy = (error: unknown) => void

/** Any response that is not OK. The text of its problem document is meant for the user. */
export class ApiError extends Error {
  readonly status: number
  readonly problem: Problem | undefined

  constructor(status: number, statusText: string, problem?: Problem) {
    super(`API Error: ${status} ${statusText}`)
    this.name = 'ApiError'
    this.status = status
    this.problem = problem
  }
}

/** The response was OK, but its body does not match the contract. */
export class ReplyError extends Error {
  constructor(call: string, cause: unknown) {
    super(`${call} answered in an unexpected shape`, { cause })
    this.name = 'ReplyError'
  }
}

/** The specification's silent failures: a console line, nothing on the screen. */
export const logOnly: FailurePolicy = (error) => {
  console.error(error)
}

/** The text of the server's problem document, if there is one. */
export function problemText(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || !error.problem) return undefined
  return error.problem.detail ?? error.problem.title
}

/**
 * Whether the failed command certainly had no effect. After a lost reply, a bare 5xx or an unreadable reply it may have
 * taken effect.
 */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status < 500 || REFUSALS.has(error.problem?.code ?? '')
}

/** The engine knows the idempotency key of another request, which has arrived. */
export function isKeyUsed(error: unknown): boolean {
  const faults = error instanceof ApiError ? error.problem?.errors : undefined
  return faults?.some(({ field }) => field === `header.${IDEMPOTENCY_HEADER}`) ?? false
}

/** The key is too old to be used, and no request has it. */
export function isKeyTooOld(error: unknown): boolean {
  return error instanceof ApiError && error.problem?.code === ('key.too-old' satisfies ProblemCode)
}

/** The engine stopped before it answered. */
export function isEngineUnknown(error: unknown): boolean {
  return error instanceof ApiError && error.problem?.code === ('engine.unknown' satisfies ProblemCode)
}

/** Problems with a 5xx status that are raised before anything is done. */
const REFUSALS: ReadonlySet<string> = new Set<ProblemCode>([
  'route.disabled',
  'route.not-built',
  'engine.halted',
  'engine.unreachable',
  'server.busy',
  'server.closing',
])

export async function apiErrorFrom(response: Response): Promise<ApiError> {
  const type = response.headers.get('content-type') ?? ''
  if (!type.startsWith(PROBLEM_CONTENT_TYPE)) return new ApiError(response.status, response.statusText)
  const problem = Problem.safeParse(parseJson(await response.text()))
  return new ApiError(response.status, response.statusText, problem.data)
}

/** Returns undefined for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
