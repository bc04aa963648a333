import { expect, test } from '#fixtures.ts'

test('the backend knows the specified calls and answers a plain 404 to every other', async ({ request }) => {
  const orders = await request.get('/api/orders')
  expect(await orders.json()).toMatchObject({
    orders: [{ id: 'O-1', status: 'PENDING' }, {}, {}, {}, {}, {}],
  })
  const capabilities = await request.get('/api/capabilities')
  expect(capabilities.status()).toBe(404)
  expect(capabilities.headers()['content-type']).toBe('text/plain')
})

test('the backend shows a change in the next list', async ({ request, backend }) => {
  await request.delete('/api/orders/O-1')
  await request.put('/api/admin/settings/session%2Ftimeout?value=a%26b')
  const { orders } = await (await request.get('/api/orders')).json()
  expect(orders[0].status).toBe('CANCELLED')
  expect(backend.state.settings.find(({ key }) => key === 'session/timeout')?.value).toBe('a&b')
})

test('the backend pages 120 rows by 50', async ({ request }) => {
  const page = await (await request.get('/api/db/1/tables/trades/data?limit=50&offset=100')).json()
  expect(page.total).toBe(120)
  expect(page.rows).toHaveLength(20)
})

test('the backend fails, drops, replies and recovers as the test sets it, and records the calls', async ({
  request,
  backend,
}) => {
  backend.fail('GET /api/orders', { status: 503, times: 1 })
  expect((await request.get('/api/orders')).status()).toBe(503)
  backend.drop('GET /api/orders')
  await expect(request.get('/api/orders')).rejects.toThrow()
  backend.reply('DELETE /api/orders/:id', { status: 204 })
  expect((await request.delete('/api/orders/7')).status()).toBe(204)
  backend.recover()
  expect((await request.get('/api/orders')).status()).toBe(200)
  await request.post('/api/orders', { data: { instrument: 'BTCUSDT' } })
  expect((await backend.called('POST /api/orders')).body).toEqual({ instrument: 'BTCUSDT' })
  expect(backend.count('DELETE /api/orders/7')).toBe(1)
})

test('the backend holds an answer until it is released', async ({ request, backend }) => {
  const release = backend.hold('GET /api/positions')
  const reply = request.get('/api/positions')
  expect((await backend.called('GET /api/positions')).status).toBeUndefined()
  release()
  expect((await reply).status()).toBe(200)
})

test.describe('with hostile strings', () => {
  test.use({ seed: 'hostile' })

  test('every string of an order, a table and a row looks like markup', async ({ request }) => {
    const { orders } = await (await request.get('/api/orders')).json()
    for (const field of ['id', 'instrument', 'side', 'type', 'status'])
      expect(orders[0][field]).toContain('__xss')
    const { tables } = await (await request.get('/api/db/1/tables')).json()
    const path = `/api/db/1/tables/${encodeURIComponent(tables[0].name)}/data?limit=50&offset=0`
    const { rows } = await (await request.get(path)).json()
    expect(Object.keys(rows[0])[0]).toContain('__xss')
  })
})
