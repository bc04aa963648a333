import {
  type AnyEndpoint,
  apiConfigs,
  backups,
  components,
  connections,
  engine,
  maintenance,
  queries,
  routes,
  savedQueries,
  service,
  services,
  settings,
  tables,
  users,
} from '@binnacle/contract'
import { act, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { EditorView } from '@uiw/react-codemirror'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { EVERY_ABILITY } from '#testkit/connections.ts'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { listing } from '#testkit/open-routes.tsx'
import { renderConsole } from '#testkit/render-page.tsx'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

// jsdom has no layout; the editor only needs some value when it measures its text.
Range.prototype.getClientRects = () => document.createElement('i').getClientRects()

let api: FakeApi

const BACKUP = {
  id: 5,
  backup_type: 'full',
  backup_size: 2048,
  status: 'completed',
  created_at: '2026-03-02T09:00:00Z',
}
const SAVED = { id: 9, name: 'Answer', query: 'SELECT 42', created_at: '2026-03-02T09:00:00Z' }

beforeEach(() => {
  api = createFakeApi()
  api.on(engine.systemInfo, {
    components: [{ id: 'Cache', name: 'Cache', type: 'Component', status: 'running', config: {} }],
  })
  api.on(settings.list, { settings: [{ key: 'motd', value: 'Hello' }] })
  api.on(users.list, { users: [] })
  api.on(apiConfigs.list, { configs: [] })
  api.on(services.list, { endpoints: [{ id: 1, name: 'Trading API', url: '' }] })
  api.on(services.health, { health: [] })
  api.on(routes.list, { routes: [listing] })
  api.on(connections.list, {
    connections: [{ id: 1, name: 'Ledger', type: 'sqlite', can: EVERY_ABILITY }],
  })
  api.on(tables.list, { tables: [] })
  api.on(queries.history, { history: [] })
  api.on(savedQueries.list, { queries: [SAVED] })
  api.on(backups.list, { backups: [BACKUP] })
})

afterEach(clearToasts)

interface Command {
  command: string
  path: string
  call: AnyEndpoint
  send: (user: UserEvent) => Promise<unknown>
  failed: string
  unknown: string
}

const press = async (user: UserEvent, name: string) => user.click(await screen.findByRole('button', { name }))
const confirm = async (user: UserEvent, name: string) =>
  user.click(within(await screen.findByRole('dialog')).getByRole('button', { name }))
const QUERY = '/admin/db-management?connection=1&tab=query'
const BACKUPS = '/admin/db-management?connection=1&tab=backups'

const COMMANDS: Command[] = [
  {
    command: 'Backup Database',
    path: '/admin/database',
    call: maintenance.backup,
    send: (user) => press(user, 'Backup Database'),
    failed: 'Failed to backup PostgreSQL',
    unknown:
      'No answer. The backup of PostgreSQL may be running or finished; check before starting it again.',
  },
  {
    command: 'Restart of a component',
    path: '/admin/components',
    call: components.restart,
    send: async (user) => {
      await press(user, 'Restart')
      await confirm(user, 'Restart')
    },
    failed: 'Failed to restart Cache',
    unknown: 'No answer. Cache may have been restarted; check the status shown here.',
  },
  {
    command: 'Save of a setting',
    path: '/admin/database-management',
    call: settings.update,
    send: async (user) => {
      await press(user, 'Edit')
      await press(user, 'Save')
    },
    failed: "Failed to update setting 'motd'",
    unknown: 'No answer. The setting may have been changed; refresh and check its value.',
  },
  {
    command: 'Toggle of a route',
    path: '/admin/api-config?service=1',
    call: routes.update,
    send: (user) => press(user, 'Toggle'),
    failed: 'Failed to toggle route',
    unknown: 'No answer. The route may have been switched; refresh and check the list.',
  },
  {
    command: 'Test of a route',
    path: '/admin/api-config?service=1',
    call: routes.test,
    send: (user) => press(user, 'Test'),
    failed: 'Failed to test route',
    unknown: 'No answer. The test request may have been sent.',
  },
  {
    command: 'Save of a route',
    path: '/admin/api-config?service=1',
    call: routes.update,
    send: async (user) => {
      await press(user, 'Edit')
      await press(user, 'Save')
    },
    failed: 'Failed to update route',
    unknown: 'No answer. The route may have been updated; refresh and check the list.',
  },
  {
    command: 'Add Route',
    path: '/admin/api-config?service=1',
    call: routes.add,
    send: async (user) => {
      await press(user, 'Add Route')
      await press(user, 'Add Route')
    },
    failed: 'Failed to add route',
    unknown: 'No answer. The route may have been added; refresh and check the list before adding it again.',
  },
  {
    command: 'Delete of a route',
    path: '/admin/api-config?service=1',
    call: routes.remove,
    send: async (user) => {
      await press(user, 'Delete')
      await confirm(user, 'Delete')
    },
    failed: 'Failed to delete route',
    unknown: 'No answer. The route may have been deleted; refresh and check the list.',
  },
  {
    command: 'Add Connection',
    path: '/admin/db-management',
    call: connections.add,
    send: async (user) => {
      await press(user, 'Add Connection')
      await confirm(user, 'Add Connection')
    },
    failed: 'Failed to add connection',
    unknown:
      'No answer. The connection may have been added; refresh and check the list before adding it again.',
  },
  {
    command: 'Save of a connection',
    path: QUERY,
    call: connections.update,
    send: async (user) => {
      await press(user, 'Edit')
      await confirm(user, 'Save')
    },
    failed: 'Failed to update connection',
    unknown: 'No answer. The connection may have been changed; refresh and check it.',
  },
  {
    command: 'Delete of a connection',
    path: QUERY,
    call: connections.remove,
    send: async (user) => {
      await press(user, 'Delete')
      await confirm(user, 'Delete')
    },
    failed: 'Failed to delete connection',
    unknown: 'No answer. The connection may have been deleted; refresh and check the list.',
  },
  {
    command: 'Test of a connection',
    path: QUERY,
    call: connections.test,
    send: (user) => press(user, 'Test'),
    failed: 'Failed to test connection',
    unknown: 'No answer. The test changes nothing and can be repeated.',
  },
  {
    command: 'Execute',
    path: QUERY,
    call: queries.run,
    send: async (user) => {
      await write('DELETE FROM t')
      await press(user, 'Execute')
    },
    failed: 'Failed to execute query',
    unknown:
      'No answer. The statement may have run, or may still be running; check the data before running it again.',
  },
  {
    command: 'Explain',
    path: QUERY,
    call: queries.explain,
    send: async (user) => {
      await write('SELECT 1')
      await press(user, 'Explain')
    },
    failed: 'Failed to explain query',
    unknown: 'No answer. Nothing was changed.',
  },
  {
    command: 'Delete of a saved query',
    path: QUERY,
    call: savedQueries.remove,
    send: (user) => press(user, 'Delete Answer'),
    failed: 'Failed to delete query',
    unknown: 'No answer. The query may have been deleted; check the list.',
  },
  {
    command: 'Create Backup',
    path: BACKUPS,
    call: backups.create,
    send: (user) => press(user, 'Create Backup'),
    failed: 'Failed to create backup',
    unknown:
      'No answer. The backup may have been created, or may still be running; check the list before starting another.',
  },
  {
    command: 'Restore',
    path: BACKUPS,
    call: backups.restore,
    send: async (user) => {
      await press(user, 'Restore')
      await confirm(user, 'Restore')
    },
    failed: 'Failed to restore backup',
    unknown:
      'No answer. The backup may have been restored, or the restore may still be running; check the data before trying again.',
  },
]

const html = () =>
  new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } })

