import { basename, dirname, resolve } from 'node:path'
import ts from 'typescript'
import { readImports } from './check-dependencies.ts'
import { ROOT } from './launch/project.mjs'
import { type FolderImport, folderImports, mutualImports } from './source/folder-imports.ts'
import { descendants, parse } from './source/syntax.ts'
import { isTest, sourceFiles } from './source/tree.ts'

/** Sizes above which a unit deserves a second look (style 5). Guidance: nothing fails on them. */
const LOOK_AGAIN = {
  sourceLines: 400,
  componentLines: 250,
  functionLines: 80,
  branches: 15,
  parameters: 4,
  filesInFolder: 25,
  folderDepth: 4,
}
const SMALL_FILE_LINES = 25
const MAX_LISTED = 10

export interface FileSize {
  path: string
  lines: number
}

export interface FunctionSize {
  name: string
  at: string
  lines: number
  branches: number
  parameters: number
}

export interface Measurements {
  files: FileSize[]
  functions: FunctionSize[]
  catches: number
  folderImports: FolderImport[]
}

export async function measure(root: string): Promise<Measurements> {
  const sources = sourceFiles(root).map((path) => parse(root, path))
  const nodes = sources.flatMap((source) => descendants(source).map((node) => ({ source, node })))
  return {
    files: sources.map(({ fileName, text }) => ({ path: fileName, lines: countLines(text) })),
    functions: nodes.flatMap(({ source, node }) => measureFunction(source, node)),
    catches: nodes.filter(({ node }) => ts.isCatchClause(node)).length,
    folderImports: folderImports((await readImports(root)).modules),
  }
}

/** The statistics as text: totals first, then the units above the sizes of style 5. */
export function describe(measurements: Measurements): string {
  const { files, functions, catches } = measurements
  const product = files.filter(({ path }) => !isTest(path) && path.startsWith('packages/'))
  const mutual = mutualImports(measurements.folderImports)
  return [
    `all files:            ${describeFiles(files)}`,
    `product (packages):   ${describeFiles(product)}`,
    `tests:                ${describeFiles(files.filter(({ path }) => isTest(path)))}`,
    `folder depth:         ${describeDepth(product)}`,
    `loose server files:   ${looseServerFiles(product).length}`,
    `catch clauses:        ${catches}`,
    `mutual folder imports: ${mutual.length}`,
    ...section('Folders that import one another', mutual),
    ...section('Largest files', largestFiles(files)),
    ...section(
      `Folders over ${LOOK_AGAIN.filesInFolder} files (tests not counted)`,
      crowdedFolders(files).map(({ folder, count }) => `${folder}: ${count} files`),
    ),
    ...section(
      `Folders ${LOOK_AGAIN.folderDepth} or more levels below src`,
      [...new Set(product.map(({ path }) => dirname(path)))].filter(
        (folder) => depthBelowSource(`${folder}/x`) >= LOOK_AGAIN.folderDepth,
      ),
    ),
    ...section(
      `Functions over ${LOOK_AGAIN.functionLines} lines (tests not counted)`,
      over(functions, 'lines', LOOK_AGAIN.functionLines),
    ),
    ...section(
      `Functions over ${LOOK_AGAIN.branches} branches`,
      over(functions, 'branches', LOOK_AGAIN.branches),
    ),
    ...section(
      `Functions over ${LOOK_AGAIN.parameters} parameters`,
      over(functions, 'parameters', LOOK_AGAIN.parameters),
    ),
  ].join('\n')
}

function describeFiles(files: FileSize[]): string {
  const sorted = files.map(({ lines }) => lines).sort((a, b) => a - b)
  const percentile = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  const small = sorted.filter((lines) => lines < SMALL_FILE_LINES).length
  const smallPercent = sorted.length === 0 ? 0 : Math.round((100 * small) / sorted.length)
  return (
    `${files.length} files, median ${percentile(0.5)} lines, p95 ${percentile(0.95)}, ` +
    `${smallPercent} % under ${SMALL_FILE_LINES} lines`
  )
}

