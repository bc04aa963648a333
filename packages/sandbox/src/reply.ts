import * as z from 'zod'
import type { Reply } from '#child/protocol.ts'

/** Orders and cancels that one callback may submit. */
const MAX_INTENTS_PER_CALLBACK = 50

const Slot = z.int().min(0).max(63)
const Lots = z.int()

const Intent = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('place'),
    slot: Slot,
    side: z.enum(['BUY', 'SELL']),
    lots: Lots.positive(),
    options: z.strictObject({
      price: z.int().positive().nullable(),
      timeInForce: z.enum(['GTC', 'IOC', 'FOK']).exactOptional(),
      reduceOnly: z.boolean().exactOptional(),
    }),
  }),
  z.strictObject({ type: z.literal('target'), slot: Slot, lots: Lots }),
  z.strictObject({ type: z.literal('cancel'), orderId: z.string().min(1).max(64) }),
])

export const FailureShape = z.strictObject({
  message: z.string().max(400),
  where: z.string().max(300).nullable(),
})

const ReplyShape = z.strictObject({
  number: z.int().min(0),
  intents: z
    .array(Intent)
    .max(MAX_INTENTS_PER_CALLBACK, `more than ${MAX_INTENTS_PER_CALLBACK} orders per callback`),
  printed: z.array(z.string().max(600)).max(30),
  wantsQuotes: z.boolean().exactOptional(),
  failure: FailureShape.exactOptional(),
})

/** Parses a line from the child, which is untrusted: a reply, or what is wrong with it. */
export function parseReply(line: string): { reply: Reply } | { wrong: string } {
  const parsed = parseLine(ReplyShape, line)
  return 'wrong' in parsed ? parsed : { reply: parsed.value }
}

/** Returns the value of a line of JSON, or what is wrong with it. */
export function parseLine<Value>(
  shape: z.ZodType<Value>,
  line: string,
): { value: Value } | { wrong: string } {
  const parsed = shape.safeParse(parseJson(line))
  if (parsed.success) return { value: parsed.data }
  const [issue] = parsed.error.issues
  return { wrong: `${issue?.path.join('.') || 'reply'}: ${issue?.message ?? 'invalid'}` }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
