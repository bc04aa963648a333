import { expect, type Locator } from '@playwright/test'
import type { SpecificationBackend } from '#backend/backend.ts'
import type { Screen } from '#pages/screen.ts'
import { freezeTime, tick } from './clock.ts'

interface SimulatedAct {
  control: Locator
  /** When the success appears. */
  ms: number
  says: string | RegExp
  /** Whether an info message must come at once. */
  announced?: boolean
}

/** Opens a mock-up and stops its time. */
export async function openFrozen(screen: Screen): Promise<void> {
  await screen.page.clock.install()
  await screen.open()
  await expect(screen.main.getByText('Simulated', { exact: true })).toBeVisible()
  await freezeTime(screen.page)
}

/** The act shows its success after the given time, not before, and asks nothing of the server. */
export async function expectSimulated(
  screen: Screen,
  backend: SpecificationBackend,
  { control, ms, says, announced = false }: SimulatedAct,
): Promise<void> {
  const changes = (): number => backend.calls().filter(({ method }) => method !== 'GET').length
  const success = screen.toasts.ofType('success', says)
  const before = changes()
  await control.click()
  await tick(screen.page, 10)
  if (announced) await expect(screen.toasts.ofType('info', /\S/).first()).toBeVisible()
  await tick(screen.page, ms - 110)
  await expect(success).toHaveCount(0)
  await tick(screen.page, 200)
  await expect(success.first()).toBeVisible()
  expect(changes()).toBe(before)
  await tick(screen.page, 7_000)
  await expect(screen.toasts.all).toHaveCount(0)
}
