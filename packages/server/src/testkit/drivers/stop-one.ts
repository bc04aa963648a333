import { expect } from 'vitest'
import type { Driver } from '#database/drivers/driver.ts'
import { StoreRefusal } from '#database/drivers/store-refusal.ts'
import { until } from '../until.ts'
import { CAPS, type Stage } from './stage.ts'

/** Cancels a statement that would not end, and tells after how many milliseconds nothing of it ran any more. */
export async function stopOne(driver: Driver, { endless, atWork }: Stage): Promise<number> {
  await endless.arrange?.()
  const reason = new StoreRefusal('statement.cancelled', 'Enough.')
  const cancel = new AbortController()
  const running = driver.run(endless.statement, CAPS, cancel.signal)
  const stopped = expect(running).rejects.toBe(reason)
  await until(async () => expect(await atWork()).not.toEqual([]))
  const asked = performance.now()
  cancel.abort(reason)
  await stopped
  await until(async () => expect(await atWork()).toEqual([]))
  return performance.now() - asked
}
