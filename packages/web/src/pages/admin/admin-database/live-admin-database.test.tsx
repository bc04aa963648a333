import { apiConfigs, auditLogs, service, settings, tasks, users } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { problemReply } from '#testkit/replies.ts'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

const TASK = {
  id: 1,
  name: 'Nightly backup',
  kind: 'backup.make',
  schedule: '30 2 * * *',
  time_zone: 'UTC',
  is_enabled: 1 as const,
  is_running: false,
  last_run_at: '2026-03-03T02:30:00.000Z',
  next_run_at: '2026-03-05T02:30:00.000Z',
}

let api: FakeApi

beforeEach(() => {
  api = createFakeApi()
  api.on(service.capabilities, { version: 'v1.0.0', capabilities: ['problems', 'settings'] })
  api.on(settings.list, { settings: [{ key: 'system_name', value: 'Binnacle', category: 'general' }] })
  api.on(users.list, {
    users: [
      { id: 1, username: 'ada', email: 'ada@example.com', role: 'admin', is_active: 1 },
      { id: 2, username: 'bob', email: null, role: 'trader', is_active: 0 },
    ],
  })
  api.on(apiConfigs.list, { configs: [{ id: 4, name: 'Feed', endpoint: '/feed', is_enabled: 1 }] })
  api.on(tasks.list, { tasks: [TASK] })
  api.on(auditLogs.list, ({ query }) => ({
    logs: [
      {
        id: query.includes('cursor') ? 11 : 12,
        at: '2026-03-04T10:00:00.000Z',
        actor: 'ada',
        action: 'users.update',
        entity: 'user',
        target: '2',
        before: { role: 'viewer', username: 'bob' },
        after: { role: 'trader', username: 'bob' },
        request_id: 'r-7',
      },
    ],
    next_cursor: 12,
  }))
})

afterEach(clearToasts)

async function open(tab: string) {
  const view = renderConsole(`/admin/database-management?tab=${tab}`)
  await screen.findByRole('tab', { name: 'Audit log' })
  return view
}

test('[ADB-11] a live backend has settings, users, configurations, tasks and audit log in tabs', async () => {
  const { user } = await open('settings')
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
    'Settings',
    'Users',
    'API configurations',
    'Scheduled tasks',
    'Audit log',
  ])
  expect(screen.getByText('system_name')).toBeVisible()
  await user.click(screen.getByRole('tab', { name: 'Users' }))
  expect(await screen.findByRole('table', { name: 'Admin Users' })).toBeVisible()
})

