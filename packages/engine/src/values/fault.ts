export type FaultCode =
  | 'journal.gap'
  | 'journal.damaged'
  | 'journal.version'
  | 'journal.append-failed'
  | 'desk.failed-after-append'
  | 'command.outcome-unknown'
  | 'snapshot.damaged'
  | 'desk.halted'

/** An external failure: a disk, a damaged file, a halted desk. Thrown with a code and its cause. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: FaultCode

  constructor(code: FaultCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}
