import { orders, positions, risk, strategies } from '@binnacle/contract'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { problemReply } from '#testkit/replies.ts'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

let api: FakeApi
let log: ReturnType<typeof vi.spyOn>

beforeEach(() => {
  api = createFakeApi()
  log = vi.spyOn(console, 'error').mockImplementation(() => {})
})

afterEach(clearToasts)

const screens = [
  { path: '/trader/strategies', load: strategies.list, empty: 'No Strategies Yet' },
  { path: '/trader/orders', load: orders.list, empty: 'No Orders Yet' },
  { path: '/trader/positions', load: positions.list, empty: 'No Open Positions' },
  { path: '/trader/risk', load: risk.metrics, empty: 'All Systems Normal' },
]

async function untilLogged() {
  await waitFor(() => expect(log).toHaveBeenCalled())
  await waitFor(() => expect(screen.queryByText(/^Loading/)).toBeNull())
}

describe.each(screens)('$path when its first load fails', ({ path, load, empty }) => {
  test('[CLIENT-9] [CLIENT-10] [CLIENT-11] stops loading, logs it and shows neither rows nor the empty text', async () => {
    api.fail(load, 500)
    renderConsole(path)
    await screen.findByRole('heading', { level: 1 })
    await untilLogged()
    expect(log).toHaveBeenCalledWith(
      expect.objectContaining({ message: 'API Error: 500 Internal Server Error' }),
    )
    expect(screen.queryByText(empty)).toBeNull()
    expect(screen.queryByRole('table')).toBeNull()
    expect(toastsOfType('error')).toEqual([])
    expect(screen.queryByText(/API Error|fail/i)).toBeNull()
    expect(api.calls(load)).toHaveLength(1)
  })

  test('[CLIENT-5] treats a reply without a required field as a failure', async () => {
    api.answer(load, () => Response.json({ hello: 'world' }))
    renderConsole(path)
    await screen.findByRole('heading', { level: 1 })
    await untilLogged()
    expect(screen.queryByText(empty)).toBeNull()
  })

  test('[CLIENT-12] shows the text of a problem document', async () => {
    api.answer(load, () => problemReply(503, 'This call is switched off <b>for now</b>.'))
    renderConsole(path)
    expect(await screen.findByText('This call is switched off <b>for now</b>.')).toBeVisible()
    expect(screen.queryByText(empty)).toBeNull()
  })
})
