import { expectAccessible, expectStateAccessible } from '#axe.ts'
import { expect, test } from '#fixtures.ts'
import { ApiConfigurationPage } from '#pages/admin/api-configuration.ts'
import { EDGE } from '#tier.ts'

test(
  '[SHELL-9] axe finds nothing on routes, forms and the question before a delete',
  EDGE,
  async ({ page }) => {
    const api = new ApiConfigurationPage(page)
    await api.openWith('Trading API')
    await expect(api.service('Archive API').getByText('unhealthy', { exact: true })).toBeVisible()
    await api.control('Add Route').click()
    await api.form.getByLabel('Parameters').fill('no JSON')
    await api.action('Place an order', 'Edit').click()
    await expectAccessible(page)
    await api.action('List the orders', 'Delete').click()
    await api.deleteQuestion.dialog.waitFor()
    await expectStateAccessible(page)
  },
)

test('[API-1] the address leads back to the selected service', EDGE, async ({ page }) => {
  const api = new ApiConfigurationPage(page)
  await api.openWith('Pricing API')
  await expect(api.route('Latest quotes')).toBeVisible()
  await page.reload()
  await expect(api.route('Latest quotes')).toBeVisible()
  await page.goBack()
  await expect(api.main.getByText('Select an API service to manage its routes')).toBeVisible()
})

test('[API-12] a double click toggles once', EDGE, async ({ page, backend }) => {
  const api = new ApiConfigurationPage(page)
  await api.openWith('Trading API')
  await api.action('List the orders', 'Toggle').dblclick()
  await expect(api.toasts.ofType('success', 'Route disabled')).toBeVisible()
  await expect(api.action('List the orders', 'Toggle')).toBeEnabled()
  expect(backend.count('PUT /api/admin/routes/:id')).toBe(1)
})

test('[API-18] the keyboard edits a row and stays with it', EDGE, async ({ page, backend }) => {
  const api = new ApiConfigurationPage(page)
  await api.openWith('Trading API')
  await api.action('Cancel an order', 'Edit').focus()
  await page.keyboard.press('Enter')
  await expect(api.form.getByLabel('Path')).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.type('/now')
  await page.keyboard.press('Enter')
  expect((await backend.called('PUT /api/admin/routes/3')).body).toMatchObject({
    path: '/api/orders/{id}/now',
  })
  await expect(api.action('Cancel an order', 'Edit')).toBeFocused()
})

test(
  '[API-6] a server that goes away keeps what is shown and fails each change once',
  EDGE,
  async ({ page, backend, watch }) => {
    watch.allowErrors(/Failed to fetch/)
    const api = new ApiConfigurationPage(page)
    await api.openWith('Trading API')
    await expect(api.route('List the orders')).toBeVisible()
    backend.goAway()
    await api.action('List the orders', 'Toggle').click()
    await expect(api.toasts.ofType('error', 'Failed to toggle route')).toBeVisible()
    await api.control('Refresh').click()
    await expect(api.toasts.ofType('error', 'Failed to load API endpoints')).toBeVisible()
    await expect(api.route('List the orders')).toBeVisible()
    await expect(api.service('Trading API').getByText('unhealthy', { exact: true })).toBeVisible()
    expect(backend.count('PUT /api/admin/routes/:id')).toBe(1)
  },
)

test('[API-12] a slow toggle keeps its row busy and the others free', EDGE, async ({ page, backend }) => {
  const release = backend.hold('PUT /api/admin/routes/:id')
  const api = new ApiConfigurationPage(page)
  await api.openWith('Trading API')
  await api.action('List the orders', 'Toggle').click()
  await expect(api.action('List the orders', 'Toggle')).toBeDisabled()
  await expect(api.action('Place an order', 'Toggle')).toBeEnabled()
  release()
  await expect(api.action('List the orders', 'Toggle')).toBeEnabled()
  await expect(api.route('List the orders').getByText('Disabled', { exact: true })).toBeVisible()
})

test.describe('with nothing in it', () => {
  test.use({ seed: 'empty' })

  test('[API-2] a page without services says so and offers no adding', EDGE, async ({ page }) => {
    const api = new ApiConfigurationPage(page)
    await api.open()
    await expect(api.main.getByText('No API services yet')).toBeVisible()
    await expect(api.main.getByText('Select an API service to manage its routes')).toBeVisible()
    await expect(api.control('Add Route')).toHaveCount(0)
  })
})
