import { engine, positions, service } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { fakeRunningClock } from '#testkit/polling.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { advanceTime } from '#testkit/time.ts'
import { aComponent, aPosition } from '#testkit/trading.ts'

let api: FakeApi

beforeEach(() => {
  api = createFakeApi()
  api.on(positions.list, { positions: [aPosition()] })
})

const bar = () => screen.queryByRole('region', { name: 'Stopped components' })

function reportStatuses(...statuses: string[]) {
  const names = ['DataEngine', 'Portfolio']
  api.on(engine.systemInfo, {
    components: statuses.map((status, index) => aComponent({ id: index, name: names[index] ?? '', status })),
  })
}

async function messagesFor(...names: string[]) {
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['components'] })
  api.on(engine.systemInfo, {
    components: names.map((name, id) => aComponent({ id, name, status: 'stopped' })),
  })
  renderConsole('/trader/positions')
  const region = await screen.findByRole('region', { name: 'Stopped components' })
  return within(region)
    .getAllByRole('paragraph')
    .map(({ textContent }) => textContent?.trim())
}

describe('stopped components', () => {
  test('[COMP-7] are shown with their effect until they run', async () => {
    fakeRunningClock()
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['components'] })
    reportStatuses('stopped', 'running')
    renderConsole('/trader/positions')
    const region = await screen.findByRole('region', { name: 'Stopped components' })
    expect(region).toHaveTextContent(
      'DataEngine is stopped. Prices and derived figures are frozen; market orders are refused.',
    )
    expect(region).not.toHaveTextContent('Portfolio')
    expect(screen.getByRole('link', { name: 'Go to Components' })).toHaveAttribute(
      'href',
      '/admin/components',
    )
    reportStatuses('running', 'running')
    await advanceTime(5000)
    await waitFor(() => expect(bar()).toBeNull())
  })

  test('[COMP-7] [COMP-9] of several only the strictest mention orders', async () => {
    const messages = await messagesFor(
      'DataEngine',
      'ExecutionEngine',
      'RiskEngine',
      'Portfolio',
      'Cache',
      'MessageBus',
    )
    expect(messages).toEqual([
      'DataEngine is stopped. Prices and derived figures are frozen.',
      'ExecutionEngine is stopped. All new orders are refused, including those that close a position.',
      'RiskEngine is stopped.',
      'Portfolio is stopped. P&L and risk figures are frozen.',
      'Cache is stopped. Lists are read from the databases, which takes longer.',
      'MessageBus is stopped. Strategies receive no events.',
    ])
  })

  test('[COMP-7] [COMP-9] two of equal strictness both mention orders', async () => {
    expect(await messagesFor('DataEngine', 'RiskEngine', 'MessageBus')).toEqual([
      'DataEngine is stopped. Prices and derived figures are frozen; market orders are refused.',
      'RiskEngine is stopped. Only orders that reduce a position are accepted.',
      'MessageBus is stopped. Strategies receive no events.',
    ])
  })

  test('[COMP-7] [COMP-9] with MessageBus and Cache stopped manual orders still work', async () => {
    expect(await messagesFor('Cache', 'MessageBus')).toEqual([
      'Cache is stopped. Lists are read from the databases, which takes longer.',
      'MessageBus is stopped. Strategies receive no events; manual orders still work.',
    ])
  })

  test('[COMP-7] are not requested in the baseline', async () => {
    reportStatuses('stopped', 'stopped')
    renderConsole('/trader/positions')
    await screen.findByRole('table', { name: 'Positions' })
    expect(bar()).toBeNull()
    expect(api.calls(engine.systemInfo)).toEqual([])
  })
})
