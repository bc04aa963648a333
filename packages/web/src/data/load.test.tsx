import { dataSets, instruments, service } from '@binnacle/contract'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { useDataSets } from './data-sets.ts'
import { useInstruments } from './instruments.ts'
import { createQueryClient } from './query-client.ts'

let api: FakeApi

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(console, 'error').mockImplementation(() => {})
  api = createFakeApi()
  api.on(service.capabilities, { capabilities: ['market-data'] })
})

afterEach(() => {
  vi.useRealTimers()
})

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

function render<List>(useList: () => List) {
  const client = createQueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  return renderHook(useList, { wrapper }).result
}

test('[CLIENT-331] a list that is loaded once is loaded again every 5 s until a load succeeds, and not after that', async () => {
  api.drop(instruments.list)
  const list = render(useInstruments)
  await pass(100)
  expect(list.current).toEqual([])
  api.on(instruments.list, { instruments: [{ id: 'BTCUSDT' }] })
  await pass(5_000)
  expect(list.current.map(({ id }) => id)).toEqual(['BTCUSDT'])
  const loads = api.calls(instruments.list).length
  await pass(60_000)
  expect(api.calls(instruments.list)).toHaveLength(loads)
})

test('[CLIENT-331] so is the list of data sets', async () => {
  api.drop(dataSets.list)
  const list = render(useDataSets)
  await pass(100)
  expect(list.current).toBeUndefined()
  api.on(dataSets.list, { data_sets: [], upload_limit_bytes: 1 })
  await pass(5_000)
  expect(list.current).toEqual([])
})
