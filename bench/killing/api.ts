/** An order of the API, as far as the harness reads it. */
export interface ApiOrder {
  id: string
  instrument: string
  side: 'BUY' | 'SELL'
  type: string
  quantity: number
  price: number | null
  filled_qty: number
  status: string
  average_price: number | null
  fees: number
}

export interface ReportedPosition {
  instrument: string
  side: 'LONG' | 'SHORT'
  quantity: number
}

export interface ReportedLimits {
  max_order_size: number
  max_position_size: number
  max_daily_loss: number
  max_positions: number
}

export interface Reply<Body> {
  status: number
  body: Body
}

/** The server died under the call, or says that it does not know: the command may have been carried out or not. */
export class Unknown extends Error {
  override readonly name = 'Unknown'
}

const REQUEST_TIMEOUT_MS = 20_000

/** The calls of the trading API that the harness makes. */
export class Api {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  place(order: object, key: string): Promise<Reply<ApiOrder>> {
    return this.#call('POST', '/api/orders', order, key)
  }

  modify(id: string, change: object): Promise<Reply<unknown>> {
    return this.#call('PATCH', `/api/orders/${id}`, change)
  }

  cancel(id: string): Promise<Reply<unknown>> {
    return this.#call('DELETE', `/api/orders/${id}`)
  }

  saveLimits(limits: ReportedLimits): Promise<Reply<ReportedLimits>> {
    return this.#call('POST', '/api/risk/limits', limits)
  }

  async orders(query = ''): Promise<ApiOrder[]> {
    const { body } = await this.#call<{ orders: ApiOrder[] }>('GET', `/api/orders${query}`)
    return body.orders
  }

  async positions(): Promise<ReportedPosition[]> {
    const { body } = await this.#call<{ positions: ReportedPosition[] }>('GET', '/api/positions')
    return body.positions
  }

  async limits(): Promise<ReportedLimits> {
    return (await this.#call<ReportedLimits>('GET', '/api/risk/limits')).body
  }

  async #call<Body>(method: string, path: string, body?: object, key?: string): Promise<Reply<Body>> {
    const reply = await fetch(`${this.#url}${path}`, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
      .then(async (response) => ({ status: response.status, body: JSON.parse(await response.text()) }))
      .catch((fault: Error) => {
        throw new Unknown(`${method} ${path}: ${fault.message}`)
      })
    if (reply.status === 503) throw new Unknown(`${method} ${path}: ${reply.body.code}`)
    return reply
  }
}
