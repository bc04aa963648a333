import type { Random } from '#market/random.ts'

/** How long messages take to reach a simulated venue, and reports to come back. */
export interface Latency {
  outboundMs(): number
  inboundMs(): number
}

export const NO_LATENCY: Latency = { outboundMs: () => 0, inboundMs: () => 0 }

/** Makes a latency of a fixed part and a chance part with a long tail, the same for the same seed. */
export function createLatency(typicalMs: number, random: Random): Latency {
  const draw = () => Math.round(typicalMs * 0.7 + typicalMs * 0.3 * -Math.log(1 - random.uniform()))
  return { outboundMs: draw, inboundMs: draw }
}
