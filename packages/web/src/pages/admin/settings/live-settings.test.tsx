import { notifications, service, systemSettings } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

const DEFAULTS = {
  system_name: 'Binnacle',
  environment: 'Production',
  email_notifications: 'true',
  slack_notifications: 'false',
  sms_notifications: 'false',
  session_timeout: '30',
  two_factor_auth: 'true',
  max_concurrent_requests: '100',
  cache_ttl: '3600',
}

let api: FakeApi
let values: Record<string, string>
let version: number

beforeEach(() => {
  api = createFakeApi()
  values = { ...DEFAULTS }
  version = 2
  const current = () => ({ version, values: { ...values } })
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['settings'] })
  api.on(systemSettings.read, current)
  api.on(systemSettings.identity, () => ({
    system_name: values.system_name ?? '',
    environment: 'Production',
  }))
  api.on(systemSettings.versions, {
    versions: [
      {
        version: 2,
        at: '2026-11-16T10:00:00.000Z',
        actor: 'local',
        changes: [{ key: 'cache_ttl', before: '60', after: '3600' }],
      },
    ],
  })
  api.on(systemSettings.save, ({ body }) => {
    Object.assign(values, Object(body).values)
    version += 1
    return current()
  })
  api.on(systemSettings.reset, () => {
    values = { ...DEFAULTS }
    return current()
  })
  api.on(systemSettings.revert, () => {
    values.cache_ttl = '60'
    return current()
  })
})
afterEach(clearToasts)

const section = (name: string) => within(screen.getByRole('region', { name }))
const field = (label: string) => screen.getByLabelText(label)
const press = (name: string) => screen.getByRole('button', { name })

async function open() {
  const { user } = renderConsole('/admin/settings')
  await screen.findByLabelText('System Name')
  return user
}

