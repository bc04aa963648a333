import { vi } from 'vitest'

/** Waits until the check passes. The limit allows for a busy machine. */
export function until<Fact>(look: () => Fact | Promise<Fact>): Promise<Fact> {
  return vi.waitFor(look, { timeout: 120_000, interval: 50 })
}
