import { PROBLEM_CONTENT_TYPE, Problem } from '@binnacle/contract'

/** What a screen does when a call fails; the screen names it, since the specification wants different ones. */
export type FailurePolicy = (error: unknown) => void

/** Any answer that is not OK. A problem document inside it is meant for the person. */
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

/** The answer was OK but not what the contract says: found here, not three components later. */
export class ReplyError extends Error {
  constructor(call: string, cause: unknown) {
    super(`${call} answered in an unexpected shape`, { cause })
    this.name = 'ReplyError'
  }
}

/** The specification's silent failures: nothing on the screen, a line in the log. */
export const logOnly: FailurePolicy = (error) => {
  console.error(error)
}

/** The sentence a server wrote for the person, if it wrote one. */
export function problemText(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || !error.problem) return undefined
  return error.problem.detail ?? error.problem.title
}

export async function apiErrorFrom(response: Response): Promise<ApiError> {
  const type = response.headers.get('content-type') ?? ''
  if (!type.startsWith(PROBLEM_CONTENT_TYPE)) return new ApiError(response.status, response.statusText)
  const problem = Problem.safeParse(parseJson(await response.text()))
  return new ApiError(response.status, response.statusText, problem.data)
}

/** The value of a JSON text, or undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
