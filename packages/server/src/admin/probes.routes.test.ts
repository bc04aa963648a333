import { expect, test } from 'vitest'
import { newAdminApp } from '#testkit/admin-app.ts'
import { runningServer } from '#testkit/running-server.ts'
import { openTarget } from '#testkit/target.ts'

test('[API-11] the server probes its own three services and finds them healthy', async () => {
  const { ports } = await runningServer()
  const reply = await fetch(`http://localhost:${ports.admin}/api/admin/endpoints/health`)
  const time = expect.any(Number)
  const healthy = { status: 'healthy', response_time: time, error: null, is_pending: false, uptime: 1 }
  expect(await reply.json()).toEqual({
    health: [1, 2, 3].map((endpoint) => ({ endpoint, ...healthy, history: expect.any(Array) })),
  })
})

test('[API-8] [API-9] a service is healthy by its status alone, otherwise the reason is given', async () => {
  const ours = await openTarget()
  const well = await openTarget((response) => response.writeHead(204).end())
  const ill = await openTarget((response) => response.writeHead(500).end())
  const moved = await openTarget((response) => response.writeHead(302, { location: ours.url }).end())
  const { app } = await newAdminApp(undefined, { urlOf: () => ours.url })
  const urls = [`${well.url}/base/`, ill.url, moved.url, 'http://169.254.169.254', 'http://10.0.0.1:9000']
  for (const [nth, url] of urls.entries()) {
    await app.inject({
      method: 'POST',
      url: '/api/admin/endpoints',
      payload: { name: `service ${nth}`, url },
    })
  }
  const { health } = (await app.inject('/api/admin/endpoints/health')).json()
  expect(
    health.slice(3).map((one: Record<string, unknown>) => [one.endpoint, one.status, one.error]),
  ).toEqual([
    [4, 'healthy', null],
    [5, 'unhealthy', 'HTTP 500'],
    [6, 'unhealthy', 'HTTP 302'],
    [
      7,
      'unhealthy',
      '169.254.169.254 is a link-local, metadata or special address. Such addresses are never called.',
    ],
    [8, 'unhealthy', '10.0.0.1 is not an allowed host. Add it to BINNACLE_OUTBOUND_HOSTS to call it.'],
  ])
  expect(well.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /base/api/health'])
  expect(ours.seen).toHaveLength(3)
})

test('concurrent requests share one round of probes', async () => {
  const ours = await openTarget()
  const { app } = await newAdminApp(undefined, { urlOf: () => ours.url })
  const ask = () => app.inject('/api/admin/endpoints/health')
  const [first, second] = await Promise.all([ask(), ask()])
  expect(first.json()).toEqual(second.json())
  expect(ours.seen).toHaveLength(3)
})
