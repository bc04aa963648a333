import type { Id } from '@binnacle/contract'

export const copy = {
  title: 'Positions',
  back: 'Back',
  loading: 'Loading positions...',
  summary: {
    open: 'Open Positions',
    totalPnl: 'Total P&L',
    today: 'P&L Today',
    net: 'net of fees',
    equity: 'Equity',
    fees: 'Fees Paid',
    long: 'Long',
    short: 'Short',
  },
  empty: 'No Open Positions',
  emptyLink: 'Go to Orders',
  columns: {
    id: 'Position ID',
    instrument: 'Instrument',
    side: 'Side',
    quantity: 'Quantity',
    entryPrice: 'Entry Price',
    currentPrice: 'Current Price',
    unrealized: 'Unrealized P&L',
    realized: 'Realized P&L',
    strategy: 'Strategy',
    actions: 'Actions',
  },
  /** Where a row has no column titles. */
  phone: { at: 'at', now: 'now', realized: 'realized' },
  close: 'Close',
  closeQuestion: 'Close this position?',
  confirmClose: 'Close Position',
  closeUnknown: (id: Id) =>
    `No answer. Position ${id} may have been closed; check the list before closing it again.`,
  heldManually: 'Opened manually.',
  heldBy: (strategy: string) => `Held by strategy ${strategy}, which may reopen it while it runs.`,
}
