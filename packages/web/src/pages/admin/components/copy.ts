export const copy = {
  title: 'Components',
  back: 'Back',
  things: 'components',
  list: 'Engine components',
  loading: 'Loading components...',
  empty: 'No Components',
  failed: 'The components could not be loaded',
  all: 'all components',
  running: (count: number, all: number) => `${count} of ${all} running`,
  impact: 'What this means now',
  noImpact: 'No strategy, order or position is affected.',
  actions: { start: 'Start', stop: 'Stop', restart: 'Restart', configure: 'Config' },
  configOf: (name: string) => `Configuration of ${name}`,
  configLabel: 'Configuration as JSON',
  notObject: 'Enter a JSON object, such as { "name": value }.',
  save: 'Save',
  cancel: 'Cancel',
  confirmAction: { stop: 'Stop', restart: 'Restart' },
  confirm: { stop: (name: string) => `Stop ${name}?`, restart: (name: string) => `Restart ${name}?` },
  consequences: {
    stop: {
      all: 'Working orders are cancelled. Nothing trades until the components are started again.',
      other: 'It is unavailable until it is started again.',
    },
    restart: {
      all: 'Working orders are cancelled.',
      ExecutionEngine: 'Working orders are cancelled.',
      other: 'It pauses for a moment.',
    },
  },
  report: 'All components: result',
  outcomes: { start: 'started', stop: 'stopped', restart: 'restarted' },
  notDone: { start: 'not started', stop: 'not stopped', restart: 'not restarted' },
  noAnswer: 'no answer; check the status shown here.',
  someFailed: {
    start: (count: number) => failedText(count, 'started'),
    stop: (count: number) => failedText(count, 'stopped'),
    restart: (count: number) => failedText(count, 'restarted'),
  },
  someUnanswered: (count: number) =>
    count === 1 ? 'No answer about one component.' : `No answer about ${count} components.`,
  bulk: { start: 'Start All', stop: 'Stop All', restart: 'Restart All' },
} as const

function failedText(count: number, done: string): string {
  return count === 1 ? `One component was not ${done}.` : `${count} components were not ${done}.`
}
