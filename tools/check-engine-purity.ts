import ts from 'typescript'
import { conclude, type Findings } from './findings.ts'
import { ROOT } from './launch/project.mjs'
import { collect, parse } from './source/syntax.ts'
import { sourceFiles } from './source/tree.ts'

/** The engine's tsconfig excludes timers, files and the network, but not clock, random source, time zone and locale. */
export function checkEnginePurity(root: string, wrong = readEngine(root)): Findings {
  return { wrong, notes: [`${engineFiles(root).length} files without clock, chance or locale`] }
}

function readEngine(root: string): string[] {
  return engineFiles(root).flatMap((path) => impuritiesIn(parse(root, path)))
}

function engineFiles(root: string): string[] {
  return sourceFiles(root).filter(isOfEngine)
}

function isOfEngine(path: string): boolean {
  return path.startsWith('packages/engine/')
}

/** None in the files of other packages. */
export function impuritiesIn(file: ts.SourceFile): string[] {
  if (!isOfEngine(file.fileName)) return []
  return collect(file, clockOrChance).map(
    ({ found, line }) =>
      `${file.fileName}:${line} uses ${found}; the engine takes time and chance as inputs and knows no locale.`,
  )
}

/** Globals that read a clock, a random source, a time zone or a locale, and those that lead to them. */
const BANNED_GLOBALS = new Set(['globalThis', 'Intl', 'Temporal', 'performance', 'crypto', 'Reflect', 'eval'])
/** What may be used of the globals that have both. */
const ALLOWED_OF_DATE = new Set(['UTC', 'parse', 'prototype'])
const BANNED_OF_MATH = new Set(['random'])
/** Methods that depend on the time zone or the locale of the machine. */
const LOCAL_METHOD =
  /^(toLocale\w*|localeCompare|toDateString|toTimeString|[gs]et(Date|Day|Hours|Minutes|Seconds|Milliseconds|Month|FullYear|Year)|getTimezoneOffset)$/

function clockOrChance(node: ts.Node): string | undefined {
  const member = memberName(node)
  if (member !== undefined && LOCAL_METHOD.test(member)) return member
  if (!ts.isIdentifier(node) || !isReference(node)) return undefined
  if (BANNED_GLOBALS.has(node.text)) return node.text
  if (node.text === 'Date') return useOfDate(node)
  return node.text === 'Math' ? useOfMath(node) : undefined
}

/** The name of a member that is read, called or taken out of an object. */
function memberName(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
    return node.argumentExpression.text
  }
  if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return undefined
  const name = node.propertyName ?? node.name
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : undefined
}

/** Whether an identifier is a value, not a type, a declaration or the name of a member. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node
  if (ts.isBindingElement(parent) || ts.isVariableDeclaration(parent)) return parent.initializer === node
  return !ts.isTypeNode(parent) && !ts.isTypeElement(parent) && !ts.isPropertyDeclaration(parent)
}

/** A date is made of one instant, or of its parts in UTC. */
function useOfDate(node: ts.Identifier): string | undefined {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) {
    return ALLOWED_OF_DATE.has(parent.name.text) ? undefined : parent.getText()
  }
  if (ts.isNewExpression(parent) && parent.expression === node) {
    return parent.arguments?.length === 1 ? undefined : parent.getText()
  }
  return ts.isCallExpression(parent) && parent.expression === node ? 'Date()' : parent.getText()
}

function useOfMath(node: ts.Identifier): string | undefined {
  const { parent } = node
  const isAllowed = ts.isPropertyAccessExpression(parent) && !BANNED_OF_MATH.has(parent.name.text)
  return isAllowed ? undefined : parent.getText()
}

if (import.meta.main) conclude('engine', checkEnginePurity(ROOT))
