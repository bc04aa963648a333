import type { Id } from '@binnacle/contract'

export const copy = {
  title: 'Strategies',
  back: 'Back',
  loading: 'Loading strategies...',
  empty: 'No Strategies Yet',
  emptyHint: 'A new strategy is stopped until you start it.',
  add: 'Add New Strategy',
  noDescription: 'No description',
  noFigure: '—',
  pnl: 'P&L',
  trades: 'Trades',
  winRate: 'Win Rate',
  start: 'Start',
  stop: 'Stop',
  delete: 'Delete',
  deleteQuestion: 'Are you sure you want to delete this strategy?',
  unknown: {
    start: (name: string) =>
      `No answer. ${name} may have been started; check its status before trying again.`,
    stop: (name: string) => `No answer. ${name} may have been stopped; check its status before trying again.`,
    delete: (name: string) => `No answer. ${name} may have been deleted; check the list before trying again.`,
  },
  configure: 'Configure',
  clone: 'Clone',
  cloneName: (name: string) => `${name} copy`,
  details: 'Details',
  drawer: {
    net: 'P&L net of fees',
    course: 'P&L, last 24 hours',
    noCourse: 'No figures were recorded in the last 24 hours.',
    parameters: 'Parameters',
    noParameters: 'It has no parameters.',
    orders: 'Latest orders',
    noOrders: 'It has placed no order.',
    allOrders: 'All its orders',
    ordersMissing: 'This engine does not offer its order history.',
  },
  deleted: { title: 'Deleted Strategies', at: 'Deleted' },
  denied: (name: string, count: number, nextTry: string | null) =>
    `orders denied: ${name} (${count}), next try ${nextTry === null ? 'with its next signal' : `at ${nextTry}`}`,
  settings: {
    title: (name: string) => `Configure ${name}`,
    id: (id: Id) => `ID in logs: ${id}`,
    nextBar: 'Running. Changes apply from the next bar.',
    save: 'Save Settings',
    unknown: 'No answer. The settings may have been saved; check them before saving again.',
  },
  dialog: {
    title: 'Add New Strategy',
    name: 'Name',
    type: 'Type',
    description: 'Description',
    cancel: 'Cancel',
    submit: 'Add Strategy',
    unknown: 'No answer. The strategy may have been added; check the list before sending it again.',
    unanswered:
      'An earlier strategy got no answer and may be on its way. Until that is known, only one of the two is added.',
    earlierArrived:
      'The earlier strategy had arrived, so this one was not added. Send it again to add it as well.',
  },
}
