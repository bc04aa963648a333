import { strategyModules } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import type { StrategyModules } from '#trading/backtests/strategy-modules.ts'

/** EDIT-1 to EDIT-4 */
export function addStrategyModuleRoutes(app: FastifyInstance, modules: StrategyModules): void {
  const { template, types } = modules
  mount(app, strategyModules.list, async () => ({ modules: await modules.list(), template, types }))
  mount(app, strategyModules.get, ({ params }) => modules.find(params.name))
  mount(app, strategyModules.version, async ({ params }) => {
    const source = await modules.version(params.name, Number(params.version))
    return source instanceof Refused ? source : { source }
  })
  mount(app, strategyModules.save, ({ params, body }, { audit }) => modules.save(audit, params.name, body))
  mount(app, strategyModules.check, async ({ params, body }, { signal }) => ({
    error: await modules.check(params.name, body.source, signal),
  }))
}
