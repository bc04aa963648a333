import { applyEdit, type Breakage, titlePattern } from './breakage.ts'
import type { TestRun } from './reports.ts'
import { runTests } from './run-tests.ts'
import type { Workshop } from './workshop.ts'

/** What became of a breakage; only a red test is a success. */
export type Verdict =
  | 'red'
  | 'still green'
  | 'no test cites it'
  | 'red before'
  | 'does not run'
  | 'edit does not fit'

/** Makes the edit in the workshop, runs the tests named with it, and puts the file back. */
export async function tryBreakage(
  workshop: Workshop,
  breakage: Breakage,
  before: TestRun[],
): Promise<Verdict> {
  const [rule, file, find, replace, ...tests] = breakage
  const whole = workshop.read(file)
  const broken = applyEdit(whole, find, replace)
  if (broken === undefined) return 'edit does not fit'
  const witnesses = answering(breakage, before)
  if (witnesses.length === 0) return 'no test cites it'
  if (witnesses.some(({ passed }) => !passed)) return 'red before'
  workshop.write(file, broken)
  const after = await runTests(workshop.folder, tests, titlePattern(rule))
  workshop.write(file, whole)
  return judge(answering(breakage, after))
}

function judge(runs: TestRun[]): Verdict {
  if (runs.length === 0) return 'does not run'
  return runs.some(({ passed }) => !passed) ? 'red' : 'still green'
}

function answering([rule, , , , ...tests]: Breakage, runs: TestRun[]): TestRun[] {
  const pattern = new RegExp(titlePattern(rule))
  return runs.filter(({ file, title }) => tests.includes(file) && pattern.test(title))
}
