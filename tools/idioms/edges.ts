import ts from 'typescript'
import { collect, type Remark } from '../source/syntax.ts'

/** Style B.8: failures are caught where the world meets the program, and nowhere between. */
const EDGES = [
  // What lies beside main.ts is the process: it starts, listens and ends.
  /^packages\/server\/src\/[^/]+\.ts$/,
  /^packages\/server\/src\/(http|storage|runtime)\//,
  /^packages\/server\/src\/database\/drivers\//,
  // Backups meet files, programs and stores, and clean up after every failure.
  /^packages\/server\/src\/backups\//,
  // Where a request meets the desk, whose thread may die meanwhile.
  /^packages\/server\/src\/trading\/ask-desk\.ts$/,
  // A strategy's own failure, which ends that strategy and nothing else.
  /^packages\/engine\/src\/strategies\/attempt\.ts$/,
  // The desk's loop, which halts on a bug or a full disk, and the reading of what a store kept.
  /^packages\/engine\/src\/(native-desk\.ts$|journal\/)/,
  /^packages\/web\/src\/(app|data|state)\//,
  /^packages\/web\/src\/ports\/live\//,
  /^(e2e|bench|tools)\//,
]

export function catchOnlyAtEdges(file: ts.SourceFile): Remark[] {
  if (EDGES.some((edge) => edge.test(file.fileName))) return []
  return collect(file, (node) =>
    isCatch(node) ? 'catches a failure, which is done at the edges only (tools/idioms/edges.ts).' : undefined,
  )
}

function isCatch(node: ts.Node): boolean {
  if (ts.isCatchClause(node)) return true
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false
  // A schema's catch takes a default; a promise's takes what to do.
  return node.expression.name.text === 'catch' && node.arguments.some(isFunction)
}

function isFunction(argument: ts.Expression): boolean {
  if (ts.isIdentifier(argument)) return argument.text !== 'undefined'
  return ts.isArrowFunction(argument) || ts.isFunctionExpression(argument)
}
