import ts from 'typescript'
import { conclude, type Findings } from './findings.ts'
import { ROOT } from './launch/project.mjs'
import { collect, parse } from './source/syntax.ts'
import { sourceFiles } from './source/tree.ts'

/** The engine's tsconfig excludes timers, files and the network, but not Date.now and Math.random. */
export function checkEnginePurity(root: string, wrong = readEngine(root)): Findings {
  return { wrong, notes: [`${engineFiles(root).length} files without clock or chance`] }
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
      `${file.fileName}:${line} uses ${found}; the engine takes time and chance as inputs.`,
  )
}

const BANNED_MEMBERS = new Set(['Date.now', 'Math.random', 'Temporal.Now'])

function clockOrChance(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node) && BANNED_MEMBERS.has(node.getText())) return node.getText()
  if (ts.isElementAccessExpression(node) && isNamed(node.expression, 'Date', 'Math')) return node.getText()
  if (ts.isCallExpression(node) && isNamed(node.expression, 'Date')) return 'Date()'
  const isNow = ts.isNewExpression(node) && isNamed(node.expression, 'Date') && !node.arguments?.length
  return isNow ? 'new Date()' : undefined
}

function isNamed(node: ts.Expression, ...names: string[]): boolean {
  return ts.isIdentifier(node) && names.includes(node.text)
}

if (import.meta.main) conclude('engine', checkEnginePurity(ROOT))
