import { routes } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { listing, openRoutes, routeButton } from '#testkit/open-routes.tsx'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

describe('routes of a live backend', () => {
  afterEach(clearToasts)

  test('[API-34] Toggle of an enabled built-in route asks and says who will notice', async () => {
    const { api, user } = await openRoutes({ capabilities: [], listed: [{ ...listing, is_builtin: 1 }] })
    api.on(routes.update, { success: true })
    await user.click(routeButton('List the orders', 'Toggle'))
    const dialog = await screen.findByRole('dialog', { name: 'Disable GET /api/orders?' })
    expect(dialog).toHaveTextContent('Every screen of the console and every other client')
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    expect(api.calls(routes.update)).toEqual([])
    await user.click(routeButton('List the orders', 'Toggle'))
    await user.click(await screen.findByRole('button', { name: 'Disable' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Route disabled']))
    expect(api.calls(routes.update)).toMatchObject([{ body: { is_active: 0 } }])
  })

  test('[API-34] enabling a built-in route does not ask', async () => {
    const listed = [{ ...listing, is_builtin: 1 as const, is_active: 0 as const }]
    const { api, user } = await openRoutes({ capabilities: [], listed })
    api.on(routes.update, { success: true })
    await user.click(routeButton('List the orders', 'Toggle'))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Route enabled']))
  })

  test.each([
    ['[1]', 'Enter a JSON object, such as {"limit": 5}.'],
    ['{"limit":', 'Not valid JSON. Line 1, column 10: a value is missing.'],
  ])('[API-35] a route with the parameters %s is not added', async (parameters, reason) => {
    const { api, user } = await openRoutes({ capabilities: [] })
    api.on(routes.add, { success: true })
    const form = await openForm(user)
    const field = form.getByLabelText('Parameters')
    await user.clear(field)
    await user.click(field)
    await user.paste(parameters)
    await user.click(form.getByRole('button', { name: 'Add Route' }))
    await waitFor(() => expect(field).toHaveAccessibleDescription(reason))
    expect(api.calls(routes.add)).toEqual([])
    await user.clear(field)
    await user.paste('{"limit":5}')
    await user.click(form.getByRole('button', { name: 'Add Route' }))
    await waitFor(() =>
      expect(api.calls(routes.add)).toMatchObject([{ body: { parameters: '{"limit":5}' } }]),
    )
  })
})

async function openForm(user: Awaited<ReturnType<typeof openRoutes>>['user']) {
  await user.click(screen.getByRole('button', { name: 'Add Route' }))
  return within(await screen.findByRole('form', { name: 'Add Route' }))
}
