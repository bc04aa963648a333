import type { CommandState, ErrorCode, Result } from './protocol.ts'

/** What came of a command that was sent to a node. */
export type CommandOutcome =
  | { readonly status: 'completed'; readonly data: Readonly<Record<string, unknown>> }
  | {
      readonly status: 'failed'
      readonly code: ErrorCode
      readonly message: string
      readonly data: Readonly<Record<string, unknown>>
    }
  /** It may or may not have been carried out. */
  | { readonly status: 'unknown'; readonly message: string }
  /** It was not sent. */
  | { readonly status: 'refused'; readonly message: string }

export function outcomeOf({ status, code, message, data }: Result | CommandState): CommandOutcome {
  switch (status) {
    case 'completed':
      return { status, data: data ?? {} }
    case 'failed':
      return { status, code: code ?? 'INTERNAL', message: message ?? 'no reason given', data: data ?? {} }
    case 'none':
      return { status: 'failed', code: 'NOT_FOUND', message: 'the node never received it', data: {} }
    case 'running':
    case 'unknown':
      return { status: 'unknown', message: message ?? 'the node does not know its outcome' }
  }
}
