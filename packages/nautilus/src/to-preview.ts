import type { LimitUse, OrderPreview, PreviewPart } from '@binnacle/engine'
import type { Preview } from './protocol.ts'
import { asSentence, instantOf } from './to-views.ts'

/** The preview of an order by a node. */
export function viewPreview(preview: Preview): OrderPreview {
  const { denial, quote, fill, margin, limits } = preview
  const [used, equity] = [Number(margin.after), Number(margin.equity)]
  return {
    denial: denial === null ? null : { code: 'engine.denied', message: denial, sentence: asSentence(denial) },
    // A node sends an order as it is.
    isMadeReduceOnly: false,
    quote: quote && { bid: Number(quote.bid), ask: Number(quote.ask), at: instantOf(quote.ts) },
    fill: fill && viewPart(fill),
    rest: viewPart(preview.rest),
    cancelled: Number(preview.cancelled),
    position: { before: Number(preview.position.before), after: Number(preview.position.after) },
    margin: { before: Number(margin.before), after: used, availableAfter: Math.max(0, equity - used) },
    limits: {
      orderSize: viewUse(limits.max_order_size),
      positionSize: viewUse(limits.max_position_size),
      dailyLoss: viewUse(limits.max_daily_loss),
      positions: viewUse(limits.max_positions),
      margin: { before: Number(margin.before), after: used, limit: equity },
    },
  }
}

function viewPart({ quantity, price, value, fee }: Preview['rest']): PreviewPart {
  return {
    quantity: Number(quantity),
    price: price === null ? null : Number(price),
    cost: Number(value),
    fee: Number(fee),
  }
}

function viewUse({ before, after, limit }: Preview['limits']['max_order_size']): LimitUse {
  return { before: Number(before), after: Number(after), limit: Number(limit) }
}
