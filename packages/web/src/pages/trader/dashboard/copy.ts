import { paths, unroutedPaths } from '#paths.ts'

interface EngineState {
  name: string
  state: string
  reason: string | null
  age_s: number | null
}

export const copy = {
  title: 'Trader Panel',
  back: 'Back to Home',
  unknown: '—',
  allEngines: {
    link: 'All engines',
    title: 'Trader Panel of All Engines',
    columns: {
      engine: 'Engine',
      state: 'State',
      mode: 'Mode',
      trading: 'Trading',
      currency: 'Currency',
      equity: 'Equity',
      today: 'P&L today',
      exposure: 'Exposure',
      positions: 'Open Positions',
      age: 'Last report',
    },
    age: (seconds: number) => `${Math.round(seconds)} s ago`,
    without: (names: string) => `without ${names}`,
    notCurrent: ({ name, state, reason, age_s: age }: EngineState) => {
      const why = reason === null ? '' : ` ${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`
      const figures =
        age === null
          ? 'It has no figures yet'
          : `Its figures are ${Math.round(age)} s old and not in the sums`
      return `${name} is ${state}.${why} ${figures}.`.replaceAll('..', '.')
    },
  },
  firstSteps: {
    title: 'First steps',
    hide: 'Hide',
    done: 'Done:',
    steps: [
      {
        id: 'market' as const,
        to: paths.marketData,
        link: 'Watch the market',
        text: 'Prices, chart and order book, live.',
      },
      {
        id: 'order' as const,
        to: paths.orders,
        link: 'Place an order',
        text: 'No money is at risk: a preview says what it would do.',
      },
      {
        id: 'backtest' as const,
        to: paths.backtesting,
        link: 'Test an idea',
        text: 'A strategy runs over recorded bars within seconds.',
      },
      {
        id: 'strategy' as const,
        to: paths.strategies,
        link: 'Start a strategy',
        text: 'Four types are built in; your own is written in the browser.',
      },
    ],
    stop: 'Emergency, at the top right of every screen, stops trading, or closes everything.',
  },
  engine: {
    title: 'Engine Status',
    loading: 'Loading engine status...',
    live: 'Live',
    stopped: 'Stopped',
    traderId: 'Trader ID',
    engineType: 'Engine Type',
    embedded: 'Simulator (built in)',
    status: 'Status',
    strategies: 'Strategies',
    componentsOnline: 'Components Online',
    ofAll: (count: number) => `of ${count}`,
    openPositions: 'Open Positions',
    totalExposure: 'Total Exposure',
  },
  risk: {
    title: 'Risk Metrics',
    loading: 'Loading risk metrics...',
    totalExposure: 'Total Exposure',
    marginUsed: 'Margin Used',
    availableMargin: 'Available Margin',
    maxDrawdown: 'Max Drawdown',
    valueAtRisk: '1-day VaR',
    positionCount: 'Position Count',
    dailyLoss: 'Daily Loss',
    limits: 'Limits',
    ofLimit: (share: string, limit: string) => `${share} of ${limit}`,
    used: (share: string) => `${share} used`,
    free: (share: string) => `${share} free`,
    of: (limit: string) => `of ${limit}`,
    fromPeak: 'from the peak',
    riskStopped: 'Risk Service is stopped.',
    startRisk: 'Start it',
    ofEquity: (share: string) => `${share} of equity, 95%`,
  },
  pnl: {
    title: 'P&L today',
    since: 'since 00:00 UTC',
    yesterday: 'yesterday',
    curve: 'Curve',
    curves: { pnl: 'P&L', equity: 'Equity' },
    equity: 'Equity',
    without: (amounts: string) => `without ${amounts}: no rate`,
    realized: 'Realized today',
    unrealized: 'Unrealized since entry',
    fees: 'Fees today',
    low: (amount: string, time: string) => `low ${amount} ${time}`,
    high: (amount: string, time: string) => `high ${amount} ${time}`,
    recording: 'The curve begins with the next minute.',
    sentence: (curve: string, from: string, to: string, now: string) =>
      `${curve} today from ${from} to ${to} UTC, now ${now}; yesterday in grey.`,
  },
  positions: {
    title: 'Positions',
    open: (count: number) => `${count} open`,
    all: 'All positions',
    none: 'No open positions.',
    instrument: 'Instrument',
    side: 'Side',
    exposure: 'Exposure',
    unrealized: 'Unrealized P&L',
    sides: (long: number, short: number) => `${long} long, ${short} short`,
  },
  orders: {
    title: 'Working orders',
    all: 'All orders',
    none: 'No working orders.',
    instrument: 'Instrument',
    side: 'Side',
    type: 'Type',
    quantity: 'Quantity',
    price: 'Price',
    filled: 'Filled',
  },
  alerts: {
    title: 'Alerts',
    open: (count: number) => `${count} open`,
    all: 'All alerts',
    none: 'No open alerts.',
  },
  strategies: {
    title: 'Strategies',
    today: 'today',
    others: (count: number) => `${count} stopped`,
  },
  /** Instead of the notes of the links, where a live backend has a figure. */
  counts: {
    strategies: (running: number, all: number) => `${running} of ${all} running`,
    orders: (working: number) => `${working} working`,
    positions: (open: number) => `${open} open`,
    risk: (share: string) => `${share} of maximum`,
  },
  components: {
    title: 'System Components',
    loading: 'Loading components...',
    none: 'The engine reports no components.',
  },
  links: [
    { to: paths.strategies, title: 'Strategies', note: 'Add, start, stop and delete' },
    { to: paths.orders, title: 'Orders', note: 'Create, track and cancel' },
    { to: paths.positions, title: 'Positions', note: 'P&L, closing positions' },
    { to: paths.risk, title: 'Risk Management', note: 'Exposure, margin and limits' },
    { to: paths.marketData, title: 'Market Data', note: 'Prices and order books' },
    { to: paths.performance, title: 'Performance', note: 'P&L and statistics' },
    { to: paths.alerts, title: 'Alerts', note: 'Notifications' },
    { to: unroutedPaths.traderBacktest, title: 'Backtest', note: 'Test on historical data' },
    { to: paths.docs, title: 'Documentation', note: 'Setup and guides' },
  ],
}