test('[ADB-12] a user is added, gets another role, is deactivated after a yes and activated again', async () => {
  api.on(users.add, {})
  api.on(users.update, {})
  api.on(users.deactivate, {})
  const { user } = await open('users')
  await user.click(screen.getByRole('button', { name: 'Add user' }))
  const form = screen.getByRole('form', { name: 'Add user' })
  await user.type(within(form).getByLabelText('Username'), 'eve')
  await user.type(within(form).getByLabelText('Email'), 'eve@example.com')
  await user.selectOptions(within(form).getByLabelText('Role'), 'risk')
  await user.click(within(form).getByRole('button', { name: 'Create user' }))
  await waitFor(() => expect(toastsOfType('success')).toContain("User 'eve' added."))
  expect(api.calls(users.add)[0]?.body).toEqual({ username: 'eve', email: 'eve@example.com', role: 'risk' })
  const answer = Promise.withResolvers<Response>()
  api.answer(users.update, () => answer.promise)
  await user.selectOptions(screen.getByLabelText('Role of bob'), 'viewer')
  await waitFor(() => expect(api.calls(users.update)[0]?.body).toEqual({ role: 'viewer' }))
  // Another choice would be ignored.
  expect(screen.getByLabelText('Role of bob')).toBeDisabled()
  api.on(users.update, {})
  answer.resolve(Response.json({}))
  await waitFor(() => expect(screen.getByLabelText('Role of bob')).toBeEnabled())
  await user.click(screen.getByRole('button', { name: 'Deactivate ada' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Deactivate' }))
  await waitFor(() => expect(api.calls(users.deactivate)).toHaveLength(1))
  const activate = screen.getByRole('button', { name: 'Activate bob' })
  await waitFor(() => expect(activate).toBeEnabled())
  await user.click(activate)
  await waitFor(() => expect(api.calls(users.update)[1]?.body).toEqual({ is_active: 1 }))
})

test('[ADB-12] a refused user has its message at the field', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  api.answer(users.add, () => problem('body.username', 'is taken by another user'))
  const { user } = await open('users')
  await user.click(screen.getByRole('button', { name: 'Add user' }))
  const form = screen.getByRole('form', { name: 'Add user' })
  await user.click(within(form).getByRole('button', { name: 'Create user' }))
  await waitFor(() =>
    expect(within(form).getByLabelText('Username')).toHaveAccessibleDescription('is taken by another user'),
  )
})

test('[CLIENT-19] a configuration whose reply was lost is sent again with the same key, and no secret is stored', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  api.drop(apiConfigs.add)
  const { user } = await open('configs')
  await user.click(screen.getByRole('button', { name: 'Add configuration' }))
  const form = screen.getByRole('form', { name: 'Add configuration' })
  await user.type(within(form).getByLabelText('Name'), 'News')
  await user.type(within(form).getByLabelText('Endpoint'), '/news?api_key=hunter2')
  const create = within(form).getByRole('button', { name: 'Create configuration' })
  for (const count of [1, 2]) {
    await waitFor(() => expect(create).toBeEnabled())
    await user.click(create)
    await waitFor(() => expect(api.calls(apiConfigs.add)).toHaveLength(count))
  }
  const [first, second] = api.calls(apiConfigs.add).map(({ headers }) => headers['idempotency-key'])
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect(second).toBe(first)
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('hunter2')
})

test('[ADB-13] a configuration is added, disabled and deleted after a yes', async () => {
  api.on(apiConfigs.add, {})
  api.on(apiConfigs.update, {})
  api.on(apiConfigs.remove, {})
  const { user } = await open('configs')
  await user.click(screen.getByRole('button', { name: 'Add configuration' }))
  const form = screen.getByRole('form', { name: 'Add configuration' })
  await user.type(within(form).getByLabelText('Name'), 'News')
  await user.type(within(form).getByLabelText('Endpoint'), '/news')
  await user.click(within(form).getByRole('button', { name: 'Create configuration' }))
  await waitFor(() =>
    expect(api.calls(apiConfigs.add)[0]?.body).toEqual({ name: 'News', endpoint: '/news', is_enabled: 1 }),
  )
  await user.click(screen.getByRole('button', { name: 'Disable Feed' }))
  await waitFor(() => expect(api.calls(apiConfigs.update)[0]?.body).toEqual({ is_enabled: 0 }))
  await user.click(screen.getByRole('button', { name: 'Delete Feed' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(api.calls(apiConfigs.remove)).toHaveLength(1))
})

test('[ADB-14] [ADB-15] a task shows its schedule in words; it is run, switched, added and deleted, and has a history', async () => {
  api.on(tasks.run, { id: 9, task_id: 1, state: 'done' })
  api.on(tasks.update, {})
  api.on(tasks.add, {})
  api.on(tasks.remove, {})
  api.on(tasks.history, {
    runs: [
      {
        id: 8,
        task_id: 1,
        state: 'failed',
        started_at: '2026-03-03T02:30:00.000Z',
        duration_ms: 4000,
        message: 'The disk is full.',
      },
    ],
  })
  const { user } = await open('tasks')
  const row = (await screen.findByText('Nightly backup')).closest('tr')
  expect(row).toHaveTextContent('every day at 02:30 (UTC)')
  expect(row).toHaveTextContent('2026-03-05 02:30:00')
  await user.click(screen.getByRole('button', { name: 'Run now Nightly backup' }))
  await waitFor(() => expect(toastsOfType('success')).toContain("Task 'Nightly backup' has run."))
  await user.click(screen.getByRole('button', { name: 'History Nightly backup' }))
  expect(await screen.findByText('The disk is full.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Disable Nightly backup' }))
  await waitFor(() => expect(api.calls(tasks.update)[0]?.body).toEqual({ is_enabled: 0 }))
  await user.click(screen.getByRole('button', { name: 'Add task' }))
  const form = screen.getByRole('form', { name: 'Add task' })
  await user.type(within(form).getByLabelText('Name'), 'Weekly check')
  await user.clear(within(form).getByLabelText('Schedule (cron)'))
  await user.type(within(form).getByLabelText('Schedule (cron)'), '0 4 * * 1')
  expect(within(form).getByText('every Monday at 04:00 (UTC)')).toBeVisible()
  await user.click(within(form).getByRole('button', { name: 'Create task' }))
  await waitFor(() =>
    expect(api.calls(tasks.add)[0]?.body).toEqual({
      name: 'Weekly check',
      kind: 'backup.make',
      schedule: '0 4 * * 1',
      time_zone: 'UTC',
    }),
  )
  await user.click(screen.getByRole('button', { name: 'Delete Nightly backup' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(api.calls(tasks.remove)).toHaveLength(1))
})

test('[ADB-16] [ADB-17] audit records are filtered and show what changed; a changed thing leads to its records', async () => {
  const { user } = await open('users')
  await user.click(screen.getAllByRole('link', { name: 'Records' })[1] ?? document.body)
  const records = await screen.findByRole('list', { name: 'Audit Log' })
  expect(api.calls(auditLogs.list)[0]?.query).toBe('?entity=user&target=2&limit=50')
  expect(records).toHaveTextContent('users.update')
  expect(records).toHaveTextContent('roleviewertrader')
  expect(records).not.toHaveTextContent('usernamebob')
  await user.click(screen.getByRole('button', { name: 'Show older' }))
  await waitFor(() => expect(api.calls(auditLogs.list)[1]?.query).toContain('cursor=12'))
  const form = screen.getByRole('form', { name: 'Filter' })
  await user.clear(within(form).getByLabelText('Which'))
  await user.type(within(form).getByLabelText('Who'), 'ada')
  await user.click(within(form).getByRole('button', { name: 'Apply' }))
  await waitFor(() => expect(api.calls(auditLogs.list).at(-1)?.query).toBe('?actor=ada&entity=user&limit=50'))
})

test('[ADB-400] Apply and Clear keep the focus, and the fields show the filter', async () => {
  const { user } = await open('audit')
  const form = within(await screen.findByRole('form', { name: 'Filter' }))
  await user.type(form.getByLabelText('Who'), 'ada')
  await user.click(form.getByRole('button', { name: 'Apply' }))
  await waitFor(() => expect(api.calls(auditLogs.list).at(-1)?.query).toContain('actor=ada'))
  expect(form.getByRole('button', { name: 'Apply' })).toHaveFocus()
  await user.click(form.getByRole('button', { name: 'Clear' }))
  await waitFor(() => expect(form.getByLabelText('Who')).toHaveValue(''))
  expect(form.getByRole('button', { name: 'Clear' })).toHaveFocus()
})

test('[ADB-16] a filter that the server refuses has its reason', async () => {
  const { user } = await open('audit')
  const form = await screen.findByRole('form', { name: 'Filter' })
  api.answer(auditLogs.list, () => problemReply(422, 'From must be a date such as 2026-03-31.'))
  await user.type(within(form).getByLabelText('From'), 'abc')
  await user.click(within(form).getByRole('button', { name: 'Apply' }))
  expect(await screen.findByText('From must be a date such as 2026-03-31.')).toBeVisible()
})

test('[ADB-18] [ADB-19] the log is verified with its anchors, and exported as it is filtered', async () => {
  api.on(auditLogs.verify, {
    intact: false,
    lines: 12,
    head_hash: 'ab',
    duration_ms: 3,
    is_anchored: true,
    anchor: {
      place: 'the file /srv/anchors.jsonl',
      key_id: '7',
      anchors: 3,
      last_at: '2026-03-04T09:00:00.000Z',
    },
    fault: { line: 9, kind: 'altered', detail: 'The log was rewritten.' },
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  api.answer(auditLogs.export, () => new Response('seq\n'))
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }))
  const { user } = await open('audit')
  await user.click(await screen.findByRole('button', { name: 'Verify' }))
  const verdict = await screen.findByRole('alert')
  expect(verdict).toHaveTextContent('The audit log is not intact.')
  expect(verdict).toHaveTextContent(
    'The log was rewritten. Compared with 3 anchors in the file /srv/anchors.jsonl; the last is of 2026-03-04 09:00:00.',
  )
  await user.click(screen.getByRole('button', { name: 'Export CSV' }))
  await waitFor(() => expect(api.calls(auditLogs.export)[0]?.query).toBe('?format=csv'))
  vi.unstubAllGlobals()
})

test('[ADB-28] the verdict has the hash of the last record and its number', async () => {
  const hash = 'ab12'.repeat(16)
  const note = 'Keep head_hash elsewhere and compare it.'
  api.on(auditLogs.verify, {
    intact: true,
    lines: 12,
    head_hash: hash,
    duration_ms: 3,
    is_anchored: false,
    note,
  })
  const { user } = await open('audit')
  await user.click(await screen.findByRole('button', { name: 'Verify' }))
  const verdict = await screen.findByRole('alert')
  expect(verdict).toHaveTextContent(`head_hash of record 12, the last one: ${hash}`)
})

test('[ADB-28] the verdict of an empty log has no hash', async () => {
  api.on(auditLogs.verify, { intact: true, lines: 0, head_hash: null, duration_ms: 3 })
  const { user } = await open('audit')
  await user.click(await screen.findByRole('button', { name: 'Verify' }))
  expect(await screen.findByRole('alert')).not.toHaveTextContent('head_hash')
})

function problem(field: string, message: string): Response {
  const body = { type: 'x', title: 'x', status: 422, code: 'request.invalid', errors: [{ field, message }] }
  return Response.json(body, { status: 422, headers: { 'content-type': 'application/problem+json' } })
}
