import { type NewOrder, type OrderPreview, orders } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { capabilityQueries, offers } from './capabilities.ts'
import { call } from './client.ts'
import { logOnly, problemText } from './failure.ts'

/** Prices move, so an open form asks again at this interval. */
const POLL_MS = 1000

export interface PreviewState {
  /** The last answer for this instrument; its quote also counts where there is a problem. */
  preview: OrderPreview | undefined
  /** The answer is about the terms before the last change: only its quote counts. */
  isOutdated: boolean
  /** Why these terms have no preview. */
  problem: string | undefined
  /** Whether these terms cannot be an order. */
  isIncomplete: boolean
  /** When the quote came, in ms, while the server does not answer. */
  quoteAsOfMs: number | undefined
}

/**
 * ORD-54: previews an order while it is typed. Undefined where the backend offers no previews. Without a usable price or
 * quantity, and for terms that are refused (ORD-105), only the quote is asked for, by a market order of the smallest quantity.
 */
export function useOrderPreview(order: NewOrder, minQuantity = 1, isShown = true): PreviewState | undefined {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const isOffered = offers(backend, 'order-preview')
  const missing = missingIn(order)
  const { data, error, dataUpdatedAt, isPlaceholderData } = useQuery({
    queryKey: ['order-preview', order.instrument, missing === undefined ? order : minQuantity],
    queryFn: async ({ signal }) => {
      const request = (body: NewOrder) => call(orders.preview, { body }, { signal })
      const requestQuote = () => request(quoteOnly(order, minQuantity))
      if (missing !== undefined) return { preview: await requestQuote() }
      try {
        return { preview: await request(order) }
      } catch (failure) {
        const refusal = problemText(failure)
        if (refusal === undefined) throw failure
        return { preview: await requestQuote(), refusal }
      }
    },
    refetchInterval: POLL_MS,
    enabled: isOffered && isShown && order.instrument !== '',
    // A price of another instrument would mislead.
    placeholderData: (last, query) => (query?.queryKey[1] === order.instrument ? last : undefined),
    gcTime: 0,
    meta: { onFailure: (failure) => problemText(failure) === undefined && logOnly(failure) },
  })
  if (!isOffered) return undefined
  const preview = isPlaceholderData && error ? undefined : data?.preview
  const refusal = isPlaceholderData ? undefined : data?.refusal
  const isOutdated = isPlaceholderData && missing === undefined
  return {
    preview,
    isOutdated,
    isIncomplete: missing !== undefined,
    quoteAsOfMs: error && problemText(error) === undefined ? dataUpdatedAt || undefined : undefined,
    problem: missing ?? (error ? (problemText(error) ?? NO_ANSWER) : refusal),
  }
}

/** The mid price of an instrument's quote while it is asked for; undefined for none and where there are no previews. */
export function useMidPrice(instrument = ''): number | undefined {
  const quote = useOrderPreview({ ...ANY_ORDER, instrument })?.preview?.quote
  return quote ? (quote.bid + quote.ask) / 2 : undefined
}

const ANY_ORDER = { side: 'BUY', type: 'MARKET', quantity: 1 } as const

const NO_ANSWER = 'No preview: the server does not answer.'

function missingIn({ type, quantity, price }: NewOrder): string | undefined {
  if (!(quantity > 0)) return 'Enter a quantity above 0.'
  if (type !== 'MARKET' && !((price ?? 0) > 0)) return 'Enter a price above 0.'
  return undefined
}

function quoteOnly({ instrument, side }: NewOrder, quantity: number): NewOrder {
  return { instrument, side, type: 'MARKET', quantity }
}
