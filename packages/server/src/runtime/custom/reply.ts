import * as z from 'zod'
import type { Reply } from './child/protocol.ts'

/** More wishes than this in one answer are a mistake of the module. */
const MOST_INTENTS = 50

const Slot = z.int().min(0).max(63)
const Lots = z.int()

const Intent = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('place'),
    slot: Slot,
    side: z.enum(['BUY', 'SELL']),
    lots: Lots.positive(),
    wish: z.strictObject({
      price: z.int().positive().nullable(),
      timeInForce: z.enum(['GTC', 'IOC', 'FOK']).exactOptional(),
      reduceOnly: z.boolean().exactOptional(),
    }),
  }),
  z.strictObject({ type: z.literal('target'), slot: Slot, lots: Lots }),
  z.strictObject({ type: z.literal('cancel'), orderId: z.string().min(1).max(64) }),
])

const ReplyShape = z.strictObject({
  number: z.int().min(0),
  intents: z.array(Intent).max(MOST_INTENTS, `more than ${MOST_INTENTS} wishes at once`),
  said: z.array(z.string().max(600)).max(30),
  hearsQuotes: z.boolean().exactOptional(),
  failure: z
    .strictObject({ message: z.string().max(400), where: z.string().max(300).nullable() })
    .exactOptional(),
})

/** Reads a line of the child's, which is anyone's text: a reply, or what is wrong with it. */
export function parseReply(line: string): { reply: Reply } | { wrong: string } {
  const parsed = ReplyShape.safeParse(parseJson(line))
  if (parsed.success) return { reply: parsed.data }
  const [issue] = parsed.error.issues
  return { wrong: `${issue?.path.join('.') || 'the whole'}: ${issue?.message ?? 'wrong'}` }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
