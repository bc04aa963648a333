import type { JudgedCommand } from '../command-guard.ts'
import type { Send } from '../visit.ts'
import { askSizes } from './key-sizes.ts'
import { MOST_ITEMS, refused } from './limits.ts'
import { READING } from './reading.ts'
import { WRITING } from './writing.ts'

/** STORE-12: sees to it that a command ends soon, since nothing can stop it once Redis has begun. */
export async function boundCommand(send: Send, { name, args }: JudgedCommand): Promise<void> {
  if (args.length > MOST_ITEMS) throw refused(`${name} has ${args.length} words; at most 10,000 are sent.`)
  const words = args.map((word) => word.toString('latin1').toUpperCase())
  await (READING.get(name) ?? WRITING.get(name))?.({ name, args, words, sizes: askSizes(send) })
}
