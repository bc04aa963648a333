import { toast } from 'sonner'
import type { CommandFailure, CommandOptions } from '#data/command.ts'
import { ApiError, isEngineUnknown, isKeyUsed, logOnly, problemText } from '#data/failure.ts'
import type { FormFailure } from '#form-failure.ts'
import { showRefusal } from './toasts.ts'

interface FailureWords<Request> {
  /** Commands with the same name replace each other's messages; usually the command and the row. */
  name: (request: Request) => string
  /** Shown when no answer came: what may have happened and where to look. */
  unknown: (request: Request) => string
}

type FailureHandlers<Request> = Required<Pick<CommandOptions<Request>, 'onStart' | 'onFailure'>>

/** CLIENT-15: failures of a command without a form are toasts; a new try removes the message of the last one. */
export function createFailureToasts<Request>({
  name,
  unknown,
}: FailureWords<Request>): FailureHandlers<Request> {
  return {
    onStart: (request) => removeShown(name(request)),
    onFailure: (error, request, { outcome }) => {
      logOnly(error)
      removeShown(name(request))
      const id = showCommandFailure({ error, outcome }, unknown(request))
      if (id !== undefined) toastIds.set(name(request), id)
    },
  }
}

/**
 * The toasts by the names of their commands. Each has its own id, since the toaster removes a toast one frame later,
 * when the next message may be shown already.
 */
const toastIds = new Map<string, string | number>()

function removeShown(name: string): void {
  const id = toastIds.get(name)
  if (id !== undefined) toast.dismiss(id)
  toastIds.delete(name)
}

/** CLIENT-15: the form shows its own failures by `formFailure`; a toast replaces it once the screen is left. */
export function toastFailureAfterUnmount(unknown: string): CommandOptions<unknown>['onFailure'] {
  return (error, _, { outcome, isUnmounted }) => {
    logOnly(error)
    if (isUnmounted) showCommandFailure({ error, outcome }, unknown)
  }
}

/** Undefined for a bare failure in the baseline, which the specification wants silent. */
function failureText({ error, outcome }: CommandFailure, unknown: string): string | undefined {
  const problem = problemText(error)
  // CLIENT-550: the document advises users of the API to repeat the key, which the console does itself.
  if (outcome === 'unknown')
    return problem === undefined || isEngineUnknown(error) ? unknown : `${unknown} (${problem})`
  if (outcome === 'baseline' || problem !== undefined) return problem
  return `The server refused this: ${error instanceof ApiError ? error.message : String(error)}.`
}

export interface FormFailureOptions {
  unknown: string
  /** The fields of the form, named as in the request's body. */
  fields: readonly string[]
  /** The fields' labels, which begin the sentence of a message such as `must be at least 0`. */
  labels?: Readonly<Record<string, string>>
}

/** CLIENT-18: a refusal of a field that the form has is shown at the field. */
export function formFailure(
  failure: CommandFailure,
  { unknown, fields, labels = {} }: FormFailureOptions,
): FormFailure {
  const { error, outcome } = failure
  const faults = (outcome !== 'unknown' && error instanceof ApiError && error.problem?.errors) || []
  const named = faults.map(({ field, message }) => [field.replace(/^body\./, ''), message] as const)
  const fieldMessages = named.filter(([field]) => fields.includes(field))
  const isComplete = fieldMessages.length > 0 && fieldMessages.length === named.length
  return {
    fields: Object.fromEntries(
      fieldMessages.map(([field, message]) => [field, sentenceOf(labels[field], message)]),
    ),
    text: isComplete ? undefined : failureText(failure, unknown),
    ...(outcome === 'unknown' && { isUnknown: true }),
  }
}

/** BT-142 */
function sentenceOf(label: string | undefined, message: string): string {
  if (label === undefined || !/^[a-z]/.test(message)) return message
  return `${label} ${message}${message.endsWith('.') ? '' : '.'}`
}

/** ORD-33: the server knows the key by another request, which is the earlier one that got no answer. */
export function isEarlierRequest({ error }: CommandFailure): boolean {
  return isKeyUsed(error)
}

function showCommandFailure(failure: CommandFailure, unknown: string): string | number | undefined {
  const text = failureText(failure, unknown)
  if (text === undefined) return undefined
  // An unknown outcome stays until it is closed or tried again.
  if (failure.outcome === 'unknown') return toast.error(text, { duration: Number.POSITIVE_INFINITY })
  return showRefusal(text)
}
