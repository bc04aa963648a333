import type { FastifyInstance } from 'fastify'
import { describe, expect, test } from 'vitest'
import { parseConfig } from '#config/config.ts'
import { startServer } from '#server.ts'
import { serverAuditContext } from '#storage/audit/audit-context.ts'
import { newAdminApp } from '#testkit/admin-app.ts'
import { runningServer, testEnvironment } from '#testkit/running-server.ts'

const URL = '/api/admin/tasks'
const NIGHTLY = {
  name: 'Nightly',
  kind: 'history.clean',
  schedule: '30 6 * * 1-5',
  time_zone: 'Europe/Stockholm',
}

test('a task is added, listed, changed and deleted, each with its audit record', async () => {
  const { app } = await appWithoutTasks()
  const added = await send(app, 'POST', '', NIGHTLY)
  const task = { id: 2, ...NIGHTLY, is_enabled: 1, is_running: false, last_run_at: null }
  const next_run_at = expect.stringMatching(/T0[45]:30:00\.000Z$/)
  expect([added.statusCode, added.json()]).toEqual([201, { ...task, next_run_at }])
  expect((await app.inject(URL)).json()).toEqual({ tasks: [added.json()] })
  const changed = await send(app, 'PUT', '/2', { is_enabled: 0 })
  expect(changed.json()).toEqual({ ...task, is_enabled: 0, next_run_at: null })
  expect((await send(app, 'DELETE', '/2')).json()).toEqual({ message: "Task 'Nightly' deleted" })
  expect((await app.inject(URL)).json()).toEqual({ tasks: [] })
  const { logs } = (await app.inject('/api/admin/audit-logs?entity=task')).json()
  expect(logs.map(({ action, target }: Record<string, string>) => [action, target])).toEqual([
    ['tasks.remove', '2'],
    ['tasks.update', '2'],
    ['tasks.add', '2'],
    ['test', '1'],
  ])
})

describe('[CALL-4] a task is refused', () => {
  test.each([
    [{ schedule: '61 * * * *' }, 'body.schedule', /^must be a cron expression of five fields/],
    [{ schedule: '0 0 31 2 *' }, 'body.schedule', /^is never due$/],
    [{ time_zone: 'Mars/Olympus' }, 'body.time_zone', /^must be a time zone such as UTC/],
    [{ kind: 'rm -rf' }, 'body.kind', /./],
    [{ name: '' }, 'body.name', /./],
    [{ extra: 1 }, 'body.extra', /^is not a known field$/],
  ])('with %j, naming the field, on add and on update', async (wrong, field, message) => {
    const { app } = await appWithoutTasks()
    await send(app, 'POST', '', { ...NIGHTLY, name: 'First' })
    const fault = { field, message: expect.stringMatching(message) }
    const added = await send(app, 'POST', '', { ...NIGHTLY, ...wrong })
    expect(added.json()).toMatchObject({ status: 422, code: 'request.invalid', errors: [fault] })
    const changed = await send(app, 'PUT', '/2', wrong)
    expect(changed.json()).toMatchObject({ status: 422, code: 'request.invalid' })
    expect(changed.json().errors[0]).toEqual(fault)
    expect((await app.inject(URL)).json().tasks).toMatchObject([{ ...NIGHTLY, name: 'First' }])
  })

  test('under a name that is taken', async () => {
    const { app } = await appWithoutTasks()
    await send(app, 'POST', '', NIGHTLY)
    const reply = await send(app, 'POST', '', { ...NIGHTLY, name: 'NIGHTLY' })
    expect(reply.json()).toMatchObject({ code: 'thing.exists', errors: [{ field: 'body.name' }] })
  })
})

test('a manual run answers with its outcome, which is in the history too', async () => {
  const { app } = await appWithoutTasks()
  await send(app, 'POST', '', NIGHTLY)
  const run = (await send(app, 'POST', '/2/run')).json()
  expect(run).toMatchObject({
    id: 1,
    task_id: 2,
    state: 'done',
    scheduled_for: null,
    asked_by: 'local',
    job: 1,
    message: '0 jobs and 0 task runs older than 90 days deleted.',
    result: { jobs: 0, runs: 0 },
  })
  expect(run.duration_ms).toBe(Date.parse(run.ended_at) - Date.parse(run.started_at))
  expect((await app.inject(`${URL}/2/history`)).json()).toEqual({ runs: [run] })
  expect((await app.inject(URL)).json().tasks[0]).toMatchObject({ last_run_at: run.started_at })
  expect((await app.inject('/api/admin/jobs/1')).json()).toMatchObject({
    kind: 'task.history.clean',
    title: 'Nightly',
    state: 'done',
  })
})

test.each(['/9', '/9/run', '/9/history'])('%s answers 404', async (path) => {
  const { app } = await appWithoutTasks()
  const method = path === '/9' ? 'DELETE' : path.endsWith('run') ? 'POST' : 'GET'
  expect((await send(app, method, path)).json()).toMatchObject({
    code: 'thing.unknown',
    detail: "There is no task '9'. GET /api/admin/tasks lists them.",
  })
})

test('scheduled tasks do not delay close and continue after a restart', async () => {
  const env = testEnvironment()
  const first = await startServer(parseConfig(env))
  const url = `http://localhost:${first.ports.admin}${URL}`
  const headers = { 'content-type': 'application/json' }
  await fetch(url, { method: 'POST', headers, body: JSON.stringify({ ...NIGHTLY, kind: 'health.report' }) })
  const run = await (await fetch(`${url}/2/run`, { method: 'POST' })).json()
  expect(run).toMatchObject({ state: 'done', message: '3 of 3 services are healthy.' })
  await first.close(0)
  const second = await runningServer(env)
  const listed = await fetch(`http://localhost:${second.ports.admin}${URL}`)
  expect(await listed.json()).toMatchObject({
    tasks: [{ name: 'Check of own stores' }, { name: 'Nightly', next_run_at: expect.any(String) }],
  })
})

/** The task that a new store has would be in every list. */
async function appWithoutTasks() {
  const admin = await newAdminApp()
  await admin.store.tasks.remove(serverAuditContext('test'), 1)
  return admin
}

function send(
  app: FastifyInstance,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  payload?: object,
) {
  return app.inject({ method, url: `${URL}${path}`, ...(payload && { payload }) })
}
