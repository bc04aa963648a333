import { adapters as calls } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import { answerInTime } from '#services/jobs/answer-in-time.ts'
import type { Adapters } from '#trading/adapters/adapters.ts'

export function addAdapterRoutes(app: FastifyInstance, adapters: Adapters): void {
  mount(app, calls.list, async () => ({ adapters: await adapters.list() }))
  mount(app, calls.connect, ({ params }, { audit }) => adapters.switch(audit, params.adapter_id, true))
  mount(app, calls.disconnect, ({ params }, { audit }) => adapters.switch(audit, params.adapter_id, false))
  mount(app, calls.test, async ({ params }, { audit }) => {
    const started = await adapters.test(audit, params.adapter_id)
    return started instanceof Refused ? started : answerInTime(started, (test) => test)
  })
  mount(app, calls.configure, ({ params, body }, { audit }) =>
    adapters.configure(audit, params.adapter_id, body),
  )
  mount(app, calls.connectAll, async (_, { audit }) =>
    answerInTime(await adapters.switchAll(audit, true), (report) => report),
  )
  mount(app, calls.disconnectAll, async (_, { audit }) =>
    answerInTime(await adapters.switchAll(audit, false), (report) => report),
  )
  mount(app, calls.testAll, async (_, { audit }) =>
    answerInTime(await adapters.testAll(audit), (report) => report),
  )
}
