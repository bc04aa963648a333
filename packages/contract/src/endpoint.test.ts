import { expect, test } from 'vitest'
import { tradingEndpoint } from './endpoint.ts'
import { Done } from './shared.ts'

test('a call is specified, answers 200 and can be switched off unless it says otherwise', () => {
  const plain = tradingEndpoint('GET /api/things', { summary: 'Things', role: 'viewer', reply: Done })
  expect(plain).toMatchObject({
    method: 'GET',
    path: '/api/things',
    origin: 'specified',
    status: 200,
    alwaysOn: false,
  })
  const particular = tradingEndpoint('DELETE /api/things/:id', {
    summary: 'Remove a thing',
    role: 'admin',
    origin: 'documented',
    status: 202,
    alwaysOn: true,
    reply: Done,
  })
  expect(particular).toMatchObject({
    method: 'DELETE',
    path: '/api/things/:id',
    origin: 'documented',
    status: 202,
    alwaysOn: true,
  })
})
