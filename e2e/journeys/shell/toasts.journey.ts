import type { Locator, Page } from '@playwright/test'
import { freezeTime, tick, tickUntilShown } from '#clock.ts'
import { expect, test } from '#fixtures.ts'
import { AdminDashboardPage } from '#pages/admin/admin-dashboard.ts'
import { DatabaseManagementPage } from '#pages/admin/database-management.ts'
import { EDGE } from '#tier.ts'

/** How long a closing toast takes to fade. */
const FADE_MS = 300

test(
  '[TOAST-2] [TOAST-4] [TOAST-6] a notification stays for 5000 ms or until it is closed, and at most 3 are visible',
  EDGE,
  async ({ page }) => {
    const admin = await openFrozen(page)
    await test.step('it stays for 5000 ms', async () => {
      const [toast] = await notify(admin, 1)
      await tick(page, 4_900)
      await expect(toast).toHaveCount(1)
      await tick(page, 100 + FADE_MS)
      await expect(toast).toHaveCount(0)
    })
    await test.step('the close button removes its toast and no other', async () => {
      await notify(admin, 2)
      await admin.toasts.close(admin.toasts.all.first())
      await tick(page, FADE_MS)
      await expect(admin.toasts.all).toHaveCount(1)
      await expire(admin)
    })
    await test.step('of five, three are visible', async () => {
      const toasts = await notify(admin, 5)
      await expect.poll(() => Promise.all(toasts.map(isSeen))).toEqual([true, true, true, false, false])
    })
  },
)

test('[TOAST-5] a toast of Database Management stays for 4000 ms', EDGE, async ({ page, backend }) => {
  await page.clock.install()
  const databases = new DatabaseManagementPage(page)
  await databases.open()
  await freezeTime(page)
  backend.fail('GET /api/db/:conn/tables')
  await databases.connect('Orders ledger')
  const toast = databases.toasts.saying('Failed to load tables')
  await tickUntilShown(page, toast)
  await tick(page, 3_800)
  await expect(toast).toHaveCount(1)
  await tick(page, 200 + FADE_MS)
  await expect(toast).toHaveCount(0)
})

test('[TOAST-7] toasts are 356 px wide with a gap of 14 px, and a slow swipe of 45 px dismisses', async ({
  page,
}) => {
  const admin = await openFrozen(page)
  const [front, behind] = await notify(admin, 2)
  await front.hover()
  await tick(page, 100)
  await expect.poll(async () => (await front.boundingBox())?.width).toBe(356)
  await expect.poll(async () => (await behind.boundingBox())?.width).toBe(356)
  await expect.poll(() => gapBetween(behind, front)).toBeCloseTo(14, 0)
  await expire(admin)
  for (const { distance, left } of [
    { distance: 44, left: 1 },
    { distance: 46, left: 0 },
  ]) {
    await test.step(`after ${distance} px ${left} toast is left`, async () => {
      const [toast] = await notify(admin, 1)
      await swipeSlowly(page, toast, distance)
      await expect(admin.toasts.all).toHaveCount(left)
      await expire(admin)
    })
  }
})

/** Drags a toast to the right; a quick flick would dismiss it over any distance. */
async function swipeSlowly(page: Page, toast: Locator, distance: number): Promise<void> {
  const box = await toast.boundingBox()
  if (!box) throw new Error('the toast has no place on the page')
  // Right of the words: a drag that selects text is not a swipe.
  const [x, y] = [box.x + 290, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 10, y)
  await tick(page, 2_000)
  await page.mouse.move(x + distance, y)
  await page.mouse.up()
  await tick(page, FADE_MS)
}

/** Moves the pointer off the toasts, which would hold them, and lets their time pass. */
async function expire(admin: AdminDashboardPage): Promise<void> {
  await admin.page.mouse.move(5, 5)
  await tick(admin.page, 100)
  await tick(admin.page, 5_000 + FADE_MS)
  await expect(admin.toasts.all).toHaveCount(0)
}

/** The admin dashboard with its own toast closed and its time frozen. */
async function openFrozen(page: Page): Promise<AdminDashboardPage> {
  await page.clock.install()
  const admin = new AdminDashboardPage(page)
  await admin.open()
  await admin.toasts.close(admin.toasts.saying('Connected to trading engine'))
  await expect(admin.toasts.all).toHaveCount(0)
  await freezeTime(page)
  return admin
}

/** Sends test notifications and gives their toasts, the newest first. */
async function notify(admin: AdminDashboardPage, count: number): Promise<[Locator, Locator, ...Locator[]]> {
  for (let sent = 1; sent <= count; sent += 1) {
    await admin.control('Test Notification').click()
    await tick(admin.page, 20)
    await expect(admin.toasts.all).toHaveCount(sent)
  }
  const [first, second, ...rest] = await admin.toasts.all.all()
  const none = admin.toasts.all.nth(count)
  return [first ?? none, second ?? none, ...rest]
}

async function gapBetween(upper: Locator, lower: Locator): Promise<number> {
  const [above, below] = [await upper.boundingBox(), await lower.boundingBox()]
  return above && below ? below.y - (above.y + above.height) : Number.NaN
}

/** The fade is the browser's own and runs in real time. */
async function isSeen(toast: Locator): Promise<boolean> {
  return toast.evaluate((element) => getComputedStyle(element).opacity !== '0')
}
