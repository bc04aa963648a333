import { availableParallelism } from 'node:os'
import { BREAKAGES } from './break-rules.list.ts'
import type { Breakage } from './breaking/breakage.ts'
import { runTests } from './breaking/run-tests.ts'
import { copyTree, type TreeCopy } from './breaking/tree-copy.ts'
import { tryBreakage, type Verdict } from './breaking/trial.ts'
import { stopRunning } from './launch/child.mjs'
import { ROOT } from './launch/project.mjs'
import { onStopSignal } from './launch/signals.mjs'

export interface Result {
  rule: string
  file: string
  verdict: Verdict
}

/** Applies each edit in a copy of the tree and reports whether a test failed. Each copy holds one edit at a time. */
export async function breakRules(copies: TreeCopy[], breakages: readonly Breakage[]): Promise<Result[]> {
  const [first] = copies
  if (first === undefined || breakages.length === 0) return []
  const tests = [...new Set(breakages.flatMap(([, , , , ...files]) => files))]
  const before = await runTests(first.folder, tests)
  const queue = breakages.values()
  const results: Result[] = []
  await Promise.all(
    copies.map(async (copy) => {
      for (const breakage of queue) {
        const [rule, file] = breakage
        const result = { rule, file, verdict: await tryBreakage(copy, breakage, before) }
        console.log(`${rule.padEnd(16)} ${result.verdict.padEnd(18)} ${file}`)
        results.push(result)
      }
    }),
  )
  return results
}

function chosenBreakages(args: string[]): readonly Breakage[] {
  const at = args.indexOf('--only')
  const start = at === -1 ? '' : (args[at + 1] ?? '')
  return BREAKAGES.filter(([rule]) => rule.startsWith(start))
}

if (import.meta.main) {
  const copies = Array.from({ length: Math.min(4, availableParallelism()) }, () => copyTree(ROOT))
  const close = () => {
    for (const copy of copies) copy.close()
  }
  onStopSignal(() => {
    stopRunning()
    close()
    process.exit(130)
  })
  const results = await breakRules(copies, chosenBreakages(process.argv))
  close()
  const red = results.filter(({ verdict }) => verdict === 'red').length
  console.log(`${red} of ${results.length} edits turned a test red`)
  process.exitCode = red === results.length && red > 0 ? 0 : 1
}
