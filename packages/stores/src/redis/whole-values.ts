import type { Send } from './connection.ts'

/** One step takes Redis about a millisecond, so other clients are served between steps. */
const STEP_ITEMS = 1_000
const STEP_BYTES = 1024 * 1024

/** Readers of complete values, in steps. Concurrent changes may or may not be included. */
export const FULL_VALUES = {
  string: async (send: Send, key: Buffer) => [joinSlices(await slices(send, key))],
  list: (send: Send, key: Buffer) => inRanges((from, to) => send('LRANGE', key, from, to), 1),
  hash: async (send: Send, key: Buffer) =>
    [...new Map(await scanValues(send, 'HSCAN', key, 2)).values()].flat(),
  set: async (send: Send, key: Buffer) =>
    [...new Map(await scanValues(send, 'SSCAN', key, 1)).values()].flat(),
  zset: (send: Send, key: Buffer) => inRanges((from, to) => send('ZRANGE', key, from, to, 'WITHSCORES'), 2),
  stream: entries,
}

async function slices(send: Send, key: Buffer): Promise<Buffer[]> {
  const found: Buffer[] = []
  for (;;) {
    const from = found.length * STEP_BYTES
    const slice = await send('GETRANGE', key, from, from + STEP_BYTES - 1)
    if (!Buffer.isBuffer(slice) || slice.length === 0) return found
    found.push(slice)
    if (slice.length < STEP_BYTES) return found
  }
}

function joinSlices(slices: readonly Buffer[]): Buffer {
  const [only = Buffer.alloc(0)] = slices
  return slices.length > 1 ? Buffer.concat(slices) : only
}

async function inRanges(
  ask: (from: number, to: number) => Promise<unknown>,
  width: number,
): Promise<unknown[]> {
  const found: unknown[] = []
  for (let from = 0; ; from += STEP_ITEMS) {
    const items = listOf(await ask(from, from + STEP_ITEMS - 1))
    for (const item of items) found.push(item)
    if (items.length < STEP_ITEMS * width) return found
  }
}

/** Keyed by name, because a scan may return an item twice. */
async function scanValues(
  send: Send,
  command: string,
  key: Buffer,
  width: number,
): Promise<[string, unknown[]][]> {
  const found: [string, unknown[]][] = []
  let cursor = '0'
  do {
    const [next, reply] = listOf(await send(command, key, cursor, 'COUNT', STEP_ITEMS))
    const items = listOf(reply)
    for (let at = 0; at < items.length; at += width) {
      found.push([nameOf(items[at]), items.slice(at, at + width)])
    }
    cursor = String(next)
  } while (cursor !== '0')
  return found
}

async function entries(send: Send, key: Buffer): Promise<unknown[]> {
  const found: unknown[] = []
  for (let from = '-'; ; ) {
    const step = listOf(await send('XRANGE', key, from, '+', 'COUNT', STEP_ITEMS))
    for (const entry of step) found.push(entry)
    if (step.length < STEP_ITEMS) return found
    from = `(${String(listOf(step.at(-1))[0])}`
  }
}

function nameOf(item: unknown): string {
  return Buffer.isBuffer(item) ? item.toString('latin1') : String(item)
}

function listOf(reply: unknown): unknown[] {
  return Array.isArray(reply) ? reply : []
}
