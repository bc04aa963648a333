import { vi } from 'vitest'

/** Waits for a fact. What it costs is told by the fact; the limit is for a machine that is busy with other things. */
export function until<Fact>(look: () => Fact | Promise<Fact>): Promise<Fact> {
  return vi.waitFor(look, { timeout: 45_000, interval: 20 })
}
