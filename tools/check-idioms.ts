import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type ts from 'typescript'
import { checkFalling, readBudgets } from './budgets.ts'
import { conclude, type Findings } from './findings.ts'
import { assertionsSayWhy } from './idioms/assertions.ts'
import { literalSpreads } from './idioms/literal-spreads.ts'
import { checkNames } from './idioms/names.ts'
import { parentImports } from './idioms/parent-imports.ts'
import { reservedNames } from './idioms/reserved-names.ts'
import { checkSuppression, findSuppressions } from './idioms/suppressions.ts'
import { ROOT } from './launch/project.mjs'
import { parse, type Remark } from './source/syntax.ts'
import { sourceFiles } from './source/tree.ts'

const IDIOMS: readonly ((file: ts.SourceFile) => Remark[])[] = [
  assertionsSayWhy,
  literalSpreads,
  parentImports,
  reservedNames,
]

/** Checks of the style guide that Biome has no rule for. */
export function checkIdioms(root: string, remarks = readRemarks(root)): Findings {
  const paths = sourceFiles(root)
  const suppressions = [...paths, ...looseFiles(root)].flatMap((path) =>
    findSuppressions(path, readFileSync(join(root, path), 'utf8')),
  )
  const budget = readBudgets(root).suppressions
  return {
    wrong: [
      ...checkNames(paths),
      ...remarks,
      ...suppressions.flatMap(checkSuppression),
      ...checkFalling('suppressions', 'suppressions', suppressions.length, budget),
    ],
    notes: [`${suppressions.length} suppressions, each with its reason`],
  }
}

function readRemarks(root: string): string[] {
  return sourceFiles(root).flatMap((path) => remarksOn(parse(root, path)))
}

export function remarksOn(file: ts.SourceFile): string[] {
  return IDIOMS.flatMap((idiom) => idiom(file)).map(({ found, line }) => `${file.fileName}:${line} ${found}`)
}

/** Style sheets, and the configuration files of the root. */
function looseFiles(root: string): string[] {
  return globSync(['*.{ts,cjs,mjs}', 'packages/*/src/**/*.css', 'packages/*/*.html'], { cwd: root })
}

if (import.meta.main) conclude('idioms', checkIdioms(ROOT))