describe('a command of an admin screen', () => {
  test.each(COMMANDS)(
    '[CLIENT-17] $command without an answer says what may have happened',
    async ({ path, call, send, failed, unknown }) => {
      api.on(service.capabilities, { capabilities: ['components'] })
      api.drop(call)
      const { user } = await open(path)
      await send(user)
      await waitFor(() => expect(toastsOfType('error')).toEqual([`${failed}${unknown}`]))
    },
  )

  test.each([
    ['a 500 with text', () => api.answer(backups.create, () => new Response('oops', { status: 500 }))],
    ['a 502 with HTML', () => api.answer(backups.create, html)],
  ])('[CLIENT-17] %s counts as no answer', async (_, disturb) => {
    api.on(service.capabilities, { capabilities: [] })
    disturb()
    const { user } = await open(BACKUPS)
    await press(user, 'Create Backup')
    await waitFor(() => expect(toastsOfType('error')[0]).toMatch(/^Failed to create backupNo answer\./))
  })

  test('[CLIENT-16] a new try removes the message of the last one', async () => {
    api.on(service.capabilities, { capabilities: [] })
    api.drop(backups.create)
    const { user } = await open(BACKUPS)
    await press(user, 'Create Backup')
    await waitFor(() => expect(toastsOfType('error')).toHaveLength(1))
    api.on(backups.create, { success: true, backup_size: 2048 })
    await press(user, 'Create Backup')
    await waitFor(() => expect(toastsOfType('success')).toHaveLength(1))
    await waitFor(() => expect(toastsOfType('error')).toEqual([]))
  })

  test('[CLIENT-16] a statement that is executed again removes the message of the last try', async () => {
    api.on(service.capabilities, { capabilities: [] })
    api.drop(queries.run)
    const { user } = await open(QUERY)
    await write('SELECT 1')
    await press(user, 'Execute')
    await waitFor(() => expect(toastsOfType('error')).toHaveLength(1))
    api.on(queries.run, { success: true, execution_time: 0.1, rows: [] })
    await press(user, 'Execute')
    await waitFor(() => expect(toastsOfType('success')).toHaveLength(1))
    await waitFor(() => expect(toastsOfType('error')).toEqual([]))
  })

  test('[CLIENT-19] a backup without an answer is sent again with its key for 10 minutes, then with a new one', async () => {
    api.on(service.capabilities, { capabilities: [] })
    api.drop(backups.create)
    const { user } = await open(BACKUPS)
    const keys = () => api.calls(backups.create).map(({ headers }) => headers['idempotency-key'])
    for (const count of [1, 2]) {
      await press(user, 'Create Backup')
      await waitFor(() => expect(toastsOfType('error')).toHaveLength(1))
      expect(keys()).toHaveLength(count)
    }
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 600_001)
    await press(user, 'Create Backup')
    await waitFor(() => expect(keys()).toHaveLength(3))
    const [first, second, late] = keys()
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(second).toBe(first)
    expect(late).not.toBe(first)
  })

  test('[CLIENT-17] in the baseline only the specified message appears', async () => {
    api.drop(backups.create)
    const { user } = await open(BACKUPS)
    await press(user, 'Create Backup')
    await waitFor(() => expect(toastsOfType('error')).toEqual(['Failed to create backup']))
  })
})

async function open(path: string) {
  const view = renderConsole(path)
  await waitFor(() => expect(api.calls(service.capabilities)).toHaveLength(1))
  return view
}

/** jsdom has no layout, so typing into the editor is covered by the browser journeys. */
async function write(text: string): Promise<void> {
  const view = EditorView.findFromDOM(await screen.findByRole('textbox', { name: 'SQL query' }))
  if (!view) throw new Error('There is no editor.')
  act(() => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }))
}
