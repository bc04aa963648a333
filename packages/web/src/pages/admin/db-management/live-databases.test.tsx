import { connections, queries, savedQueries, tables } from '@binnacle/contract'
import { act, screen, waitFor, within } from '@testing-library/react'
import { EditorView } from '@uiw/react-codemirror'
import { afterEach, describe, expect, test } from 'vitest'
import { EVERY_ABILITY } from '#testkit/connections.ts'
import { createFakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

// jsdom has no layout; the editor only needs some value when it measures its text.
Range.prototype.getClientRects = () => document.createElement('i').getClientRects()

const LEDGER = {
  id: 1,
  name: 'Orders ledger',
  type: 'sqlite',
  database_name: 'main',
  writable: true,
  time_limit: 30,
  can: EVERY_ABILITY,
}
const STORAGE = { files: 3, rows: 120, bytes: 2048, row_groups: 12, compression: 'SNAPPY', columns: [] }
const SAVED = { id: 9, name: 'Answer', query: 'SELECT 42', created_at: '2026-03-02T09:00:00Z' }
const OWN = {
  id: 'binnacle-admin',
  name: 'Binnacle admin',
  type: 'sqlite',
  is_builtin: 1,
  can: EVERY_ABILITY,
} as const

describe('a backend that sends the abilities of its connections', () => {
  afterEach(clearToasts)

  test('[STORE-4] a destructive statement runs after the table name is typed', async () => {
    const { api, user } = await openQuery()
    api.answer(queries.run, ({ body }) =>
      Object(body).confirm === 'trades'
        ? Response.json({ success: true, execution_time: 0.1, rows_affected: 2 })
        : nameWanted(
            'trades',
            'This deletes every row of "trades". Type the table name "trades" to confirm.',
          ),
    )
    write('DELETE FROM trades')
    await user.click(screen.getByRole('button', { name: 'Execute' }))
    const dialog = await screen.findByRole('dialog', { name: 'Execute this statement?' })
    expect(
      within(dialog).getByText(
        'This deletes every row of "trades". Type the table name "trades" to confirm.',
      ),
    ).toBeVisible()
    const yes = within(dialog).getByRole('button', { name: 'Execute' })
    await user.type(within(dialog).getByLabelText('Table name'), 'trade')
    expect(yes).toBeDisabled()
    await user.type(within(dialog).getByLabelText('Table name'), 's')
    await user.click(yes)
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Query executed in 0.1s']))
    expect(toastsOfType('error')).toEqual([])
    expect(api.calls(queries.run).map(({ body }) => Object(body).confirm)).toEqual([undefined, 'trades'])
  })

  test('no schema is loaded for a table that a statement has dropped', async () => {
    const { api, user } = await openQuery()
    write('DROP TABLE trades')
    await waitFor(() => expect(api.calls(tables.schema)).toHaveLength(1))
    api.on(queries.run, () => {
      api.on(tables.list, { tables: [] })
      return { success: true, execution_time: 0.1, rows_affected: 0 }
    })
    await user.click(screen.getByRole('button', { name: 'Execute' }))
    await user.click(screen.getByRole('tab', { name: 'Tables' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'trades' })).not.toBeInTheDocument())
    expect(api.calls(tables.schema)).toHaveLength(1)
  })

  test('[STORE-6] Cancel is offered while a statement runs and sends its id', async () => {
    const { api, user } = await openQuery()
    let end: (reply: Response) => void = () => {}
    api.answer(queries.run, () => new Promise((resolve) => (end = resolve)))
    api.on(queries.cancel, { message: 'Cancelling the statement' })
    expect(screen.queryByRole('button', { name: 'Cancel' })).not.toBeInTheDocument()
    write('SELECT 1')
    await user.click(screen.getByRole('button', { name: 'Execute' }))
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    const [sent] = api.calls(queries.run)
    const id = Object(sent?.body).query_id
    expect(id).toMatch(/^[\w-]{8,64}$/)
    await waitFor(() =>
      expect(api.calls(queries.cancel).map(({ path }) => path)).toEqual([`/api/db/1/queries/${id}/cancel`]),
    )
    end(Response.json({ success: false, error: 'The statement was cancelled.' }))
    await waitFor(() => expect(toastsOfType('error')).toEqual(['Query failed: The statement was cancelled.']))
    expect(screen.queryByRole('button', { name: 'Cancel' })).not.toBeInTheDocument()
  })

  test('a connection is edited; an empty connection string keeps the stored one', async () => {
    const { api, user } = await openQuery()
    api.on(connections.update, LEDGER)
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    const dialog = await screen.findByRole('dialog', { name: 'Edit Connection' })
    await user.clear(within(dialog).getByLabelText('Name'))
    await user.type(within(dialog).getByLabelText('Name'), 'Ledger')
    await user.click(within(dialog).getByRole('switch', { name: 'Writable' }))
    await user.click(within(dialog).getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Connection updated successfully']))
    expect(api.calls(connections.update)).toMatchObject([
      {
        path: '/api/db/connections/1',
        body: { name: 'Ledger', database_name: 'main', writable: false, is_active: 1, time_limit: 30 },
      },
    ])
    expect(Object(api.calls(connections.update)[0]?.body)).not.toHaveProperty('connection_string')
  })

  test('[DB-42] a connection is deleted after a confirmation, which says what becomes of its backups', async () => {
    const { api, user } = await openQuery()
    api.on(connections.remove, {})
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    const dialog = await screen.findByRole('dialog', { name: /^Are you sure/ })
    expect(
      within(dialog).getByText(
        'Are you sure you want to delete this connection? The database itself is not changed.',
      ),
    ).toBeVisible()
    expect(within(dialog).getByText(/^Orders ledger\. Its backups stay on disk: /)).toBeVisible()
    expect(api.calls(connections.remove)).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Connection deleted successfully']))
  })

  test('a successful test shows the version and the response time', async () => {
    const { api, user } = await openQuery()
    api.on(connections.test, { success: true, version: 'SQLite 3.53.4', response_time: 63 })
    await user.click(await screen.findByRole('button', { name: 'Test' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Connected: SQLite 3.53.4, 63 ms']))
  })

  test('a statement is formatted and explained', async () => {
    const { api, user } = await openQuery()
    api.on(queries.format, { query: 'SELECT 1\nFROM t' })
    api.on(queries.explain, {
      plan: { title: 'QUERY PLAN', children: [{ title: 'SCAN t', rows: 1200, children: [] }] },
    })
    write('select 1 from t')
    await user.click(await screen.findByRole('button', { name: 'Format' }))
    await waitFor(() => expect(editorText()).toBe('SELECT 1\nFROM t'))
    await user.click(screen.getByRole('button', { name: 'Explain' }))
    const plan = await screen.findByRole('region', { name: 'Plan' })
    expect(within(plan).getByRole('listitem')).toHaveTextContent('SCAN t about 1,200 rows')
    expect(api.calls(queries.run)).toEqual([])
  })

  test('a statement is saved under a name, put back into the editor and deleted', async () => {
    const { api, user } = await openQuery()
    api.on(savedQueries.add, SAVED)
    api.on(savedQueries.remove, {})
    write('SELECT 42')
    await user.type(await screen.findByLabelText('Save query as'), 'Answer')
    api.on(savedQueries.list, { queries: [SAVED] })
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Query saved']))
    expect(api.calls(savedQueries.add)).toMatchObject([{ body: { name: 'Answer', query: 'SELECT 42' } }])
    write('')
    const list = await screen.findByRole('list', { name: 'Saved queries' })
    await user.click(within(list).getByRole('button', { name: 'Answer' }))
    await waitFor(() => expect(editorText()).toBe('SELECT 42'))
    await user.click(within(list).getByRole('button', { name: 'Delete Answer' }))
    await waitFor(() =>
      expect(api.calls(savedQueries.remove).map(({ path }) => path)).toEqual(['/api/db/1/saved-queries/9']),
    )
  })

  test('rows are sorted and filtered by the backend, from the first page on', async () => {
    const { api, user } = await openQuery()
    api.on(tables.schema, { columns: [{ name: 'id', type: 'INTEGER', notnull: 1, pk: 1 }], storage: STORAGE })
    api.on(tables.data, { rows: [{ id: 1 }], total: 120 })
    await user.click(screen.getByRole('tab', { name: 'Tables' }))
    await user.click(await screen.findByRole('button', { name: 'trades' }))
    expect(await screen.findByText('3 files, 12 row groups, 2 KB')).toBeVisible()
    await user.click(await screen.findByRole('button', { name: 'Next' }))
    await user.selectOptions(await screen.findByLabelText('Sort by'), 'id')
    await user.click(screen.getByRole('switch', { name: 'Descending' }))
    await user.selectOptions(screen.getByLabelText('Filter by'), 'id')
    await user.selectOptions(screen.getByLabelText('Comparison'), '≥')
    await user.type(screen.getByLabelText('Value'), '7')
    await user.click(screen.getByRole('button', { name: 'Apply' }))
    await waitFor(() =>
      expect(api.calls(tables.data).map(({ query }) => query)).toEqual([
        '?limit=50&offset=0',
        '?limit=50&offset=50',
        '?limit=50&offset=0&sort=id&order=desc&filter_column=id&filter_operator=ge&filter_value=7',
      ]),
    )
  })

  test('[DB-37] a click on the title of a column sorts the whole table, not the page', async () => {
    const { api, user } = await openQuery()
    api.on(tables.schema, { columns: [{ name: 'id', type: 'INTEGER', notnull: 1, pk: 1 }] })
    api.on(tables.data, { rows: [{ id: 3 }, { id: 1 }], total: 120 })
    await user.click(screen.getByRole('tab', { name: 'Tables' }))
    await user.click(await screen.findByRole('button', { name: 'trades' }))
    await user.click(await screen.findByRole('button', { name: 'Next' }))
    await user.click(await screen.findByRole('button', { name: /^id/ }))
    const lastQuery = () => api.calls(tables.data).at(-1)?.query
    await waitFor(() => expect(lastQuery()).toBe('?limit=50&offset=0&sort=id&order=asc'))
    expect(screen.getByLabelText('Sort by')).toHaveValue('id')
    const rows = within(screen.getByRole('table', { name: 'Rows of trades' })).getAllByRole('row')
    expect(rows.map((row) => row.textContent)).toEqual(['id↑', '3', '1'])
    await user.click(screen.getByRole('button', { name: /^id/ }))
    await waitFor(() => expect(lastQuery()).toBe('?limit=50&offset=0&sort=id&order=desc'))
    await user.click(screen.getByRole('button', { name: /^id/ }))
    await waitFor(() => expect(screen.getByLabelText('Sort by')).toHaveValue(''))
  })

  test('no direction is offered without a sort column, no comparison without a filter column', async () => {
    const { api, user } = await openQuery()
    api.on(tables.schema, { columns: [{ name: 'id', type: 'INTEGER', notnull: 1, pk: 1 }] })
    api.on(tables.data, { rows: [{ id: 1 }], total: 1 })
    await user.click(screen.getByRole('tab', { name: 'Tables' }))
    await user.click(await screen.findByRole('button', { name: 'trades' }))
    await screen.findByLabelText('Filter by')
    expect(screen.queryByRole('switch', { name: 'Descending' })).not.toBeInTheDocument()
    expect(screen.queryByLabelText('Comparison')).not.toBeInTheDocument()
    await user.selectOptions(screen.getByLabelText('Filter by'), 'id')
    await user.selectOptions(screen.getByLabelText('Comparison'), 'is null')
    expect(screen.queryByLabelText('Value')).not.toBeInTheDocument()
    await user.selectOptions(screen.getByLabelText('Comparison'), '=')
    expect(screen.getByLabelText('Value')).toBeVisible()
  })

  test('[DB-38] a connection that lists its filters offers only these', async () => {
    const filters = [
      { column: 'key', operators: ['contains', 'eq'] },
      { column: 'type', operators: ['eq'] },
    ]
    const { api, user } = await openQuery({ can: { ...EVERY_ABILITY, filters } })
    const column = (name: string) => ({ name, type: 'string', notnull: true, pk: 0 })
    api.on(tables.schema, { columns: ['key', 'type', 'ttl'].map(column) })
    api.on(tables.data, { rows: [{ key: 'a', type: 'string', ttl: null }], total: 1 })
    await user.click(screen.getByRole('tab', { name: 'Tables' }))
    await user.click(await screen.findByRole('button', { name: 'trades' }))
    const options = (label: string) =>
      within(screen.getByLabelText(label))
        .getAllByRole('option')
        .map(({ textContent }) => textContent)
    await screen.findByLabelText('Filter by')
    expect(options('Filter by').slice(1)).toEqual(['key', 'type'])
    await user.selectOptions(screen.getByLabelText('Filter by'), 'key')
    expect(options('Comparison')).toEqual(['contains', '='])
    await user.selectOptions(screen.getByLabelText('Filter by'), 'type')
    expect(options('Comparison')).toEqual(['='])
    await user.type(screen.getByLabelText('Value'), 'list')
    await user.click(screen.getByRole('button', { name: 'Apply' }))
    await waitFor(() =>
      expect(api.calls(tables.data).at(-1)?.query).toContain('filter_column=type&filter_operator=eq'),
    )
  })

  test('[DB-39] an export as CSV sends formulas as text, or as stored by choice', async () => {
    const { api, user } = await openQuery()
    api.answer(queries.export, () => new Response('a'))
    write('SELECT 1')
    await user.click(screen.getByRole('button', { name: 'Export' }))
    await waitFor(() => expect(api.calls(queries.export)).toHaveLength(1))
    await user.selectOptions(screen.getByLabelText('Export as'), 'CSV, formulas as stored')
    await waitFor(() => expect(screen.getByRole('button', { name: 'Export' })).toBeEnabled())
    await user.click(screen.getByRole('button', { name: 'Export' }))
    await waitFor(() => expect(api.calls(queries.export)).toHaveLength(2))
    expect(api.calls(queries.export).map(({ body }) => body)).toEqual([
      { query: 'SELECT 1', format: 'csv' },
      { query: 'SELECT 1', format: 'csv', formulas: 'raw' },
    ])
  })

  test('[DB-401] an export does not block the table of the same name on another connection', async () => {
    const { api, user } = await openQuery()
    api.on(tables.data, { rows: [], total: 0 })
    api.answer(tables.export, () => new Promise(() => {}))
    const openTrades = async () => {
      await user.click(await screen.findByRole('tab', { name: 'Tables' }))
      await user.click(await screen.findByRole('button', { name: 'trades' }))
      return screen.findByRole('button', { name: 'Export' })
    }
    await user.click(await openTrades())
    await waitFor(() => expect(screen.getByRole('button', { name: 'Export' })).toBeDisabled())
    await user.click(screen.getByRole('button', { name: /^Binnacle admin/ }))
    expect(await openTrades()).toBeEnabled()
  })

  test('the selected connection is named above its tables', async () => {
    await openQuery()
    expect(screen.getByRole('region', { name: 'Orders ledger' })).toBeVisible()
  })

  test('[STORE-3] a built-in connection is marked and cannot be changed', async () => {
    const { user } = await openQuery()
    await user.click(screen.getByRole('button', { name: /^Binnacle admin/ }))
    expect(await screen.findByText('Built-in')).toBeVisible()
    await screen.findByText('Select a table to view its schema and data')
    expect(screen.queryByRole('button', { name: 'Edit' })).not.toBeInTheDocument()
  })
})

async function openQuery(about: object = {}) {
  const api = createFakeApi()
  api.on(connections.list, { connections: [{ ...LEDGER, ...about }, OWN] })
  api.on(tables.list, { tables: [{ name: 'trades' }] })
  api.on(tables.schema, { columns: [] })
  api.on(queries.history, { history: [] })
  api.on(savedQueries.list, { queries: [] })
  const { user } = renderConsole('/admin/db-management?connection=1&tab=query')
  await screen.findByRole('textbox', { name: 'SQL query' })
  return { api, user }
}

function nameWanted(expected: string, detail: string): Response {
  const problem = {
    type: 'urn:binnacle:problem:statement.confirm',
    title: 'Type the table name to confirm',
    status: 409,
    detail,
    code: 'statement.confirm',
    errors: [{ field: 'body.confirm', message: `must be ${expected}`, expected }],
  }
  const headers = { 'content-type': 'application/problem+json' }
  return new Response(JSON.stringify(problem), { status: 409, headers })
}

/** jsdom has no layout, so typing into the editor is covered by the browser journeys. */
function write(text: string): void {
  const view = editor()
  act(() => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }))
}

function editorText(): string {
  return editor().state.doc.toString()
}

function editor(): EditorView {
  const view = EditorView.findFromDOM(screen.getByRole('textbox', { name: 'SQL query' }))
  if (!view) throw new Error('There is no editor.')
  return view
}
