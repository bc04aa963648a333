/** The result of a check: errors, and notes that are always printed. */
export interface Findings {
  wrong: string[]
  notes: string[]
}

/** Prints the findings and fails the process if anything is wrong. */
export function conclude(name: string, { wrong, notes }: Findings): void {
  for (const note of notes) console.log(`${name}: ${note}`)
  for (const sentence of wrong) console.error(`${name}: ${sentence}`)
  if (wrong.length > 0) process.exitCode = 1
}
