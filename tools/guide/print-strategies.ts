import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { BUILT_IN_KINDS, type Parameter, type StrategyKind } from '@binnacle/engine'
import { ROOT, Stop } from '../launch/project.mjs'
import { endWithSentence } from '../launch/sentence.mjs'

/** The guide to the strategies, generated from the descriptions of the kinds. */
export function printStrategies(): string {
  return `${[INTRODUCTION, ...BUILT_IN_KINDS.map(sectionOf)].join('\n\n')}\n`
}

const INTRODUCTION = `## Strategy types

Each type below trades by itself once it is started, through the same risk checks as a manual order. Stopping a strategy cancels its working orders and leaves its position; a strategy with an open position cannot be deleted before that is closed. A strategy that fails is stopped and marked \`error\` with the reason. An order that risk denies is not repeated at once: the strategy waits half a minute, and longer after each further denial; its card says what denies its orders and when it tries again. Changed settings are checked at once and apply from the next bar; a setting that is left out has its default.

After a start a strategy first warms up with as many bars as it options: from the catalog for bars of a minute and longer, otherwise from the market, and its card says so. Running strategies resume after a restart with their recent bars.

| figure | meaning |
|---|---|
| P&L | realised and unrealised P&L of its positions, less fees, with funding |
| Trades | round trips: positions that were opened and closed again; a reversal from long to short counts as one |
| Win Rate | share of the round trips that earned more than their fees; — before the first |

1 basis point (bps) is a hundredth of a percent: 1 bps of 60,000 is 6.`

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
  return `| \`${parameter.name}\` | ${parameter.description} | ${from} | ${to} | ${given} |`
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
