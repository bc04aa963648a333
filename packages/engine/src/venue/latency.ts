import type { Random } from '#market/random.ts'

/** The latency of messages to a simulated venue and of reports back. */
export interface Latency {
  outboundMs(): number
  inboundMs(): number
}

export const NO_LATENCY: Latency = { outboundMs: () => 0, inboundMs: () => 0 }

/** Creates a latency with a fixed part and a random, long-tailed part; the same for the same seed. */
export function createLatency(typicalMs: number, random: Random): Latency {
  const draw = () => Math.round(typicalMs * 0.7 + typicalMs * 0.3 * -Math.log(1 - random.uniform()))
  return { outboundMs: draw, inboundMs: draw }
}
