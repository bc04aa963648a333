import { connections, queries, savedQueries, tables } from '@binnacle/contract'
import { act, screen, waitFor, within } from '@testing-library/react'
import { EditorView } from '@uiw/react-codemirror'
import { afterEach, describe, expect, test } from 'vitest'
import { EVERY_ABILITY } from '#testkit/connections.ts'
import { createFakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { clearToasts } from '#testkit/toasts.ts'

// jsdom has no layout; the editor only needs some value when it measures its text.
Range.prototype.getClientRects = () => document.createElement('i').getClientRects()

const LEDGER = { id: 1, name: 'Orders ledger', type: 'postgresql', can: EVERY_ABILITY }
const ARCHIVE = { id: 2, name: 'Archive', type: 'sqlite', can: EVERY_ABILITY }
const SAVED = { id: 9, name: 'Answer', query: 'SELECT 42', created_at: '2026-03-02T09:00:00Z' }
const PLAN = {
  title: 'Sort',
  rows: 10,
  cost: 1234.5,
  children: [{ title: 'Seq Scan', rows: 10, cost: 12, children: [] }],
}
const RAN = { id: 4, query: 'SELECT 7', status: 'success', executed_at: '2026-03-02T09:00:00Z' }

describe('the SQL in the editor', () => {
  afterEach(clearToasts)

  test('[DB-28] is stored per connection and restored after a reload', async () => {
    const { user, unmount } = await openQuery()
    write('SELECT price FROM trades')
    await openConnection(user, /^Archive/)
    expect(editorText()).toBe('')
    write('SELECT 2')
    await openConnection(user, /^Orders ledger/)
    expect(editorText()).toBe('SELECT price FROM trades')
    unmount()
    await openQuery()
    expect(editorText()).toBe('SELECT price FROM trades')
  })

  test('[DB-29] is replaced by a history line only after a yes, if it was changed', async () => {
    const { user } = await openQuery()
    write('SELECT price FROM trades')
    await user.click(await screen.findByRole('button', { name: /^SELECT 7/ }))
    const dialog = await screen.findByRole('dialog', { name: 'Replace the SQL in the editor?' })
    await user.click(within(dialog).getByRole('button', { name: 'Keep editing' }))
    expect(editorText()).toBe('SELECT price FROM trades')
    await user.click(await screen.findByRole('button', { name: /^SELECT 7/ }))
    await user.click(await screen.findByRole('button', { name: 'Replace' }))
    await waitFor(() => expect(editorText()).toBe('SELECT 7'))
  })

  test('[DB-29] is replaced without a question if it is in the history or was picked from a list', async () => {
    const { user } = await openQuery()
    await user.click(await screen.findByRole('button', { name: 'Answer' }))
    await waitFor(() => expect(editorText()).toBe('SELECT 42'))
    await user.click(await screen.findByRole('button', { name: /^SELECT 7/ }))
    await waitFor(() => expect(editorText()).toBe('SELECT 7'))
    await user.click(await screen.findByRole('button', { name: 'Answer' }))
    await waitFor(() => expect(editorText()).toBe('SELECT 42'))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })
})

describe('tools of the editor', () => {
  afterEach(clearToasts)

  test('[DB-34] a failed Explain leaves neither the old plan nor the old error', async () => {
    const { api, user } = await openQuery()
    api.on(queries.explain, { plan: PLAN })
    write('SELECT 1')
    await user.click(await screen.findByRole('button', { name: 'Explain' }))
    await screen.findByRole('region', { name: 'Plan' })
    api.on(queries.run, { success: false, error: 'no such table' })
    await user.click(screen.getByRole('button', { name: 'Execute' }))
    await screen.findByText('The query failed')
    api.fail(queries.explain)
    await user.click(screen.getByRole('button', { name: 'Explain' }))
    await waitFor(() => expect(api.calls(queries.explain)).toHaveLength(2))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Plan' })).not.toBeInTheDocument())
    expect(screen.queryByText('The query failed')).not.toBeInTheDocument()
  })

  test('[DB-34] Format removes the error of the previous statement', async () => {
    const { api, user } = await openQuery()
    api.on(queries.run, { success: false, error: 'no such table' })
    api.on(queries.format, { query: 'SELECT 1' })
    write('select 1')
    await user.click(screen.getByRole('button', { name: 'Execute' }))
    await screen.findByText('The query failed')
    await user.click(await screen.findByRole('button', { name: 'Format' }))
    await waitFor(() => expect(screen.queryByText('The query failed')).not.toBeInTheDocument())
  })

  test('[DB-35] the plan shows its top step and each cost', async () => {
    const { api, user } = await openQuery()
    api.on(queries.explain, { plan: PLAN })
    write('SELECT 1')
    await user.click(await screen.findByRole('button', { name: 'Explain' }))
    const plan = await screen.findByRole('region', { name: 'Plan' })
    const steps = within(plan).getAllByRole('listitem')
    expect(steps[0]).toHaveTextContent('Sort about 10 rows; cost 1,234.5')
    expect(steps[1]).toHaveTextContent('Seq Scan about 10 rows; cost 12')
  })

  test('[DB-36] Ctrl-Enter executes the selection only', async () => {
    const { api, user } = await openQuery()
    api.on(queries.run, { success: true, execution_time: 0.1, rows: [] })
    write('SELECT 1; SELECT 2')
    act(() => {
      editor().dispatch({ selection: { anchor: 10, head: 18 } })
      editor().focus()
    })
    await user.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(api.calls(queries.run)).toMatchObject([{ body: { query: 'SELECT 2' } }]))
  })

  test.each([
    ['sel', 'SELECT'],
    ['SELECT * FROM tra', 'trades'],
  ])('[DB-36] the first completion of %s is %s', async (typed, first) => {
    await openQuery()
    act(() => editor().focus())
    act(() =>
      editor().dispatch({
        changes: { from: 0, insert: typed },
        selection: { anchor: typed.length },
        userEvent: 'input.type',
      }),
    )
    const list = await screen.findByRole('listbox', { name: 'Completions' })
    expect(within(list).getAllByRole('option')[0]).toHaveTextContent(first)
  })
})

async function openQuery() {
  const api = createFakeApi()
  api.on(connections.list, { connections: [LEDGER, ARCHIVE] })
  api.on(tables.list, { tables: [{ name: 'trades' }] })
  api.on(tables.schema, { columns: [] })
  api.on(queries.history, { history: [RAN] })
  api.on(savedQueries.list, { queries: [SAVED] })
  const { user, unmount } = renderConsole('/admin/db-management?connection=1&tab=query')
  await screen.findByRole('textbox', { name: 'SQL query' })
  return { api, user, unmount }
}

async function openConnection(user: ReturnType<typeof renderConsole>['user'], name: RegExp) {
  await user.click(screen.getByRole('button', { name }))
  await user.click(await screen.findByRole('tab', { name: 'Query' }))
  await screen.findByRole('textbox', { name: 'SQL query' })
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
