export type CloseStep = (graceMs: number) => unknown

/**
 * Closes in the given order by one deadline: each step gets the time that is left. A step that fails skips none of the
 * later ones; the faults are thrown in the end.
 */
export async function closeInOrder(
  graceMs: number,
  steps: readonly CloseStep[],
  now = () => performance.now(),
): Promise<void> {
  const deadlineMs = now() + graceMs
  const faults: unknown[] = []
  for (const step of steps) {
    try {
      await step(Math.max(0, deadlineMs - now()))
    } catch (fault) {
      faults.push(fault)
    }
  }
  if (faults.length === 1) throw faults[0]
  if (faults.length > 1) throw new AggregateError(faults, 'Several parts could not be closed')
}

/** What was opened so far, closed with the latest first. */
export class CloseStack {
  readonly #steps: CloseStep[] = []

  add(step: CloseStep): void {
    this.#steps.unshift(step)
  }

  close(graceMs: number): Promise<void> {
    return closeInOrder(graceMs, this.#steps.splice(0))
  }
}
