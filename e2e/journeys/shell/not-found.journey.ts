import { expect, test } from '#fixtures.ts'
import { NotFoundPage } from '#pages/not-found.ts'

const UNMATCHED = [
  '/404',
  '/nowhere',
  '/admin/databases/7',
  '/trader/orders/O-1',
  '/TRADER/x',
  '/%F0%9F%A7%AD',
]

for (const path of UNMATCHED) {
  test(`[ROUTE-2] ${path} shows the not-found page`, async ({ page }) => {
    const notFound = new NotFoundPage(page)
    await notFound.openAt(path)
    await expect(page).toHaveURL(path)
    await expect(notFound.heading).toBeVisible()
  })
}

const UNROUTED = [
  { path: '/admin/positions', offer: 'Did you mean Positions?', leadsTo: '/trader/positions' },
  { path: '/trader/backtest', offer: 'Did you mean Backtesting?', leadsTo: '/trader/backtesting' },
  { path: '/admin/orders', offer: 'Did you mean Orders?', leadsTo: '/trader/orders' },
]

for (const { path, offer, leadsTo } of UNROUTED) {
  test(`[ROUTE-3] ${path} stays outside the route table`, async ({ page }) => {
    const notFound = new NotFoundPage(page)
    await notFound.openAt(path)
    await expect(page).toHaveURL(path)
  })

  test(`[ROUTE-6] ${path} asks '${offer}' and leads to ${leadsTo}`, async ({ page }) => {
    const notFound = new NotFoundPage(page)
    await notFound.openAt(path)
    await expect(notFound.offer).toHaveText(offer)
    await notFound.offer.click()
    await expect(page).toHaveURL(leadsTo)
  })
}

test('[ROUTE-4] the not-found page says 404, its title and its sentence, the offer below them', async ({
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
})

test('[ROUTE-6] an address that is near nothing gets no offer', async ({ page }) => {
  const notFound = new NotFoundPage(page)
  await notFound.openAt('/zzzzzzzzzz')
  await expect(notFound.offer).toHaveCount(0)
})

test('[ROUTE-5] Go Home returns to /', async ({ page }) => {
  const notFound = new NotFoundPage(page)
  await notFound.open()
  await notFound.goHome.click()
  await expect(page).toHaveURL('/')
})
