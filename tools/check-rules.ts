import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { checkFalling, readBudgets } from './budgets.ts'
import { conclude, type Findings } from './findings.ts'
import { ROOT } from './launch/project.mjs'
import { collect, parse } from './source/syntax.ts'
import { isTest, sourceFiles } from './source/tree.ts'

interface Citation {
  rule: string
  place: string
}

interface Rule {
  id: string
  text: string
}

export interface RuleFindings extends Findings {
  untested: Rule[]
}

/** Checks that tests cite known rules only, and that no more rules lack a test than recorded. */
export function checkRules(root: string): RuleFindings {
  const rules = readRules(root)
  const ids = rules.map(({ id }) => id)
  const citations = readCitations(root)
  const cited = new Set(citations.map(({ rule }) => rule))
  const untested = rules.filter(({ id }) => !cited.has(id))
  const { rulesWithoutTest } = readBudgets(root)
  return {
    wrong: [
      ...(rules.length === 0 ? ['docs/rules.md holds no rule.'] : []),
      ...ids
        .filter((id, index) => ids.indexOf(id) !== index)
        .map((id) => `docs/rules.md numbers ${id} twice.`),
      ...citations
        .filter(({ rule }) => !ids.includes(rule))
        .map(({ rule, place }) => `${place} cites ${rule}, which docs/rules.md does not have.`),
      ...checkFalling('rulesWithoutTest', 'rules lack a test', untested.length, rulesWithoutTest),
    ],
    notes: [`${rules.length} rules, ${rules.length - untested.length} of them cited by tests`],
    untested,
  }
}

/** The rules of docs/rules.md, in its order. */
export function readRules(root: string): Rule[] {
  const text = readFileSync(join(root, 'docs', 'rules.md'), 'utf8')
  return [...text.matchAll(/^- \*\*([A-Z]+-\d+)\*\* (.*)$/gm)].map(([, id = '', rest = '']) => ({
    id,
    text: rest,
  }))
}

function readCitations(root: string): Citation[] {
  return [...readTitles(root), ...readDocstrings(root)]
}

/** The rules at the start of the docstrings of Python tests. */
function readDocstrings(root: string): Citation[] {
  return globSync('packages/*/python/tests/test_*.py', { cwd: root }).flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    const docstrings = text.matchAll(/def test_\w+\(self\)[^\n]*:\n +"""((?:\[[A-Z]+-\d+\] ?)+)/g)
    return [...docstrings].flatMap(({ 1: brackets = '', index }) => {
      const place = `${path}:${text.slice(0, index).split('\n').length}`
      return (brackets.match(/[A-Z]+-\d+/g) ?? []).map((rule) => ({ rule, place }))
    })
  })
}

/** The rules at the start of test titles, those in tables of cases included. */
function readTitles(root: string): Citation[] {
  const files = sourceFiles(root).filter((path) => isTest(path) || path.includes('/testkit/'))
  return files.flatMap((path) =>
    collect(parse(root, path), titleWithRules).flatMap(({ found, line }) =>
      found.split(' ').map((rule) => ({ rule, place: `${path}:${line}` })),
    ),
  )
}

function titleWithRules(node: ts.Node): string | undefined {
  const text = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) ? node.text : ''
  const brackets = text.match(/^(\[[A-Z]+-\d+(, ?[A-Z]+-\d+)*\] ?)+/)?.[0]
  if (brackets === undefined || isLeftOut(node)) return undefined
  return brackets.match(/[A-Z]+-\d+/g)?.join(' ')
}

/** Skipped tests and groups do not count, nor do journeys that only the full tier plays (e2e/tier.ts). */
function isLeftOut(node: ts.Node): boolean {
  return ts.findAncestor(node, isSkippedCall) !== undefined
}

function isSkippedCall(node: ts.Node): boolean {
  if (!ts.isCallExpression(node)) return false
  const isEdge = node.arguments.some((argument) => argument.getText() === 'EDGE')
  return isEdge || /^\w+(\.\w+)*\.(skip|todo|fixme)\b/.test(node.expression.getText())
}

if (import.meta.main) {
  const findings = checkRules(ROOT)
  if (process.argv.includes('--list'))
    for (const { id, text } of findings.untested) console.log(`${id}  ${text}`)
  conclude('rules', findings)
}
