import { connections, tables } from '@binnacle/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { createFakeApi, type FakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

const TOTAL = 120

describe('tables of a connection', () => {
  afterEach(clearToasts)

  test('[DB-2] before a table is chosen it says what to do', async () => {
    const { api } = await openTables()
    expect(screen.getByText('Select a table to view its schema and data')).toBeVisible()
    expect([...api.calls(tables.schema), ...api.calls(tables.data)]).toEqual([])
  })

  test('[DB-7] a selected table shows its columns and rows, with null marked', async () => {
    const { user } = await openTables()
    await user.click(screen.getByRole('button', { name: 'trades' }))
    const schema = await screen.findByRole('table', { name: 'Schema' })
    expect(textOf(schema)).toEqual([
      ['CID', 'Name', 'Type', 'Not Null', 'Primary Key'],
      ['0', 'id', 'INTEGER', 'yes', 'yes'],
      ['1', 'note', 'TEXT', 'no', 'no'],
    ])
    const rows = await screen.findByRole('table', { name: 'Rows of trades' })
    expect(textOf(rows)[1]).toEqual(['1', 'null'])
    expect(textOf(rows)[2]).toEqual(['2', 'row 2'])
  })

  test('[DB-8] [DB-9] [DB-10] 120 rows have three pages of 50; Prev and Next end with them', async () => {
    const { api, user } = await openTables()
    await user.click(screen.getByRole('button', { name: 'trades' }))
    expect(await screen.findByText('Page 1 / 3')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Prev' })).toBeDisabled()
    await user.click(screen.getByRole('button', { name: 'Next' }))
    expect(await screen.findByText('Page 2 / 3')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Prev' })).toBeEnabled()
    await user.click(screen.getByRole('button', { name: 'Next' }))
    expect(await screen.findByText('Page 3 / 3')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled()
    await screen.findByText('row 120')
    expect(api.calls(tables.data).map(({ query }) => query)).toEqual([
      '?limit=50&offset=0',
      '?limit=50&offset=50',
      '?limit=50&offset=100',
    ])
  })

  test('[DB-9] a table without rows has one page, without Prev and Next', async () => {
    const { api, user } = await openTables()
    api.on(tables.data, { rows: [], total: 0 })
    await user.click(screen.getByRole('button', { name: 'trades' }))
    expect(await screen.findByText('Page 1 / 1')).toBeVisible()
    expect(screen.getByText('No rows in this table')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Prev' })).toBeDisabled()
    expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled()
  })

  test('[DB-11] another table starts at its first page', async () => {
    const { api, user } = await openTables('&table=trades&page=3')
    expect(await screen.findByText('Page 3 / 3')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'orders' }))
    expect(await screen.findByText('Page 1 / 3')).toBeVisible()
    expect(api.calls(tables.data).at(-1)).toMatchObject({
      path: '/api/db/1/tables/orders/data',
      query: '?limit=50&offset=0',
    })
  })

  test('[DB-12] an estimated total is marked, and a full page has a next one', async () => {
    const { api, user } = await openTables()
    api.on(tables.data, { rows: rowsFrom(0, 50), total: 50, total_is_estimate: true })
    await user.click(screen.getByRole('button', { name: 'trades' }))
    expect(await screen.findByText('Page 1 / ≈1')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Next' })).toBeEnabled()
  })

  test('the field above the rows says that it filters this page only', async () => {
    await openTables('&table=trades')
    await screen.findByText('row 2')
    expect(screen.getByLabelText('Filter rows of trades')).toHaveAttribute('placeholder', 'Filter this page')
  })

  test('the previous page stays until the next one has loaded', async () => {
    const { api, user } = await openTables('&table=trades')
    await screen.findByText('row 2')
    const { promise, resolve } = Promise.withResolvers<Response>()
    api.answer(tables.data, () => promise)
    await user.click(screen.getByRole('button', { name: 'Next' }))
    expect(await screen.findByText('Page 2 / 3')).toBeVisible()
    expect(screen.getByText('row 2')).toBeVisible()
    expect(screen.queryByText('Loading data...')).not.toBeInTheDocument()
    resolve(Response.json({ rows: rowsFrom(50, 50), total: TOTAL }))
    expect(await screen.findByText('row 52')).toBeVisible()
    expect(screen.queryByText('row 2')).not.toBeInTheDocument()
  })

  test('rows of one table are never shown for another', async () => {
    const { api, user } = await openTables('&table=trades')
    await screen.findByText('row 2')
    api.answer(tables.data, () => new Promise(() => {}))
    await user.click(screen.getByRole('button', { name: 'orders' }))
    expect(await screen.findByText('Loading data...')).toBeVisible()
    expect(screen.queryByText('row 2')).not.toBeInTheDocument()
  })

  test('a name with a slash reaches the server unchanged', async () => {
    const { api, user } = await openTables()
    await user.click(screen.getByRole('button', { name: 'a/b c' }))
    await screen.findByText('Page 1 / 3')
    expect(api.calls(tables.schema)[0]?.path).toBe('/api/db/1/tables/a%2Fb%20c/schema')
  })

  test('a value too long for its cell opens in a dialog', async () => {
    const { api, user } = await openTables()
    const long = `${'word '.repeat(40)}end`
    api.on(tables.data, { rows: [{ note: long }], total: 1 })
    await user.click(screen.getByRole('button', { name: 'trades' }))
    await user.click(await screen.findByRole('button', { name: /^word word/ }))
    expect(await screen.findByRole('dialog', { name: 'note' })).toHaveTextContent(/end$/)
  })

  test.each([
    [tables.schema, 'Failed to load table schema', 'The schema could not be read'],
    [tables.data, 'Failed to load table data', 'The rows could not be read'],
  ])(
    '[DB-13] a failed load of %o shows its own message and leaves the other part',
    async (call, message, words) => {
      const { api, user } = await openTables()
      api.fail(call)
      await user.click(screen.getByRole('button', { name: 'trades' }))
      await waitFor(() => expect(toastsOfType('error')).toEqual([message]))
      expect(await screen.findByText(words)).toBeVisible()
      expect(screen.getAllByRole('table')).toHaveLength(1)
    },
  )

  test('[DB-13] a failed load of the tables says so and shows no empty text', async () => {
    const api = createApi()
    api.fail(tables.list)
    renderConsole('/admin/db-management?connection=1')
    await waitFor(() => expect(toastsOfType('error')).toEqual(['Failed to load tables']))
    expect(screen.queryByText('No tables in this database')).not.toBeInTheDocument()
  })

  test('[CLIENT-7] bare arrays of table names and columns are accepted', async () => {
    const api = createApi()
    api.answer(tables.list, () => Response.json(['bare']))
    api.answer(tables.schema, () => Response.json([{ name: 'id', notnull: true, pk: 0 }]))
    renderConsole('/admin/db-management?connection=1&table=bare')
    expect(textOf(await screen.findByRole('table', { name: 'Schema' }))[1]).toEqual([
      '0',
      'id',
      '',
      'yes',
      'no',
    ])
  })
})

function createApi(): FakeApi {
  const api = createFakeApi()
  api.on(connections.list, { connections: [{ id: 1, name: 'Orders ledger', type: 'sqlite' }] })
  api.on(tables.list, { tables: ['trades', 'orders', 'a/b c'].map((name) => ({ name })) })
  api.on(tables.schema, {
    columns: [
      { cid: 0, name: 'id', type: 'INTEGER', notnull: 1, pk: 1 },
      { cid: 1, name: 'note', type: 'TEXT', notnull: 0, pk: 0 },
    ],
  })
  api.on(tables.data, ({ query }) => {
    const offset = Number(new URLSearchParams(query).get('offset'))
    return { rows: rowsFrom(offset, Math.min(50, TOTAL - offset)), total: TOTAL }
  })
  return api
}

async function openTables(place = '') {
  const api = createApi()
  const { user } = renderConsole(`/admin/db-management?connection=1${place}`)
  await screen.findByRole('button', { name: 'orders' })
  return { api, user }
}

function rowsFrom(offset: number, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const id = offset + index + 1
    return { id, note: id === 1 ? null : `row ${id}` }
  })
}

function textOf(table: HTMLElement): string[][] {
  return within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent ?? ''))
}
