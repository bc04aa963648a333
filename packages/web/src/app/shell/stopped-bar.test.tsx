import { engine, positions, service } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { makeTimeMovable } from '#testkit/polling.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { passTime } from '#testkit/time.ts'
import { aComponent, aPosition } from '#testkit/trading.ts'

let api: FakeApi

beforeEach(() => {
  api = createFakeApi()
  api.on(positions.list, { positions: [aPosition()] })
})

const bar = () => screen.queryByRole('region', { name: 'Components at rest' })

function tellComponents(...statuses: string[]) {
  const names = ['DataEngine', 'Portfolio']
  api.on(engine.systemInfo, {
    components: statuses.map((status, index) => aComponent({ id: index, name: names[index] ?? '', status })),
  })
}

async function toldOf(...names: string[]) {
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['components'] })
  api.on(engine.systemInfo, {
    components: names.map((name, id) => aComponent({ id, name, status: 'stopped' })),
  })
  renderConsole('/trader/positions')
  const region = await screen.findByRole('region', { name: 'Components at rest' })
  return within(region)
    .getAllByRole('paragraph')
    .map(({ textContent }) => textContent?.trim())
}

describe('components at rest', () => {
  it('[COMP-7] are told where figures stand still because of them, until they run', async () => {
    makeTimeMovable()
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['components'] })
    tellComponents('stopped', 'running')
    renderConsole('/trader/positions')
    const told = await screen.findByRole('region', { name: 'Components at rest' })
    expect(told).toHaveTextContent(
      'DataEngine is stopped. Prices and what is made of them stand still, and market orders are refused.',
    )
    expect(told).not.toHaveTextContent('Portfolio')
    expect(screen.getByRole('link', { name: 'Go to Components' })).toHaveAttribute(
      'href',
      '/admin/components',
    )
    tellComponents('running', 'running')
    await passTime(5000)
    await waitFor(() => expect(bar()).toBeNull())
  })

  it('[COMP-7] several say of orders only what is the strictest, and do not contradict one another', async () => {
    const told = await toldOf(
      'DataEngine',
      'ExecutionEngine',
      'RiskEngine',
      'Portfolio',
      'Cache',
      'MessageBus',
    )
    expect(told).toEqual([
      'DataEngine is stopped. Prices and what is made of them stand still.',
      'ExecutionEngine is stopped. Every new order is refused, those that close a position included.',
      'RiskEngine is stopped.',
      'Portfolio is stopped. P&L and risk figures stand still.',
      'Cache is stopped. Lists are read from the stores, which takes longer.',
      'MessageBus is stopped. Strategies hear nothing.',
    ])
  })

  it('[COMP-7] two that are as strict as each other both say what they refuse', async () => {
    expect(await toldOf('DataEngine', 'RiskEngine', 'MessageBus')).toEqual([
      'DataEngine is stopped. Prices and what is made of them stand still, and market orders are refused.',
      'RiskEngine is stopped. Only orders that reduce a position are let through.',
      'MessageBus is stopped. Strategies hear nothing.',
    ])
  })

  it('[COMP-7] a MessageBus that rests beside a Cache lets orders by hand pass', async () => {
    expect(await toldOf('Cache', 'MessageBus')).toEqual([
      'Cache is stopped. Lists are read from the stores, which takes longer.',
      'MessageBus is stopped. Strategies hear nothing; orders by hand pass.',
    ])
  })

  it('[COMP-7] in the baseline nobody asks for them', async () => {
    tellComponents('stopped', 'stopped')
    renderConsole('/trader/positions')
    await screen.findByRole('table', { name: 'Positions' })
    expect(bar()).toBeNull()
    expect(api.calls(engine.systemInfo)).toEqual([])
  })
})
