/** A seeded random generator; the engine has no other. */
export interface Random {
  /** Returns a double from 0 up to but not including 1. */
  uniform(): number
  /** Returns a draw from the standard normal distribution. */
  normal(): number
  /** Returns an independent generator for one purpose; the same name gives the same generator. */
  fork(name: string): Random
}

/** Creates a generator from a seed: xoshiro128**, with its state expanded from the seed by splitmix32. */
export function createRandom(seed: number): Random {
  const next = xoshiro(seed)
  let spare = Number.NaN

  function uniform(): number {
    // 53 bits: 27 from one draw, 26 from the next.
    return ((next() >>> 5) * 0x4000000 + (next() >>> 6)) / 0x20000000000000
  }

  // Marsaglia's polar method gives two at a time.
  function normal(): number {
    if (!Number.isNaN(spare)) {
      const cached = spare
      spare = Number.NaN
      return cached
    }
    let x = 0
    let y = 0
    let square = 0
    do {
      x = 2 * uniform() - 1
      y = 2 * uniform() - 1
      square = x * x + y * y
    } while (square >= 1 || square === 0)
    const factor = Math.sqrt((-2 * Math.log(square)) / square)
    spare = y * factor
    return x * factor
  }

  return { uniform, normal, fork: (name) => createRandom(seedOf(seed, name)) }
}

function xoshiro(seed: number): () => number {
  const spread = splitmix(seed)
  let [a, b, c, d] = [spread(), spread(), spread(), spread()]
  return () => {
    const product = Math.imul(b, 5)
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << 11) | (d >>> 21)
    return result
  }
}

function splitmix(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
}

function seedOf(seed: number, name: string): number {
  let hash = 0x811c9dc5 ^ seed
  for (let index = 0; index < name.length; index++) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193)
  }
  return hash
}
