import { routes } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { openRoutes, routeButton, routeRow } from '#testkit/open-routes.tsx'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

describe('the form of a route', () => {
  afterEach(clearToasts)

  test('[API-18] [API-19] an edit starts from the row, sends the four fields and ends in view', async () => {
    const { api, user } = await openRoutes()
    api.on(routes.update, { success: true })
    await user.click(routeButton('List the orders', 'Edit'))
    expect(screen.getByLabelText('Method')).toHaveValue('GET')
    expect(screen.getByLabelText('Description')).toHaveValue('List the orders')
    expect(screen.getByLabelText('Parameters')).toHaveValue('{"limit":5}')
    await user.selectOptions(screen.getByLabelText('Method'), 'PATCH')
    await user.clear(screen.getByLabelText('Path'))
    await user.type(screen.getByLabelText('Path'), '/api/all')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Route updated successfully']))
    expect(api.calls(routes.update)).toMatchObject([
      {
        path: '/api/admin/routes/7',
        body: {
          method: 'PATCH',
          path: '/api/all',
          description: 'List the orders',
          parameters: '{"limit":5}',
        },
      },
    ])
    expect(screen.queryByLabelText('Path')).not.toBeInTheDocument()
    expect(routeButton('List the orders', 'Edit')).toHaveFocus()
    await waitFor(() => expect(api.calls(routes.list)).toHaveLength(2))
  })

  test('[API-18] a cancelled edit makes no call and gives the row back', async () => {
    const { api, user } = await openRoutes()
    await user.click(routeButton('List the orders', 'Edit'))
    await user.type(screen.getByLabelText('Path'), '/more')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(routeButton('List the orders', 'Edit')).toHaveFocus()
    expect(within(routeRow('List the orders')).getByText('/api/orders')).toBeVisible()
    expect(api.calls(routes.update)).toEqual([])
  })

  test('[API-20] the form opens with GET, empty path and description and {}, whatever it held before', async () => {
    const { user } = await openRoutes()
    await user.click(screen.getByRole('button', { name: 'Add Route' }))
    await user.selectOptions(screen.getByLabelText('Method'), 'DELETE')
    await user.type(screen.getByLabelText('Path'), '/x')
    await user.type(screen.getByLabelText('Description'), 'y')
    await user.type(screen.getByLabelText('Parameters'), 'z')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(screen.getByRole('button', { name: 'Add Route' })).toHaveFocus()
    await user.click(screen.getByRole('button', { name: 'Add Route' }))
    expect(screen.getByLabelText('Method')).toHaveValue('GET')
    expect(screen.getByLabelText('Path')).toHaveValue('')
    expect(screen.getByLabelText('Description')).toHaveValue('')
    expect(screen.getByLabelText('Parameters')).toHaveValue('{}')
    const offered = within(screen.getByLabelText('Method')).getAllByRole('option')
    expect(offered.map((option) => option.textContent)).toEqual(['GET', 'POST', 'PUT', 'DELETE', 'PATCH'])
  })

  test('[API-21] adding sends the form and the selected service, closes the form and loads the routes', async () => {
    const { api, user } = await openRoutes()
    api.on(routes.add, { success: true })
    await user.click(screen.getByRole('button', { name: 'Add Route' }))
    await user.type(screen.getByLabelText('Path'), '/api/new{Enter}')
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Route added successfully']))
    expect(api.calls(routes.add)).toMatchObject([
      { body: { method: 'GET', path: '/api/new', description: '', parameters: '{}', api_endpoint_id: 1 } },
    ])
    expect(screen.queryByLabelText('Path')).not.toBeInTheDocument()
    await waitFor(() => expect(api.calls(routes.list)).toHaveLength(2))
  })

  test('an error in the JSON of the parameters is shown, and they are sent as typed', async () => {
    const { api, user } = await openRoutes()
    api.on(routes.add, { success: true })
    await user.click(screen.getByRole('button', { name: 'Add Route' }))
    await user.clear(screen.getByLabelText('Parameters'))
    await user.type(screen.getByLabelText('Parameters'), 'limit=5')
    expect(
      screen.getByText('Not valid JSON. Line 1, column 1: unexpected text. It is sent as typed.'),
    ).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Add Route' }))
    await waitFor(() => expect(api.calls(routes.add)).toMatchObject([{ body: { parameters: 'limit=5' } }]))
  })
})

describe('route changes that do not succeed', () => {
  afterEach(clearToasts)

  test.each([
    ['[API-13]', 'Toggle', routes.update, 'Failed to toggle route'],
    ['[API-17]', 'Test', routes.test, 'Failed to test route'],
    ['[API-19]', 'Save', routes.update, 'Failed to update route'],
    ['[API-19]', 'Add Route', routes.add, 'Failed to add route'],
    ['[API-19]', 'Delete', routes.remove, 'Failed to delete route'],
  ] as const)(
    '%s a failed %s shows its message once and keeps what was typed',
    async (_, act, call, message) => {
      const { api, user } = await openRoutes()
      api.fail(call, 500)
      await perform(user, act)
      await waitFor(() => expect(toastsOfType('error')).toEqual([message]))
      expect(api.calls(call)).toHaveLength(1)
      expect(screen.queryAllByLabelText('Path')).toHaveLength(act === 'Save' || act === 'Add Route' ? 1 : 0)
    },
  )

  test.each([
    ['Toggle', routes.update],
    ['Save', routes.update],
    ['Add Route', routes.add],
    ['Delete', routes.remove],
  ] as const)('[API-23] %s answered with success false shows no message at all', async (act, call) => {
    const { api, user } = await openRoutes()
    api.on(call, { success: false, error: 'no' })
    await perform(user, act)
    await waitFor(() => expect(api.calls(call)).toHaveLength(1))
    await waitFor(() => expect(screen.queryAllByRole('button', { busy: true })).toEqual([]))
    expect([...toastsOfType('success'), ...toastsOfType('error')]).toEqual([])
  })
})

type User = Awaited<ReturnType<typeof openRoutes>>['user']

async function perform(user: User, act: 'Toggle' | 'Test' | 'Save' | 'Add Route' | 'Delete'): Promise<void> {
  if (act === 'Add Route') await user.click(screen.getByRole('button', { name: 'Add Route' }))
  if (act === 'Save') await user.click(routeButton('List the orders', 'Edit'))
  if (act === 'Save' || act === 'Add Route') return user.click(screen.getByRole('button', { name: act }))
  await user.click(routeButton('List the orders', act))
  if (act === 'Delete')
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
}