describe('live settings', () => {
  test('[CAP-9] [SET-24] keep every label and button, and say what has no effect yet', async () => {
    await open()
    for (const name of ['General', 'Notifications', 'Security', 'Performance']) {
      expect(section(name).getByRole('button', { name: 'Save' })).toBeEnabled()
      expect(section(name).getByRole('button', { name: 'Reset' })).toBeEnabled()
    }
    for (const name of ['Export', 'Import', 'Save All', 'Reset All']) expect(press(name)).toBeEnabled()
    expect(field('Environment')).toHaveValue('Production')
    expect(screen.getByRole('switch', { name: 'Email' })).toBeChecked()
    expect(field('Max Concurrent Requests')).toHaveValue('100')
    expect(section('Security').getAllByText('No effect until sign-in is configured')).toHaveLength(2)
    expect(screen.queryByText('Simulated')).not.toBeInTheDocument()
  })

  test('[SET-25] Save sends what was typed in its section, and the header follows', async () => {
    const user = await open()
    await user.clear(field('System Name'))
    await user.type(field('System Name'), 'Desk 7')
    await user.clear(field('Cache TTL (seconds)'))
    await user.type(field('Cache TTL (seconds)'), '5')
    await user.click(section('General').getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['General settings saved']))
    expect(api.calls(systemSettings.save).map(({ body }) => body)).toEqual([
      { values: { system_name: 'Desk 7' } },
    ])
    expect(await screen.findByRole('link', { name: 'Desk 7' })).toBeVisible()
    expect(field('Cache TTL (seconds)')).toHaveValue('5')
  })

  test('[SHELL-113] changed settings are left only after a question, saved ones at once', async () => {
    const user = await open()
    const leave = () => user.click(screen.getAllByRole('link', { name: 'Orders' })[0] ?? document.body)
    await user.type(field('System Name'), ' 7')
    await leave()
    const question = await screen.findByRole('dialog', { name: 'Discard the changes to the settings?' })
    await user.click(within(question).getByRole('button', { name: 'Keep editing' }))
    expect(field('System Name')).toHaveValue('Binnacle 7')
    await user.click(section('General').getByRole('button', { name: 'Save' }))
    const closeTab = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    await waitFor(() => expect(closeTab()).toBe(true))
    await leave()
    await waitFor(() => expect(screen.getByTestId('current-path')).toHaveTextContent('/trader/orders'))
  })

  test('[SET-25] Save All sends what was typed anywhere', async () => {
    const user = await open()
    await user.click(screen.getByRole('switch', { name: 'Slack' }))
    await user.selectOptions(field('Environment'), 'Staging')
    await user.click(press('Save All'))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['All settings saved']))
    expect(api.calls(systemSettings.save)[0]?.body).toEqual({
      values: { environment: 'Staging', slack_notifications: 'true' },
    })
  })

  test('[SET-26] a refused value has its reason at the field, until it is saved again', async () => {
    const user = await open()
    const message = 'must be a whole number of minutes from 1 to 1440'
    api.answer(systemSettings.save, problem([{ field: 'body.values.session_timeout', message }]))
    await user.clear(field('Session Timeout (minutes)'))
    await user.type(field('Session Timeout (minutes)'), '-5')
    await user.click(section('Security').getByRole('button', { name: 'Save' }))
    expect(await section('Security').findByText(message)).toBeVisible()
    expect(field('Session Timeout (minutes)')).toBeInvalid()
    expect(field('Session Timeout (minutes)')).toHaveValue('-5')
    expect(toastsOfType('error')).toEqual(['Failed to save Security settingsThe request is not valid'])
    api.on(systemSettings.save, () => ({ version: 3, values }))
    await user.click(section('Security').getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(section('Security').queryByText(message)).not.toBeInTheDocument())
  })

  test('[SET-13] Reset asks first, and sets the section or all to the defaults', async () => {
    const user = await open()
    await user.click(section('Security').getByRole('button', { name: 'Reset' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText('Reset Security settings to the defaults?')).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Reset' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Security settings reset']))
    await user.click(press('Reset All'))
    const second = within(await screen.findByRole('dialog', { name: 'Reset all settings to the defaults?' }))
    await user.click(second.getByRole('button', { name: 'Reset' }))
    await waitFor(() => expect(toastsOfType('success')).toContain('All settings reset'))
    expect(api.calls(systemSettings.reset).map(({ body }) => body)).toEqual([{ section: 'security' }, {}])
  })

  test('[SET-12] the versions say who changed what, and each can be brought back after a yes', async () => {
    const user = await open()
    const versions = within(await screen.findByRole('list', { name: 'Versions' }))
    expect(versions.getByText('2026-11-16 10:00:00 UTC, local')).toBeVisible()
    expect(versions.getByText('Cache TTL (seconds)').closest('li')).toHaveTextContent('60 → 3600')
    expect(versions.getByText('Current')).toBeVisible()
    await user.click(versions.getByRole('button', { name: 'Revert to version 1' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Revert to version 1?' }))
    await user.click(dialog.getByRole('button', { name: 'Revert' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Settings of version 1 restored']))
    expect(api.calls(systemSettings.revert)[0]?.path).toBe('/api/admin/system-settings/versions/1/revert')
    await waitFor(() => expect(field('Cache TTL (seconds)')).toHaveValue('60'))
  })

  test('[SET-29] Send test shows the answer of the provider, once the settings are saved', async () => {
    values.smtp_host = 'mail.example'
    api.on(notifications.test, { accepted: false, answer: '535 authentication failed' })
    const user = await open()
    await user.click(screen.getByText('Email by SMTP'))
    const test = press('Send test: Email by SMTP')
    await user.type(field('To'), 'ada@desk.example')
    expect(test).toBeDisabled()
    expect(screen.getByText('Save the changes first')).toBeVisible()
    await user.click(section('Notifications').getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(test).toBeEnabled())
    expect(api.calls(systemSettings.save)[0]?.body).toEqual({ values: { email_to: 'ada@desk.example' } })
    await user.click(test)
    expect(await screen.findByText('Not sent: 535 authentication failed')).toBeVisible()
    expect(api.calls(notifications.test)[0]?.path).toBe('/api/admin/notifications/email/test')
  })

  test('[SET-33] a stored secret is never shown, and is sent only when a new one was typed', async () => {
    values.smtp_password = '[masked]'
    const user = await open()
    await user.click(screen.getByText('Email by SMTP'))
    expect(field('Password')).toHaveValue('')
    expect(screen.getByText('Stored, never shown. Type a new one to replace it.')).toBeVisible()
    await user.type(field('User'), 'desk')
    await user.click(press('Save All'))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['All settings saved']))
    await user.type(field('Password'), 'hunter2')
    await user.click(press('Save All'))
    await waitFor(() => expect(api.calls(systemSettings.save)).toHaveLength(2))
    expect(api.calls(systemSettings.save).map(({ body }) => body)).toEqual([
      { values: { smtp_user: 'desk' } },
      { values: { smtp_password: 'hunter2' } },
    ])
  })

  test('[SET-15] Export downloads the file of the server', async () => {
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    api.answer(systemSettings.export, () => new Response('{}', { headers: EXPORT_HEADERS }))
    const user = await open()
    await user.click(press('Export'))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['All settings exported']))
    expect(click.mock.contexts.map((link) => Object(link).download)).toEqual(['binnacle-settings.json'])
    click.mockRestore()
  })

  test('[SET-16] Import shows what a file would change, and applies it after Apply', async () => {
    api.on(systemSettings.import, {
      version: 2,
      changes: [{ key: 'cache_ttl', before: '3600', after: '60' }],
    })
    const user = await open()
    await user.click(press('Import'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Import settings' }))
    expect(dialog.getByRole('button', { name: 'Apply' })).toBeDisabled()
    await user.upload(dialog.getByLabelText('Settings file'), fileOf({ settings: { cache_ttl: 60 } }))
    expect(await dialog.findByText('1 setting would change:')).toBeVisible()
    expect(dialog.getByRole('listitem')).toHaveTextContent('Cache TTL (seconds)3600 → 60')
    await user.click(dialog.getByRole('button', { name: 'Apply' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['All settings imported']))
    expect(api.calls(systemSettings.import).map(({ body }) => body)).toEqual([
      { settings: { cache_ttl: 60 }, apply: false },
      { settings: { cache_ttl: 60 }, apply: true, version: 2 },
    ])
  })

  test('[SET-330] what was previewed is applied; no other file can be chosen while a preview is pending', async () => {
    let answer = (_: Response) => {}
    api.answer(systemSettings.import, () => new Promise<Response>((resolve) => (answer = resolve)))
    const changes = [{ key: 'cache_ttl', before: '3600', after: '60' }]
    const user = await open()
    await user.click(press('Import'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Import settings' }))
    const file = dialog.getByLabelText('Settings file')
    await user.upload(file, fileOf({ settings: { cache_ttl: 60 } }))
    await waitFor(() => expect(file).toBeDisabled())
    expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled()
    answer(Response.json({ version: 2, changes }))
    expect(await dialog.findByText('1 setting would change:')).toBeVisible()
    expect(file).toBeEnabled()
    api.on(systemSettings.import, { version: 3, changes })
    await user.click(dialog.getByRole('button', { name: 'Apply' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['All settings imported']))
    expect(api.calls(systemSettings.import).at(-1)?.body).toEqual({
      settings: { cache_ttl: 60 },
      apply: true,
      version: 2,
    })
  })

  test('[SET-17] Import names every key that the server refuses, and what is no settings file', async () => {
    api.answer(
      systemSettings.import,
      problem([
        { field: 'body.settings.colour', message: 'is not a known setting' },
        { field: 'body.settings.cache_ttl', message: 'must be a whole number of seconds from 0 to 604800' },
      ]),
    )
    const user = await open()
    await user.click(press('Import'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Import settings' }))
    await user.upload(dialog.getByLabelText('Settings file'), fileOf({ settings: { colour: 'red' } }))
    await waitFor(() =>
      expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
        'colour is not a known setting',
        'cache_ttl must be a whole number of seconds from 0 to 604800',
      ]),
    )
    await user.upload(dialog.getByLabelText('Settings file'), fileOf(['red']))
    expect(await dialog.findByText(/^This file has no 'settings'/)).toBeVisible()
    await user.upload(dialog.getByLabelText('Settings file'), new File(['{'], 'x.json'))
    expect(await dialog.findByText(/^This file is not JSON/)).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Apply' })).toBeDisabled()
  })
})

const EXPORT_HEADERS = {
  'content-type': 'application/json',
  'content-disposition': 'attachment; filename="binnacle-settings.json"',
}

function fileOf(content: unknown): File {
  return new File([JSON.stringify(content)], 'settings.json', { type: 'application/json' })
}

function problem(errors: { field: string; message: string }[]) {
  const body = { type: 'x', title: 'The request is not valid', status: 422, code: 'request.invalid', errors }
  return () =>
    new Response(JSON.stringify(body), {
      status: 422,
      headers: { 'content-type': 'application/problem+json' },
    })
}
