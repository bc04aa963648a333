export interface FeatureEffect {
  name: string
  /** What the flag means as it is. */
  on: string
  off: string
  /** Shown before it is switched. */
  enable: string
  disable: string
  /** Shown on every screen while the flag is not in its usual state. */
  notice?: { when: 'on' | 'off'; text: string }
}

/** What each feature flag does, by its id. */
export const FEATURE_EFFECTS: ReadonlyMap<string, FeatureEffect> = new Map<string, FeatureEffect>([
  [
    'live-trading',
    {
      name: 'Live Trading',
      on: 'New orders are sent to the venues.',
      off: 'New orders are refused; cancels and closes pass.',
      enable: 'New orders are sent to the venues again, unless Paper Trading is on.',
      disable:
        'New orders to every venue are refused, unless Paper Trading is on. Working orders stay; cancels and orders that reduce a position pass.',
      notice: { when: 'off', text: 'Only orders that reduce a position are accepted.' },
    },
  ],
  [
    'backtesting',
    {
      name: 'Backtesting',
      on: 'Backtests can be started.',
      off: 'No new backtest can be started.',
      enable: 'Backtests can be started again.',
      disable: 'No new backtest can be started. Those that are queued or running end as usual.',
    },
  ],
  [
    'paper-trading',
    {
      name: 'Paper Trading',
      on: 'Orders trade for the paper account.',
      off: 'Orders trade for your own account.',
      enable:
        'Orders trade for a separate paper account with cash and P&L of its own; your own account stays unchanged. Paper Trading wins over Live Trading.',
      disable: 'Orders trade for your own account again; the paper account stays unchanged.',
      notice: { when: 'on', text: 'Orders trade for the paper account.' },
    },
  ],
  [
    'risk-management',
    {
      name: 'Risk Management',
      on: 'The risk limits are checked.',
      off: 'The risk limits are not checked.',
      enable: 'The risk limits are checked again for every order that adds exposure.',
      disable:
        'The risk limits and the loss limits of strategies are not checked, and the daily loss is not watched. Margin is still needed. Possible only while Live Trading is off.',
      notice: { when: 'off', text: 'The risk limits are not checked.' },
    },
  ],
  [
    'advanced-analytics',
    {
      name: 'Advanced Analytics',
      on: 'The deeper analytics are shown.',
      off: 'The deeper analytics are hidden.',
      enable: 'Performance Analytics also shows the deeper analytics.',
      disable: 'Performance Analytics hides the deeper analytics. Nothing is lost.',
    },
  ],
  [
    'multi-exchange',
    {
      name: 'Multi-Exchange',
      on: 'Orders are accepted at every connected venue.',
      off: 'Only Binance accepts orders that add exposure.',
      enable: 'Orders are accepted at every connected venue again.',
      disable:
        'Orders that add exposure are accepted only at Binance, the primary venue. Positions elsewhere stay and can be reduced.',
      notice: { when: 'off', text: 'Orders that add exposure are accepted only at Binance.' },
    },
  ],
])

export interface ServiceEffect {
  name: string
  running: string
  stopped: string
  /** Shown before it is stopped. */
  stop: string
  /** Shown on every screen while it is stopped. */
  notice?: string
}

/** What each service does, by its id. */
export const SERVICE_EFFECTS: ReadonlyMap<string, ServiceEffect> = new Map<string, ServiceEffect>([
  [
    'market-data',
    {
      name: 'Market Data Service',
      running: 'Sends quotes to the screens and charts.',
      stopped: 'Prices on the screens are stale.',
      stop: 'Quotes, charts, depth and trades on the screens go stale. The engine and its strategies go on.',
      notice: 'Prices and charts on the screens are stale; the engine goes on.',
    },
  ],
  [
    'order-execution',
    {
      name: 'Order Execution Service',
      running: 'Accepts manual orders.',
      stopped: 'New manual orders are refused.',
      stop: 'New manual orders are refused. Cancels, closes and the emergency control work; strategies go on.',
      notice: 'New manual orders are refused; cancels, closes and emergency work.',
    },
  ],
  [
    'risk',
    {
      name: 'Risk Service',
      running: 'Computes VaR and records the use of limits.',
      stopped: 'VaR is not computed, and the use of limits is not recorded.',
      stop: 'VaR is not computed, and the use of limits is not recorded. It is not the risk gate: every order is checked as before.',
    },
  ],
  [
    'analytics',
    {
      name: 'Analytics Service',
      running: 'Records equity and P&L over time.',
      stopped: 'Equity and P&L are not recorded.',
      stop: 'Equity and P&L are not recorded: charts have a marked gap until it is started.',
      notice: 'Equity and P&L are not recorded; charts have a gap.',
    },
  ],
])
