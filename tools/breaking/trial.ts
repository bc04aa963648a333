import { applyEdit, type Breakage, titlePattern } from './breakage.ts'
import type { TestRun } from './reports.ts'
import { runTests } from './run-tests.ts'
import type { TreeCopy } from './tree-copy.ts'

/** The result of an edit. Only a red test is a success. */
export type Verdict =
  | 'red'
  | 'still green'
  | 'no test cites it'
  | 'red before'
  | 'does not run'
  | 'edit does not fit'

/** Applies the edit to the copy, runs its tests and restores the file. */
export async function tryBreakage(copy: TreeCopy, breakage: Breakage, before: TestRun[]): Promise<Verdict> {
  const [rule, file, find, replace, ...tests] = breakage
  const original = copy.read(file)
  const broken = applyEdit(original, find, replace)
  if (broken === undefined) return 'edit does not fit'
  const citing = testsOf(breakage, before)
  if (citing.length === 0) return 'no test cites it'
  if (citing.some(({ passed }) => !passed)) return 'red before'
  copy.write(file, broken)
  const after = await runTests(copy.folder, tests, titlePattern(rule))
  copy.write(file, original)
  return judge(testsOf(breakage, after))
}

function judge(runs: TestRun[]): Verdict {
  if (runs.length === 0) return 'does not run'
  return runs.some(({ passed }) => !passed) ? 'red' : 'still green'
}

function testsOf([rule, , , , ...tests]: Breakage, runs: TestRun[]): TestRun[] {
  const pattern = new RegExp(titlePattern(rule))
  return runs.filter(({ file, title }) => tests.includes(file) && pattern.test(title))
}
