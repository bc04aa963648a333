import { describe, expect, test } from 'vitest'
import { createSimulatedPorts } from './simulated-ports.ts'

const waits: number[] = []
const ports = createSimulatedPorts(async (ms) => void waits.push(ms))

const form = {
  systemName: '',
  environment: 'Staging' as const,
  email: false,
  slack: true,
  sms: true,
  sessionTimeoutMin: '-5',
  twoFactorAuth: false,
  maxConcurrentRequests: 'many',
  cacheTtlS: '',
}

const SECOND: [string, () => Promise<unknown>][] = [
  ['[COMP-3] a component act', () => ports.components.act('stop', 'Cache')],
  ['[COMP-3] an act on all components', () => ports.components.actOnAll('restart')],
  ['[FEAT-5] a flag', () => ports.features.setEnabled('live-trading', false)],
  ['[FEAT-5] all flags', () => ports.features.setAllEnabled(true)],
  ['[FEAT-5] a service act', () => ports.services.act('start', 'risk')],
  ['[ADAPT-3] connecting', () => ports.adapters.setConnected('coinbase', true)],
  ['[ADAPT-3] disconnecting all', () => ports.adapters.setAllConnected(false)],
  ['[ADAPT-3] configuring an adapter', () => ports.adapters.configure('okx')],
  ['[SET-6] saving', () => ports.settings.save(form)],
  ['[SET-6] resetting', () => ports.settings.reset('security')],
  ['[SET-6] exporting', () => ports.settings.exportAll()],
  ['[SET-6] importing', () => ports.settings.importAll()],
]

describe('simulated ports', () => {
  test.each(SECOND)('%s waits 1000 ms', async (_, act) => {
    waits.length = 0
    await act()
    expect(waits).toEqual([1000])
  })

  test.each([
    ['one adapter', () => ports.adapters.test('binance')],
    ['all adapters', () => ports.adapters.testAll()],
  ])('[ADAPT-4] a test of %s waits 1500 ms', async (_, act) => {
    waits.length = 0
    await act()
    expect(waits).toEqual([1500])
  })

  test('[COMP-4] [FEAT-6] [ADAPT-5] actions change no list', async () => {
    const lists = () =>
      Promise.all([
        ports.components.list(),
        ports.features.list(),
        ports.services.list(),
        ports.adapters.list(),
      ])
    const before = structuredClone(await lists())
    for (const [, act] of SECOND) await act()
    expect(await lists()).toEqual(before)
  })

  test('[SET-6] saved settings are not stored: the defaults stay', async () => {
    await ports.settings.save(form)
    expect((await ports.settings.load()).sessionTimeoutMin).toBe('30')
  })
})
