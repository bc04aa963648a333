import { apiConfigs, service, settings, users } from '@binnacle/contract'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

const LOADED = 'Admin database loaded successfully!'

const aSetting = (given: { key: string; value?: string; description?: string; category?: string }) => ({
  value: '1',
  description: 'Told to people',
  category: 'general',
  ...given,
})

const row = (key: string) => {
  const item = screen.getByText(key).closest('li')
  if (!item) throw new Error(`${key} is in no row`)
  return within(item)
}

describe('admin database', () => {
  let api: FakeApi
  const list = (...stored: ReturnType<typeof aSetting>[]) => api.on(settings.list, { settings: stored })
  const loads = () =>
    [settings.list, users.list, apiConfigs.list].map((endpoint) => api.calls(endpoint).length)
  const open = async () => {
    const view = renderConsole('/admin/database-management')
    await waitFor(() => expect(toastsOfType('success')).toEqual([LOADED]))
    return view
  }

  beforeEach(() => {
    api = createFakeApi()
    list(aSetting({ key: 'system_name', value: 'Binnacle' }))
    api.on(users.list, {
      users: [
        { id: 1, username: 'ada', email: 'ada@example.com', role: 'owner of it all', is_active: 1 },
        { id: 'u2', username: 'edsger', email: null, role: 'auditor', is_active: false },
      ],
    })
    api.on(apiConfigs.list, {
      configs: [
        { id: 1, name: 'Trading', endpoint: '/api/orders', is_enabled: 1 },
        { id: 2, name: 'Legacy feed', endpoint: '/api/legacy', is_enabled: 0 },
      ],
    })
  })

  afterEach(clearToasts)

  test('[ADB-1] settings are grouped by category, with key, value and description', async () => {
    list(
      aSetting({ key: 'system_name', value: 'Binnacle', description: 'Name shown to people' }),
      aSetting({ key: 'session/timeout', value: '30', category: 'security' }),
      aSetting({ key: 'zone', value: '' }),
    )
    await open()
    expect(screen.getByRole('heading', { level: 1, name: 'Admin Database' })).toBeVisible()
    const general = within(screen.getByRole('region', { name: 'general' }))
    expect(general.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'system_nameName shown to peopleBinnacleEdit',
      'zoneTold to peopleemptyEdit',
    ])
    const security = within(screen.getByRole('region', { name: 'security' }))
    expect(security.getByText('session/timeout')).toBeVisible()
    expect(security.getByText('30')).toBeVisible()
  })

  test('[ADB-9] a notice says that a live backend stores the settings without effect', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['problems'] })
    await open()
    expect(await screen.findByText('These settings are stored but have no effect yet.')).toBeVisible()
  })

  test('[ADB-10] a setting without effect says so at its row', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['problems'] })
    api.on(settings.list, {
      settings: [
        { key: 'two_factor_auth', value: 'true' },
        { key: 'cache_ttl', value: '3600' },
      ],
    })
    await open()
    const rowOf = (key: string) => screen.getByText(key).closest('li')
    await waitFor(() =>
      expect(rowOf('two_factor_auth')).toHaveTextContent('No effect: this server has no sign-in yet.'),
    )
    expect(rowOf('cache_ttl')).toHaveTextContent('No effect yet')
  })

  test('[SET-24] where settings act, those of a sign-in still say that they do not', async () => {
    api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['settings'] })
    api.on(settings.list, {
      settings: [
        { key: 'session_timeout', value: '30' },
        { key: 'cache_ttl', value: '3600' },
      ],
    })
    await open()
    const rowOf = (key: string) => screen.getByText(key).closest('li')
    await waitFor(() =>
      expect(rowOf('session_timeout')).toHaveTextContent('No effect until sign-in is configured'),
    )
    expect(rowOf('cache_ttl')).not.toHaveTextContent(/no effect/i)
  })

  test.each([
    ['in the baseline', undefined],
    ['on a backend that applies them', ['settings']],
  ])('[ADB-9] the notice is absent %s', async (_, capabilities) => {
    if (capabilities) api.on(service.capabilities, { version: 'v1.0.0', capabilities })
    await open()
    await waitFor(() => expect(api.calls(service.capabilities)).toHaveLength(1))
    expect(screen.queryByText(/no effect/i)).not.toBeInTheDocument()
  })

  test('[ADB-2] users with name, email, any role and whether they are active', async () => {
    await open()
    const rows = within(screen.getByRole('table', { name: 'Admin Users' })).getAllByRole('row')
    expect(rows.map((each) => [...each.children].map((cell) => cell.textContent))).toEqual([
      ['Username', 'Email', 'Role', 'State'],
      ['ada', 'ada@example.com', 'owner of it all', 'Active'],
      ['edsger', '—', 'auditor', 'Inactive'],
    ])
  })

  test('[ADB-2] API configurations with name, endpoint and whether they are enabled', async () => {
    await open()
    const rows = within(screen.getByRole('table', { name: 'API Configurations' })).getAllByRole('row')
    expect(rows.map((each) => [...each.children].map((cell) => cell.textContent))).toEqual([
      ['Name', 'Endpoint', 'State'],
      ['Trading', '/api/orders', 'Enabled'],
      ['Legacy feed', '/api/legacy', 'Disabled'],
    ])
  })

  test.each([
    ['settings', settings.list],
    ['users', users.list],
    ['API configurations', apiConfigs.list],
  ])('[ADB-3] a failed load of %s is reported once, without a success message', async (_, endpoint) => {
    api.fail(endpoint)
    renderConsole('/admin/database-management')
    expect(await screen.findByText('The admin database could not be loaded')).toBeVisible()
    await waitFor(() => expect(toastsOfType('error')).toEqual(['Failed to load admin database']))
    expect(toastsOfType('success')).toEqual([])
  })

  test('[ADB-3] three failed lists are one message', async () => {
    for (const endpoint of [settings.list, users.list, apiConfigs.list]) api.drop(endpoint)
    renderConsole('/admin/database-management')
    await waitFor(() => expect(toastsOfType('error')).toEqual(['Failed to load admin database']))
    expect(toastsOfType('error')).toHaveLength(1)
  })

  test('[ADB-1] empty lists say so', async () => {
    list()
    api.on(users.list, { users: [] })
    api.on(apiConfigs.list, { configs: [] })
    await open()
    for (const words of ['No settings', 'No admin users', 'No API configurations']) {
      expect(screen.getByText(words)).toBeVisible()
    }
  })

  test('[ADB-4] Refresh loads the three lists again, and a failure then leaves them on the screen', async () => {
    const { user } = await open()
    api.drop(users.list)
    list(aSetting({ key: 'system_name', value: 'Binnacle II' }))
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    await waitFor(() => expect(toastsOfType('error')).toEqual(['Failed to load admin database']))
    expect(loads()).toEqual([2, 2, 2])
    expect(screen.getByText('Binnacle', { selector: 'li span' })).toBeVisible()
  })

  test('[ADB-4] Back goes to /admin', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'Back' }))
    await waitFor(() => expect(screen.getByTestId('current-path')).toHaveTextContent(/^\/admin$/))
  })

  test('[ADB-5] Cancel and Esc return to the old value without a call, the focus to Edit', async () => {
    const { user } = await open()
    for (const leave of [
      () => user.click(row('system_name').getByRole('button', { name: 'Cancel' })),
      () => user.keyboard('{Escape}'),
    ]) {
      await user.click(row('system_name').getByRole('button', { name: 'Edit' }))
      expect(row('system_name').getByRole('textbox')).toHaveFocus()
      expect(row('system_name').getByRole('textbox')).toHaveValue('Binnacle')
      await user.type(row('system_name').getByRole('textbox'), ' changed')
      await leave()
      expect(row('system_name').getByText('Binnacle')).toBeVisible()
      expect(row('system_name').getByRole('button', { name: 'Edit' })).toHaveFocus()
    }
    expect(api.calls(settings.update)).toEqual([])
  })

  test.each([
    ['system_name', 'a & b = 100%', '/system_name', '?value=a%20%26%20b%20%3D%20100%25'],
    ['session/timeout', '30', '/session%2Ftimeout', '?value=30'],
    ['time zone', 'a+b?c#d', '/time%20zone', '?value=a%2Bb%3Fc%23d'],
    [`banner 'text' "x"`, 'ä/☂', `/banner%20'text'%20%22x%22`, '?value=%C3%A4%2F%E2%98%82'],
    ['100%', '', '/100%25', '?value='],
  ])('[ADB-6] the key %s and the value %s reach the server unchanged, without a body', async (...given) => {
    const [key, value, path, query] = given
    list(aSetting({ key, value: 'old' }))
    api.answer(settings.update, () => new Response(null, { status: 204 }))
    const { user } = await open()
    await user.click(row(key).getByRole('button', { name: 'Edit' }))
    await user.clear(row(key).getByRole('textbox'))
    if (value) await user.click(row(key).getByRole('textbox')).then(() => user.paste(value))
    await user.click(row(key).getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(toastsOfType('success')).toContain(`Setting '${key}' updated!`))
    const expected = {
      method: 'PUT',
      path: `/api/admin/settings${path}`,
      query,
      body: undefined,
      headers: {},
    }
    expect(api.calls(settings.update)).toEqual([expected])
  })

  test('[ADB-7] a save shows its message, reloads the three lists and shows the new value', async () => {
    api.answer(settings.update, () => {
      list(aSetting({ key: 'system_name', value: 'Sextant' }))
      return Response.json({})
    })
    const { user } = await open()
    await user.click(row('system_name').getByRole('button', { name: 'Edit' }))
    await user.keyboard('!{Enter}')
    expect(await screen.findByText('Sextant')).toBeVisible()
    expect(row('system_name').queryByRole('textbox')).not.toBeInTheDocument()
    expect(toastsOfType('success')).toContain("Setting 'system_name' updated!")
    expect(loads()).toEqual([2, 2, 2])
  })

  test('[ADB-7] a double click on Save saves once', async () => {
    api.on(settings.update, {})
    const { user } = await open()
    await user.click(row('system_name').getByRole('button', { name: 'Edit' }))
    const save = row('system_name').getByRole('button', { name: 'Save' })
    // Both clicks arrive before the button renders as busy.
    act(() => {
      save.click()
      save.click()
    })
    await waitFor(() => expect(row('system_name').getByRole('button', { name: 'Edit' })).toBeVisible())
    expect(api.calls(settings.update)).toHaveLength(1)
  })

  test('[ADB-8] a refused save names the setting, loads nothing and keeps what was typed', async () => {
    api.fail(settings.update, 422)
    const { user } = await open()
    await user.click(row('system_name').getByRole('button', { name: 'Edit' }))
    await user.type(row('system_name').getByRole('textbox'), '!')
    await user.click(row('system_name').getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(toastsOfType('error')).toEqual(["Failed to update setting 'system_name'"]))
    expect(row('system_name').getByRole('textbox')).toHaveValue('Binnacle!')
    expect(loads()).toEqual([1, 1, 1])
  })

  test('[ADB-5] a value of several lines keeps them', async () => {
    list(aSetting({ key: 'motd', value: 'one\ntwo' }))
    api.on(settings.update, {})
    const { user } = await open()
    await user.click(row('motd').getByRole('button', { name: 'Edit' }))
    await user.click(row('motd').getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(api.calls(settings.update)).toHaveLength(1))
    expect(api.calls(settings.update)[0]?.query).toBe('?value=one%0Atwo')
  })
})
