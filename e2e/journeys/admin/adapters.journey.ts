import { expect, test } from '#fixtures.ts'
import { AdaptersPage } from '#pages/admin/adapters.ts'
import { expectSimulated, openFrozen } from '#simulated.ts'

const ADAPTERS = {
  Binance: [/exchange/i, 'connected'],
  Bybit: [/exchange/i, 'connected'],
  OKX: [/exchange/i, 'connected'],
  Coinbase: [/exchange/i, 'disconnected'],
  'Interactive Brokers': [/^broker$/i, 'disconnected'],
} as const

test('[ADAPT-1] [ADAPT-2] [ADAPT-3] [ADAPT-5] [ADAPT-4] five adapters, whose simulated actions change nothing', async ({
  page,
  backend,
}) => {
  const adapters = new AdaptersPage(page)
  await openFrozen(adapters)
  await test.step('five adapters with their actions', async () => {
    for (const [name, [type, status]] of Object.entries(ADAPTERS)) {
      await expect(adapters.entry(name).getByText(type)).toBeVisible()
      await expect(adapters.entry(name).getByText(status, { exact: true })).toBeVisible()
      await expect(adapters.entry(name).getByRole('button')).toHaveText(['Toggle', 'Test', 'Config'])
    }
    for (const name of ['Connect All', 'Disconnect All', 'Test All'])
      await expect(adapters.control(name)).toBeVisible()
  })
  await test.step('a toggle succeeds after 1 s and changes nothing', async () => {
    await expectSimulated(adapters, backend, {
      control: adapters.action('Coinbase', 'Toggle'),
      ms: 1_000,
      says: 'Coinbase',
    })
    await expect(adapters.entry('Coinbase').getByText('disconnected', { exact: true })).toBeVisible()
    await expectSimulated(adapters, backend, {
      control: adapters.action('Coinbase', 'Config'),
      ms: 1_000,
      says: 'Coinbase',
    })
    for (const name of ['Connect All', 'Disconnect All']) {
      await expectSimulated(adapters, backend, { control: adapters.control(name), ms: 1_000, says: /all/i })
    }
  })
  await test.step("a test says 'connection test passed!' after 1.5 s", async () => {
    const says = 'connection test passed!'
    await expectSimulated(adapters, backend, {
      control: adapters.action('Binance', 'Test'),
      ms: 1_500,
      says,
    })
    await expectSimulated(adapters, backend, { control: adapters.control('Test All'), ms: 1_500, says })
  })
})
