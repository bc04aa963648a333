import { expect, test } from '#fixtures.ts'
import { FeaturesPage } from '#pages/admin/features.ts'
import { expectSimulated, openFrozen } from '#simulated.ts'

const FLAGS = {
  'Live Trading': 'Disable',
  Backtesting: 'Disable',
  'Paper Trading': 'Enable',
  'Risk Management': 'Disable',
  'Advanced Analytics': 'Enable',
  'Multi-Exchange': 'Disable',
}

const SERVICES = {
  'Market Data Service': 'running',
  'Order Execution Service': 'running',
  'Risk Service': 'stopped',
  'Analytics Service': 'running',
}

test('[FEAT-1] [FEAT-2] [FEAT-3] [FEAT-4] [FEAT-5] [FEAT-6] flags and services, whose simulated actions change nothing', async ({
  page,
  backend,
}) => {
  const features = new FeaturesPage(page)
  await openFrozen(features)
  await test.step('flags and services with their actions', async () => {
    for (const [name, action] of Object.entries(FLAGS)) {
      await expect(features.entry(name).getByRole('button')).toHaveText([action])
    }
    for (const [name, status] of Object.entries(SERVICES)) {
      await expect(features.entry(name).getByText(status, { exact: true })).toBeVisible()
      await expect(features.entry(name).getByRole('button')).toHaveText([
        'Start',
        'Stop',
        'Restart',
        'Config',
      ])
    }
    for (const name of ['Enable All', 'Disable All']) await expect(features.control(name)).toBeVisible()
  })
  await test.step('flags succeed after 1 s and stay as they were', async () => {
    for (const [name, action] of [
      ['Live Trading', 'Disable'],
      ['Paper Trading', 'Enable'],
    ] as const) {
      await expectSimulated(features, backend, {
        control: features.action(name, action),
        ms: 1_000,
        says: name,
      })
      await expect(features.action(name, action)).toBeVisible()
    }
    for (const name of ['Enable All', 'Disable All']) {
      await expectSimulated(features, backend, { control: features.control(name), ms: 1_000, says: /all/i })
    }
  })
  await test.step('services succeed after 1 s and stay as they were', async () => {
    for (const action of ['Start', 'Stop', 'Restart', 'Config']) {
      const control = features.action('Risk Service', action)
      await expectSimulated(features, backend, { control, ms: 1_000, says: 'Risk Service' })
    }
    await expect(features.entry('Risk Service').getByText('stopped', { exact: true })).toBeVisible()
  })
})
