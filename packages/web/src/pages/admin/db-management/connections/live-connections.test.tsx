import { type Connection, connections, service, tables } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { EVERY_ABILITY } from '#testkit/connections.ts'
import { createFakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

const MARKET: Connection = { id: 1, name: 'Market', type: 'postgresql', is_active: 1, can: EVERY_ABILITY }
const SUPERUSER = 'The role postgres is a superuser.'

describe('a connection of a live backend', () => {
  afterEach(clearToasts)

  test('[DB-33] Test shows the warnings of the server', async () => {
    const { api, user } = await open('?connection=1')
    api.on(connections.test, { success: true, version: 'PostgreSQL 18.1', warnings: [SUPERUSER] })
    await user.click(await screen.findByRole('button', { name: 'Test' }))
    await waitFor(() => expect(toastsOfType('warning')).toEqual([SUPERUSER]))
    expect(toastsOfType('success')).toEqual(['Connected: PostgreSQL 18.1'])
  })

  test('[DB-30] a connection string that may hold a password is masked until it is revealed', async () => {
    const { user } = await open()
    const dialog = await openForm(user)
    const field = dialog.getByLabelText('Connection String')
    expect(field).toHaveAttribute('type', 'text')
    await user.selectOptions(dialog.getByLabelText('Type'), 'postgresql')
    expect(field).toHaveAttribute('type', 'password')
    await user.click(dialog.getByRole('button', { name: 'Reveal' }))
    expect(field).toHaveAttribute('type', 'text')
    await user.click(dialog.getByRole('button', { name: 'Hide' }))
    expect(field).toHaveAttribute('type', 'password')
  })

  test('[DB-30] the connection string of an edit is masked as well', async () => {
    const { user } = await open('?connection=1')
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Connection' }))
    expect(dialog.getByLabelText('Connection String')).toHaveAttribute('type', 'password')
  })

  test('[DB-31] [STORE-37] Add Connection tests what is typed and stores nothing', async () => {
    const { api, user } = await open()
    api.on(connections.tryOut, { success: false, error: 'The password is wrong.', step: 'authentication' })
    const dialog = await openForm(user)
    await user.type(dialog.getByLabelText('Name'), 'Prices')
    await user.click(dialog.getByRole('button', { name: 'Test' }))
    expect(
      await dialog.findByText('Connection failed (authentication): The password is wrong.'),
    ).toBeVisible()
    expect(api.calls(connections.tryOut)).toMatchObject([{ body: { name: 'Prices', type: 'sqlite' } }])
    expect(api.calls(connections.add)).toEqual([])
    await user.type(dialog.getByLabelText('Name'), '2')
    expect(dialog.queryByText(/^Connection failed/)).not.toBeInTheDocument()
    api.on(connections.tryOut, { success: true, version: 'PostgreSQL 18.1', warnings: [SUPERUSER] })
    await user.click(dialog.getByRole('button', { name: 'Test' }))
    expect(await dialog.findByText('Connected: PostgreSQL 18.1')).toBeVisible()
    expect(dialog.getByText(SUPERUSER)).toBeVisible()
  })

  test.each([
    ['Add Connection', connections.add],
    ['Test', connections.tryOut],
  ])('[SHELL-22] a new connection cannot be closed while %s is being sent', async (name, endpoint) => {
    const { api, user } = await open()
    let answer = (_: Response) => {}
    api.answer(endpoint, () => new Promise<Response>((resolve) => (answer = resolve)))
    const dialog = await openForm(user)
    await user.click(dialog.getByRole('button', { name }))
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled())
    expect(dialog.getByRole('button', { name: 'Close' })).toBeDisabled()
    answer(fieldProblem('name', 'Enter a name.'))
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Cancel' })).toBeEnabled())
  })

  test('[SHELL-22] an edited connection cannot be closed while it is being saved', async () => {
    const { api, user } = await open('?connection=1')
    let answer = (_: Response) => {}
    api.answer(connections.update, () => new Promise<Response>((resolve) => (answer = resolve)))
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Connection' }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled())
    expect(dialog.getByRole('button', { name: 'Close' })).toBeDisabled()
    answer(fieldProblem('name', 'Enter a name.'))
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Cancel' })).toBeEnabled())
  })

  test('[STORE-28] accepting a superuser role is offered for a read-only PostgreSQL connection', async () => {
    const { api, user } = await open()
    api.on(connections.add, { success: true })
    const dialog = await openForm(user)
    const name = 'Accept a superuser role'
    expect(dialog.queryByRole('switch', { name })).not.toBeInTheDocument()
    await user.selectOptions(dialog.getByLabelText('Type'), 'postgresql')
    await user.click(dialog.getByRole('switch', { name: 'Writable' }))
    expect(dialog.queryByRole('switch', { name })).not.toBeInTheDocument()
    await user.click(dialog.getByRole('switch', { name: 'Writable' }))
    await user.click(dialog.getByRole('switch', { name }))
    await user.click(dialog.getByRole('button', { name: 'Add Connection' }))
    await waitFor(() =>
      expect(api.calls(connections.add)).toMatchObject([
        { body: { type: 'postgresql', accept_privileged_role: true } },
      ]),
    )
  })

  test('[STORE-28] an accepted superuser role is shown in the list and withdrawn by an edit', async () => {
    const { api, user } = await open('?connection=1', true, { ...MARKET, accept_privileged_role: true })
    expect(screen.getByRole('button', { name: /^Market/ })).toHaveTextContent('Superuser accepted')
    api.on(connections.update, MARKET)
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Connection' }))
    await user.click(dialog.getByRole('switch', { name: 'Accept a superuser role' }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(api.calls(connections.update)).toMatchObject([{ body: { accept_privileged_role: false } }]),
    )
  })

  test('[DB-32] a refused field of a new connection shows its reason', async () => {
    const { api, user } = await open()
    api.answer(connections.add, () =>
      fieldProblem('body.connection_string', 'There is no such file in the allowed folders.'),
    )
    const dialog = await openForm(user)
    await user.click(dialog.getByRole('button', { name: 'Add Connection' }))
    const field = dialog.getByLabelText('Connection String')
    await waitFor(() => expect(field).toBeInvalid())
    expect(field).toHaveAccessibleDescription('There is no such file in the allowed folders.')
    expect(dialog.getByLabelText('Name')).toBeValid()
  })

  test('[DB-32] a refused field of an edit shows its reason', async () => {
    const { api, user } = await open('?connection=1')
    api.answer(connections.update, () => fieldProblem('name', 'Enter a name.'))
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Connection' }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(dialog.getByLabelText('Name')).toHaveAccessibleDescription('Enter a name.'))
  })
})

test('[DB-31] the baseline offers no Test in Add Connection', async () => {
  const { user } = await open('', false)
  const dialog = await openForm(user)
  expect(dialog.queryByRole('button', { name: 'Test' })).not.toBeInTheDocument()
})

async function open(selection = '', isLive = true, connection: Connection = MARKET) {
  const api = createFakeApi()
  if (isLive) api.on(service.capabilities, { capabilities: [] })
  api.on(connections.list, { connections: [connection] })
  api.on(tables.list, { tables: [] })
  const { user } = renderConsole(`/admin/db-management${selection}`)
  await screen.findByRole('button', { name: /^Market/ })
  return { api, user }
}

async function openForm(user: ReturnType<typeof renderConsole>['user']) {
  await user.click(screen.getByRole('button', { name: 'Add Connection' }))
  return within(await screen.findByRole('dialog', { name: 'Add Connection' }))
}

function fieldProblem(field: string, message: string): Response {
  const problem = {
    type: 'about:blank',
    title: 'The request is not valid',
    status: 422,
    code: 'request.invalid',
    errors: [{ field, message }],
  }
  const headers = { 'content-type': 'application/problem+json' }
  return new Response(JSON.stringify(problem), { status: 422, headers })
}
