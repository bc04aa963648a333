import type { PortKind } from '#ports/controls.ts'

export const copy = {
  title: 'Adapters',
  back: 'Back',
  things: 'adapters',
  list: 'Exchanges and brokers',
  loading: 'Loading adapters...',
  empty: 'No Adapters',
  failed: 'The adapters could not be loaded',
  all: 'all adapters',
  toggle: 'Toggle',
  test: 'Test',
  config: 'Config',
  connectAll: 'Connect All',
  disconnectAll: 'Disconnect All',
  testAll: 'Test All',
  testPassed: (kind: PortKind, name: string) =>
    `${kind === 'simulated' ? 'Simulated: ' : ''}${name} connection test passed!`,
}
