import { backups, connections, queries, tables } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { createFakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

const ledger = {
  id: 1,
  name: 'Orders ledger',
  type: 'sqlite',
  database_name: 'ledger.db',
  is_active: 1 as const,
}
const catalog = { id: 'cat/1', name: 'Tick catalog', type: 'parquet', is_active: 0 as const, writable: true }

describe('database connections', () => {
  afterEach(clearToasts)

  test('[DB-1] lists the connections, marks an inactive one and offers to add', async () => {
    createApi()
    renderConsole('/admin/db-management')
    const active = await screen.findByRole('button', { name: /^Orders ledger/ })
    expect(within(active).getByText('sqlite')).toBeVisible()
    expect(within(active).getByText('ledger.db')).toBeVisible()
    expect(within(active).queryByText('Inactive')).not.toBeInTheDocument()
    expect(within(active).queryByText('Writable')).not.toBeInTheDocument()
    const inactive = screen.getByRole('button', { name: /^Tick catalog/ })
    expect(within(inactive).getByText('Inactive')).toBeVisible()
    expect(within(inactive).getByText('Writable')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Add Connection' })).toBeEnabled()
  })

  test('[DB-2] before a selection a hint is shown and nothing else is loaded', async () => {
    const api = createApi()
    renderConsole('/admin/db-management')
    await screen.findByText('Orders ledger')
    expect(screen.getByText('Select a database connection to start')).toBeVisible()
    expect(screen.queryByRole('tab')).not.toBeInTheDocument()
    expect([...api.calls(tables.list), ...api.calls(queries.history), ...api.calls(backups.list)]).toEqual([])
  })

  test('[DB-3] has three tabs, and another connection opens at Tables whichever tab was open', async () => {
    const api = createApi()
    const { user } = renderConsole('/admin/db-management')
    await user.click(await screen.findByRole('button', { name: /Orders ledger/ }))
    const tabs = await screen.findAllByRole('tab')
    expect(tabs.map((tab) => tab.textContent)).toEqual(['Tables', 'Query', 'Backups'])
    expect(tabs[0]).toHaveAttribute('aria-selected', 'true')
    await user.click(screen.getByRole('tab', { name: 'Backups' }))
    await screen.findByText('No backups yet')
    await user.click(screen.getByRole('button', { name: /Tick catalog/ }))
    expect(await screen.findByRole('tab', { name: 'Tables', selected: true })).toBeVisible()
    await waitFor(() => expect(api.calls(tables.list).at(-1)?.path).toBe('/api/db/cat%2F1/tables'))
  })

  test('the address holds the connection and the tab', async () => {
    createApi()
    renderConsole('/admin/db-management?connection=1&tab=backups')
    expect(await screen.findByRole('tab', { name: 'Backups', selected: true })).toBeVisible()
    expect(screen.getByRole('button', { name: /Orders ledger/ })).toHaveAttribute('aria-current', 'true')
  })

  test('[DB-13] a failed load of the connections says so', async () => {
    const api = createApi()
    api.fail(connections.list)
    renderConsole('/admin/db-management')
    await waitFor(() => expect(toastsOfType('error')).toEqual(['Failed to load connections']))
    expect(screen.getByText('The connections could not be read')).toBeVisible()
    expect(screen.queryByText('No database connections yet')).not.toBeInTheDocument()
  })

  test('[CLIENT-7] a bare empty array is an empty list', async () => {
    createApi().answer(connections.list, () => Response.json([]))
    renderConsole('/admin/db-management')
    expect(await screen.findByText('No database connections yet')).toBeVisible()
  })

  test('Refresh loads what is on the screen again, and Back goes to /admin', async () => {
    const api = createApi()
    const { user } = renderConsole('/admin/db-management?connection=1')
    await screen.findByText('No tables in this database')
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    await waitFor(() => expect(api.calls(connections.list)).toHaveLength(2))
    await waitFor(() => expect(api.calls(tables.list)).toHaveLength(2))
    await user.click(screen.getByRole('button', { name: 'Back' }))
    expect(screen.getByTestId('current-path')).toHaveTextContent('/admin')
  })
})

describe('adding a connection', () => {
  afterEach(clearToasts)

  test('[DB-4] [DB-5] [DB-6] sends the four fields, says so, closes and loads the list again', async () => {
    const api = createApi()
    api.on(connections.add, { success: true })
    const { user, dialog } = await openForm()
    const offered = within(dialog.getByLabelText('Type')).getAllByRole('option')
    expect(offered.map((option) => option.textContent)).toEqual(['sqlite', 'postgresql', 'redis', 'parquet'])
    await user.type(dialog.getByLabelText('Name'), 'Market')
    await user.selectOptions(dialog.getByLabelText('Type'), 'postgresql')
    await user.type(dialog.getByLabelText('Database Name'), 'market')
    await user.type(dialog.getByLabelText('Connection String'), 'postgresql://host/market')
    await user.click(dialog.getByRole('button', { name: 'Add Connection' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Connection added successfully']))
    expect(api.calls(connections.add).map(({ body }) => body)).toEqual([
      {
        name: 'Market',
        type: 'postgresql',
        database_name: 'market',
        connection_string: 'postgresql://host/market',
      },
    ])
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await waitFor(() => expect(api.calls(connections.list)).toHaveLength(2))
  })

  test('[DB-5] writable is sent only when it is switched on', async () => {
    const api = createApi()
    api.answer(connections.add, () => new Response(null, { status: 204 }))
    const { user, dialog } = await openForm()
    await user.click(dialog.getByRole('switch', { name: 'Writable' }))
    await user.click(dialog.getByRole('button', { name: 'Add Connection' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Connection added successfully']))
    expect(api.calls(connections.add).map(({ body }) => body)).toEqual([
      { name: '', type: 'sqlite', database_name: '', connection_string: '', writable: true },
    ])
  })

  test('[DB-27] a Parquet connection has no Writable switch and is never sent as writable', async () => {
    const api = createApi()
    api.on(connections.add, { success: true })
    const { user, dialog } = await openForm()
    await user.click(dialog.getByRole('switch', { name: 'Writable' }))
    await user.selectOptions(dialog.getByLabelText('Type'), 'parquet')
    expect(dialog.queryByRole('switch')).not.toBeInTheDocument()
    expect(dialog.getByText('Parquet connections are read-only.')).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Add Connection' }))
    await waitFor(() =>
      expect(api.calls(connections.add).map(({ body }) => body)).toEqual([
        { name: '', type: 'parquet', database_name: '', connection_string: '' },
      ]),
    )
  })

  test('[DB-6] a failed add says so and keeps what was typed', async () => {
    const api = createApi()
    api.fail(connections.add, 500)
    const { user, dialog } = await openForm()
    await user.type(dialog.getByLabelText('Name'), 'Market')
    await user.click(dialog.getByRole('button', { name: 'Add Connection' }))
    await waitFor(() => expect(toastsOfType('error')).toEqual(['Failed to add connection']))
    expect(dialog.getByLabelText('Name')).toHaveValue('Market')
    expect(api.calls(connections.add)).toHaveLength(1)
  })

  test('[DB-25] success false is silent', async () => {
    const api = createApi()
    api.on(connections.add, { success: false, error: 'no' })
    const { user, dialog } = await openForm()
    await user.click(dialog.getByRole('button', { name: 'Add Connection' }))
    await waitFor(() => expect(api.calls(connections.add)).toHaveLength(1))
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Add Connection' })).toBeEnabled())
    expect([...toastsOfType('success'), ...toastsOfType('error')]).toEqual([])
  })

  test('the form starts empty each time and returns the focus', async () => {
    createApi()
    const { user, dialog } = await openForm()
    await user.type(dialog.getByLabelText('Name'), 'Market')
    await user.keyboard('{Escape}')
    await user.click(await screen.findByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await waitFor(() => expect(screen.getByRole('button', { name: 'Add Connection' })).toHaveFocus())
    await user.click(screen.getByRole('button', { name: 'Add Connection' }))
    expect(await screen.findByLabelText('Name')).toHaveValue('')
  })
})

function createApi() {
  const api = createFakeApi()
  api.on(connections.list, { connections: [ledger, catalog] })
  api.on(tables.list, { tables: [] })
  api.on(queries.history, { history: [] })
  api.on(backups.list, { backups: [] })
  return api
}

async function openForm() {
  const { user } = renderConsole('/admin/db-management')
  await screen.findByText('Orders ledger')
  await user.click(screen.getByRole('button', { name: 'Add Connection' }))
  return { user, dialog: within(await screen.findByRole('dialog', { name: 'Add Connection' })) }
}
