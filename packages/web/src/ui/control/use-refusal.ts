import { useState } from 'react'
import type { FormFailure } from '#form-failure.ts'

/**
 * ORD-71: shows why a request was refused while it still applies. A message at a field goes when the field or one of
 * `subject` changes, a message of the form when anything changes. An unknown outcome stays.
 */
export function useRefusal<Request extends object>(
  failure: FormFailure | undefined,
  request: Request,
  subject: readonly (keyof Request & string)[] = [],
) {
  const [sent, setSent] = useState<Request>()
  return {
    shown: failure && sent ? stillApplying(failure, sent, request, subject) : failure,
    markSent: () => setSent(request),
  }
}

function stillApplying(
  failure: FormFailure,
  sent: object,
  request: object,
  subject: readonly string[],
): FormFailure | undefined {
  const [before, now] = [new Map(Object.entries(sent)), new Map(Object.entries(request))]
  const isSame = (name: string) => Object.is(before.get(name), now.get(name))
  const fields = Object.entries(failure.fields).filter(([name]) => isSame(name) && subject.every(isSame))
  const isUnchanged = [...before.keys(), ...now.keys()].every(isSame)
  const text = failure.isUnknown || isUnchanged ? failure.text : undefined
  if (fields.length === 0 && text === undefined) return undefined
  return { ...failure, fields: Object.fromEntries(fields), text }
}
