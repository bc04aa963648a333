import { connections, queries, tables } from '@binnacle/contract'
import { act, screen, waitFor, within } from '@testing-library/react'
import { EditorView } from '@uiw/react-codemirror'
import { afterEach, describe, expect, test } from 'vitest'
import { createFakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

// jsdom has no layout; the editor only needs some value when it measures its text.
Range.prototype.getClientRects = () => document.createElement('i').getClientRects()

const entry = {
  id: 1,
  query: 'SELECT 1',
  status: 'success',
  executed_at: '2026-03-02T09:00:00Z',
  execution_time: 0.004,
}

describe('queries', () => {
  afterEach(clearToasts)

  test('[DB-14] [DB-16] executing sends the text unchanged and shows the result and the time', async () => {
    const { api, user } = await openQuery()
    api.on(queries.run, {
      success: true,
      execution_time: 0.012,
      rows: [
        { id: 1, note: null },
        { id: 2, note: { deep: [true] } },
      ],
    })
    write('  SELECT * FROM trades;\n')
    await user.click(screen.getByRole('button', { name: 'Execute' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['Query executed in 0.012s']))
    expect(api.calls(queries.run)).toMatchObject([
      { path: '/api/db/1/query', body: { query: '  SELECT * FROM trades;\n' } },
    ])
    const result = await screen.findByRole('table', { name: 'Result' })
    expect(textOf(result)).toEqual([
      ['id', 'note'],
      ['1', 'null'],
      ['2', '{"deep":[true]}'],
    ])
    await waitFor(() => expect(api.calls(queries.history)).toHaveLength(2))
  })

  test('[DB-15] executing a blank query sends nothing and says nothing', async () => {
    const { api, user } = await openQuery()
    await user.click(screen.getByRole('button', { name: 'Execute' }))
    write(' \n\t ')
    await user.click(screen.getByRole('button', { name: 'Execute' }))
    expect(api.calls(queries.run)).toEqual([])
    expect([...toastsOfType('success'), ...toastsOfType('error')]).toEqual([])
  })

  test('[DB-15] without a connection there is nothing to execute', async () => {
    const api = createApi()
    renderConsole('/admin/db-management?tab=query')
    expect(await screen.findByText('Orders ledger')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Execute' })).not.toBeInTheDocument()
    expect(api.calls(queries.run)).toEqual([])
  })

  test.each([
    [{ success: false, error: 'no such table: x' }, 'Query failed: no such table: x'],
    [{ success: false, message: 'locked' }, 'Query failed: locked'],
    [{ success: false }, 'Query failed: Unknown error'],
  ])('[DB-17] a query answered with %j shows %s and loads the history', async (reply, message) => {
    const { api, user } = await openQuery()
    api.answer(queries.run, () => Response.json(reply))
    write('SELECT 1')
    await user.click(screen.getByRole('button', { name: 'Execute' }))
    await waitFor(() => expect(toastsOfType('error')).toEqual([message]))
    expect(await screen.findByText('The query failed')).toBeVisible()
    await waitFor(() => expect(api.calls(queries.history)).toHaveLength(2))
  })

  test('[DB-17] a query call that fails itself says so, once, and keeps the text', async () => {
    const { api, user } = await openQuery()
    api.fail(queries.run, 500)
    write('SELECT 1')
    await user.click(screen.getByRole('button', { name: 'Execute' }))
    await waitFor(() => expect(toastsOfType('error')).toEqual(['Failed to execute query']))
    expect(api.calls(queries.run)).toHaveLength(1)
    expect(editor().state.doc.toString()).toBe('SELECT 1')
  })

  test('Ctrl-Enter executes, and a running query is not executed again', async () => {
    const { api, user } = await openQuery()
    api.answer(queries.run, () => new Promise(() => {}))
    write('SELECT 1')
    act(() => editor().focus())
    await user.keyboard('{Control>}{Enter}{Enter}{/Control}')
    await waitFor(() => expect(screen.getByRole('button', { name: 'Execute' })).toBeDisabled())
    expect(api.calls(queries.run)).toHaveLength(1)
    expect(screen.getByText('Executing...')).toBeVisible()
    expect(screen.getByRole('region', { name: 'Result' })).toHaveAttribute('aria-busy', 'true')
    expect(editor().state.doc.toString()).toBe('SELECT 1')
  })

  test('the statement and the result survive a switch to the tables', async () => {
    const { api, user } = await openQuery()
    api.on(queries.run, { success: true, execution_time: 1, message: 'Table created', rows_affected: 0 })
    write('CREATE TABLE t (a)')
    await user.click(screen.getByRole('button', { name: 'Execute' }))
    await screen.findByText('Table created')
    await user.click(screen.getByRole('tab', { name: 'Tables' }))
    await screen.findByText('Select a table to view its schema and data')
    await user.click(screen.getByRole('tab', { name: 'Query' }))
    expect(await screen.findByText('Table created')).toBeVisible()
    await waitFor(() => expect(editor().state.doc.toString()).toBe('CREATE TABLE t (a)'))
  })

  test('loads the columns of the tables in the statement only', async () => {
    const { api } = await openQuery()
    write('SELECT * FROM trades')
    await waitFor(() => expect(api.calls(tables.schema)).toHaveLength(1))
    expect(api.calls(tables.schema)[0]?.path).toBe('/api/db/1/tables/trades/schema')
  })
})

describe('history of queries', () => {
  afterEach(clearToasts)

  test('[DB-18] shows the 10 latest entries with status, time and error', async () => {
    const history = Array.from({ length: 12 }, (_, number) => ({
      ...entry,
      id: number,
      query: `SELECT ${number}`,
      executed_at: `2026-03-02T09:${10 + number}:00Z`,
      ...(number === 11 && { status: 'error', error_message: 'no such column' }),
    }))
    await openQuery(history)
    const list = await screen.findByRole('list', { name: 'History' })
    const items = within(list).getAllByRole('listitem')
    expect(items).toHaveLength(10)
    for (const text of ['SELECT 11', 'error', 'no such column', '2026-03-02 09:21:00 UTC', '0.004s'])
      expect(within(items[0] ?? list).getByText(text)).toBeVisible()
    expect(within(list).queryByText('SELECT 1')).not.toBeInTheDocument()
  })

  test('a click on an entry puts its query back into the editor', async () => {
    const { api, user } = await openQuery([{ ...entry, query: 'SELECT 42' }])
    await user.click(await screen.findByRole('button', { name: /^SELECT 42/ }))
    await waitFor(() => expect(editor().state.doc.toString()).toBe('SELECT 42'))
    expect(api.calls(queries.run)).toEqual([])
  })

  test('[DB-13] a failed load of the history says so and shows no empty text', async () => {
    const api = createApi()
    api.fail(queries.history)
    renderConsole('/admin/db-management?connection=1&tab=query')
    await waitFor(() => expect(toastsOfType('error')).toEqual(['Failed to load query history']))
    expect(screen.queryByText('No queries yet')).not.toBeInTheDocument()
  })
})

function createApi() {
  const api = createFakeApi()
  api.on(connections.list, { connections: [{ id: 1, name: 'Orders ledger', type: 'sqlite' }] })
  api.on(tables.list, { tables: [{ name: 'trades' }, { name: 'orders' }] })
  api.on(tables.schema, { columns: [{ name: 'id', type: 'INTEGER', notnull: 1, pk: 1 }] })
  api.on(queries.history, { history: [] })
  return api
}

async function openQuery(history: (typeof entry)[] = []) {
  const api = createApi()
  api.on(queries.history, { history })
  const { user } = renderConsole('/admin/db-management?connection=1&tab=query')
  await screen.findByRole('textbox', { name: 'SQL query' })
  return { api, user }
}

/** jsdom has no layout, so typing into the editor is covered by the browser journeys. */
function write(text: string): void {
  const view = editor()
  act(() => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }))
}

function editor(): EditorView {
  const view = EditorView.findFromDOM(screen.getByRole('textbox', { name: 'SQL query' }))
  if (!view) throw new Error('There is no editor.')
  return view
}

function textOf(table: HTMLElement): string[][] {
  return within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent ?? ''))
}
