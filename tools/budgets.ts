import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Budgets {
  /** Rules that no test cites; may only fall. */
  rulesWithoutTest: number
  /** Lint and type suppressions; may only fall. */
  suppressions: number
  homeGzipBytes: number
  routeGzipBytes: number
  /** Larger limits for single routes, by the name of their source file. */
  routeGzipBytesOf: Record<string, number>
}

export function readBudgets(root: string): Budgets {
  return JSON.parse(readFileSync(join(root, 'budgets.json'), 'utf8'))
}

/** A number that may only fall: more is an error, and fewer requires a lower recorded number. */
export function checkFalling(name: keyof Budgets, what: string, actual: number, budget: number): string[] {
  if (actual > budget) return [`${actual} ${what}, but budgets.json allows ${budget} (${name}).`]
  if (actual < budget)
    return [`${actual} ${what}: lower ${name} in budgets.json from ${budget} to ${actual}.`]
  return []
}
