import { randomUUID } from 'node:crypto'
import { createRandom } from '@binnacle/engine'
import type { CommandRequest } from '#node-client.ts'
import { REAL_INSTRUMENT } from './real-node.ts'

/** Numbers that a seed repeats. */
export interface Chance {
  below(limit: number): number
}

export function createChance(seed: number): Chance {
  const { uniform } = createRandom(seed)
  return { below: (limit) => Math.floor(uniform() * limit) }
}

export type KillCommand = CommandRequest & { readonly id: string }

/** Commands of every sort that can be in progress when a process is killed. */
export function drawCommands(count: number, chance: Chance): KillCommand[] {
  const commands: KillCommand[] = []
  for (let index = 0; index < count; index += 1) {
    const earlier = commands[chance.below(commands.length + 1)]?.id ?? randomUUID()
    commands.push({ id: randomUUID(), actor: 'test', ...drawTerms(chance, `C-${earlier}`) })
  }
  return commands
}

function drawTerms(chance: Chance, orderId: string): Pick<CommandRequest, 'name' | 'args'> {
  const side = chance.below(2) === 0 ? 'BUY' : 'SELL'
  const quantity = (0.001 * (1 + chance.below(20))).toFixed(3)
  const order = { instrument_id: REAL_INSTRUMENT, side, quantity, tif: 'GTC', reduce_only: false }
  switch (chance.below(10)) {
    case 0:
      return { name: 'order.cancel', args: { order_id: orderId } }
    case 1:
      return { name: 'order.modify', args: { order_id: orderId, quantity: '0.123' } }
    case 2:
      return { name: 'position.close', args: { position_id: `${REAL_INSTRUMENT}-MANUAL-000` } }
    case 3:
      return { name: 'limits.set', args: { max_positions: 10 + chance.below(10) } }
    case 4:
      return { name: 'strategy.create', args: { name: randomUUID(), template: 'momentum', config: {} } }
    case 5:
    case 6: {
      const price = side === 'BUY' ? '40000' : '60000'
      return { name: 'order.submit', args: { ...order, type: 'LIMIT', price } }
    }
    default:
      return { name: 'order.submit', args: { ...order, type: 'MARKET' } }
  }
}
