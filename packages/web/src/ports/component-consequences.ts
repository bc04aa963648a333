export interface ComponentConsequence {
  /** Shown before it is stopped. */
  stop: string
  /** Shown while it is stopped. */
  stopped: string
  /** The same while a stricter component is stopped, whose text says what becomes of orders (COMP-9). */
  stoppedWithoutOrders?: string
}

const SLOWER = 'Lists are read from the databases, which takes longer.'

/** What it means that a component is stopped, by its name. */
export const COMPONENT_CONSEQUENCES: ReadonlyMap<string, ComponentConsequence> = new Map([
  [
    'DataEngine',
    {
      stop: 'Prices go stale, strategies receive no ticks, and market orders are refused.',
      stopped: 'Prices and derived figures are frozen; market orders are refused.',
      stoppedWithoutOrders: 'Prices and derived figures are frozen.',
    },
  ],
  [
    'ExecutionEngine',
    {
      stop: 'Working orders are cancelled, and every new order is refused, including closing orders.',
      stopped: 'All new orders are refused, including those that close a position.',
    },
  ],
  [
    'RiskEngine',
    {
      stop: 'The daily loss limit is not checked, and orders that add exposure are refused. Cancels and closing orders are accepted.',
      stopped: 'Only orders that reduce a position are accepted.',
    },
  ],
  [
    'Portfolio',
    {
      stop: 'P&L and risk metrics stop updating, the daily loss limit is not checked, and orders that add exposure are refused.',
      stopped: 'P&L and risk figures are frozen; only orders that reduce a position are accepted.',
      stoppedWithoutOrders: 'P&L and risk figures are frozen.',
    },
  ],
  [
    'Cache',
    {
      stop: 'Trading continues without it. No order is refused.',
      stopped: SLOWER,
      stoppedWithoutOrders: SLOWER,
    },
  ],
  [
    'MessageBus',
    {
      stop: 'Strategies receive no data. Manual orders and cancels are accepted.',
      stopped: 'Strategies receive no events; manual orders still work.',
      stoppedWithoutOrders: 'Strategies receive no events.',
    },
  ],
])
