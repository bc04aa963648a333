import type { CreateStrategy, Desk } from '#starter/binnacle.ts'

/**
 * A strategy of chance: its parameters say how often it does what. The same seed and market lead to the same intents, and
 * any difference in what it is shown leads to others soon.
 */
export const createStrategy: CreateStrategy = ({ parameters, instruments }) => {
  const chance = (name: string) => Number(parameters[name] ?? 0)
  let state = chance('seed') | 0

  /** Depends on everything that was noted before. */
  function draw(): number {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
  }

  function note(value: number): void {
    state = Math.imul(state ^ Math.round(value * 1e4), 0x01000193)
  }

  function act(desk: Desk): void {
    const { id, minQuantity } = instruments[Math.floor(draw() * instruments.length)] ?? {
      id: '',
      minQuantity: 0,
    }
    const size = () => minQuantity * (1 + Math.floor(draw() * 20))
    const side = draw() < 0.5 ? 'buy' : 'sell'
    const away = 1 + (draw() - 0.5) * chance('distance')
    if (draw() < chance('target')) desk.target(draw() < 0.4 ? 0 : size() * (side === 'buy' ? 1 : -1), id)
    if (draw() < chance('market')) desk[side](size(), { instrument: id, reduceOnly: draw() < 0.3 })
    if (draw() < chance('limit')) {
      const timeInForce = draw() < 0.6 ? 'GTC' : draw() < 0.5 ? 'IOC' : 'FOK'
      desk[side](size(), { instrument: id, price: Math.max(0.1, desk.bid(id) * away), timeInForce })
    }
    if (draw() < chance('cancel')) for (const order of desk.orders()) if (draw() < 0.5) desk.cancel(order.id)
  }

  return {
    onBar(bar, desk) {
      for (const value of [bar.close, bar.low, bar.volume, bar.end - desk.now, desk.isLive ? 1 : 0])
        note(value)
      for (const { id } of instruments) {
        for (const value of [desk.bid(id), desk.ask(id), desk.position(id), desk.quantityFor(1_000, id)])
          note(value)
      }
      for (const order of desk.orders()) note(order.filled + order.quantity + (order.price ?? 0))
      if (draw() < chance('acts')) act(desk)
    },
    onQuote(quote, desk) {
      note(quote.bid + quote.ask)
      if (draw() < chance('acts') * chance('quotes')) act(desk)
    },
  }
}