function describeDepth(files: FileSize[]): string {
  const depths = files.map(({ path }) => depthBelowSource(path))
  const counts = Map.groupBy(depths, (depth) => depth)
  const levels = [...counts].sort(([a], [b]) => a - b).map(([depth, all]) => `${depth}: ${all.length}`)
  return `${Math.max(0, ...depths)} levels at most (files per level: ${levels.join(', ')})`
}

function depthBelowSource(path: string): number {
  const [, below = ''] = path.split('/src/')
  return below.split('/').length - 1
}

function looseServerFiles(files: FileSize[]): FileSize[] {
  return files.filter(({ path }) => dirname(path) === 'packages/server/src')
}

function largestFiles(files: FileSize[]): string[] {
  return files
    .filter(({ path }) => !isTest(path))
    .toSorted((a, b) => b.lines - a.lines)
    .slice(0, MAX_LISTED)
    .map(({ path, lines }) => {
      const limit = path.endsWith('.tsx') ? LOOK_AGAIN.componentLines : LOOK_AGAIN.sourceLines
      return `${path}: ${lines} lines${lines > limit ? ` (over ${limit})` : ''}`
    })
}

function crowdedFolders(files: FileSize[]): { folder: string; count: number }[] {
  const sources = files.filter(({ path }) => !isTest(path))
  return [...Map.groupBy(sources, ({ path }) => dirname(path))]
    .map(([folder, members]) => ({ folder, count: members.length }))
    .filter(({ count }) => count > LOOK_AGAIN.filesInFolder)
}

function over(functions: FunctionSize[], size: 'lines' | 'branches' | 'parameters', limit: number): string[] {
  return functions
    .filter((one) => one[size] > limit && !(size === 'lines' && isTest(one.at.replace(/:\d+$/, ''))))
    .toSorted((a, b) => b[size] - a[size])
    .map((one) => `${one.at} ${one.name}: ${one[size]} ${size}`)
}

function section(title: string, lines: string[]): string[] {
  if (lines.length === 0) return ['', `${title}: none`]
  const more = lines.length > MAX_LISTED ? [`  … and ${lines.length - MAX_LISTED} more`] : []
  return ['', `${title}:`, ...lines.slice(0, MAX_LISTED).map((line) => `  ${line}`), ...more]
}

function measureFunction(source: ts.SourceFile, node: ts.Node): FunctionSize[] {
  if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return []
  const first = source.getLineAndCharacterOfPosition(node.getStart(source)).line
  const last = source.getLineAndCharacterOfPosition(node.getEnd()).line
  return [
    {
      name: nameOf(node),
      at: `${source.fileName}:${first + 1}`,
      lines: last - first + 1,
      branches: descendants(node, ts.isFunctionLike).filter(isBranch).length,
      parameters: node.parameters.length,
    },
  ]
}

function nameOf(node: ts.SignatureDeclaration): string {
  const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined)
  return named?.getText() ?? '(anonymous)'
}

function isBranch(node: ts.Node): boolean {
  if (ts.isIfStatement(node) || ts.isConditionalExpression(node) || ts.isCaseClause(node)) return true
  if (ts.isIterationStatement(node, false) || ts.isCatchClause(node)) return true
  if (!ts.isBinaryExpression(node)) return false
  const { kind } = node.operatorToken
  return (
    kind === ts.SyntaxKind.AmpersandAmpersandToken ||
    kind === ts.SyntaxKind.BarBarToken ||
    kind === ts.SyntaxKind.QuestionQuestionToken
  )
}

function countLines(text: string): number {
  return text.trimEnd().split('\n').length
}

if (import.meta.main) {
  const root = process.argv[2] === undefined ? ROOT : resolve(process.argv[2])
  console.log(`${basename(root)}\n${describe(await measure(root))}`)
}
