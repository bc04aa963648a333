import { expect, test } from '#fixtures.ts'
import { NotFoundPage } from '#pages/not-found.ts'
import { EDGE } from '#tier.ts'

const UNMATCHED = [
  '/404',
  '/nowhere',
  '/admin/databases/7',
  '/trader/orders/O-1',
  '/TRADER/x',
  '/%F0%9F%A7%AD',
]

const UNROUTED = [
  { path: '/admin/positions', offer: 'Did you mean Positions?', leadsTo: '/trader/positions' },
  { path: '/trader/backtest', offer: 'Did you mean Backtesting?', leadsTo: '/trader/backtesting' },
  { path: '/admin/orders', offer: 'Did you mean Orders?', leadsTo: '/trader/orders' },
]

test('[ROUTE-2] an unmatched address shows the not-found page', EDGE, async ({ page }) => {
  const notFound = new NotFoundPage(page)
  for (const path of UNMATCHED) {
    await notFound.openAt(path)
    await expect(page).toHaveURL(path)
    await expect(notFound.heading).toBeVisible()
  }
})

test('[ROUTE-3] [ROUTE-6] an address outside the route table stays and offers the screen it resembles', async ({
  page,
}) => {
  const notFound = new NotFoundPage(page)
  for (const { path, offer, leadsTo } of UNROUTED) {
    await notFound.openAt(path)
    await expect(page).toHaveURL(path)
    await expect(notFound.offer).toHaveText(offer)
    await notFound.offer.click()
    await expect(page).toHaveURL(leadsTo)
  }
})

test('[ROUTE-4] [ROUTE-5] [ROUTE-6] the not-found page says 404, its title and its sentence, any offer below, and leads home', async ({
  page,
}) => {
  const notFound = new NotFoundPage(page)
  await notFound.openAt('/admin/positions')
  await expect(page.getByText('404', { exact: true })).toBeVisible()
  await expect(notFound.heading).toHaveText('Page Not Found')
  const sentence = page.getByText(
    "Sorry, the page you are looking for doesn't exist. It may have been moved or deleted.",
    { exact: true },
  )
  await expect(sentence).toBeVisible()
  const [above, below] = [await sentence.boundingBox(), await notFound.offer.boundingBox()]
  expect(above?.y).toBeLessThan(below?.y ?? 0)
  await test.step('an address that resembles none gets no offer', async () => {
    await notFound.openAt('/zzzzzzzzzz')
    await expect(notFound.offer).toHaveCount(0)
  })
  await notFound.goHome.click()
  await expect(page).toHaveURL('/')
})
