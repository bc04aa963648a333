import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { BUILT_IN_KINDS, type Parameter, type StrategyKind } from '@binnacle/engine'
import { ROOT, Stop } from '../launch/project.mjs'
import { endWithSentence } from '../launch/sentence.mjs'

/** The documentation of the strategies, printed from what each kind says of itself: one truth, two readers. */
export function printStrategies(): string {
  return `${[INTRODUCTION, ...BUILT_IN_KINDS.map(sectionOf)].join('\n\n')}\n`
}

const INTRODUCTION = `## Strategies

Each kind below trades by itself once it is started, through the same risk checks as an order by hand. Stopping one cancels its working orders and leaves what it holds; one that holds something cannot be deleted before its positions are closed. A strategy that fails is stopped and marked \`error\` with the reason. An order that risk denies is not repeated at once: the strategy waits half a minute, and longer after each further denial. Other settings are checked at once and take effect at the next bar; a setting that is left out takes its default.

After a start it first hears as many bars as it needs: from the catalog for bars of a minute and longer, else from the market, and its card says so. After a restart of the server what ran runs again, with what it heard lately.

| figure | meaning |
|---|---|
| P&L | realised and unrealised gains of its positions, less fees, with funding |
| Trades | round trips: positions that it opened and closed again, a turn from long to short included |
| Win Rate | the share of those that earned more than their fees; — before the first |

A value in hundredths of a percent is called bps: 1 bps of 60,000 is 6.`

function sectionOf(kind: StrategyKind): string {
  return `### ${kind.title} (\`${kind.type}\`)

${kind.about}

- **Earns when:** ${lowered(kind.earnsWhen)}
- **Loses when:** ${lowered(kind.losesWhen)}

| setting | meaning | from | to | default |
|---|---|---|---|---|
${kind.parameters.map(rowOf).join('\n')}`
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}

function rowOf(parameter: Parameter): string {
  const [from, to] = boundsOf(parameter)
  const given = Array.isArray(parameter.default) ? parameter.default.join(', ') : String(parameter.default)
  return `| \`${parameter.name}\` | ${parameter.sentence} | ${from} | ${to} | ${given} |`
}

function boundsOf(parameter: Parameter): readonly [string, string] {
  if (parameter.kind === 'interval') return ['1s', '1d']
  if (parameter.kind === 'instruments') return [`${parameter.min} instruments`, `${parameter.max}`]
  return 'min' in parameter ? [String(parameter.min), parameter.max.toLocaleString('en')] : ['', '']
}

const STALE =
  'docs/guide/strategies.md does not match the strategies: run node tools/guide/print-strategies.ts and commit the file.'

if (import.meta.main) {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
  const file = join(ROOT, 'docs/guide/strategies.md')
  await endWithSentence(async () => {
    if (!values.check) return writeFileSync(file, printStrategies())
    if (readFileSync(file, 'utf8') !== printStrategies()) throw new Stop(STALE)
  })
}
