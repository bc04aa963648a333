import { type MarketQuote, marketData } from '@binnacle/contract'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { createQueryClient } from '#data/query-client.ts'
import { createFakeApi } from '#testkit/fake-api.ts'
import { WatchlistPanel } from './watchlist-panel.tsx'

const IDS = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT']
const INSTRUMENTS = IDS.map((id) => ({ id, symbol: id, base_currency: id.slice(0, 3) }))

function aQuote(instrument: string): MarketQuote {
  const day = { open_24h: null, high_24h: null, low_24h: null, volume_24h: null, change_percent: null }
  const at = '2026-01-05T10:00:00.000Z'
  return { instrument, venue: 'BINANCE', bid: 99, ask: 101, at, last: 100, spark: [], ...day }
}

const choose = () => {}

test('[MKT-46] a row that was not rendered since keeps the later changes of the list', async () => {
  const api = createFakeApi()
  api.on(marketData.quotes, { quotes: IDS.map(aQuote) })
  const user = userEvent.setup()
  render(
    <QueryClientProvider client={createQueryClient()}>
      <WatchlistPanel instruments={INSTRUMENTS} chosen="BTCUSDT" onChoose={choose} />
    </QueryClientProvider>,
  )
  await user.click(await screen.findByRole('button', { name: 'Remove SOLUSDT' }))
  await user.click(screen.getByRole('button', { name: 'Remove BTCUSDT' }))
  const rows = within(screen.getByRole('list', { name: 'Watchlist' })).getAllByRole('listitem')
  expect(rows.map((row) => row.querySelector('b')?.textContent)).toEqual(['ETHUSDT'])
})
