import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Provided by vitest.config.ts from tools/suite/counts.mjs. */
    generated: { seed: number; counts: Record<string, number> }
  }
}

/** How many cases or kills the tier of this run takes; the names are in tools/suite/counts.mjs. */
export function countOf(name: string): number {
  const count = inject('generated').counts[name]
  if (count === undefined) throw new Error(`tools/suite/counts.mjs has no count called ${name}`)
  return count
}

export function testSeed(): number {
  return inject('generated').seed
}

/** The parameters of a fast-check property. */
export function generated(name: string): { numRuns: number; seed: number } {
  return { numRuns: countOf(name), seed: testSeed() }
}
