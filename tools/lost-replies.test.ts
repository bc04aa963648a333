import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { allCalls } from '@binnacle/contract'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')

/** Calls that read, but are sent because a button was pressed. */
const READS_ON_DEMAND = ['tables.export', 'nautilusMaintenance.redisStats']
/** Calls that change nothing: a body because of its size, or long work that nothing stores. */
const READS_WITH_BODY = ['dataSets.preview', 'alerts.testRule', 'sweeps.lookAhead', 'strategyModules.check']

test('[CLIENT-22] the journey of lost replies has every command that the console sends', () => {
  const journey = filesOf('e2e/lost-replies/*.ts').join('\n')
  const commands = callsOfTheSite().filter(
    ({ id, endpoint }) =>
      (endpoint.method !== 'GET' && !READS_WITH_BODY.includes(id)) || READS_ON_DEMAND.includes(id),
  )
  expect(commands.length).toBeGreaterThan(35)
  const missing = commands.filter(
    ({ endpoint: { method, path } }) => !journey.includes(`'${method} ${path}'`),
  )
  expect(missing.map(({ id }) => id)).toEqual([])
})

/** `call(orders.place, …)`, `download(tables.export, …)`, or any call of a group: `call(components[action], …)`. */
function callsOfTheSite() {
  const commands = filesOf('packages/web/src/data/**/*.ts').filter((text) => text.includes('useCommand('))
  const site = [...commands, ...filesOf('packages/web/src/ports/**/*.ts')].join('\n')
  const named = [...site.matchAll(/\b(?:call|download|sendRequest)\(\s*(\w+)(?:\.(\w+)|\[)/g)]
  return allCalls().filter(({ id }) =>
    named.some(([, group, name]) =>
      name === undefined ? id.startsWith(`${group}.`) : id === `${group}.${name}`,
    ),
  )
}

function filesOf(pattern: string): string[] {
  const paths = globSync(pattern, { cwd: ROOT }).filter((path) => !path.endsWith('.test.ts'))
  return paths.map((path) => readFileSync(resolve(ROOT, path), 'utf8'))
}
